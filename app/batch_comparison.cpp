// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// --report individual,collective and --baseline A --test B: workbooks of runs and of their comparison.

#include "app/batch_io.h"
#include "app/batch_jobs.h"
#include "app/batch_plots.h"
#include "app/comparison_page.h"
#include "metrics/export/workbook.h"
#include "metrics/reports/run_report.h"
#include "metrics/reports/workbook_reader.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>

namespace collscope {

namespace fs = std::filesystem;

namespace {

constexpr const char* analysisFolder = "tracelens_analysis"; // where scripts look for it
constexpr const char* individualFolder = "individual_reports";
constexpr const char* collectiveFolder = "collective_reports";
constexpr const char* collectiveBook = "collective_all_ranks.xlsx";

std::string summaryBook(RankMean mean)
{
    return mean == RankMean::Geometric ? "gpu_timeline_summary_geomean.xlsx"
                                       : "gpu_timeline_summary_mean.xlsx";
}

/// Writes a workbook and what did not fit into it; prints their names. False, with a sentence on stderr, if
/// that fails.
bool writeBook(const std::string& folder, const std::string& name, const Workbook& book)
{
    const std::string stem = fs::path(name).stem().string() + "_";
    const auto written = writeWorkbook(book, stem);
    if (!written) {
        say(written.error().message);
        return false;
    }
    if (!makeFolder(folder) || !writeFile(pathIn(folder, name), written->bytes)
        || !print(pathIn(folder, name) + "\n"))
        return false;
    return std::all_of(written->spills.begin(), written->spills.end(),
                       [&](const WrittenWorkbook::Spill& spill) {
                           const std::string path = pathIn(folder, stem + spill.sheet + ".csv");
                           return writeFile(path, spill.csv) && print(path + "\n");
                       });
}

/// The workbook in a file; nullopt if there is none. A damaged one is told of.
std::optional<Workbook> readBook(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return std::nullopt;
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    auto book = readWorkbook(bytes, path.string());
    if (!book) {
        say(book.error().message);
        return std::nullopt;
    }
    return std::move(*book);
}

/// Loads runs one after the other and writes their own reports.
class ReportWriter
{
public:
    ReportWriter(const CommandLine& command, const KnowledgePtr& knowledge)
        : m_command(command)
        , m_choices(command.outputs.reports)
        , m_options(metricOptions(command, knowledge))
    {
        m_report.mean = m_choices.geometricMean ? RankMean::Geometric : RankMean::Arithmetic;
        m_report.collective.gibCompat = m_choices.gibCompat;
        if (m_choices.isFull)
            m_report.collective.wideRanks = std::numeric_limits<std::size_t>::max();
        m_report.withCollectives = m_choices.collective;
    }

    int code() const { return m_code; }
    std::string folderOf(const std::string& label) const
    {
        return pathIn(pathIn(m_command.outputs.folder, label), analysisFolder);
    }

    /// The sheets of a run: read where they were written earlier, else made and written. nullopt: code() says
    /// why not.
    std::optional<RunSheets> sheetsOf(const BatchRun& run, const std::string& label)
    {
        if (m_choices.reuse) {
            if (auto sheets = writtenEarlier(run, label))
                return sheets;
            say("no reports of " + run.label + " were found; they are made now.");
        }
        return make(run, label);
    }

private:
    std::optional<RunSheets> fail(int code)
    {
        m_code = code;
        return std::nullopt;
    }

    std::optional<RunSheets> writtenEarlier(const BatchRun& run, const std::string& label) const
    {
        for (const fs::path& folder : {fs::path(folderOf(label)), fs::path(run.label) / analysisFolder}) {
            auto times = readBook(folder / summaryBook(m_report.mean));
            if (!times)
                continue;
            RunSheets sheets{label, std::move(*times), {}};
            if (m_choices.collective) {
                auto calls = readBook(folder / collectiveFolder / collectiveBook);
                if (!calls)
                    continue;
                sheets.collective = std::move(*calls);
            }
            say("reports of " + run.label + " are read from " + folder.string() + ".");
            return sheets;
        }
        return std::nullopt;
    }

    std::optional<RunSheets> make(const BatchRun& run, const std::string& label)
    {
        const auto model = loadRun(m_command, run);
        if (!model)
            return fail(sayNotLoaded(model.error()));
        Analysis analysis(**model, m_options);
        if (const auto& failure = analysis.wholeFiles().failure) {
            say(run.label + ": " + failure->reason);
            return fail(NotAvailable);
        }
        RunSheets sheets = runSheets(analysis, label, m_report);
        const std::string folder = folderOf(label);
        bool isWritten = true;
        if (m_choices.individual)
            forEachRankReport(analysis, sheets.collective, [&](std::int32_t rank, const Workbook& book) {
                isWritten = writeBook(pathIn(folder, individualFolder),
                                      "rank" + std::to_string(rank) + "_individual_report.xlsx", book);
                return isWritten;
            });
        if (isInterrupted()) {
            say("cancelled.");
            return fail(Cancelled);
        }
        if (isWritten && m_choices.collective && !sheets.collective.sheets.empty())
            isWritten = writeBook(pathIn(folder, collectiveFolder), collectiveBook, sheets.collective);
        if (isWritten && !sheets.gpuTimeline.sheets.empty())
            isWritten = writeBook(folder, summaryBook(m_report.mean), sheets.gpuTimeline);
        return isWritten ? std::optional(std::move(sheets)) : fail(NotWritten);
    }

