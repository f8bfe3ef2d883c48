// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command plan. batch_reduce.cpp is what its tasks do; merge (command_metrics.cpp) reads the folder of
// the parts.

#include "app/cli/command_interrupts.h"
#include "app/cluster/command_plan.h"
#include "app/commands/batch_run.h"
#include "app/files/batch_io.h"
#include "app/files/protected_files.h"
#include "app/runtime/memory_policy.h"
#include "app/runtime/thread_pool.h"
#include "metrics/export/written_report.h"
#include "model/readers/run/reduced_run.h"
#include "model/text/rank_ranges.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace collscope {

namespace fs = std::filesystem;

namespace {

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

} // namespace

std::unique_ptr<ProgramCommand> planCommand()
{
    return std::make_unique<PlanCommand>();
}

void PlanInput::declare(CommandOptions& options)
{
    constexpr double mostTasks = 100'000;
    options
        .number("--tasks", tasks, 1, mostTasks,
                "Number of tasks; the files of the run are divided among them")
        .isRequired
        = true;
    declareRun(options);
}

void PlanInput::declareRun(CommandOptions& options)
{
    options.texts("PATH", paths, OptionSpec::Takes::Many, "", "Run directory or trace files").isRequired
        = true;
    options.choice(
        "--keep", kept,
        {{"metrics", Kept::WhatMetricsRead}, {"all", Kept::Everything}, {"summary", Kept::Summaries}},
        "metrics: only the events that metrics read; all: every event, also for operator tables; summary: no "
        "events, but sums for each rank and step. By default metrics, or summary if a merge of the events "
        "would need more memory than this machine has (--max-memory)");
    options.text("--ranks", ranks, "LIST",
                 "Only the traces of these ranks, e.g. 0-7,12, by the names of the files");
    declareLoading(options, load);
    declareMemory(options, load,
                  "Memory of the machine that will merge, e.g. 200G (default: what this one has left)");
}

namespace {

/// "0-7,12"; empty if it is not such a list.
std::vector<RankRange> rankList(std::string_view text)
{
    std::vector<RankRange> ranges;
    const auto number = [&](std::int32_t& value) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        return error == std::errc() && value >= 0;
    };
    const auto take = [&](char c) {
        const bool isNext = text.starts_with(c);
        text.remove_prefix(isNext ? 1 : 0);
        return isNext;
    };
    do {
        RankRange range;
        if (!number(range.first))
            return {};
        range.last = range.first;
        if (take('-') && (!number(range.last) || range.last < range.first))
            return {};
        ranges.push_back(range);
    } while (take(','));
    return text.empty() ? ranges : std::vector<RankRange>();
}

/// Drops the traces of all other ranks; files without a rank (a card, a log) stay.
Status keepRanks(LoadPlan& plan, const std::string& list)
{
    const std::vector<RankRange> ranges = rankList(list);
    if (ranges.empty())
        return Error{Error::Kind::Usage, "--ranks takes ranks such as 0-7,12, not " + list + "."};
    const std::size_t before = plan.files.size();
    std::erase_if(plan.files, [&](const PlannedFile& planned) {
        const auto rank = planned.file.chosenRank ? planned.file.chosenRank : planned.file.nameRank;
        return rank && std::none_of(ranges.begin(), ranges.end(), [&](const RankRange& range) {
                   return *rank >= range.first && *rank <= range.last;
               });
    });
    const auto hasRank
        = [](const PlannedFile& planned) { return planned.file.chosenRank || planned.file.nameRank; };
    if (plan.files.size() < before && std::none_of(plan.files.begin(), plan.files.end(), hasRank))
        return Error{Error::Kind::NotFound,
                     "By their names, none of the " + std::to_string(before) + " files of " + plan.path
                         + " is of " + rankRangesText(ranges) + ".",
                     plan.path};
    if (plan.files.size() < before)
        plan.problems.add(Severity::Notice, "max_ranks", plan.path, 0,
                          "The plan is limited to " + rankRangesText(ranges) + " (--ranks).");
    return {};
}

/// About what a merge of the events that metrics read needs: 94 to 134 bytes for 1000 bytes of JSON were
/// measured, and JSON is 10 to 20 times as large as its gzip.
std::uint64_t mergeBytes(const LoadPlan& plan)
{
    constexpr std::uint64_t perThousand = 130, unzipped = 12;
    std::uint64_t bytes = 0;
    for (const PlannedFile& planned : plan.files)
        bytes
            += planned.file.bytes * (planned.file.path.ends_with(".gz") ? unzipped : 1) * perThousand / 1000;
    return bytes;
}

/// What the tasks keep, where the user does not say it.
Kept keptFor(const LoadPlan& plan, const LoadOptions& options, bool prefersEverything)
{
    const std::uint64_t limit = options.maxMemory.value_or(memoryAvailable());
    const std::uint64_t needed = mergeBytes(plan);
    constexpr std::uint64_t ofEverything = 3; // times the memory of what metrics read, about
    if (prefersEverything && (limit == 0 || ofEverything * needed <= limit))
        return Kept::Everything;
    if (limit == 0 || needed <= limit)
        return Kept::WhatMetricsRead;
    say("A merge of the events would need about " + bytesText(static_cast<double>(needed))
        + " of memory, and " + (options.maxMemory ? "the limit is " : "this machine has ")
        + bytesText(static_cast<double>(limit))
        + ": the tasks keep summaries (--keep summary). Choose with --keep.");
    return Kept::Summaries;
}

} // namespace

Result<ReducePlan> makePlan(const PlanInput& input)
{
    auto found = planLoad(absolutePaths(input.paths), input.load, interruptToken());
    if (!found)
        return found.error();
    if (std::any_of(found->files.begin(), found->files.end(),
                    [](const PlannedFile& planned) { return planned.file.part.has_value(); }))
        return Error{Error::Kind::Usage, input.paths.front() + " is reduced already: plan its traces.",
                     found->path};
    if (!input.ranks.empty()) {
        if (const Status kept = keepRanks(*found, input.ranks); !kept)
            return kept.error();
    }
    if (const Status oneRun = checkOneRun(*found); !oneRun)
        return oneRun.error();
    protectInputs(*found);
    ReducePlan plan = reducePlan(
        *found, input.tasks, input.kept ? *input.kept : keptFor(*found, input.load, input.prefersEverything),
        COLLSCOPE_VERSION, threadPool(0), interruptToken());
    if (isInterrupted())
        return Error{Error::Kind::Cancelled, "Planning was cancelled.", found->path};
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
