// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The collectives of a run as the sheets established by TraceLens. Unlike in TraceLens, calls are matched by
// Seq or content, clocks are aligned, and all exclusions are reported.

#include "metrics/analysis.h"
#include "metrics/reports/run_values.h"

namespace collscope {

struct CollectiveReportOptions
{
    /// Bandwidths in GiB/s under the heading "GB/s", as TraceLens prints them; else decimal GB/s.
    bool gibCompat = false;
    /// Maximum number of ranks with separate columns; with more ranks, use the long form.
    std::size_t wideRanks = 64;
    /// Only nccl_summary_* and straggler_summary: no sheet with a row per call or per collective.
    bool summariesOnly = false;
};

/// nccl_summary_implicit_sync, nccl_summary_long, nccl_summary_all2allv, nccl_all2allv_heatmap, nccl_long,
/// nccl_implicit_sync, nccl_all2allv, straggler_summary, unmatched: in this order, without empty sheets.
/// Times in us unless the column says ms, sizes "(MB)" in MiB. Covers the whole run, regardless of the window
/// of the analysis. Fills in the values of the first two. O(calls log calls).
Workbook collectiveReport(Analysis& analysis, const CollectiveReportOptions& options, RunValues& values);

} // namespace collscope
