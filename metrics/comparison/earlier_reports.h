// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reports written earlier, by Collscope or by TraceLens, as runs to be compared. This is the only place where
// titles of sheets and columns are looked up.

#include "metrics/reports/run_values.h"

namespace collscope {

/// Reads the values of a run from its sheets: those that gpuTimelineSummary() and collectiveReport() of any
/// version, or the tools that introduced them, have written. What a sheet does not contain, or not as a
/// number, is unknown. Other sheets and columns are kept as they are. O(cells).
RunSheets readReports(std::string label, Workbook gpuTimeline, Workbook collective);

/// Converts the bandwidths of a collective report to that unit. Its note states the current unit; reports of
/// older tools have no notes, and GiB/s. Afterwards a note states the unit, and whether it was converted.
/// Workbooks without bandwidths are not changed. O(cells of such columns).
void bringBandwidthsTo(bool gib, Workbook& collective);

} // namespace collscope
