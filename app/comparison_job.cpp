// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/comparison_job.h"

namespace collscope {

namespace {

/// The run under that name: which one it needs depends on what it is compared with.
ComparedRunPtr prepared(const ComparisonRun& run, const std::string& label, const MetricOptions& options)
{
    if (!run.prepared) {
        MetricOptions own = options;
        own.collectives = run.collectives;
        return prepareRun(run.model, std::move(own), label, shownReports());
    }
    if (run.prepared->sheets.label == label)
        return run.prepared;
    auto renamed = std::make_shared<ComparedRun>(*run.prepared);
    renamed->sheets.label = label;
    return renamed;
}

} // namespace

RunReportOptions shownReports()
{
    RunReportOptions options;
    return options;
}

PreparedComparisonPtr prepareComparison(const ComparisonRun& base, const ComparisonRun& test,
                                        const MetricOptions& options, const CompareOptions& compare)
{
    const std::vector<std::string> labels = runLabels({base.path, test.path});
    auto comparison = std::make_shared<PreparedComparison>();
    comparison->base = prepared(base, labels[0], options);
    comparison->test = comparison->base ? prepared(test, labels[1], options) : nullptr;
    if (!comparison->test || options.cancelled())
        return nullptr;
    comparison->report = std::make_shared<const Workbook>(
        finalReport(comparison->base->sheets, comparison->test->sheets, compare));
    return comparison;
}

} // namespace collscope
