// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One text per run, for reading and archiving: throughput, overlap, network load, traffic by type and, if
// sampled, NVLink.

#include "metrics/analysis/analysis.h"

namespace collscope {

/// The report. Derived from the input and the options only: the same run gives the same bytes.
std::string textReport(Analysis& analysis);

/// "<stamp>_<model><flavor>_dp<replicate>x<shard>_tp<t>_gpu<n>.txt", preceded by `prefix` and a `_`. Degrees
/// come from card or TOML, else from the process groups; "_dp<n>" if the split is not known, and nothing for
/// an unknown degree. Characters that are special to file systems or shells become '-'.
std::string textReportName(Analysis& analysis, const std::string& prefix, const std::string& stamp);

} // namespace collscope
