// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The report about one rank ("individual report"): how its GPU spent its time, and which operators and
// kernels used it. Sheets, columns and their order are those of TraceLens.

#include "metrics/operators/operator_calls.h"
#include "model/trace_model.h"

#include <functional>
#include <span>

namespace collscope {

struct RankReportOptions
{
    /// If set, only GPU events with a launch link count in gpu_timeline and have a parent, as in TraceLens by
    /// default.
    bool linkedOnly = false;
    std::int64_t shortKernelNs = 50'000; ///< a kernel with a shorter duration is short
    std::size_t topOperators = 0; ///< rows of ops_summary; 0 = all
    OperatorInputReader inputs = {}; ///< empty: no tables of operators by their inputs
    std::size_t topCalls = 100; ///< rows of those tables; 0 = all
    std::function<bool()> cancelled = {}; ///< polled regularly; empty = never
};

/// The sheets gpu_timeline, ops_summary_by_category, ops_summary, kernel_summary, short_kernel_histogram and
/// short_kernels_summary of one rank's file or files, and those of operatorCallSheets(); without ops sheets
/// if no operator was traced. The notes list omissions. An empty workbook when cancelled. O(n log n) of the
/// slices.
Workbook rankReport(const TraceModel& model, std::span<const Timeline* const> timelines,
                    const RankReportOptions& options);

} // namespace collscope
