// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/command_line.h"

#include "app/command_line_outputs.h"
#include "app/memory_policy.h"
#include "app/metric_definitions.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <optional>

namespace collscope {

namespace {

constexpr double nsPerMs = 1e6;

/// The text of every option that needs more than a look at its type.
struct RawOptions
{
    std::vector<std::string> metrics, listedMetrics, tracePaths, definitionFiles;
    std::string explainId, steps = "inner", range, iteration, direction, profileMode = "auto", maxMemory,
                           attribution = "clip", definition = "std", clocks = "auto", size, theme = "system";
    std::optional<std::int32_t> rank, gpu;
    std::optional<std::uint32_t> link;
    std::optional<int> maxRanks;
    bool batch = false;
    RawOutputs outputs;
};

void addOutputOptions(CLI::App& app, CommandLine& result, RawOutputs& raw)
{
    BatchOutputs& outputs = result.outputs;
    const char* files = "Batch: reports, tables, plots";
    const auto list = [&](const char* name, std::vector<std::string>& values, const char* description) {
        app.add_option(name, values, description)
            ->delimiter(',')
            ->expected(1)
            ->allow_extra_args(false)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
            ->group(files);
    };
    list("--report", raw.reports, "text: a report of each run into --output; kernels: time by kernel name");
    app.add_flag("--doctor", raw.examines,
                 "What is damaged in the files, and what became of each event; reads every value")
        ->group(files);
    app.add_option("--write-clean", outputs.cleanFolder,
                   "With --doctor: write a valid copy of each damaged trace into a folder, for other tools")
        ->type_name("DIR")
        ->group(files);
    app.add_option("--explain-step", outputs.explainStep,
                   "Why this step took as long as it did: who was late, and what it was in before")
        ->check(CLI::NonNegativeNumber)
        ->group(files);
    list("--tools", outputs.tools,
         "Metrics of throughput, communication, memory, overlap, training_phases, fsdp, straggler, kernel, "
         "gpu_utilization, or all, as one JSON object");
    app.add_option("--output", outputs.folder,
                   "Folder for reports and plots; with --iteration all for the table of all iterations")
        ->group(files);
    app.add_option("--prefix", outputs.prefix, "Before the name of the text report: nccl, gloo, nsys")
        ->group(files);
    app.add_option("--summary", raw.summaryFolder,
                   "Folder for metrics_summary.csv and plots, a row and a point per profiler iteration")
        ->group(files);
    app.add_option("--leaderboard", outputs.leaderboardFile,
                   "Write the run as a row of the CCL-Bench table to a JSON file")
        ->group(files);
    app.add_flag("--kernel-summary{-}", raw.kernelSummary,
                 "Time by kernel name, as nsys stats prints it; --kernel-summary=FILE writes .json, .csv or "
                 "text")
        ->group(files);
    app.add_option("--format", raw.format, "json, the same as --json; table, the default")
        ->check(CLI::IsMember({"json", "table"}))
        ->group(files);
    app.add_option("--write-scripts", raw.scriptsFolder,
                   "Write a get_<metric>.sh for each metric into a folder")
        ->group(files);
    app.add_flag("--merge-paths", outputs.mergePaths, "Several folders are parts of one run")->group(files);
    app.add_option("--trace-base", raw.traceBase,
                   "A folder of iteration_<n>: the same as PATH --iteration all")
        ->group(files);
    app.add_option("--plot", outputs.plotPath, "Plot the metric into FILE.png, or each metric into a folder")
        ->group(files);
    app.add_flag("--linear", outputs.linear, "NVLink plots: linear instead of logarithmic")->group(files);
    app.add_flag("--combined", outputs.combined, "NVLink plots: both directions in one picture")
        ->group(files);
    app.add_option("--title", outputs.title, "Title of the plot")->group(files);
    app.add_option("--width", outputs.widthInches, "Width of the plot in inches")
        ->check(CLI::Range(3.0, 60.0))
        ->group(files);
    app.add_option("--height", outputs.heightInches, "Height of the plot in inches")
        ->check(CLI::Range(2.0, 60.0))
        ->group(files);
    app.add_flag("--show", outputs.show, "Ignored: batch has no display")->group(files);
}

void addBatchOptions(CLI::App& app, CommandLine& result, RawOptions& raw)
{
    const char* batch = "Batch";
    app.add_option("--trace,--workload-dir", raw.tracePaths, "A run directory or trace file, same as PATH")
        ->group(batch);
    app.add_option("--metric", raw.metrics,
                   "Metric id or alias, a comma between several, or 'all' (the default)")
        ->delimiter(',')
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(batch);
    app.add_option("--metrics", raw.listedMetrics, "The same, as a list: --metrics a b c")->group(batch);
    app.add_flag("--list-metrics,--list", result.listMetrics, "List all metrics")->group(batch);
    app.add_flag("--markdown", result.markdown, "With --list-metrics: the help page of all metrics")
        ->group(batch);
    app.add_option("--define", raw.definitionFiles, "TOML file that defines more metrics")
        ->type_name("FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->check(CLI::ExistingFile)
        ->group(batch);
    app.add_option("--explain", raw.explainId, "Value, formula, inputs and warnings of one metric")
        ->group(batch);
    app.add_flag("--json", result.json, "Print JSON")->group(batch);
    app.add_option("--csv", result.csvFile, "Write CSV to a file, '-' for stdout")->group(batch);
    app.add_option("--output-json", result.outputJsonFile, "Write the whole report to a file")->group(batch);
    app.add_option("--threads", result.threads, "Threads for loading, 0 = one per core")
        ->check(CLI::Range(0, 1024))
        ->group(batch);
    app.add_flag("-v,--verbose", result.verbose, "Also print what needs no attention")->group(batch);
}

void addSelectionOptions(CLI::App& app, CommandLine& result, RawOptions& raw)
{
    const char* selection = "Selection";
    app.add_option("--rank", raw.rank, "One rank of the run (for NVLink files: the GPU)")
        ->check(CLI::NonNegativeNumber)
        ->group(selection);
    app.add_option("--gpu", raw.gpu, "Same as --rank")->check(CLI::NonNegativeNumber)->group(selection);
    app.add_option("--link", raw.link, "One NVLink link")->group(selection);
    app.add_option("--direction", raw.direction, "tx or rx")
        ->transform(CLI::IsMember({"tx", "rx"}, CLI::ignore_case))
        ->group(selection);
    app.add_option("--top", result.metricOptions.top, "How many NVLink peaks")
        ->check(CLI::Range(1, 10000))
        ->group(selection);
    app.add_flag("--nccl-only", result.metricOptions.ncclOnly, "Only communication kernels")
        ->group(selection);
    app.add_option("--steps", raw.steps, "inner, all, or N[-M]")->group(selection);
    app.add_option("--range", raw.range, "BEGIN-END in ms of the axis, instead of steps")->group(selection);
    app.add_option("--iteration", raw.iteration, "Profiler iteration to load, or 'all'")->group(selection);
    app.add_option("--profile-mode", raw.profileMode, "auto, torch or nsys")
        ->check(CLI::IsMember({"auto", "torch", "nsys"}))
        ->group(selection);
    app.add_flag("--linked-only", result.metricOptions.linkedOnly,
                 "gpu_timeline: only GPU events with a launch link")
        ->group(selection);
    app.add_flag("--causal", result.metricOptions.causal, "mfu: count half of the attention FLOPs")
        ->group(selection);
    app.add_option("--attribution", raw.attribution,
                   "clip: GPU work counts where it ran; launch: for the step that launched it")
        ->check(CLI::IsMember({"clip", "launch"}))
        ->group(selection);
    app.add_option("--clocks", raw.clocks,
                   "Times of several ranks: aligned on the ends of their collectives, raw as the files have "
                   "them; auto aligns where the clocks are apart")
        ->check(CLI::IsMember({"auto", "aligned", "raw"}))
        ->group(selection);
    app.add_option("--definition", raw.definition, "std, or reference: what the existing tool prints")
        ->check(CLI::IsMember({"std", "reference"}))
        ->group(selection);
    app.add_option("--hardware", result.hardwareFile, "TOML with device peaks, over the program's own")
        ->check(CLI::ExistingFile)
        ->group(selection);
    app.add_option("--card", result.load.cardPath, "Workload card to use")
        ->check(CLI::ExistingFile)
        ->group(selection);
    app.add_option("--config", result.load.configPath, "TorchTitan TOML to use")
        ->check(CLI::ExistingFile)
        ->group(selection);
    app.add_option("--max-ranks", raw.maxRanks, "Load at most so many ranks, evenly spaced")
        ->check(CLI::PositiveNumber)
        ->group(selection);
    app.add_option("--max-memory", raw.maxMemory,
                   "Load what fits into so much memory, e.g. 8G; by default three quarters of what is free")
        ->type_name("SIZE")
        ->group(selection);
}

void addWindowOptions(CLI::App& app, CommandLine& result, RawOptions& raw)
{
    const char* window = "Window";
    app.add_option("--screenshot", result.screenshotFile, "Paint the window into FILE.png and exit")
        ->group(window);
    app.add_option("--size", raw.size, "Window size WxH of the screenshot")->group(window);
    app.add_option(
           "--goto", result.location,
           "Show a location first: run@rank:track:begin-end in ns, as Edit > Copy the location writes "
           "it")
        ->type_name("LOCATION")
        ->group(window);
    app.add_option("--tab", result.tab, "Tab in front of the screenshot, by its title, for instance Lateness")
        ->group(window);
    app.add_option("--scale", result.scale, "Device pixels per pixel of the screenshot")
        ->check(CLI::Range(0.5, 4.0))
        ->group(window);
    app.add_option("--theme", raw.theme, "light, dark or system")
        ->check(CLI::IsMember({"light", "dark", "system"}))
        ->group(window);
}

void addOptions(CLI::App& app, CommandLine& result, RawOptions& raw)
{
    app.set_version_flag("--version", std::string("collscope ") + COLLSCOPE_VERSION);
    app.add_option("PATH", result.paths, "A run directory or trace files")->type_name("");
    app.add_flag("--demo", result.demo, "Open the demo run that comes with the program");
    app.add_flag("--batch", raw.batch, "Print metrics; no window, no display");
    addBatchOptions(app, result, raw);
    addSelectionOptions(app, result, raw);
    addOutputOptions(app, result, raw.outputs);
    addWindowOptions(app, result, raw);
}

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

/// Splits "A-B" at the '-' that is no sign.
std::optional<std::pair<std::string, std::string>> splitRange(const std::string& text)
{
    const std::size_t dash = text.find('-', 1);
    return dash == std::string::npos ? std::nullopt
                                     : std::optional(std::pair(text.substr(0, dash), text.substr(dash + 1)));
}

/// Fills what needs interpretation; the text of the first mistake, or "".
std::string interpretSelection(const RawOptions& raw, CommandLine& result)
{
    MetricOptions& options = result.metricOptions;
    if (raw.rank && raw.gpu && *raw.rank != *raw.gpu)
        return "--rank and --gpu mean the same thing; give one of them.";
    options.rank = raw.rank ? raw.rank : raw.gpu;
    options.link = raw.link;
    if (!raw.direction.empty())
        options.direction = raw.direction == "tx" ? LinkDirection::Tx : LinkDirection::Rx;
    options.profileMode = raw.profileMode == "torch" ? ProfileMode::Torch
        : raw.profileMode == "nsys"                  ? ProfileMode::Nsys
                                                     : ProfileMode::Auto;
    options.attribution
        = raw.attribution == "launch" ? MetricOptions::Attribution::Launch : MetricOptions::Attribution::Clip;
    options.clocks = raw.clocks == "aligned" ? ClockChoice::Aligned
        : raw.clocks == "raw"                ? ClockChoice::Raw
                                             : ClockChoice::Auto;
    options.definition = raw.definition == "reference" ? MetricOptions::Definition::Reference
                                                       : MetricOptions::Definition::Std;
    if (raw.steps == "all") {
        options.steps.mode = StepChoice::Mode::All;
    } else if (raw.steps != "inner") {
        const auto parts = splitRange(raw.steps);
        const auto first = wholeNumber(parts ? parts->first : raw.steps);
        const auto last = parts ? wholeNumber(parts->second) : first;
        if (!first || !last || *last < *first)
            return "--steps takes inner, all, N or N-M, not '" + raw.steps + "'.";
        options.steps = {StepChoice::Mode::Range, *first, *last};
    }
    if (!raw.range.empty()) {
        const auto parts = splitRange(raw.range);
        const auto begin = parts ? decimal(parts->first) : std::nullopt;
        const auto end = parts ? decimal(parts->second) : std::nullopt;
        if (!begin || !end || *end <= *begin || std::abs(*begin) > 1e12 || std::abs(*end) > 1e12)
            return "--range takes BEGIN-END in milliseconds, for instance 12.5-20, not '" + raw.range + "'.";
        options.range = TimeRange{std::llround(*begin * nsPerMs), std::llround(*end * nsPerMs)};
    }
    if (raw.iteration == "all") {
        result.load.iteration.mode = IterationChoice::Mode::All;
    } else if (!raw.iteration.empty()) {
        const auto number = wholeNumber(raw.iteration);
        if (!number)
            return "--iteration takes a number or 'all', not '" + raw.iteration + "'.";
        result.load.iteration = {IterationChoice::Mode::One, *number};
    }
    result.load.maxRanks = raw.maxRanks;
    result.load.maxMemory = raw.maxMemory.empty() ? std::nullopt : sizeFromText(raw.maxMemory);
    if (!raw.maxMemory.empty() && !result.load.maxMemory)
        return "--max-memory takes a size, for instance 8G or 512M, not '" + raw.maxMemory + "'.";
    return {};
}

std::string interpretMetrics(const RawOptions& raw, CommandLine& result)
{
    if (result.mode == CommandLine::Mode::Batch) {
        auto catalog = loadMetricCatalog(raw.definitionFiles);
        if (!catalog)
            return catalog.error().message;
        result.catalog = std::move(*catalog);
    }
    std::vector<std::string> names = raw.metrics;
    names.insert(names.end(), raw.listedMetrics.begin(), raw.listedMetrics.end());
    if (!raw.explainId.empty()) {
        result.explain = true;
        names = {raw.explainId};
    }
    for (const std::string& name : names) {
        if (name == "all") {
            for (MetricRequest& request : result.catalog.all())
                result.requests.push_back(std::move(request));
            continue;
        }
        const auto request = result.catalog.find(name);
        const bool isListed
            = std::find(raw.listedMetrics.begin(), raw.listedMetrics.end(), name) != raw.listedMetrics.end();
        if (std::error_code error; !request && isListed && std::filesystem::exists(name, error)) {
            result.paths.push_back(name); // --metrics a b c PATH: the list took the path too
            continue;
        }
        if (!request) {
            std::string nearest;
            for (const std::string& near : result.catalog.nearest(name))
                nearest.append(nearest.empty() ? "" : ", ").append(near);
            return std::string("There is no metric '")
                .append(name)
                .append("'. Nearest: ")
                .append(nearest)
                .append(". --list-metrics lists all.");
        }
        result.requests.push_back(*request);
    }
    return {};
}

std::string interpretWindow(const RawOptions& raw, CommandLine& result)
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
        return "--size takes WIDTHxHEIGHT from 640x400 up, for instance 1680x1010, not '" + raw.size + "'.";
    result.width = static_cast<int>(*width);
    result.height = static_cast<int>(*height);
    return {};
}

std::string interpret(const RawOptions& raw, CommandLine& result)
{
    result.paths.insert(result.paths.end(), raw.tracePaths.begin(), raw.tracePaths.end());
    for (const auto& step : {interpretSelection, interpretMetrics, interpretWindow}) {
        if (std::string mistake = step(raw, result); !mistake.empty())
            return mistake;
    }
    if (result.mode == CommandLine::Mode::Batch) {
        if (std::string mistake = interpretOutputs(raw.outputs, result); !mistake.empty())
            return mistake;
    }
    if (result.outputs.explainStep
        && (raw.steps != "inner" || !raw.range.empty() || raw.attribution != "clip"))
        return "--explain-step names its step; --steps, --range and --attribution have no meaning with it.";
    if (result.mode == CommandLine::Mode::Batch && result.paths.empty() && !result.demo && !result.listMetrics
        && result.outputs.job != BatchOutputs::Job::Scripts)
        return "Give a run directory or trace files, or --demo.";
    if (result.markdown && (!result.listMetrics || result.json))
        return "--markdown is a form of --list-metrics, instead of --json.";
    if (result.json && result.csvFile == "-")
        return "--json and --csv - both want standard output; give --csv a file.";
    return {};
}

/// An option that would be ignored is a mistake that nobody would notice: "" or a sentence about the first
/// one.
std::string misplacedOption(const CLI::App& app, CommandLine::Mode mode)
{
    const auto given = [&](std::initializer_list<const char*> names) {
        const auto found
            = std::find_if(names.begin(), names.end(), [&](const char* name) { return app.count(name) > 0; });
        return found == names.end() ? std::string() : std::string(*found);
    };
    if (mode == CommandLine::Mode::Batch) {
        const std::string option = given({"--size", "--scale", "--tab", "--theme"});
        return option.empty() ? "" : option + " is for the window; it has no meaning with --batch.";
    }
    const std::string option
        = given({"--metric",        "--metrics",      "--clocks",      "--explain-step",   "--doctor",
                 "--write-clean",   "--list-metrics", "--explain",     "--json",           "--csv",
                 "--output-json",   "--rank",         "--gpu",         "--link",           "--direction",
                 "--top",           "--nccl-only",    "--steps",       "--range",          "--profile-mode",
                 "--linked-only",   "--causal",       "--attribution", "--definition",     "--hardware",
                 "--define",        "--markdown",     "--report",      "--tools",          "--output",
                 "--prefix",        "--summary",      "--leaderboard", "--kernel-summary", "--format",
                 "--write-scripts", "--merge-paths",  "--trace-base",  "--plot",           "--linear",
                 "--combined",      "--title",        "--width",       "--height",         "--show"});
    return option.empty() ? "" : option + " needs --batch.";
}

} // namespace

CommandLine parseCommandLine(const std::string& programName, const std::vector<std::string>& arguments)
{
    CommandLine result;
    RawOptions raw;
    CLI::App app("Collscope shows and measures the communication of distributed LLM training and inference.",
                 "collscope");
    app.footer("Exit codes: 0 done, 1 wrong usage, 2 nothing readable, 3 the one metric asked for is not "
               "available,\n"
               "4 output not written, 5 cancelled.");
    addOptions(app, result, raw);
    const auto stop = [&](int code, std::string message) {
        result.mode = CommandLine::Mode::Message;
        result.exitCode = code;
        result.message = std::move(message);
        return result;
    };
    try {
        app.parse(
            std::vector<std::string>(arguments.rbegin(), arguments.rend())); // CLI11 takes them from the back
    } catch (const CLI::CallForHelp&) {
        return stop(0, app.help());
    } catch (const CLI::CallForVersion& version) {
        return stop(0, std::string(version.what()) + "\n");
    } catch (const CLI::ParseError& error) {
        return stop(1, std::string("collscope: ") + error.what() + "\nTry collscope --help.\n");
    }
    const bool asMetricsTool = std::filesystem::path(programName).filename() == "ccl-metrics";
    if (!result.screenshotFile.empty())
        result.mode = CommandLine::Mode::Screenshot;
    else if (raw.batch || asMetricsTool)
        result.mode = CommandLine::Mode::Batch;
    result.echoed = arguments;
    std::string mistake = misplacedOption(app, result.mode);
    if (mistake.empty())
        mistake = interpret(raw, result);
    if (!mistake.empty())
        return stop(1, "collscope: " + mistake + "\n");
    return result;
}

} // namespace collscope
