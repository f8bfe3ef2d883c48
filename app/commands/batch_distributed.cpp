// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The commands plan and reduce. merge (command_metrics.cpp) reads the folder of the parts.

#include "app/cli/command_interrupts.h"
#include "app/commands/batch_run.h"
#include "app/commands/command_plan.h"
#include "app/files/batch_io.h"
#include "app/files/protected_files.h"
#include "app/files/user_folders.h"
#include "app/runtime/memory_policy.h"
#include "app/runtime/thread_pool.h"
#include "metrics/analysis/kept_events.h"
#include "metrics/analysis/summarized_events.h"
#include "model/readers/run/load_trace.h"
#include "model/readers/run/reduced_run.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace collscope {

namespace fs = std::filesystem;

namespace {

/// Returns the content of a file; nullopt if it does not exist.
std::optional<std::string> contentOf(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

/// Makes paths absolute: the tasks may run on another machine, in another folder.
std::vector<std::string> absolutePaths(const std::vector<std::string>& paths)
{
    std::vector<std::string> absolute;
    for (const std::string& path : paths) {
        std::error_code error;
        const fs::path whole = fs::absolute(path, error).lexically_normal();
        absolute.push_back(error ? path : whole.string());
    }
    return absolute;
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

class PlanCommand : public BatchCommand
{
public:
    PlanInput input;
    std::string output = std::string(planName);

    void declare() override
    {
        input.declare(options);
        options.output("-o,--output", output, OptionSpec::Place::OutputFile, "FILE",
                       "Plan file to write (default: plan.json)");
    }

protected:
    int execute() const override;
};

int PlanCommand::execute() const
{
    const auto plan = makePlan(input);
    if (!plan)
        return sayNotLoaded(plan.error());
    if (!writeFile(output, planText(*plan)))
        return NotWritten;
    say(std::to_string(plan->files.size()) + " files in " + std::to_string(plan->tasks)
        + " tasks: " + output);
    return Done;
}

std::function<void(TraceFragment&)> reductionOf(Kept kept)
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
    if (!makeFolder(output))
        return NotWritten;
    if (const int settled = settlePlan(output, *text); settled != Done)
        return settled;
    const std::uint64_t hash = planHash(*text);
    const std::string path = pathIn(output, partName(task, hash));
    if (isPartWhole(path, hash, task)) {
        say(path + " already exists.");
        return Done;
    }
    const TaskFiles files = filesOfTask(*plan, task);
    protectInputs(files.load);
    const auto part = partOfTask(files, hash, task, context(), reductionOf(plan->kept));
    if (!part)
        return sayNotLoaded(part.error());
    if (!writeFile(path, part->bytes))
        return NotWritten;
    for (const auto& [file, error] : part->failures)
        say(plan->files[file].path + ": " + error);
    if (part->failures.empty())
        return Done;
    // Not Done: a scheduler that checks exit codes then restarts the task.
    return part->failures.size() == part->sections ? NothingReadable : NotAvailable;
}

} // namespace

std::unique_ptr<ProgramCommand> planCommand()
{
    return std::make_unique<PlanCommand>();
}

std::unique_ptr<ProgramCommand> reduceCommand()
{
    return std::make_unique<ReduceCommand>();
}

void PlanInput::declare(CommandOptions& options)
{
    options.texts("PATH", paths, OptionSpec::Takes::Many, "", "Run directory or trace files").isRequired
        = true;
    constexpr double mostTasks = 100'000;
    options
        .number("--tasks", tasks, 1, mostTasks,
                "Number of tasks; the files of the run are divided among them")
        .isRequired
        = true;
    options.choice(
        "--keep", kept,
        {{"metrics", Kept::WhatMetricsRead}, {"all", Kept::Everything}, {"summary", Kept::Summaries}},
        "metrics (default): only the events that metrics read; all: every event, also for operator tables; "
        "summary: no events, but sums for each rank and step, for more ranks than fit one machine");
    declareLoading(options, load);
}

Result<ReducePlan> makePlan(const PlanInput& input)
{
    const auto found = planLoad(absolutePaths(input.paths), input.load, interruptToken());
    if (!found)
        return found.error();
    if (const Status oneRun = checkOneRun(*found); !oneRun)
        return oneRun.error();
    protectInputs(*found);
    ReducePlan plan = reducePlan(*found, input.tasks, input.kept, COLLSCOPE_VERSION);
    if (plan.files.empty())
        return Error{Error::Kind::NotFound, "No files to reduce were found in " + found->path + ".",
                     found->path};
    if (plan.tasks > plan.files.size()) {
        say("The run has " + countText(static_cast<std::int64_t>(plan.files.size()), "file")
            + ": one task per file is enough.");
        plan.tasks = static_cast<std::uint32_t>(plan.files.size());
        divideByRank(plan);
    }
    return plan;
}

} // namespace collscope
