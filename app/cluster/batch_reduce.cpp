// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command reduce: what one task of a distributed run does.

#include "app/cli/command_interrupts.h"
#include "app/cluster/part_folder.h"
#include "app/commands/batch_run.h"
#include "app/files/batch_io.h"
#include "app/files/protected_files.h"
#include "app/files/section_store.h"
#include "app/files/user_folders.h"
#include "app/runtime/memory_policy.h"
#include "app/runtime/thread_pool.h"
#include "metrics/summary/summarized_events.h"
#include "model/readers/run/reduced_run.h"
#include "model/readers/run/reduced_task.h"

#include <algorithm>
#include <filesystem>

namespace collscope {

namespace fs = std::filesystem;

namespace {

/// How --list-files prints a file.
enum class Listed
{
    Nothing,
    Absolute,
    Relative ///< to the folder of the run
};

class ReduceCommand : public BatchCommand
{
public:
    std::string planFile, output, copies;
    std::uint32_t task = 0;
    int threads = 0;
    bool exportsReports = false, endsWithNul = false;
    Listed listed = Listed::Nothing;

    void declare() override;
    Status check() override;

protected:
    bool startsPrograms() const override { return exportsReports; }
    int execute() const override;

private:
    LoadContext context() const;
    /// Prints the files that the task would read.
    int list(const ReducePlan& plan, std::uint64_t hash) const;
    int reduce(const ReducePlan& plan, std::uint64_t hash) const;
    int finish(const ReducePlan& plan, SectionStore& store) const;
};

void ReduceCommand::declare()
{
    options.inputFile("PLAN", planFile, "Plan file written by --batch plan").isRequired = true;
    options
        .number("--task", task, 0, std::numeric_limits<std::uint32_t>::max(),
                "Task number, starting at 0: $SLURM_ARRAY_TASK_ID")
        .isRequired
        = true;
    options.output("-o,--output", output, OptionSpec::Place::OutputFolder, "DIR",
                   "Folder for the parts, the same for all tasks");
    options.number("-j,--threads", threads, 0, 1024,
                   "Number of threads, 0 = one per core: $SLURM_CPUS_PER_TASK");
    declareNsysExport(options, exportsReports);
    options.custom("--files-from", "DIR",
                   "Read copies in DIR instead of the files: each under its path in the folder of the run",
                   [this](const std::string& folder) -> Status {
                       std::error_code error;
                       copies = folder;
                       if (!fs::is_directory(folder, error))
                           return usageError("--files-from: " + folder + " is not a folder.");
                       return {};
                   });
    OptionSpec& list = options.custom(
        "--list-files", "absolute|relative",
        "Print the files that remain to be read, one a line, and read nothing; relative: to the folder of "
        "the run",
        [this](const std::string& how) -> Status {
            if (!how.empty() && how != "absolute" && how != "relative")
                return usageError("--list-files takes absolute or relative, not '" + how + "'.");
            listed = how == "relative" ? Listed::Relative : Listed::Absolute;
            return {};
        });
    list.takes = OptionSpec::Takes::Optional;
    options.flag("-0,--null", endsWithNul, "--list-files: end each name with a NUL instead of a line break");
}

Status ReduceCommand::check()
{
    if (listed == Listed::Nothing && output.empty())
        return usageError("reduce needs --output DIR, the folder for the parts.");
    if (listed == Listed::Nothing && endsWithNul)
        return usageError("--null is for --list-files.");
    return {};
}

LoadContext ReduceCommand::context() const
{
    LoadContext context;
    context.parallel = threadPool(threads);
    context.stop = interruptToken();
    context.cacheFolder = userCacheFolder();
    context.exportsReports = exportsReports;
    context.memory = memoryLimit(std::nullopt);
    return context;
}

int ReduceCommand::list(const ReducePlan& plan, std::uint64_t hash) const
{
    std::set<std::uint32_t> places = placesOfTask(plan, task);
    if (!output.empty()) {
        const SectionStore store(output, hash, task, places);
        places = store.missing();
    }
    const fs::path run = runFolder(plan);
    std::string text;
    for (const std::uint32_t place : places) {
        const fs::path path(plan.files[place].path);
        const std::string name = (listed == Listed::Relative ? path.lexically_relative(run) : path).string();
        if (!endsWithNul && name.find('\n') != std::string::npos) {
            say("A name has a line break: " + name + ". Use --null.");
            return WrongUsage;
        }
        text.append(name).append(1, endsWithNul ? '\0' : '\n');
    }
    return print(text) ? Done : NotWritten;
}

int ReduceCommand::finish(const ReducePlan& plan, SectionStore& store) const
{
    if (const Status written = store.finish(); !written) {
        say(written.error().message);
        return NotWritten;
    }
    const auto failures = store.failures();
    for (const auto& [file, error] : failures)
        say(plan.files[file].path + ": " + error);
    if (failures.empty())
        return Done;
    // Not Done: a scheduler that checks exit codes then restarts the task.
    return failures.size() == placesOfTask(plan, task).size() ? NothingReadable : NotAvailable;
}

int ReduceCommand::reduce(const ReducePlan& plan, std::uint64_t hash) const
{
    const std::string path = pathIn(output, partName(task, hash));
    if (isPartWhole(path, hash, task)) {
        say(path + " already exists.");
        return Done;
    }
    const std::set<std::uint32_t> places = placesOfTask(plan, task);
    SectionStore store(output, hash, task, places);
    const TaskFiles files = filesToRead(plan, store.missing(), copies);
    if (files.places.size() < places.size())
        say(std::to_string(places.size() - files.places.size()) + " of "
            + countText(static_cast<std::int64_t>(places.size()), "file")
            + " were read before: the task goes on with the others.");
    protectInputs(files.load);
    const auto keep = [&](PackedSection section) { return store.add(std::move(section)); };
    const Status read = reduceFiles(files, context(), reductionTo(plan.kept), keep);
    if (!read && read.error().kind == Error::Kind::Cancelled)
        return sayNotLoaded(read.error());
    const int code = read ? finish(plan, store) : NotWritten;
    if (!read)
        say(read.error().message);
    // The same task, started twice, may have finished meanwhile and removed what it had saved.
    if (code != NotWritten || !isPartWhole(path, hash, task))
        return code;
    store.removeSaved();
    return Done;
}

int ReduceCommand::execute() const
{
    const auto read = readPlan(planFile);
    if (!read)
        return sayNotLoaded(read.error());
    const auto& [text, plan] = *read;
    if (const Status known = checkTask(plan, task); !known)
        return sayNotLoaded(known.error());
    const std::uint64_t hash = planHash(text);
    if (listed != Listed::Nothing)
        return list(plan, hash);
    return settlePlan(output, text) ? reduce(plan, hash) : NotWritten;
}

} // namespace

std::unique_ptr<ProgramCommand> reduceCommand()
{
    return std::make_unique<ReduceCommand>();
}

} // namespace collscope
