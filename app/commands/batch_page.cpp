// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command page: a run, a comparison or the verdict on a hang as one HTML file to send.

#include "app/cli/command_interrupts.h"
#include "app/commands/command_compare.h"
#include "app/files/batch_io.h"
#include "app/files/page_origin.h"
#include "app/runtime/thread_pool.h"
#include "metrics/export/page/comparison_page.h"
#include "metrics/export/page/page_of_run.h"
#include "metrics/reports/run_report.h"

#include <filesystem>

namespace collscope {

namespace {

/// A run that is given twice would be compared with itself, or silently be the page of one run.
Status checkEachOnce(const std::vector<std::string>& paths)
{
    std::error_code error;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (std::filesystem::equivalent(paths[i], paths[j], error))
                return usageError("Give each run once: " + paths[j] + " and " + paths[i] + " are the same.");
        }
    }
    return {};
}

class PageCommand : public MeasuringCommand
{
public:
    std::string file;
    HangOptions hang;
    double thresholdPercent = 1;

    void declare() override
    {
        options.group("Output");
        options.output("-o,--output", file, OptionSpec::Place::OutputFile, "FILE", "HTML file to write");
        options.number("--threshold", thresholdPercent, 0, 100,
                       "Changes of up to N percent count as similar, of several runs");
        options.flag("--hung", hang.isKnownToHang,
                     "The job was hung when the files were written: no proof is needed");
        options.group("Selection");
        selection.declareRank(options);
        selection.declareWindow(options);
        selection.declareClocks(options);
        input.declare(options);
    }
    Status check() override
    {
        if (file.empty())
            return usageError("Give the file with -o FILE.html.");
        if (Status once = checkEachOnce(input.paths); !once)
            return once;
        if (const Status read = readCatalog(); !read)
            return read;
        return MeasuringCommand::check();
    }

protected:
    std::size_t runCount() const override { return runsOf(input).size(); }
    int measure(const HardwareDatabasePtr& hardware) const override;

private:
    Result<std::string> pageOf(const BatchRun& run, const MetricOptions& chosen) const;
    Result<std::string> pageOf(const std::vector<BatchRun>& runs, const MetricOptions& chosen) const;
    std::vector<std::string> commandLine() const;
};

std::vector<std::string> PageCommand::commandLine() const
{
    std::vector<std::string> line{"collscope"};
    line.insert(line.end(), words.begin(), words.end());
    return line;
}

Result<std::string> PageCommand::pageOf(const BatchRun& run, const MetricOptions& chosen) const
{
    const auto model = loadRun(*this, run);
    if (!model)
        return model.error();
    Analysis analysis(**model, chosen);
    return runPage(analysis, *model, catalog.usual(), hang,
                   originOf(**model, commandLine(), chosen.parallel, chosen.cancelled));
}

Result<std::string> PageCommand::pageOf(const std::vector<BatchRun>& runs, const MetricOptions& chosen) const
{
    const CompareOptions compare{thresholdPercent};
    std::vector<RunSheets> sheets;
    std::vector<LoadedOnPage> loaded;
    PageOrigin origin = originOf(commandLine());
    for (const auto& [run, label] : labelledRuns(runs)) { // one after the other in memory
        const auto model = loadRun(*this, run);
        if (!model)
            return model.error();
        Analysis analysis(**model, chosen);
        if (const auto& failure = analysis.wholeFiles().failure)
            return Error{Error::Kind::Incomplete, run.label + ": " + failure->reason, run.label};
        RunReportOptions report;
        report.collective.streamsRows = true;
        sheets.push_back(runSheets(analysis, label, report));
        sheets.back().collective = summariesOf(sheets.back().collective);
        loaded.push_back(
            loadedOnPage(analysis, label, originOf(**model, {}, chosen.parallel, chosen.cancelled)));
        if (isInterrupted())
            return Error{Error::Kind::Cancelled, "cancelled."};
    }
    ComparisonPage page{sheets, {}, {}, std::move(loaded), std::move(origin)};
    for (std::size_t i = 1; i < sheets.size(); ++i)
        page.tests.push_back({headlineOf(sheets.front(), sheets[i], compare),
                              finalReport(sheets.front(), sheets[i], compare)});
    return comparisonPage(page);
}

int PageCommand::measure(const HardwareDatabasePtr& hardware) const
{
    MetricOptions chosen = metricOptions(selection, hardware);
    chosen.parallel = threadPool(input.threads);
    const std::vector<BatchRun> runs = runsOf(input);
    const Result<std::string> page = runs.size() > 1 ? pageOf(runs, chosen) : pageOf(runs.front(), chosen);
    if (isInterrupted()) {
        say("cancelled.");
        return Cancelled;
    }
    if (!page)
        return sayNotLoaded(page.error());
    return writeFile(file, *page) ? Done : NotWritten;
}

} // namespace

std::unique_ptr<ProgramCommand> pageCommand()
{
    return std::make_unique<PageCommand>();
}

} // namespace collscope