    const CommandLine& m_command;
    const ReportChoices& m_choices;
    MetricOptions m_options;
    RunReportOptions m_report;
    int m_code = Done;
};

/// The runs of the command line, each with what it is called in tables and folders.
std::vector<std::pair<BatchRun, std::string>> labelledRuns(const std::vector<BatchRun>& runs)
{
    std::vector<std::string> paths;
    for (const BatchRun& run : runs) {
        std::error_code error;
        const fs::path full = fs::weakly_canonical(run.label, error);
        paths.push_back(error ? run.label : full.string());
    }
    std::vector<std::string> labels = runLabels(paths);
    std::vector<std::pair<BatchRun, std::string>> labelled;
    for (std::size_t i = 0; i < runs.size(); ++i)
        labelled.emplace_back(runs[i], labels[i]);
    return labelled;
}

/// `finals`: of the first run with each of the others.
bool writeComparison(const CommandLine& command, const std::vector<RunSheets>& runs,
                     const std::vector<Workbook>& finals)
{
    const ReportChoices& choices = command.outputs.reports;
    const std::string& folder = command.outputs.folder;
    const CompareOptions options{choices.thresholdPercent};
    if (choices.allRuns
        && !writeBook(folder, "final_analysis_report_for_all.xlsx", allRunsReport(runs, options)))
        return false;
    const RunSheets& base = runs.front();
    const auto combined = [&](const RunSheets& test, Workbook RunSheets::*book) {
        return combinedSheets(base.*book, test.*book, base.label, test.label);
    };
    for (std::size_t i = 1; i < runs.size(); ++i) {
        const RunSheets& test = runs[i];
        Workbook report = finals[i - 1];
        std::erase_if(report.sheets, [](const Sheet& sheet) { return sheet.isHidden; });
        if (!writeBook(pathIn(pathIn(folder, test.label), analysisFolder), "comparison_report.xlsx", report))
            return false;
        if (choices.gpuTimelineBooks
            && !(writeBook(folder, "gpu_timeline_combined.xlsx", combined(test, &RunSheets::gpuTimeline))
                 && writeBook(folder, "gpu_timeline_comparison.xlsx",
                              gpuTimelineComparison(base, test, options))))
            return false;
        if (choices.collectiveBooks
            && !(writeBook(folder, "collective_combined.xlsx", combined(test, &RunSheets::collective))
                 && writeBook(folder, "collective_comparison.xlsx",
                              collectiveComparison(base, test, options))))
            return false;
        if (choices.finalReport && !writeBook(folder, "final_analysis_report.xlsx", finals[i - 1]))
            return false;
    }
    return true;
}

/// plots/*.png and one page of them all.
bool writePictures(const CommandLine& command, const std::vector<RunSheets>& runs,
                   const std::vector<Workbook>& finals)
{
    if (!canPaint())
        return false;
    const CompareOptions options{command.outputs.reports.thresholdPercent};
    const std::vector<ComparisonPlot> plots = comparisonPlots(runs, options);
    const std::string folder = pathIn(command.outputs.folder, "plots");
    std::vector<PagePicture> pictures;
    for (const ComparisonPlot& plot : plots) {
        const std::string path = pathIn(folder, plot.file.toStdString());
        pictures.emplace_back(&plot, pngOf(plot.page));
        const QByteArray& png = pictures.back().second;
        if (!makeFolder(folder) || !writeFile(path, {png.constData(), static_cast<std::size_t>(png.size())})
            || !print(path + "\n"))
            return false;
    }
    std::vector<Sheet> dashboards;
    std::vector<std::string> notes;
    for (const Workbook& report : finals) {
        dashboards.push_back(report.sheets.front());
        notes.insert(notes.end(), report.notes.begin(), report.notes.end());
    }
    const std::string page = pathIn(command.outputs.folder,
                                    command.outputs.reports.allRuns ? "final_analysis_report_for_all.html"
                                                                    : "performance_analysis_report.html");
    return writeFile(page, comparisonPage(runs, dashboards, pictures, notes)) && print(page + "\n");
}

} // namespace

int runReports(const CommandLine& command, const KnowledgePtr& knowledge)
{
    ReportWriter writer(command, knowledge);
    int code = Done;
    for (const auto& [run, label] : labelledRuns(runsOf(command))) {
        if (!writer.sheetsOf(run, label))
            code = code == Done ? writer.code() : code;
        if (isInterrupted())
            return Cancelled;
    }
    return code;
}

int runComparison(const CommandLine& command, const KnowledgePtr& knowledge)
{
    ReportWriter writer(command, knowledge);
    std::vector<BatchRun> asked;
    for (const std::string& path : command.paths)
        asked.push_back({path, {path}, command.load});
    std::vector<RunSheets> runs;
    for (const auto& [run, label] : labelledRuns(asked)) {
        auto sheets = writer.sheetsOf(run, label);
        if (!sheets)
            return writer.code();
        runs.push_back(std::move(*sheets));
    }
    std::vector<Workbook> finals;
    for (std::size_t i = 1; i < runs.size(); ++i)
        finals.push_back(finalReport(runs.front(), runs[i], {command.outputs.reports.thresholdPercent}));
    const bool isWritten = writeComparison(command, runs, finals)
        && (!command.outputs.reports.plots || writePictures(command, runs, finals));
    return isWritten ? Done : NotWritten;
}

} // namespace collscope
