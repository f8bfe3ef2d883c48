// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/command_line_distributed.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>

namespace collscope {

namespace {

using Verb = Distributed::Verb;

constexpr int mostTasks = 100'000;

struct RawDistributed
{
    std::string iteration, keep = "metrics";
    std::optional<int> maxRanks;
};

void addRun(CLI::App& app, CommandLine& result, RawDistributed& raw)
{
    Distributed& own = result.distributed;
    app.add_option("PATH", result.paths, "Run directory or trace files")->required()->type_name("");
    app.add_option("--tasks", own.tasks, "Number of tasks; the files of the run are divided among them")
        ->required()
        ->check(CLI::Range(1, mostTasks));
    app.add_option(
           "--keep", raw.keep,
           "metrics (default): only the events that metrics read; all: every event, also for operator tables")
        ->check(CLI::IsMember({"metrics", "all"}));
    app.add_option("--iteration", raw.iteration, "Profiler iteration to read, or 'all'");
    app.add_option("--max-ranks", raw.maxRanks, "Read at most N ranks, evenly spaced")
        ->check(CLI::PositiveNumber);
    app.add_option("--card", result.load.cardPath, "Workload card to use")->check(CLI::ExistingFile);
    app.add_option("--config", result.load.configPath, "TorchTitan TOML to use")->check(CLI::ExistingFile);
}

void addExport(CLI::App& app, CommandLine& result)
{
    app.add_flag("--export-nsys", result.load.exportsReports,
                 "Run nsys to export reports (.nsys-rep) that have no .sqlite yet");
}

void addPlan(CLI::App& app, CommandLine& result, RawDistributed& raw)
{
    addRun(app, result, raw);
    result.distributed.output = std::string(planName);
    app.add_option("-o,--output", result.distributed.output, "Plan file to write (default: plan.json)")
        ->type_name("FILE");
}

void addReduce(CLI::App& app, CommandLine& result)
{
    Distributed& own = result.distributed;
    app.add_option("PLAN", own.planFile, "Plan file written by --batch plan")
        ->required()
        ->check(CLI::ExistingFile)
        ->type_name("");
    app.add_option("--task", own.task, "Task number, starting at 0: $SLURM_ARRAY_TASK_ID")->required();
    app.add_option("-o,--output", own.output, "Folder for the parts, the same for all tasks")
        ->required()
        ->type_name("DIR");
    app.add_option("-j,--threads", result.threads,
                   "Number of threads, 0 = one per core: $SLURM_CPUS_PER_TASK")
        ->check(CLI::Range(0, 1024));
    addExport(app, result);
}

void addSlurm(CLI::App& app, CommandLine& result, RawDistributed& raw)
{
    Distributed& own = result.distributed;
    addRun(app, result, raw);
    app.add_option("-o,--output", own.output,
                   "New folder for the plan, the job scripts, their logs and the parts")
        ->required()
        ->type_name("DIR");
    app.add_option("--account", own.account, "sbatch -A")->type_name("NAME");
    app.add_option("--qos", own.qos, "sbatch -q")->type_name("NAME");
    app.add_option("--partition", own.partition, "sbatch -p")->type_name("NAME");
    app.add_option("--constraint", own.constraint, "sbatch -C")->type_name("LIST");
    app.add_option("--time", own.time, "Time limit per task (default: 00:30:00)")->type_name("TIME");
    app.add_option("--merge-time", own.mergeTime, "Time limit of the merge (default: 00:30:00)")
        ->type_name("TIME");
    app.add_option("--cpus", own.cpus, "CPUs per task (default: 16)")->check(CLI::Range(1, 1024));
    app.add_option("--running", own.running, "Maximum number of tasks running at the same time; 0 = no limit")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--sbatch", own.sbatchOptions,
                   "Additional sbatch option for both jobs, e.g. --sbatch=--mem=64G; can be repeated")
        ->expected(1)
        ->type_name("OPTION")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    app.add_flag("--allow-missing", own.allowMissing, "Merge the available parts even if tasks failed");
    addExport(app, result);
    app.add_flag("--dry-run", own.dryRun, "Write the job scripts and print the commands that submit them");
    app.footer("Options after -- are passed to the merge, as for --batch merge:\n"
               "  collscope --batch slurm RUN --tasks 16 -o OUT -- --metric all --json\n"
               "By default the merge writes OUT/report.json and OUT/metrics.csv.");
}

void declare(Verb verb, CLI::App& app, CommandLine& result, RawDistributed& raw)
{
    if (verb == Verb::Plan) {
        app.name("collscope --batch plan");
        app.description("Divides the files of a run into tasks.");
        addPlan(app, result, raw);
    } else if (verb == Verb::Reduce) {
        app.name("collscope --batch reduce");
        app.description("Reads the files of one task and writes a part.");
        addReduce(app, result);
    } else {
        app.name("collscope --batch slurm");
        app.description("Reduces a run with a Slurm job array, then merges the parts.");
        addSlurm(app, result, raw);
    }
}

Status interpret(const RawDistributed& raw, CommandLine& result)
{
    result.load.maxRanks = raw.maxRanks;
    result.distributed.kept = raw.keep == "all" ? Kept::Everything : Kept::WhatMetricsRead;
    IterationChoice& iteration = result.load.iteration;
    if (raw.iteration == "all") {
        iteration.mode = IterationChoice::Mode::All;
    } else if (!raw.iteration.empty()) {
        const char* const last = raw.iteration.data() + raw.iteration.size();
        const auto [end, error] = std::from_chars(raw.iteration.data(), last, iteration.number);
        if (error != std::errc() || end != last || iteration.number < 0)
            return usageError("--iteration takes a number or 'all', not '" + raw.iteration + "'.");
        iteration.mode = IterationChoice::Mode::One;
    }
    return {};
}

} // namespace

