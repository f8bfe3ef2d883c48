// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// NVLink of each GPU with counters: throughput, the highest intervals, and which kernels ran in them.

#include "metrics/analysis.h"
#include "metrics/export/framed_report.h"
#include "model/result.h"

#include <string>

namespace collscope {

/// How many of the highest intervals of a GPU a report lists where nobody says.
constexpr int usualNvlinkPeaks = 5;

/// Adds the figures of each GPU that the options choose, without a heading of its own. False, and a line that
/// says why, where no GPU has counters.
bool addNvlink(Analysis& analysis, int peaks, FramedReport& report);

/// The report by itself; an error with the reason where no GPU has counters.
Result<std::string> nvlinkReport(Analysis& analysis, int peaks);

} // namespace collscope
