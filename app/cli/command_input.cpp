// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command_input.h"

#include "app/files/definition_files.h"
#include "app/runtime/memory_policy.h"
#include "metrics/comparison/comparison.h"
#include "model/text/lower_case.h"

#include <cmath>
#include <set>

namespace collscope {

namespace {

using Takes = OptionSpec::Takes;

constexpr double anyNumber = std::numeric_limits<std::int32_t>::max();

std::optional<std::int64_t> wholeNumberIn(std::string_view text)
{
    const auto number = numberOf<std::int64_t>(text);
    return number && *number >= 0 ? number : std::nullopt;
}

std::optional<double> decimal(std::string_view text)
{
    const auto number = numberOf<double>(text);
    return number && std::isfinite(*number) ? number : std::nullopt;
}

/// Splits "A-B" at the '-' that is not a sign.
std::optional<std::pair<std::string, std::string>> splitRange(const std::string& text)
{
    const std::size_t dash = text.find('-', 1);
    return dash == std::string::npos ? std::nullopt
                                     : std::optional(std::pair(text.substr(0, dash), text.substr(dash + 1)));
}

/// Parses a count such as "8030000000", "8.03e9" or "8.03B".
std::optional<std::int64_t> countOf(std::string_view text)
{
    constexpr std::pair<char, double> units[] = {{'K', 1e3}, {'M', 1e6}, {'B', 1e9}, {'T', 1e12}};
    double factor = 1;
    for (const auto& [letter, value] : units) {
        if (!text.empty() && (text.back() == letter || text.back() == letter + ('a' - 'A')) && factor == 1) {
            factor = value;
            text.remove_suffix(1);
        }
    }
    const auto number = decimal(text);
    constexpr double most = 1e18;
    return number && *number > 0 && *number * factor <= most ? std::optional(std::llround(*number * factor))
                                                             : std::nullopt;
}

Status setIteration(const std::string& text, IterationChoice& iteration)
{
    if (text == "all") {
        iteration.mode = IterationChoice::Mode::All;
        return {};
    }
    const auto number = wholeNumberIn(text);
    if (!number)
        return usageError("--iteration takes a number or 'all', not '" + text + "'.");
    iteration = {IterationChoice::Mode::One, *number};
    return {};
}

Status setSteps(const std::string& text, StepChoice& steps)
{
    if (text == "inner" || text == "all") {
        steps = {};
        if (text == "all")
            steps.mode = StepChoice::Mode::All;
        return {};
    }
    const auto parts = splitRange(text);
    const auto first = wholeNumberIn(parts ? parts->first : text);
    const auto last = parts ? wholeNumberIn(parts->second) : first;
    if (!first || !last || *last < *first)
        return usageError("--steps takes inner, all, N or N-M, not '" + text + "'.");
    steps = {StepChoice::Mode::Range, *first, *last};
    return {};
}

Status setRange(const std::string& text, std::optional<TimeRange>& range)
{
    constexpr double nsPerMs = 1e6, longest = 1e12;
    const auto parts = splitRange(text);
    const auto begin = parts ? decimal(parts->first) : std::nullopt;
    const auto end = parts ? decimal(parts->second) : std::nullopt;
    if (!begin || !end || *end <= *begin || std::abs(*begin) > longest || std::abs(*end) > longest)
        return usageError("--range takes START-END in milliseconds, for instance 12.5-20, not '" + text
                          + "'.");
    range = TimeRange{std::llround(*begin * nsPerMs), std::llround(*end * nsPerMs)};
    return {};
}

} // namespace

void declareMemory(CommandOptions& options, LoadOptions& load, const std::string& description)
{
    options.custom("--max-memory", "SIZE", description, [&load](const std::string& text) -> Status {
        load.maxMemory = sizeFromText(text);
        if (load.maxMemory)
            return {};
        return usageError("--max-memory takes a size, for instance 8G or 512M, not '" + text + "'.");
    });
}

void declareLoading(CommandOptions& options, LoadOptions& load)
{
    options.custom("--iteration", "N|all", "Profiler iteration to load, or 'all'",
                   [&load](const std::string& text) { return setIteration(text, load.iteration); });
    options.number("--max-ranks", load.maxRanks, 1, anyNumber, "Load at most N ranks, evenly spaced");
    options.inputFile("--card", load.cardPath, "Workload card to use");
    options.inputFile("--config", load.configPath, "TorchTitan TOML to use");
}

void declareNsysExport(CommandOptions& options, bool& exportsReports)
{
    options.flag("--export-nsys", exportsReports, "Run nsys to export .nsys-rep files without a .sqlite");
}

void RunInput::declare(CommandOptions& options)
{
    options.group("Run", true);
    options.texts("PATH", paths, Takes::Many, "", "Run directory or trace files");
    options.texts("--trace,--workload-dir", paths, Takes::Many, "PATH", "Same as PATH");
    options.flag("--demo", demo, "Read the demo run that comes with the program");
    options.texts("--name", names, Takes::Each, "TEXT",
                  "Name of the run in tables and reports; one for each run");
    options.custom("--model_params,--model-params", "N",
                   "Number of model parameters, e.g. 8.03B; overrides card and TOML",
                   [this](const std::string& text) -> Status {
                       load.given.params = countOf(text);
                       if (load.given.params)
                           return {};
                       return usageError(
                           "--model_params takes a number, for instance 8.03B or 8030000000, not '" + text
                           + "'.");
                   });
    Parallelism& parallelism = load.given.parallelism;
    constexpr double mostRanks = 1'000'000;
    options.number("--dp", parallelism.dpShard, 1, mostRanks,
                   "Data-parallel degree; overrides card and TOML");
    options.number("--tp", parallelism.tp, 1, mostRanks, "Tensor-parallel degree");
    options.number("--pp", parallelism.pp, 1, mostRanks, "Pipeline-parallel degree");
    options.number("--ep", parallelism.ep, 1, mostRanks, "Expert-parallel degree");
    declareLoading(options, load);
    declareMemory(options, load,
                  "Memory limit, e.g. 8G; load what fits (default: three quarters of the free memory)");
    declareNsysExport(options, load.exportsReports);
}

Status RunInput::check()
{
    if (Parallelism& parallelism = load.given.parallelism; parallelism.dpShard)
        parallelism.dpReplicate = 1; // the split between replicas and shards is not given
    std::set<std::string> taken;
    for (const std::string& name : names) {
        if (Status valid = checkLabel(name); !valid)
            return valid;
        if (!name.empty() && !taken.insert(name).second)
            return usageError("Two runs cannot both be called '" + name + "'.");
    }
    return {};
}

void BatchInput::declare(CommandOptions& options)
{
    RunInput::declare(options);
    options.flag("--merge-paths", load.asOneRun,
                 "Treat several folders, or a folder that looks like several runs, as one run");
    options.flag("--parts", isParts, "The run is a folder of parts that --batch reduce wrote");
    options.flag("--allow-missing", allowMissing,
                 "Use the available parts even if parts or ranks are missing");
    options.inputFiles("--define", definitionFiles,
                       "TOML file with additional metrics and rules for kernel names");
    options.number("--threads", threads, 0, 1024, "Threads for loading, 0 = one per core");
    options.flag("-v,--verbose", verbose, "Also print informational findings");
}

Status BatchInput::check()
{
    if (allowMissing && !isParts)
        return usageError("--allow-missing requires --batch merge or --parts.");
    auto rules = loadKernelRules(definitionFiles);
    if (!rules)
        return usageError(rules.error().message);
    load.kernelRules = std::move(*rules);
    return RunInput::check();
}

void MetricSelection::declareRank(CommandOptions& all)
{
    all.number("--rank", rank, 0, anyNumber, "One rank of the run (for NVLink files: the GPU)");
    all.number("--gpu", gpu, 0, anyNumber, "Same as --rank");
}

void MetricSelection::declareWindow(CommandOptions& all)
{
    all.custom("--steps", "inner|all|N[-M]", "Steps to measure",
               [this](const std::string& text) { return setSteps(text, options.steps); });
    all.custom("--range", "START-END", "Milliseconds on the time axis, instead of steps",
               [this](const std::string& text) { return setRange(text, options.range); });
    all.choice("--profile-mode", options.profileMode,
               {{"auto", ProfileMode::Auto}, {"torch", ProfileMode::Torch}, {"nsys", ProfileMode::Nsys}},
               "Traces of which profiler to read");
}

void MetricSelection::declareClocks(CommandOptions& all)
{
    all.choice("--clocks", options.clocks,
               {{"auto", ClockChoice::Auto}, {"aligned", ClockChoice::Aligned}, {"raw", ClockChoice::Raw}},
               "Clocks of several ranks: aligned on the ends of their collectives, or raw as recorded; auto "
               "aligns them if they disagree");
}

void MetricSelection::declare(CommandOptions& all)
{
    all.group("Selection", true);
    declareRank(all);
    all.number("--link", options.link, 0, std::numeric_limits<std::uint32_t>::max(), "One NVLink link");
    all.custom("--direction", "tx|rx", "Direction of NVLink traffic",
               [this](const std::string& text) -> Status {
                   const std::string word = lowered(text);
                   if (word != "tx" && word != "rx")
                       return usageError("--direction takes tx or rx, not '" + text + "'.");
                   options.direction = word == "tx" ? LinkDirection::Tx : LinkDirection::Rx;
                   return {};
               })
        .choices
        = {"tx", "rx"};
    all.number("--top", peaks, 1, 10000, "Number of NVLink peaks");
    all.flag("--nccl-only", options.ncclOnly, "Only communication kernels");
    declareWindow(all);
    all.flag("--linked-only", options.linkedOnly, "gpu_timeline: only GPU events with a launch link");
    all.flag("--causal", options.causal, "mfu: count half of the attention FLOPs");
    using Attribution = MetricOptions::Attribution;
    all.choice("--attribution", options.attribution,
               {{"clip", Attribution::Clip}, {"launch", Attribution::Launch}},
               "clip: count GPU work where it ran; launch: count it for the step that launched it");
    declareClocks(all);
    using Definition = MetricOptions::Definition;
    all.choice("--definition", options.definition,
               {{"std", Definition::Std}, {"reference", Definition::Reference}},
               "std, or reference: the value that the existing tool prints");
    all.choice("--reduce", options.reduce,
               {{"mean", RankReduction::Mean},
                {"median", RankReduction::Median},
                {"max", RankReduction::Max},
                {"min", RankReduction::Min},
                {"sum", RankReduction::Sum}},
               "How to combine ranks in metrics that are a mean over ranks");
    all.inputFile("--hardware", hardwareFile, "TOML file with device peaks; overrides the built-in ones");
}

Status MetricSelection::check()
{
    if (rank && gpu && *rank != *gpu)
        return usageError("--rank and --gpu mean the same thing; give one of them.");
    options.rank = rank ? rank : gpu;
    options.top = peaks.value_or(options.top);
    return {};
}

} // namespace collscope
