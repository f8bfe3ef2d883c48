// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The commands metrics and merge: what can be printed, written and plotted of the metrics of a run.

#include "app/commands/command_metrics.h"

#include "app/commands/window_program.h"
#include "app/files/batch_io.h"
#include "metrics/export/tool_sets.h"

#include <algorithm>
#include <filesystem>

namespace collscope {

namespace {

using Place = OptionSpec::Place;
using Takes = OptionSpec::Takes;

/// The same command on the parts that reduce wrote.
class MergeCommand : public MetricsCommand
{
public:
    MergeCommand() { input.isParts = true; }
};

} // namespace

std::unique_ptr<ProgramCommand> metricsCommand()
{
    return std::make_unique<MetricsCommand>();
}

std::unique_ptr<ProgramCommand> mergeCommand()
{
    return std::make_unique<MergeCommand>();
}

void ValuesCommand::declareValues()
{
    options.group("Output");
    options.flag("--json", json, "Print JSON");
    options.output("--csv", csvFile, Place::OutputFile, "FILE|-", "Write CSV to a file, '-' for stdout");
    options.output("--output-json", outputJsonFile, Place::OutputFile, "FILE",
                   "Write the full report to a JSON file");
    options.output("--leaderboard", leaderboardFile, Place::OutputFile, "FILE",
                   "Write the run as a row of the CCL-Bench table to a JSON file");
    options.output("--plot", plots.path, Place::Picture, "PATH",
                   "Plot the metric into FILE.png, or each metric into a folder");
    options.text("--title", plots.title, "TEXT", "Title of the plot");
    options.number("--width", plots.widthInches, 3, 60, "Width of the plot in inches");
    options.number("--height", plots.heightInches, 2, 60, "Height of the plot in inches");
    options.flag("--linear", plots.linear, "NVLink plots: linear instead of logarithmic scale");
    options.flag("--combined", plots.combined, "NVLink plots: both directions in one picture");
    options.flag("--show", plots.show, "Ignored: --batch has no display");
}

Status ValuesCommand::checkValues() const
{
    if (!paints()
        && (plots.linear || plots.combined || plots.widthInches || plots.heightInches || !plots.title.empty()
            || plots.show))
        return usageError(
            "--linear, --combined, --title, --width, --height and --show apply to plots; give --plot "
            "FILE.png or --output DIR.");
    if (isPng(plots.path) && requests.size() != 1)
        return usageError("--plot FILE.png draws one metric; give --metric ID, or a folder for several.");
    if (json && csvFile == "-")
        return usageError("--json and --csv - both write to standard output; give --csv a file.");
    return {};
}

Status ValuesCommand::request(const std::string& name)
{
    if (name == "all" || name == "auto") {
        for (MetricRequest& metric : catalog.usual())
            requests.push_back(std::move(metric));
        return {};
    }
    auto metric = catalog.request(name);
    if (!metric)
        return metric.error();
    requests.push_back(std::move(*metric));
    return {};
}

void MetricsCommand::declare()
{
    options.group("Metrics");
    options.list("--metric", names, "METRIC,...",
                 "Ids or aliases; all: every metric, one per row; auto (default): those with a value");
    options.texts("--metrics", listedNames, Takes::Many, "METRIC", "Same as --metric: --metrics a b c");
    options.list("--tools", tools, "TOOL,...",
                 "Print JSON by tool: throughput, communication, memory, overlap, training_phases, fsdp, "
                 "straggler, kernel, gpu_utilization, or all");
    options.flag("--list-metrics,--list", lists, "List all metrics");
    options.flag("--markdown", markdown, "With --list-metrics: print the help page of all metrics");
    options.output("--write-scripts", scriptsFolder, Place::OutputFolder, "DIR",
                   "Write a get_<metric>.sh for each metric into a folder");
    declareValues();
    options.output("-o,--output", folder, Place::OutputFolder, "DIR",
                   "Folder for plots; with --iteration all: table, page and plots of all iterations");
    options.output("--summary", summaryFolder, Place::OutputFolder, "DIR",
                   "Folder for a table, a page and plots with a point per profiler iteration, or per run");
    MeasuringCommand::declare();
}

Status MetricsCommand::checkTools()
{
    std::vector<std::string> known;
    for (const ToolSet& set : allToolSets())
        known.emplace_back(set.name);
    std::vector<std::string> all;
    for (const std::string& tool : tools) {
        if (tool == "all") {
            all.insert(all.end(), known.begin(), known.end());
        } else if (findToolSet(tool) || findMetric(tool)) {
            all.push_back(tool);
        } else {
            std::string list;
            for (const std::string& name : known)
                list.append(name).append(", ");
            return usageError("--tools takes " + list + "all or the name of a metric, not '" + tool + "'.");
        }
    }
    tools = std::move(all);
    return {};
}

Status MetricsCommand::requestMetrics()
{
    // The list may also have taken the paths: --metrics a b c PATH
    std::vector<std::string> all = names;
    for (const std::string& name : listedNames) {
        const bool isMetric = name == "all" || name == "auto" || catalog.find(name);
        if (std::error_code error; !isMetric && std::filesystem::exists(name, error))
            input.paths.push_back(name);
        else
            all.push_back(name);
    }
    if (all == std::vector<std::string>{"auto"})
        return {}; // same as without the option
    for (const std::string& name : all) {
        if (Status requested = request(name); !requested)
            return requested;
    }
    return {};
}

Status MetricsCommand::chooseJob()
{
    std::vector<std::pair<Job, std::string>> jobs;
    if (!tools.empty())
        jobs.emplace_back(Job::Tools, "--tools");
    if (!scriptsFolder.empty())
        jobs.emplace_back(Job::Scripts, "--write-scripts");
    if (!summaryFolder.empty()) {
        jobs.emplace_back(Job::Iterations, "--summary");
        folder = summaryFolder;
    } else if (input.load.iteration.mode == IterationChoice::Mode::All && !folder.empty() && jobs.empty()
               && plots.path.empty()) {
        jobs.emplace_back(Job::Iterations, "--iteration all --output");
    }
    if (jobs.size() > 1)
        return usageError(jobs[0].second + " and " + jobs[1].second
                          + " are separate jobs; run them in separate calls.");
    if (!jobs.empty())
        job = jobs.front().first;
    return {};
}

Status MetricsCommand::check()
{
    if (markdown && (!lists || json))
        return usageError("--markdown requires --list-metrics and cannot be combined with --json.");
    if (lists)
        job = Job::List;
    else if (Status tooled = checkTools(); !tooled)
        return tooled;
    else if (Status chosen = chooseJob(); !chosen)
        return chosen;
    if (Status read = readCatalog(); !read)
        return read;
    if (Status requested = requestMetrics(); !requested)
        return requested;
    if (Status checked = MeasuringCommand::check(); !checked)
        return checked;
    if (lists)
        return {};
    if (job == Job::Values && plots.path.empty())
        plots.path = folder; // as in CCL-Bench's nvlink_plotting, a folder alone requests the plots
    else if (job == Job::Values && !folder.empty())
        return usageError("--plot and --output both set the location of the plots; give only one of them.");
    if (job != Job::Values) {
        if (!plots.path.empty() || !leaderboardFile.empty() || !outputJsonFile.empty())
            return usageError(
                "--plot, --leaderboard and --output-json apply to metrics; use them in a separate call.");
        if (job == Job::Tools && !folder.empty())
            return usageError("--output is a folder for reports and plots, but this output is printed.");
        if (json && job == Job::Scripts)
            return usageError("--json does not apply here: the output is written to files.");
        if (!csvFile.empty())
            return usageError("--csv applies to metrics and to --kernel-summary.");
        if (!requests.empty() && job != Job::Iterations)
            return usageError("--metric does not apply here: the metrics of this output are fixed.");
    }
    return checkValues();
}

int MetricsCommand::executeOnRuns() const
{
    if (job == Job::Scripts)
        return writeScripts(scriptsFolder);
    if (job != Job::List)
        return MeasuringCommand::executeOnRuns();
    const std::string list = json ? metricListJson(catalog)
        : markdown                ? metricListMarkdown(catalog)
                                  : metricListText(catalog);
    return print(list) ? Done : NotWritten;
}

int MetricsCommand::measure(const HardwareDatabasePtr& hardware) const
{
    if (plots.show)
        say("--show has no effect: --batch has no display. The plot is only written to its file.");
    switch (job) {
    case Job::Tools:
        return runTools(*this, hardware);
    case Job::Iterations:
        return window->runIterations(*this, hardware);
    default:
        return runValues(*this, hardware);
    }
}

std::vector<MetricRequest> requestsOf(const ValuesCommand& command)
{
    return command.requests.empty() ? command.catalog.usual() : command.requests;
}

} // namespace collscope
