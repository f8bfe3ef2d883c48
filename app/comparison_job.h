// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The work behind a comparison on screen, off the GUI thread: sheets of both runs, their comparison, and
// where what somebody asks about is.

#include "app/latest_only_job.h"
#include "metrics/reports/compared_locations.h"
#include "metrics/reports/comparison.h"

namespace collscope {

/// A run that is to be compared; `prepared` once it was.
struct ComparisonRun
{
    TraceModelPtr model;
    RunCollectivesPtr collectives; ///< nullptr: to be matched
    std::string path; ///< what it is named after
    ComparedRunPtr prepared;
};

/// Two runs and their comparison.
struct PreparedComparison
{
    ComparedRunPtr base, test;
    std::shared_ptr<const Workbook> report; ///< finalReport()
};
using PreparedComparisonPtr = std::shared_ptr<const PreparedComparison>;

/// What came of writing the reports of a comparison.
struct WrittenReports
{
    std::vector<std::string> files; ///< with their folder
    std::string problem; ///< why it stopped, as a sentence; empty: all is written
};

/// Writes what collscope --batch --baseline A --test B writes, into a folder that is made if need be: all
/// reports of two runs, those of --compare-all-runs of more. Stops where `options` say that it was cancelled.
WrittenReports writeComparison(const std::vector<ComparisonRun>& runs, const MetricOptions& options,
                               double thresholdPercent, const std::string& folder);

/// What a window needs of a run's reports: nothing with a row per call.
RunReportOptions shownReports();
/// Prepares what is not prepared yet. nullptr if `options` say that it was cancelled.
PreparedComparisonPtr prepareComparison(const ComparisonRun& base, const ComparisonRun& test,
                                        const MetricOptions& options, const CompareOptions& compare);

} // namespace collscope
