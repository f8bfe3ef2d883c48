// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// NVLink of each GPU with counters: throughput, the highest intervals, and the kernels that ran in them.

#include "metrics/analysis/analysis.h"
#include "metrics/export/framed_report.h"
#include "model/result.h"

#include <string>

namespace collscope {

/// Default number of highest intervals per GPU in a report.
constexpr int usualNvlinkPeaks = 5;

/// Adds the figures of each GPU selected by the options, without a heading of its own. Returns false, after a
/// line with the reason, if no GPU has counters.
bool addNvlink(Analysis& analysis, int peaks, FramedReport& report);

/// The report alone, with what Nsight sampled, in %; an error with the reason if no GPU
/// has counters.
Result<std::string> nvlinkReport(Analysis& analysis, int peaks);

} // namespace collscope
