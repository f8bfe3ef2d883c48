// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// A file of metric definitions (TOML) -> the catalogue. Its format is explained in
// resources/help/user_metrics.md.

#include "metrics/metric_catalog.h"
#include "model/result.h"

#include <string>

namespace collscope {

/// `catalog` with the definitions of a file, all or none. The error's message begins with "FILE:LINE: " and
/// says what was expected there.
Result<MetricCatalog> readUserMetrics(const std::string& path, MetricCatalog catalog);

} // namespace collscope
