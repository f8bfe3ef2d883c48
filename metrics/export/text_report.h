// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One text per run, for people and for archives: throughput, overlap, network load, traffic by type
// and NVLink where it was sampled.

#include "metrics/analysis.h"

namespace collscope {

/// The report. Only what derives from the input and the options: the same run gives the same bytes.
std::string textReport(Analysis& analysis);

/// "<stamp>_<model><flavor>_dp<replicate>x<shard>_tp<t>_gpu<n>.txt", `prefix` before it with a `_` between.
/// Degrees by card or TOML, else by the process groups; "_dp<n>" where it is not known how they are split,
/// and nothing for one that nobody tells. Characters that file systems or shells mind become '-'.
std::string textReportName(Analysis& analysis, const std::string& prefix, const std::string& stamp);

} // namespace collscope
