// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/comparison_files.h"

#include "app/files/batch_io.h"
#include "metrics/comparison/comparison.h"
#include "metrics/comparison/packed_rows.h"
#include "metrics/comparison/step_comparison.h"
#include "metrics/export/kernel_summary.h"
#include "metrics/reports/reused_reports.h"
#include "model/readers/kineto/kineto_event_args.h"
#include "model/source_traits.h"
#include "model/text/printable_text.h"

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <limits>
#include <utility>

namespace collscope {

namespace fs = std::filesystem;

namespace {

/// Writes files one after the other until one fails, and keeps the reason.
class FileWriter
{
public:
    FileWriter(const ReportChoices& choices, const FileSink& sink)
        : m_choices(choices)
        , m_sink(sink)
    { }

    const Status& status() const { return m_status; }

    bool fail(Error::Kind kind, std::string sentence)
    {
        m_status = Error{kind, std::move(sentence)};
        return false;
    }

    bool write(const std::string& path, const TextPieces& content)
    {
        m_status = m_sink(path, content);
        return m_status.has_value();
    }

    /// Writes a workbook in each chosen format. `path`: of the .xlsx file; the other files are named after
    /// it.
    bool writeBook(const std::string& path, const Workbook& book)
    {
        return writeText(path, book) && (!m_choices.asXlsx || writeXlsx(path, book));
    }

private:
    bool writeText(const std::string& path, const Workbook& book)
    {
        const std::string name = fs::path(path).replace_extension().string();
        const auto writeSheet
            = [&](const std::string& file, const TextPieces& csv) { return write(pathIn(name, file), csv); };
        return (!m_choices.asCsv || forEachSheetCsv(book, writeSheet))
            && (!m_choices.asJson || write(name + ".json", workbookJsonPieces(book)));
    }

    /// Writes the workbook, and sheets that did not fit into it as separate files next to it.
    bool writeXlsx(const std::string& path, const Workbook& book)
    {
        const fs::path file(path);
        const std::string stem = file.stem().string() + "_";
        const auto written = writeWorkbook(book, stem);
        if (!written)
            return fail(written.error().kind, written.error().message);
        return write(path, onePiece(written->bytes))
            && std::all_of(written->spills.begin(), written->spills.end(),
                           [&](const WrittenWorkbook::Spill& spill) {
                               return write(pathIn(file.parent_path().string(), stem + spill.sheet + ".csv"),
                                            spill.csv);
                           });
    }

