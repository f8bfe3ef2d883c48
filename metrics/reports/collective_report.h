// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The collectives of a run as the sheets that TraceLens made usual. Unlike there, calls are matched by Seq or
// content, clocks are aligned, and nothing is dropped without a word.

#include "metrics/analysis.h"
#include "metrics/reports/sheet.h"

namespace collscope {

struct CollectiveReportOptions
{
    /// Bandwidths in GiB/s under the heading "GB/s", as TraceLens prints them; else decimal GB/s.
    bool gibCompat = false;
    /// Up to so many ranks have columns of their own; for more there is the long form.
    std::size_t wideRanks = 64;
    /// Only nccl_summary_* and straggler_summary: nothing with a row per call or per collective.
    bool summariesOnly = false;
};

/// nccl_summary_implicit_sync, nccl_summary_long, nccl_summary_all2allv, nccl_all2allv_heatmap, nccl_long,
/// nccl_implicit_sync, nccl_all2allv, straggler_summary, unmatched: in this order, empty ones left out. Times
/// in us unless the column says ms, sizes "(MB)" in MiB. The whole run, whatever window the analysis has.
/// O(calls log calls).
Workbook collectiveReport(Analysis& analysis, const CollectiveReportOptions& options = {});

} // namespace collscope
