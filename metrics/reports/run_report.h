// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All reports about one run, as sheets: for its own workbooks, and for comparisons.

#include "metrics/operators/operator_calls.h"
#include "metrics/reports/collective_report.h"
#include "metrics/reports/gpu_timeline_sheets.h"
#include "metrics/reports/run_values.h"

namespace collscope {

struct RunReportOptions
{
    CollectiveReportOptions collective;
    RankMean mean = RankMean::Arithmetic;
    bool withCollectives = true; ///< else RunSheets::collective stays empty
    bool withScenarios = false; ///< replays the run, for the sheet what_if
};

/// The sheets of the whole run; steps and kernels of the window of the analysis.
RunSheets runSheets(Analysis& analysis, std::string label, const RunReportOptions& options);

/// Calls f with the individual report of each rank with GPU work, one after the other, so that reports of
/// thousands of ranks are not in memory together. `inputs`: for the tables of operators by their inputs.
/// `run`: with its collectives, for the sheet coll_analysis. Returns false if f returned
/// false, or the analysis was cancelled.
bool forEachRankReport(Analysis& analysis, const RunSheets& run, const OperatorInputReader& inputs,
                       const std::function<bool(std::int32_t rank, const Workbook& report)>& f);

} // namespace collscope
