// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command reduce: what one task of a distributed run does.

#include "app/cli/command_interrupts.h"
#include "app/commands/batch_run.h"
#include "app/files/batch_io.h"
#include "app/files/protected_files.h"
#include "app/files/section_store.h"
#include "app/files/user_folders.h"
#include "app/runtime/memory_policy.h"
#include "app/runtime/thread_pool.h"
#include "metrics/analysis/kept_events.h"
#include "metrics/analysis/summarized_events.h"
#include "model/readers/run/reduced_run.h"
#include "model/readers/run/reduced_task.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace collscope {

namespace {

std::function<void(TraceFragment&)> reductionTo(Kept kept)
{
    switch (kept) {
    case Kept::WhatMetricsRead:
        return keepWhatMetricsRead;
    case Kept::Summaries:
        return summarizeEvents;
    case Kept::Everything:
        break;
    }
    return [](TraceFragment&) {};
}

/// Returns the content of a file; nullopt if it does not exist.
std::optional<std::string> contentOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

/// Stores the plan in the folder of the parts, so that the folder records which run they belong to.
int settlePlan(const std::string& folder, const std::string& text)
{
    const std::string path = pathIn(folder, std::string(planName));
    const auto known = contentOf(path);
    if (known && *known != text) {
        say(path + " is a different plan: use another folder for the parts.");
        return NotWritten;
    }
    return known || writeFile(path, text) ? Done : NotWritten;
}

class ReduceCommand : public BatchCommand
{
public:
    std::string planFile, output;
    std::uint32_t task = 0;
    int threads = 0;
    bool exportsReports = false;

    void declare() override;

protected:
    bool startsPrograms() const override { return exportsReports; }
    int execute() const override;

private:
    LoadContext context() const;
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
    options
        .output("-o,--output", output, OptionSpec::Place::OutputFolder, "DIR",
                "Folder for the parts, the same for all tasks")
        .isRequired
        = true;
    options.number("-j,--threads", threads, 0, 1024,
                   "Number of threads, 0 = one per core: $SLURM_CPUS_PER_TASK");
    declareNsysExport(options, exportsReports);
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
    const TaskFiles files = filesToRead(plan, store.missing());
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
    const auto text = contentOf(planFile);
    const auto plan = text ? parsePlan(*text) : Result<ReducePlan>(Error{Error::Kind::Io, "cannot be read."});
    if (!plan) {
        say(planFile + ": " + plan.error().message);
        return WrongUsage;
    }
    if (plan->version != COLLSCOPE_VERSION) {
        say(planFile + " was written by version " + plan->version + " but this is version " COLLSCOPE_VERSION
            + ": create a new plan so that all parts come from one version.");
        return WrongUsage;
    }
    if (task >= plan->tasks) {
        say("The plan has tasks 0 to " + std::to_string(plan->tasks - 1) + ", not " + std::to_string(task)
            + ".");
        return WrongUsage;
    }
    const std::uint64_t hash = planHash(*text);
    if (!makeFolder(output))
        return NotWritten;
    if (const int settled = settlePlan(output, *text); settled != Done)
        return settled;
    return reduce(*plan, hash);
}

} // namespace

std::unique_ptr<ProgramCommand> reduceCommand()
{
    return std::make_unique<ReduceCommand>();
}

} // namespace collscope