    const ReportChoices& m_choices;
    const FileSink& m_sink;
    Status m_status;
};

/// Writes collective_combined. No other output needs a row per call, so the runs keep only the summaries.
bool writeCombinedCollectives(RunSheets& base, RunSheets& test, FileWriter& writer)
{
    Workbook baseSummaries = summariesOf(base.collective);
    Workbook testSummaries = summariesOf(test.collective);
    Workbook baseCalls = std::move(base.collective);
    Workbook testCalls = std::move(test.collective);
    base.collective = std::move(baseSummaries);
    test.collective = std::move(testSummaries);
    return writer.writeBook(
        "collective_combined.xlsx",
        combinedSheets(std::move(baseCalls), std::move(testCalls), base.label, test.label));
}

/// Writes the workbooks that compare the first run with another. `report`: finalReport() of the two.
bool writeBooksOfTwo(RunSheets& base, RunSheets& test, const ComparisonReport& report,
                     const ReportChoices& choices, FileWriter& writer)
{
    const CompareOptions options{choices.thresholdPercent};
    if (!writer.writeBook(pathIn(pathIn(test.label, reportsFolder), "comparison_report.xlsx"),
                          report.workbook(false)))
        return false;
    if (choices.gpuTimelineBooks
        && !(writer.writeBook("gpu_timeline_combined.xlsx",
                              combinedSheets(base.gpuTimeline, test.gpuTimeline, base.label, test.label))
             && writer.writeBook("gpu_timeline_comparison.xlsx", gpuTimelineComparison(base, test, options))))
        return false;
    if (choices.collectiveBooks
        && !(writeCombinedCollectives(base, test, writer)
             && writer.writeBook("collective_comparison.xlsx", collectiveComparison(base, test, options))))
        return false;
    return !choices.finalReport || writer.writeBook("final_analysis_report.xlsx", report.workbook(true));
}

/// Returns a reader for the operator inputs in the files of the run.
OperatorInputReader inputsOf(Analysis& analysis)
{
    return [&model = analysis.model(), cancelled = analysis.options().cancelled](
               const Timeline& timeline, std::span<const SliceRef> calls,
               const std::function<void(SliceRef, OperatorInputs &&)>& take) -> Status {
        if (!sourceTraits(timeline.kind).holdsEventObjects)
            return {};
        std::vector<EventLocation> places;
        for (const SliceRef call : calls)
            places.push_back({model.track(call.track).slices.fileOffset[call.row], call});
        std::sort(places.begin(), places.end(),
                  [](const EventLocation& a, const EventLocation& b) { return a.offset < b.offset; });
        const auto takeArgs = [&](SliceRef call, EventArgs&& args) {
            OperatorInputs inputs;
            for (auto& [name, value] : args) {
                if (name == "Input Dims")
                    inputs.dims = std::move(value);
                else if (name == "Input type")
                    inputs.types = std::move(value);
                else if (name == "Input Strides")
                    inputs.strides = std::move(value);
                else if (name == "Concrete Inputs")
                    inputs.concrete = std::move(value);
            }
            take(call, std::move(inputs));
        };
        return readArgsOf(model, model.sources[timeline.source.value].path, places, takeArgs,
                          [&](std::uint64_t) { return !cancelled(); });
    };
}

} // namespace

TextPieces onePiece(std::string_view bytes)
{
    return [bytes](const TakePiece& take) { take(bytes); };
}

std::string headlineOf(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    return test.label + " against " + base.label + ": " + comparisonHeadline(base, test, options);
}

std::string fullPath(const std::string& path)
{
    std::error_code error;
    const fs::path full = fs::weakly_canonical(path, error);
    return error ? path : full.string();
}

RunReportOptions runReportOptions(const ReportChoices& choices)
{
    RunReportOptions options;
    options.mean = choices.geometricMean ? RankMean::Geometric : RankMean::Arithmetic;
    options.withCollectives = choices.collective;
    options.withScenarios = choices.scenarios;
    options.collective.gibCompat = choices.gibCompat;
    if (choices.isFull)
        options.collective.wideRanks = std::numeric_limits<std::size_t>::max();
    return options;
}

std::string gpuTimelineBook(RankMean mean)
{
    return mean == RankMean::Geometric ? "gpu_timeline_summary_geomean.xlsx"
                                       : "gpu_timeline_summary_mean.xlsx";
}

std::string collectiveBook()
{
    return pathIn("collective_reports", "collective_all_ranks.xlsx");
}

std::string sourceOfRun(const std::vector<std::string>& paths)
{
    std::string source;
    for (const std::string& path : paths) {
        source += (source.empty() ? "" : ", ") + printableLine(fullPath(path));
    }
    return source;
}

void noteRun(RunSheets& sheets, const std::vector<std::string>& paths, bool withCollectives)
{
    for (Workbook* const book : {&sheets.gpuTimeline, &sheets.collective})
        book->notes.push_back(sourceNote(sourceOfRun(paths)));
    if (withCollectives && sheets.collective.sheets.empty())
        sheets.gpuTimeline.notes.push_back(noCallsNote());
}

Result<RunSheets> writeRunReports(Analysis& analysis, const std::string& label, const ReportChoices& choices,
                                  const RunReportOptions& options, const FileSink& sink)
{
    FileWriter writer(choices, sink);
    if (const auto& failure = analysis.wholeFiles().failure)
        return Error{Error::Kind::NotFound, failure->reason};
    const std::string folder = pathIn(label, reportsFolder);
    if (choices.kernels) {
        const auto rows = kernelSummary(analysis.model(), analysis.options());
        if (!rows)
            return rows.error();
        Workbook book;
        book.sheets.push_back(kernelSummarySheet(*rows));
        book.notes.push_back(sourceNote(sourceOfRun(analysis.model().paths)));
        if (!writer.writeBook(pathIn(folder, "kernel_summary.xlsx"), book))
            return writer.status().error();
    }
    if (!choices.individual && !choices.collective)
        return RunSheets();
    RunReportOptions ofRun = options;
    ofRun.collective.streamsRows = true;
    RunSheets sheets = runSheets(analysis, label, ofRun);
    // Only a comparison of them needs the rows of the calls again, after the run is gone.
    for (Sheet& sheet : sheets.collective.sheets) {
        if (choices.collectiveBooks && sheet.stream)
            sheet.stream = packedRows(*sheet.stream);
    }
    noteRun(sheets, analysis.model().paths, choices.collective);
    bool isWritten = true;
    if (choices.individual)
        forEachRankReport(
            analysis, sheets, inputsOf(analysis), [&](std::int32_t rank, const Workbook& report) {
                const std::string name = "rank" + std::to_string(rank) + "_individual_report.xlsx";
                isWritten = writer.writeBook(pathIn(pathIn(folder, "individual_reports"), name), report);
                return isWritten;
            });
    if (analysis.options().cancelled())
        return Error{Error::Kind::Cancelled, "cancelled."};
    if (isWritten && choices.collective && !sheets.collective.sheets.empty())
        isWritten = writer.writeBook(pathIn(folder, collectiveBook()), sheets.collective);
    if (isWritten && !sheets.gpuTimeline.sheets.empty())
        writer.writeBook(pathIn(folder, gpuTimelineBook(options.mean)), sheets.gpuTimeline);
    if (!writer.status())
        return writer.status().error();
    if (!choices.collectiveBooks)
        std::erase_if(sheets.collective.sheets, [](const Sheet& sheet) { return sheet.stream != nullptr; });
    return sheets;
}

Status writeComparisonFiles(std::vector<RunSheets> runs, const ReportChoices& choices, const FileSink& sink,
                            const ComparisonDrawer& draw)
{
    assert(runs.size() >= 2);
    FileWriter writer(choices, sink);
    const CompareOptions options{choices.thresholdPercent};
    std::vector<ComparisonReport> finals;
    for (std::size_t i = 1; i < runs.size(); ++i)
        finals.push_back(finalReport(runs.front(), runs[i], options));
    if (choices.allRuns
        && !writer.writeBook("final_analysis_report_for_all.xlsx", allRunsReport(runs, options)))
        return writer.status();
    for (std::size_t i = 1; i < runs.size(); ++i) {
        if (!writeBooksOfTwo(runs.front(), runs[i], finals[i - 1], choices, writer))
            return writer.status();
    }
    return choices.plots ? draw(runs, finals, choices, sink) : Status();
}

} // namespace collscope
