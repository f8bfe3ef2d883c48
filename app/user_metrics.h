// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// A file of definitions (TOML): metrics for the catalogue, and rules for kernel names. Its format is
// explained in resources/help/user_metrics.md.

#include "metrics/metric_catalog.h"
#include "model/kernel_rules.h"
#include "model/result.h"

#include <string>

namespace collscope {

/// `catalog` with the definitions of a file, all or none. The error's message begins with "FILE:LINE: " and
/// says what was expected there.
Result<MetricCatalog> readUserMetrics(const std::string& path, MetricCatalog catalog);

/// The [[communication]] rules of a file of definitions, in its order; none is no error. Errors as above.
Result<std::vector<KernelRule>> readKernelRules(const std::string& path);

} // namespace collscope
