// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/jobs/comparison_job.h"

#include "app/files/comparison_files.h"
#include "app/files/whole_file.h"
#include "app/pictures/comparison_pictures.h"

#include <filesystem>

namespace collscope {

namespace {

/// Returns the run with the given label, which depends on the run it is compared with.
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
    options.collective.summariesOnly = true;
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
    comparison->report = std::make_shared<const ComparisonReport>(
        finalReport(comparison->base->sheets, comparison->test->sheets, compare));
    return comparison;
}

WrittenReports writeComparison(const std::vector<ComparisonRun>& runs, const MetricOptions& options,
                               double thresholdPercent, const std::string& folder)
{
    namespace fs = std::filesystem;
    WrittenReports written;
    ReportChoices choices;
    choices.individual = choices.collective = choices.plots = true;
    choices.allRuns = runs.size() > 2;
    choices.gpuTimelineBooks = choices.collectiveBooks = choices.finalReport = !choices.allRuns;
    choices.thresholdPercent = thresholdPercent;
    const FileSink sink = [&](const std::string& path, const TextPieces& content) -> Status {
        const fs::path file = fs::path(folder) / path;
        std::error_code error;
        fs::create_directories(file.parent_path(), error);
        if (error)
            return Error{Error::Kind::Io, file.parent_path().string() + ": " + error.message() + "."};
        if (Status whole = writeWholeFile(file.string(), content); !whole)
            return whole;
        written.files.push_back(file.string());
        if (options.cancelled())
            return Error{Error::Kind::Cancelled, "cancelled."};
        return {};
    };
    std::vector<std::string> paths;
    paths.reserve(runs.size());
    for (const ComparisonRun& run : runs)
        paths.push_back(run.path);
    const std::vector<std::string> labels = runLabels(paths);
    std::vector<RunSheets> sheets;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        MetricOptions ofRun = options;
        ofRun.collectives = runs[i].collectives;
        if (runs[i].prepared)
            ofRun.collectives = runs[i].prepared->options.collectives;
        Analysis analysis(*runs[i].model, std::move(ofRun));
        auto own = writeRunReports(analysis, labels[i], choices, runReportOptions(choices), sink);
        if (!own) {
            written.status = own.error();
            return written;
        }
        sheets.push_back(std::move(*own));
    }
    written.status = writeComparisonFiles(std::move(sheets), choices, sink, drawComparison);
    return written;
}

} // namespace collscope
