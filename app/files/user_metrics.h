// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Reads definition files (TOML): metrics for the catalogue, and kernel rules. resources/help/user_metrics.md
// describes the format.

#include "metrics/definitions/metric_catalog.h"
#include "model/building/kernel_rules.h"
#include "model/result.h"

#include <string>

namespace collscope {

/// Returns `catalog` with all definitions of a file, or an error. Its message starts with "FILE:LINE: " and
/// contains what was expected there.
Result<MetricCatalog> readUserMetrics(const std::string& path, MetricCatalog catalog);

/// Returns the [[communication]] rules of a definition file, in order; a file without rules is valid. Errors
/// as in readUserMetrics().
Result<std::vector<KernelRule>> readKernelRules(const std::string& path);

} // namespace collscope
