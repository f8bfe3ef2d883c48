// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What report and compare write as workbooks: of runs, and of their comparison.

#include "app/cli/command_interrupts.h"
#include "app/commands/command_compare.h"
#include "app/commands/command_report.h"
#include "app/commands/window_program.h"
#include "app/files/batch_io.h"
#include "app/files/whole_file.h"
#include "app/runtime/memory_policy.h"
#include "metrics/comparison/comparison.h"
#include "metrics/comparison/earlier_reports.h"
#include "metrics/comparison/shared_steps.h"
#include "metrics/comparison/workbook_reader.h"
#include "metrics/reports/reused_reports.h"
#include "model/readers/run/trace_directory.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace collscope {

namespace fs = std::filesystem;

namespace {

/// Returns a sink that writes files into a folder and prints their names to standard output.
FileSink intoFolder(const std::string& folder)
{
    return [folder](const std::string& path, const TextPieces& content) -> Status {
        const std::string full = pathIn(folder, path);
        if (Status made = tryMakeFolder(fs::path(full).parent_path().string()); !made)
            return made;
        if (Status written = writeWholeFile(full, content); !written)
            return written;
        return tryPrint(full + "\n");
    };
}

/// Reports why something was not written and returns the exit code.
int sayNotWritten(const Error& error)
{
    say(error.message);
    switch (error.kind) {
    case Error::Kind::Cancelled:
        return Cancelled;
    case Error::Kind::NotFound:
        return NotAvailable;
    default:
        return NotWritten;
    }
}

/// Reads the workbook in a file; nullopt if it cannot be used. A damaged workbook, or one too large for the
/// memory limit, is reported on stderr.
std::optional<Workbook> readBook(const fs::path& path, std::uint64_t mostMemory)
{
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file)
        return std::nullopt;
    const auto size = static_cast<std::uint64_t>(std::max<std::streamoff>(file.tellg(), 0));
    if (size > mostMemory) {
        say(path.string() + " is larger than the memory limit (--max-memory).");
        return std::nullopt;
    }
    std::string bytes(static_cast<std::size_t>(size), '\0');
    file.seekg(0);
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    auto book = readWorkbook(bytes, path.string(), mostMemory - bytes.size());
    if (!book) {
        say(book.error().message);
        return std::nullopt;
    }
    return std::move(*book);
}

/// Loads runs one after the other and writes their individual reports.
class ReportWriter
{
public:
    ReportWriter(const MeasuringCommand& command, const WorkbookOptions& books,
                 const HardwareDatabasePtr& hardware)
        : m_command(command)
        , m_choices(books.choices)
        , m_folder(books.folder)
        , m_options(metricOptions(command.selection, hardware))
        , m_report(runReportOptions(m_choices))
    { }

    int code() const { return m_code; }

    /// Whether the run exists or has existing reports.
    bool canHave(const BatchRun& run, const std::string& label) const
    {
        std::error_code error;
        return fs::exists(run.paths.front(), error)
            || (m_choices.reuse && fs::exists(keptReports(label), error));
    }

    /// Returns the sheets of a run: read from existing reports, or else created and written. nullopt: code()
    /// gives the exit code.
    std::optional<RunSheets> sheetsOf(const BatchRun& run, const std::string& label)
    {
        if (m_choices.reuse) {
            EarlierReports earlier = writtenEarlier(run, label);
            if (earlier.ofOtherRun)
                say(*earlier.ofOtherRun + (earlier.sheets ? "." : "; creating them again."));
            else if (!earlier.sheets)
                say("no reports of " + run.label + " were found; creating them.");
            if (earlier.sheets)
                return std::move(*earlier.sheets);
        }
        return make(run, label);
    }

private:
    fs::path keptReports(const std::string& label) const
    {
        return fs::path(m_folder) / label / reportsFolder;
    }

    std::optional<RunSheets> fail(int code)
    {
        m_code = code;
        return std::nullopt;
    }

    struct EarlierReports
    {
        std::optional<RunSheets> sheets;
        /// A clause about reports of another run: folders with the same name get the same label.
        std::optional<std::string> ofOtherRun;
    };

    EarlierReports writtenEarlier(const BatchRun& run, const std::string& label) const
    {
        EarlierReports earlier;
        const std::string own = sourceOfRun(run.paths);
        const MemoryLimit memory = memoryLimit(m_command.input.load.maxMemory);
        const fs::path folderOfRun = run.paths.front();
        // Inside the run's own folder, the reports are where the tool that wrote them was configured to
        // write: in the run itself, under the name it had at that time.
        for (const fs::path& folder :
             {keptReports(label), folderOfRun / reportsFolder, folderOfRun / label / reportsFolder,
              folderOfRun / runLabels({fullPath(folderOfRun.string())}).front() / reportsFolder}) {
            auto times = readBook(folder / gpuTimelineBook(m_report.mean), memory.left());
            if (!times)
                continue;
            auto source = sourceOf(*times);
            Workbook collective;
            if (m_choices.collective && !saysNoCalls(*times)) {
                auto calls = readBook(folder / collectiveBook(), memory.left());
                if (!calls)
                    continue;
                collective = std::move(*calls);
                if (const auto other = sourceOf(collective); other && source.value_or(own) == own)
                    source = other;
                bringBandwidthsTo(m_choices.gibCompat, collective);
            }
            if (source.value_or(own) != own) {
                earlier.ofOtherRun
                    = "reports in " + folder.string() + " were created from " + *source + ", not from " + own;
                continue;
            }
            say("reading the reports of " + run.label + " from " + folder.string() + ".");
            earlier.sheets = readReports(label, std::move(*times), std::move(collective));
            break;
        }
        return earlier;
    }

