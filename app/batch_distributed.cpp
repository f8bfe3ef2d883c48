// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// --batch plan and --batch reduce. --batch merge is --batch on the folder of the parts.

#include "app/batch_io.h"
#include "app/batch_jobs.h"
#include "app/memory_policy.h"
#include "app/protected_files.h"
#include "app/thread_pool.h"
#include "metrics/analysis/kept_events.h"
#include "model/readers/run/load_trace.h"
#include "model/readers/run/reduced_run.h"

#include <QStandardPaths>

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

LoadContext reduceContext(const CommandLine& command)
{
    LoadContext context;
    context.parallel = threadPool(command.threads);
    context.stop = interruptToken();
    context.cacheFolder = QStandardPaths::writableLocation(QStandardPaths::CacheLocation).toStdString();
    context.exportsReports = command.load.exportsReports;
    context.memory = memoryLimit(std::nullopt);
    return context;
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

} // namespace

Result<ReducePlan> makePlan(const CommandLine& command)
{
    const auto found = planLoad(absolutePaths(command.paths), command.load, interruptToken());
    if (!found)
        return found.error();
    if (const Status oneRun = checkOneRun(*found); !oneRun)
        return oneRun.error();
    protectInputs(*found);
    ReducePlan plan
        = reducePlan(*found, command.distributed.tasks, command.distributed.kept, COLLSCOPE_VERSION);
    if (plan.files.empty())
        return Error{Error::Kind::NotFound, "No files to reduce were found in " + found->path + ".",
                     found->path};
    if (plan.tasks > plan.files.size()) {
        say("The run has " + countText(static_cast<std::int64_t>(plan.files.size()), "file")
            + ": one task per file is enough.");
        plan.tasks = static_cast<std::uint32_t>(plan.files.size());
        divideByBytes(plan);
    }
    return plan;
}

int runPlan(const CommandLine& command)
{
    const auto plan = makePlan(command);
    if (!plan)
        return sayNotLoaded(plan.error());
    if (!writeFile(command.distributed.output, planText(*plan)))
        return NotWritten;
    say(std::to_string(plan->files.size()) + " files in " + std::to_string(plan->tasks)
        + " tasks: " + command.distributed.output);
    return Done;
}

int runReduce(const CommandLine& command)
{
    const Distributed& own = command.distributed;
    const auto text = contentOf(own.planFile);
    const auto plan = text ? parsePlan(*text) : Result<ReducePlan>(Error{Error::Kind::Io, "cannot be read."});
    if (!plan) {
        say(own.planFile + ": " + plan.error().message);
        return WrongUsage;
    }
    if (plan->version != COLLSCOPE_VERSION) {
        say(own.planFile + " was written by version " + plan->version
            + " but this is version " COLLSCOPE_VERSION
            + ": create a new plan so that all parts come from one version.");
        return WrongUsage;
    }
    if (own.task >= plan->tasks) {
        say("The plan has tasks 0 to " + std::to_string(plan->tasks - 1) + ", not " + std::to_string(own.task)
            + ".");
        return WrongUsage;
    }
    if (!makeFolder(own.output))
        return NotWritten;
    if (const int settled = settlePlan(own.output, *text); settled != Done)
        return settled;
    const std::uint64_t hash = planHash(*text);
    const std::string path = pathIn(own.output, partName(own.task, hash));
    if (isPartWhole(path, hash, own.task)) {
        say(path + " already exists.");
        return Done;
    }
    const TaskFiles files = filesOfTask(*plan, own.task);
    protectInputs(files.load);
    const bool keepsAll = plan->kept == Kept::Everything;
    const auto part = partOfTask(files, hash, own.task, reduceContext(command), [&](TraceFragment& fragment) {
        if (!keepsAll)
            keepWhatMetricsRead(fragment);
    });
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

} // namespace collscope
