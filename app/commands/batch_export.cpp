// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command export: a run as tables for other engines.

#include "app/cli/command_interrupts.h"
#include "app/commands/batch_run.h"
#include "app/files/batch_io.h"
#include "app/files/whole_file.h"
#include "app/runtime/thread_pool.h"
#include "metrics/export/tables/csv_tables.h"
#include "metrics/export/tables/sqlite_tables.h"

#include <map>

namespace collscope {

namespace {

class ExportCommand : public MeasuringCommand
{
public:
    std::string database, folder;
    bool withSlices = false, withWhatIf = false, lists = false;

    void declare() override
    {
        options.group("Output");
        options.output("-o,--output", database, OptionSpec::Place::OutputFile, "FILE",
                       "SQLite file to write");
        options.output("--csv", folder, OptionSpec::Place::OutputFolder, "DIR",
                       "Folder for a CSV file of each table");
        options.flag("--slices", withSlices, "Also write every slice: the kernels, copies and CPU events");
        options.flag("--what-if", withWhatIf,
                     "Also write what would help; it takes as long as --batch what-if");
        options.flag("--list-tables", lists, "Print the tables, columns and views as Markdown; needs no run");
        options.group("Selection");
        selection.declareWindow(options);
        selection.declareClocks(options);
        input.declare(options);
    }
    Status check() override
    {
        if (!lists && database.empty() && folder.empty())
            return usageError("Give the file with -o FILE.db, or a folder for CSV files with --csv DIR.");
        if (const Status read = readCatalog(); !read)
            return read;
        return MeasuringCommand::check();
    }

protected:
    bool needsRun() const override { return !lists; }
    int measure(const HardwareDatabasePtr& hardware) const override;

private:
    Status write(const TraceModel& model, const MetricOptions& chosen) const;
};

/// All steps, for the tables by step; the options that say which of them count, do not matter there.
MetricOptions withAllSteps(MetricOptions chosen)
{
    chosen.steps = {StepChoice::Mode::All, 0, 0};
    return chosen;
}

/// The files of a folder, which appear together.
class FilesInFolder
{
public:
    explicit FilesInFolder(std::string folder)
        : m_folder(std::move(folder))
    { }

    Status write(const std::string& name, std::string_view bytes)
    {
        auto& file = m_files[name];
        if (!file)
            file = std::make_unique<WholeFile>(pathIn(m_folder, name));
        file->write(bytes);
        return file->status();
    }
    Status commit()
    {
        for (const auto& [name, file] : m_files) {
            if (Status committed = file->commit(); !committed)
                return committed;
        }
        return {};
    }

private:
    std::string m_folder;
    std::map<std::string, std::unique_ptr<WholeFile>> m_files;
};

Status ExportCommand::write(const TraceModel& model, const MetricOptions& chosen) const
{
    Analysis counted(model, chosen);
    MetricOptions allSteps = withAllSteps(chosen);
    allSteps.collectives = counted.sharedRun();
    auto every = std::make_unique<Analysis>(model, std::move(allSteps));
    const StepWindows windows(*every, counted);
    TableSource source{counted, std::move(every), windows, catalog.usual(), words, withSlices, withWhatIf};
    std::vector<TableWriter*> writers;
    std::optional<WholeFile> file;
    std::optional<SqliteTables> sqlite;
    if (!database.empty()) {
        file.emplace(database);
        if (Status opened = file->status(); !opened)
            return opened;
        if (file->temporaryPath().empty())
            return Error{Error::Kind::Io, "cannot write " + database + ": an SQLite file must be a file.",
                         database};
        writers.push_back(&sqlite.emplace(file->temporaryPath()));
    }
    FilesInFolder files(folder);
    CsvTables csv([&](const std::string& name, std::string_view bytes) { return files.write(name, bytes); });
    if (!folder.empty()) {
        if (Status made = tryMakeFolder(folder); !made)
            return made;
        writers.push_back(&csv);
    }
    Status status = writeExportTables(source, writers);
    if (status && file)
        status = file->commit();
    return status ? files.commit() : status;
}

int ExportCommand::measure(const HardwareDatabasePtr& hardware) const
{
    if (lists)
        return print(tablesMarkdown()) ? Done : NotWritten;
    const std::vector<BatchRun> runs = runsOf(input);
    if (!isOneRun(runs, "export"))
        return WrongUsage;
    const auto model = loadRun(*this, runs.front());
    if (!model)
        return sayNotLoaded(model.error());
    MetricOptions chosen = metricOptions(selection, hardware);
    chosen.parallel = threadPool(input.threads);
    const Status written = write(**model, chosen);
    if (isInterrupted()) {
        say("cancelled.");
        return Cancelled;
    }
    if (!written) {
        say(written.error().message);
        return NotWritten;
    }
    if ((*model)->isReduced())
        say("This run was reduced: the tables lack the events that the parts do not contain. The table "
            "contents says what is missing.");
    return Done;
}

} // namespace

std::unique_ptr<ProgramCommand> exportCommand()
{
    return std::make_unique<ExportCommand>();
}

} // namespace collscope