    std::optional<RunSheets> make(const BatchRun& run, const std::string& label)
    {
        const auto model = loadRun(m_command, run);
        if (!model)
            return fail(sayNotLoaded(model.error()));
        Analysis analysis(**model, m_options);
        auto sheets = writeRunReports(analysis, label, m_choices, m_report, intoFolder(m_folder));
        if (sheets)
            return std::move(*sheets);
        Error error = sheets.error();
        if (error.kind == Error::Kind::NotFound)
            error.message.insert(0, run.label + ": ");
        return fail(sayNotWritten(error));
    }

    const MeasuringCommand& m_command;
    const ReportChoices& m_choices;
    const std::string& m_folder;
    MetricOptions m_options;
    RunReportOptions m_report;
    int m_code = Done;
};

} // namespace

std::vector<std::pair<BatchRun, std::string>> labelledRuns(const std::vector<BatchRun>& runs)
{
    std::vector<std::string> paths;
    paths.reserve(runs.size());
    for (const BatchRun& run : runs)
        paths.push_back(fullPath(run.paths.empty() ? run.label : run.paths.front()));
    std::vector<std::string> labels = runLabels(paths);
    std::set<std::string> taken; // taken by names given explicitly
    for (const BatchRun& run : runs)
        taken.insert(run.load.given.name);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!runs[i].load.given.name.empty())
            labels[i] = runs[i].load.given.name;
        else if (taken.contains(labels[i]))
            labels[i] += i == 0 ? "_base" : "_test";
    }
    std::vector<std::pair<BatchRun, std::string>> labelled;
    for (std::size_t i = 0; i < runs.size(); ++i)
        labelled.emplace_back(runs[i], labels[i]);
    return labelled;
}

int runReports(const ReportCommand& command, const HardwareDatabasePtr& hardware)
{
    ReportWriter writer(command, command.books, hardware);
    int code = Done;
    const ReportChoices& choices = command.books.choices;
    for (const auto& [run, label] : labelledRuns(runsOf(command.input))) {
        const auto sheets = writer.sheetsOf(run, label);
        int own = sheets ? Done : writer.code();
        if (sheets && choices.collective && sheets->collective.sheets.empty()) {
            say(run.label
                + ": a collective report cannot be written because the traces contain no collective calls.");
            if (!choices.individual && !choices.kernels)
                own = NotAvailable;
        }
        code = code == Done ? own : code;
        if (isInterrupted())
            return Cancelled;
    }
    return code;
}

int CompareCommand::measure(const HardwareDatabasePtr& hardware) const
{
    ReportWriter writer(*this, books, hardware);
    std::vector<BatchRun> asked;
    for (std::size_t i = 0; i < input.paths.size(); ++i) {
        BatchRun& run = asked.emplace_back(BatchRun{input.paths[i], {input.paths[i]}, input.load});
        if (i < input.names.size())
            run.load.given.name = input.names[i];
    }
    const auto labelled = labelledRuns(asked);
    // Check that the other runs exist before hours are spent on the first one.
    for (const auto& [run, label] : labelled) {
        if (writer.canHave(run, label))
            continue;
        const auto plan = planLoad(run.paths, run.load, interruptToken());
        if (!plan)
            return sayNotLoaded(plan.error());
        if (const Status oneRun = checkOneRun(*plan); !oneRun)
            return sayNotLoaded(oneRun.error());
    }
    std::vector<RunSheets> compared;
    for (const auto& [run, label] : labelled) {
        auto sheets = writer.sheetsOf(run, label);
        if (!sheets)
            return writer.code();
        if (!books.choices.collectiveBooks)
            sheets->collective = summariesOf(sheets->collective);
        compared.push_back(std::move(*sheets));
    }
    for (std::size_t i = 1; i < compared.size(); ++i) {
        say(headlineOf(compared.front(), compared[i], {books.choices.thresholdPercent}));
        if (const auto note = stepsNote(compared.front(), compared[i]))
            say(*note);
    }
    const Status written = writeComparisonFiles(std::move(compared), books.choices, intoFolder(books.folder),
                                                window ? window->comparisonDrawer() : ComparisonDrawer());
    return written ? Done : sayNotWritten(written.error());
}

} // namespace collscope
