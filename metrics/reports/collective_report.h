// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The collectives of a run as the sheets established by TraceLens. Unlike in TraceLens, calls are matched by
// Seq or content, clocks are aligned, and all exclusions are reported.

#include "metrics/analysis/analysis.h"
#include "metrics/reports/collective_report_options.h"
#include "metrics/reports/run_values.h"

namespace collscope {

/// nccl_summary_implicit_sync, nccl_summary_long, nccl_summary_all2allv, nccl_all2allv_heatmap, nccl_long,
/// nccl_implicit_sync, nccl_all2allv, straggler_summary, unmatched: in this order, without empty sheets.
/// Times in us unless the column says ms, sizes "(MB)" in MiB. Covers the whole run, regardless of the window
/// of the analysis. Fills in the values of the first two. O(calls log calls).
Workbook collectiveReport(Analysis& analysis, const CollectiveReportOptions& options, RunValues& values);

} // namespace collscope