Verb distributedVerb(const std::vector<std::string>& arguments)
{
    if (arguments.size() < 2 || arguments[0] != "--batch")
        return Verb::None;
    constexpr std::pair<std::string_view, Verb> verbs[]
        = {{"plan", Verb::Plan}, {"reduce", Verb::Reduce}, {"merge", Verb::Merge}, {"slurm", Verb::Slurm}};
    const auto found = std::find_if(std::begin(verbs), std::end(verbs),
                                    [&](const auto& verb) { return verb.first == arguments[1]; });
    return found == std::end(verbs) ? Verb::None : found->second;
}

CommandHelp distributedHelp(Verb verb)
{
    CommandLine result;
    RawDistributed raw;
    CLI::App app;
    declare(verb, app, result, raw);
    return commandHelp(app);
}

void parseDistributed(Verb verb, const std::vector<std::string>& arguments, CommandLine& result)
{
    result.mode = CommandLine::Mode::Batch;
    result.distributed.verb = verb;
    RawDistributed raw;
    CLI::App app;
    declare(verb, app, result, raw);
    const auto stop = [&](int code, std::string message) {
        result.mode = CommandLine::Mode::Message;
        result.exitCode = code;
        result.message = std::move(message);
    };
    auto behind = arguments.end();
    if (verb == Verb::Slurm) {
        behind = std::find(arguments.begin(), arguments.end(), "--");
        if (behind != arguments.end())
            result.distributed.mergeArguments.assign(behind + 1, arguments.end());
    }
    try {
        std::vector<std::string> own(arguments.begin(), behind);
        std::reverse(own.begin(), own.end()); // CLI11 takes the arguments from the back
        app.parse(std::move(own));
    } catch (const CLI::CallForHelp&) {
        return stop(0, helpText(commandHelp(app)));
    } catch (const CLI::ParseError& error) {
        return stop(1, std::string("collscope: ") + error.what() + "\nTry " + app.get_name() + " --help.\n");
    }
    if (const Status status = interpret(raw, result); !status)
        stop(1, "collscope: " + status.error().message + "\n");
}

} // namespace collscope
