// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/command_line.h"

#include "app/command_line_distributed.h"
#include "app/command_line_options.h"
#include "app/memory_policy.h"
#include "app/metric_definitions.h"
#include "metrics/comparison/comparison.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <set>

namespace collscope {

namespace {

constexpr double nsPerMs = 1e6;

std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value >= 0 ? std::optional(value)
                                                                                  : std::nullopt;
}

std::optional<double> decimal(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value)
        ? std::optional(value)
        : std::nullopt;
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

/// Interprets the facts about the run that the user gives.
Status interpretSaid(const RawOptions& raw, CommandLine& result)
{
    GivenFacts& said = result.load.given;
    if (said.parallelism.dpShard)
        said.parallelism.dpReplicate = 1; // the split between replicas and shards is not given
    said.params = raw.modelParams.empty() ? std::nullopt : countOf(raw.modelParams);
    if (!raw.modelParams.empty() && !said.params)
        return usageError("--model_params takes a number, for instance 8.03B or 8030000000, not '"
                          + raw.modelParams + "'.");
    return {};
}

/// Checks the run names, which become folder and column names.
Status interpretNames(CommandLine& result)
{
    std::set<std::string> taken;
    for (const std::string& name : result.names) {
        if (const std::string mistake = mistakeInLabel(name); !mistake.empty())
            return usageError("The run name '" + name + "' " + mistake);
        if (!name.empty() && !taken.insert(name).second)
            return usageError("Two runs cannot both be called '" + name + "'.");
    }
    if (result.mode != CommandLine::Mode::Batch && !result.names.empty())
        result.load.given.name = result.names.front();
    return {};
}

/// Interprets what to load.
Status interpretLoad(const RawOptions& raw, CommandLine& result)
{
    if (raw.iteration == "all") {
        result.load.iteration.mode = IterationChoice::Mode::All;
    } else if (!raw.iteration.empty()) {
        const auto number = wholeNumber(raw.iteration);
        if (!number)
            return usageError("--iteration takes a number or 'all', not '" + raw.iteration + "'.");
        result.load.iteration = {IterationChoice::Mode::One, *number};
    }
    result.load.maxRanks = raw.maxRanks;
    result.load.maxMemory = raw.maxMemory.empty() ? std::nullopt : sizeFromText(raw.maxMemory);
    if (!raw.maxMemory.empty() && !result.load.maxMemory)
        return usageError("--max-memory takes a size, for instance 8G or 512M, not '" + raw.maxMemory + "'.");
    return {};
}

/// Interprets the selection that metrics are computed from.
Status interpretSelection(const RawOptions& raw, CommandLine& result)
{
    MetricOptions& options = result.metricOptions;
    if (raw.rank && raw.gpu && *raw.rank != *raw.gpu)
        return usageError("--rank and --gpu mean the same thing; give one of them.");
    options.rank = raw.rank ? raw.rank : raw.gpu;
    options.link = raw.link;
    if (!raw.direction.empty())
        options.direction = raw.direction == "tx" ? LinkDirection::Tx : LinkDirection::Rx;
    options.profileMode = ProfileMode::Auto;
    if (raw.profileMode == "torch")
        options.profileMode = ProfileMode::Torch;
    else if (raw.profileMode == "nsys")
        options.profileMode = ProfileMode::Nsys;
    options.attribution
        = raw.attribution == "launch" ? MetricOptions::Attribution::Launch : MetricOptions::Attribution::Clip;
    options.clocks = ClockChoice::Auto;
    if (raw.clocks == "aligned")
        options.clocks = ClockChoice::Aligned;
    else if (raw.clocks == "raw")
        options.clocks = ClockChoice::Raw;
    constexpr std::pair<std::string_view, RankReduction> reductions[] = {{"median", RankReduction::Median},
                                                                         {"max", RankReduction::Max},
                                                                         {"min", RankReduction::Min},
                                                                         {"sum", RankReduction::Sum}};
    for (const auto& [word, reduction] : reductions) {
        if (raw.reduce == word)
            options.reduce = reduction;
    }
    options.definition = raw.definition == "reference" ? MetricOptions::Definition::Reference
                                                       : MetricOptions::Definition::Std;
    if (raw.steps == "all") {
        options.steps.mode = StepChoice::Mode::All;
    } else if (raw.steps != "inner") {
        const auto parts = splitRange(raw.steps);
        const auto first = wholeNumber(parts ? parts->first : raw.steps);
        const auto last = parts ? wholeNumber(parts->second) : first;
        if (!first || !last || *last < *first)
            return usageError("--steps takes inner, all, N or N-M, not '" + raw.steps + "'.");
        options.steps = {StepChoice::Mode::Range, *first, *last};
    }
    if (!raw.range.empty()) {
        const auto parts = splitRange(raw.range);
        const auto begin = parts ? decimal(parts->first) : std::nullopt;
        const auto end = parts ? decimal(parts->second) : std::nullopt;
        if (!begin || !end || *end <= *begin || std::abs(*begin) > 1e12 || std::abs(*end) > 1e12)
            return usageError("--range takes START-END in milliseconds, for instance 12.5-20, not '"
                              + raw.range + "'.");
        options.range = TimeRange{std::llround(*begin * nsPerMs), std::llround(*end * nsPerMs)};
    }
    return {};
}

Status interpretMetrics(const RawOptions& raw, CommandLine& result)
{
    if (result.mode == CommandLine::Mode::Batch) {
        auto catalog = loadMetricCatalog(raw.definitionFiles);
        if (!catalog)
            return usageError(catalog.error().message);
        result.catalog = std::move(*catalog);
        auto rules = loadKernelRules(raw.definitionFiles);
        if (!rules)
            return usageError(rules.error().message);
        result.load.kernelRules = std::move(*rules);
        result.definitionFiles = raw.definitionFiles;
    }
    std::vector<std::string> names = raw.metrics;
    names.insert(names.end(), raw.listedMetrics.begin(), raw.listedMetrics.end());
    if (!raw.explainId.empty()) {
        result.explain = true;
        names = {raw.explainId};
    }
    if (names == std::vector<std::string>{"auto"})
        names.clear(); // same as without the option
    for (const std::string& name : names) {
        if (name == "all" || name == "auto") {
            for (MetricRequest& request : result.catalog.all())
                result.requests.push_back(std::move(request));
            continue;
        }
        const auto request = result.catalog.find(name);
        const bool isListed
            = std::find(raw.listedMetrics.begin(), raw.listedMetrics.end(), name) != raw.listedMetrics.end();
        if (std::error_code error; !request && isListed && std::filesystem::exists(name, error)) {
            result.paths.push_back(name); // --metrics a b c PATH: the list also took the path
            continue;
        }
        if (!request) {
            std::string nearest;
            for (const std::string& near : result.catalog.nearest(name))
                nearest.append(nearest.empty() ? "" : ", ").append(near);
            return usageError(std::string("Unknown metric '")
                                  .append(name)
                                  .append("'. Nearest: ")
                                  .append(nearest)
                                  .append(". --list-metrics lists all metrics."));
        }
        result.requests.push_back(*request);
    }
    return {};
}

Status interpretWindow(const RawOptions& raw, CommandLine& result)
{
    if (raw.theme != "system")
        result.theme = raw.theme == "dark" ? CommandLine::Theme::Dark : CommandLine::Theme::Light;
    if (raw.size.empty())
        return {};
    const std::size_t x = raw.size.find('x');
    const auto width
        = x == std::string::npos ? std::nullopt : wholeNumber(std::string_view(raw.size).substr(0, x));
    const auto height
        = x == std::string::npos ? std::nullopt : wholeNumber(std::string_view(raw.size).substr(x + 1));
    if (!width || !height || *width < 640 || *height < 400 || *width > 16384 || *height > 16384)
        return usageError("--size takes WIDTHxHEIGHT, at least 640x400, for instance 1680x1010, not '"
                          + raw.size + "'.");
    result.width = static_cast<int>(*width);
    result.height = static_cast<int>(*height);
    return {};
}

Status interpret(const RawOptions& raw, CommandLine& result)
{
    result.paths.insert(result.paths.end(), raw.tracePaths.begin(), raw.tracePaths.end());
    for (const auto& step :
         {interpretSelection, interpretLoad, interpretSaid, interpretMetrics, interpretWindow}) {
        if (Status interpreted = step(raw, result); !interpreted)
            return interpreted;
    }
    Status outputs = result.mode == CommandLine::Mode::Batch
        ? interpretOutputs(raw.outputs, result)
        : interpretComparisonWindow(raw.outputs.books, result);
    if (!outputs)
        return outputs;
    if (Status names = interpretNames(result); !names)
        return names;
    if (result.outputs.explainStep
        && (raw.steps != "inner" || !raw.range.empty() || raw.attribution != "clip"))
        return usageError(
            "--explain-step selects the step; --steps, --range and --attribution cannot be combined with "
            "it.");
    if (result.mode == CommandLine::Mode::Batch && result.paths.empty() && !result.demo && !result.listMetrics
        && result.outputs.job != BatchOutputs::Job::Scripts && result.outputs.job != BatchOutputs::Job::Kit)
        return usageError("Give a run directory or trace files, or --demo.");
    if (result.distributed.allowMissing && result.distributed.verb != Distributed::Verb::Merge)
        return usageError("--allow-missing requires --batch merge.");
    if (result.markdown && (!result.listMetrics || result.json))
        return usageError("--markdown requires --list-metrics and cannot be combined with --json.");
    if (result.json && result.csvFile == "-")
        return usageError("--json and --csv - both write to standard output; give --csv a file.");
    return {};
}

/// An error names the first option that the mode would silently ignore.
// NOLINTNEXTLINE(readability-function-size): a table, a few lines per option
Status checkMode(const CLI::App& app, CommandLine::Mode mode)
{
    const auto given = [&](std::initializer_list<const char*> names) {
        const auto found
            = std::find_if(names.begin(), names.end(), [&](const char* name) { return app.count(name) > 0; });
        return found == names.end() ? std::string() : std::string(*found);
    };
    if (mode == CommandLine::Mode::Batch) {
        const std::string option = given({"--size", "--scale", "--tab", "--theme", "--goto"});
        if (option.empty())
            return {};
        return usageError(option + " applies to the window and cannot be combined with --batch.");
    }
    if (mode == CommandLine::Mode::Window) {
        const std::string option = given({"--size", "--scale", "--tab"});
        if (!option.empty())
            return usageError(option + " requires --screenshot.");
    }
    const std::string option = given({"--threads",
                                      "--verbose",
                                      "--metric",
                                      "--metrics",
                                      "--clocks",
                                      "--explain-step",
                                      "--doctor",
                                      "--write-clean",
                                      "--list-metrics",
                                      "--explain",
                                      "--json",
                                      "--csv",
                                      "--output-json",
                                      "--rank",
                                      "--gpu",
                                      "--link",
                                      "--direction",
                                      "--top",
                                      "--nccl-only",
                                      "--steps",
                                      "--range",
                                      "--profile-mode",
                                      "--linked-only",
                                      "--causal",
                                      "--attribution",
                                      "--definition",
                                      "--reduce",
                                      "--baseline-label",
                                      "--test-label",
                                      "--hardware",
                                      "--define",
                                      "--markdown",
                                      "--report",
                                      "--report-format",
                                      "--tools",
                                      "--output",
                                      "--prefix",
                                      "--summary",
                                      "--leaderboard",
                                      "--kernel-summary",
                                      "--format",
                                      "--write-scripts",
                                      "--write-kit",
                                      "--merge-paths",
                                      "--trace-base",
                                      "--plot",
                                      "--linear",
                                      "--all",
                                      "--gpu-timeline",
                                      "--collective",
                                      "--final-report",
                                      "--generate-plots",
                                      "--compare-all-runs",
                                      "--individual-only",
                                      "--collective-only",
                                      "--skip-tracelens",
                                      "--threshold",
                                      "--geo-mean",
                                      "--gib-compat",
                                      "--full",
                                      "--combined",
                                      "--title",
                                      "--width",
                                      "--height",
                                      "--show"});
    if (option.empty())
        return {};
    return usageError(option + " needs --batch.");
}

std::vector<std::string> metricNames()
{
    std::vector<std::string> names{"all", "auto"};
    for (const MetricDescriptor& metric : allMetrics()) {
        names.emplace_back(metric.id);
        for (const MetricAlias& alias : metric.aliases)
            names.emplace_back(alias.id);
    }
    return names;
}

} // namespace

