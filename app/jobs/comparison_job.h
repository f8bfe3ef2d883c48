// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Background work of a comparison in the window: the sheets of both runs, their comparison, and the locations
// of the item that the user selects.

#include "app/jobs/latest_only_job.h"
#include "metrics/comparison/compared_locations.h"
#include "metrics/comparison/comparison.h"
#include "model/result.h"

namespace collscope {

/// A run to compare; `prepared` is set once its sheets exist.
struct ComparisonRun
{
    TraceModelPtr model;
    RunCollectivesPtr collectives; ///< nullptr: still to be matched
    std::string path; ///< the run is named after it
    ComparedRunPtr prepared;
};

/// Two runs and their comparison.
struct PreparedComparison
{
    ComparedRunPtr base, test;
    std::shared_ptr<const ComparisonReport> report; ///< finalReport()
};
using PreparedComparisonPtr = std::shared_ptr<const PreparedComparison>;

/// The result of writing the reports of a comparison.
struct WrittenReports
{
    std::vector<std::string> files; ///< including the folder
    Status status; ///< an error: why writing stopped
};

/// Writes the same files as collscope --batch --baseline A --test B into a folder, creating it if necessary:
/// all reports for two runs, those of --compare-all-runs for more. Stops if `options` report cancellation.
WrittenReports writeComparison(const std::vector<ComparisonRun>& runs, const MetricOptions& options,
                               double thresholdPercent, const std::string& folder);

/// Returns report options for a window: sheets without a row per call.
RunReportOptions shownReports();
/// Prepares the runs that are not prepared yet. nullptr if `options` report cancellation.
PreparedComparisonPtr prepareComparison(const ComparisonRun& base, const ComparisonRun& test,
                                        const MetricOptions& options, const CompareOptions& compare);

} // namespace collscope