CommandLine parseCommandLine(const std::string& programName, std::vector<std::string> arguments)
{
    CommandLine result;
    result.echoed = arguments;
    const bool asMetricsTool = std::filesystem::path(programName).filename() == "ccl-metrics";
    if (asMetricsTool && (arguments.empty() || arguments.front() != "--batch"))
        arguments.insert(arguments.begin(), "--batch");
    const Distributed::Verb verb = distributedVerb(arguments);
    const bool isMerge = verb == Distributed::Verb::Merge;
    if (verb != Distributed::Verb::None && !isMerge) {
        parseDistributed(verb, {arguments.begin() + 2, arguments.end()}, result);
        return result;
    }
    result.distributed.verb = verb;
    RawOptions raw;
    CLI::App app("Collscope shows and measures the communication of distributed LLM training and inference.",
                 "collscope");
    app.footer("Exit codes: 0 success, 1 usage error, 2 no readable input, 3 requested metric has no value, "
               "or ranks\nare missing from a merge, 4 output not written, or no display for the window, 5 "
               "cancelled,\n7 event counts of --doctor do not add up.\n"
               "Runs too large for one machine: collscope --batch plan|reduce|merge|slurm --help.");
    addOptions(app, result, raw);
    const auto stop = [&](int code, std::string message) {
        result.mode = CommandLine::Mode::Message;
        result.exitCode = code;
        result.message = std::move(message);
        return result;
    };
    try {
        // CLI11 takes the arguments from the back.
        std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
        if (isMerge)
            reversed.erase(reversed.end() - 2); // the verb; the other options apply to the parts
        app.parse(std::move(reversed));
    } catch (const CLI::CallForHelp&) {
        CommandHelp help = commandHelp(app);
        if (isMerge) {
            help.name = "collscope --batch merge";
            help.usage = "DIR [--allow-missing] [OPTIONS]";
            help.description = "Merges the parts that reduce wrote into DIR, then processes the run like "
                               "any other run of --batch.";
        }
        return stop(0, helpText(help));
    } catch (const CLI::CallForVersion& version) {
        return stop(0, std::string(version.what()) + "\n");
    } catch (const CLI::ParseError& error) {
        return stop(1, std::string("collscope: ") + error.what() + "\nTry collscope --help.\n");
    }
    if (raw.manPage || !raw.completion.empty()) {
        const std::vector<CommandHelp> commands{commandHelp(app), distributedHelp(Distributed::Verb::Plan),
                                                distributedHelp(Distributed::Verb::Reduce),
                                                distributedHelp(Distributed::Verb::Slurm)};
        if (raw.manPage)
            return stop(0, manualPage(commands));
        if (raw.completion == "zsh")
            return stop(0, zshCompletion(commands, metricNames()));
        return stop(0, bashCompletion(commands, metricNames()));
    }
    if (!result.screenshotFile.empty())
        result.mode = CommandLine::Mode::Screenshot;
    else if (raw.batch)
        result.mode = CommandLine::Mode::Batch;
    Status status = checkMode(app, result.mode);
    if (status)
        status = interpret(raw, result);
    if (!status)
        return stop(1, "collscope: " + status.error().message + "\n");
    return result;
}

} // namespace collscope
