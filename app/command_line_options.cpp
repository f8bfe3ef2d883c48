// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/command_line_options.h"

#include "app/version.h"
#include "metrics/comparison/comparison.h"

#include <CLI/CLI.hpp>

#include <limits>

namespace collscope {

namespace {

// NOLINTNEXTLINE(readability-function-size): a table, a few lines per option
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
    list("--report", raw.reports,
         "individual, collective: workbooks of each rank and of all collectives in --output; text: a text "
         "report of each run; kernels: time by kernel name, printed or as a workbook in --output; nvlink: "
         "throughput, peaks and the kernels in them");
    app.add_flag("--doctor", raw.examines,
                 "Check the files for damage and account for every event; reads every value")
        ->group(files);
    app.add_option("--write-clean", outputs.cleanFolder,
                   "With --doctor: write a valid copy of each damaged trace into a folder, for other tools")
        ->type_name("DIR")
        ->group(files);
    app.add_option(
           "--explain-step", outputs.explainStep,
           "Explain why this step took as long as it did: which rank was late, and what it had been doing")
        ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max()))
        ->group(files);
    list("--tools", outputs.tools,
         "Print metrics as one JSON object: throughput, communication, memory, overlap, training_phases, "
         "fsdp, straggler, kernel, gpu_utilization, or all");
    app.add_option(
           "--output", outputs.folder,
           "Folder for reports and plots; with --iteration all: table, page and plots of all iterations")
        ->type_name("DIR")
        ->group(files);
    app.add_option("--prefix", outputs.prefix, "Prefix of the text report's file name: nccl, gloo, nsys")
        ->group(files);
    app.add_option("--summary", raw.summaryFolder,
                   "Folder for metrics_summary (.csv, .json), report.html and plots, with a row and a point "
                   "per profiler iteration, or per run if there are several")
        ->type_name("DIR")
        ->group(files);
    app.add_option("--leaderboard", outputs.leaderboardFile,
                   "Write the run as a row of the CCL-Bench table to a JSON file")
        ->type_name("FILE")
        ->group(files);
    app.add_flag(
           "--kernel-summary{-}", raw.kernelSummary,
           "Print time by kernel name, like nsys stats; --kernel-summary=FILE writes .json, .csv or text")
        ->group(files);
    app.add_option("--format", raw.format, "json (same as --json) or table (default)")
        ->check(CLI::IsMember({"json", "table"}))
        ->group(files);
    app.add_option("--write-scripts", raw.scriptsFolder,
                   "Write a get_<metric>.sh for each metric into a folder")
        ->type_name("DIR")
        ->group(files);
    app.add_option("--write-kit", raw.kitFolder,
                   "Write the trace collection kit for Slurm clusters into a new folder")
        ->type_name("DIR")
        ->group(files);
    app.add_flag("--merge-paths", outputs.mergePaths,
                 "Treat several folders, or a folder that looks like several runs, as one run")
        ->group(files);
    app.add_option("--trace-base", raw.traceBase,
                   "Folder that contains iteration_<n>: same as PATH --iteration all")
        ->type_name("DIR")
        ->group(files);
    app.add_option("--plot", outputs.plotPath, "Plot the metric into FILE.png, or each metric into a folder")
        ->type_name("PATH")
        ->group(files);
    app.add_flag("--linear", outputs.linear, "NVLink plots: linear instead of logarithmic scale")
        ->group(files);
    app.add_flag("--combined", outputs.combined, "NVLink plots: both directions in one picture")
        ->group(files);
    app.add_option("--title", outputs.title, "Title of the plot")->group(files);
    app.add_option("--width", outputs.widthInches, "Width of the plot in inches")
        ->check(CLI::Range(3.0, 60.0))
        ->group(files);
    app.add_option("--height", outputs.heightInches, "Height of the plot in inches")
        ->check(CLI::Range(2.0, 60.0))
        ->group(files);
    app.add_flag("--show", outputs.show, "Ignored: --batch has no display")->group(files);
}

void addReportOptions(CLI::App& app, ReportChoices& reports, RawReports& raw)
{
    const char* group = "Batch: workbooks of runs and comparisons";
    app.add_option("--baseline", raw.baseline,
                   "Baseline run of a comparison, shown in a window or, with --batch, written to --output")
        ->type_name("DIR")
        ->group(group);
    app.add_option("--test", raw.tests,
                   "Test run to compare with the baseline; several with --compare-all-runs")
        ->type_name("DIR")
        ->group(group);
    app.add_option("--baseline-label", raw.baselineLabel, "Name of the baseline, instead of its folder name")
        ->type_name("TEXT")
        ->group(group);
    app.add_option("--test-label", raw.testLabels, "Name of a test run; one for each --test")
        ->type_name("TEXT")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(group);
    app.add_flag("--all", raw.all, "Write all workbooks of the comparison (default)")->group(group);
    app.add_flag("--gpu-timeline", raw.gpuTimeline, "Write gpu_timeline_combined and gpu_timeline_comparison")
        ->group(group);
    app.add_flag("--collective", raw.collective, "Write collective_combined and collective_comparison")
        ->group(group);
    app.add_flag("--final-report", raw.finalReport, "Write final_analysis_report")->group(group);
    app.add_flag("--generate-plots", raw.plots, "Write plots/ and performance_analysis_report.html")
        ->group(group);
    app.add_flag("--compare-all-runs", raw.compareAllRuns,
                 "Write final_analysis_report_for_all, which compares any number of runs")
        ->group(group);
    app.add_flag("--individual-only", raw.individualOnly, "Skip the reports of collectives")->group(group);
    app.add_flag("--collective-only", raw.collectiveOnly, "Skip the reports of individual ranks")
        ->group(group);
    app.add_flag("--skip-tracelens", reports.reuse, "Compare existing reports, if any")->group(group);
    app.add_option("--threshold", raw.threshold, "Changes of up to N percent count as similar")
        ->check(CLI::Range(0.0, 100.0))
        ->group(group);
    app.add_flag("--geo-mean", reports.geometricMean, "Geometric instead of arithmetic means over the ranks")
        ->group(group);
    app.add_option("--report-format", raw.formats,
                   "xlsx (default), csv (a folder with one file per sheet), json, or several of these")
        ->delimiter(',')
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->type_name("FORMAT,...")
        ->group(group);
    app.add_flag("--gib-compat", reports.gibCompat, "Bandwidths in GiB/s, as in older tools")->group(group);
    app.add_flag("--full", reports.isFull, "One column per rank even above 64 ranks")->group(group);
}

void addBatchOptions(CLI::App& app, CommandLine& result, RawOptions& raw)
{
    const char* batch = "Batch";
    app.add_option("--trace,--workload-dir", raw.tracePaths, "Run directory or trace file, same as PATH")
        ->type_name("PATH")
        ->group(batch);
    app.add_option("--metric", raw.metrics,
                   "Metric ids or aliases, separated by commas; all: every metric, one per row; auto "
                   "(default): metrics with a value, then why the others have none")
        ->type_name("METRIC,...")
        ->delimiter(',')
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(batch);
    app.add_option("--metrics", raw.listedMetrics, "Same as --metric, as a list: --metrics a b c")
        ->type_name("METRIC")
        ->group(batch);
    app.add_flag("--list-metrics,--list", result.listMetrics, "List all metrics")->group(batch);
    app.add_flag("--markdown", result.markdown, "With --list-metrics: print the help page of all metrics")
        ->group(batch);
    app.add_option("--define", raw.definitionFiles,
                   "TOML file with additional metrics and rules for kernel names")
        ->type_name("FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->check(CLI::ExistingFile)
        ->group(batch);
    app.add_option("--explain", raw.explainId, "Print value, formula, inputs and warnings of one metric")
        ->type_name("METRIC")
        ->group(batch);
    app.add_flag("--json", result.json, "Print JSON")->group(batch);
    app.add_option("--csv", result.csvFile, "Write CSV to a file, '-' for stdout")
        ->type_name("FILE|-")
        ->group(batch);
    app.add_option("--output-json", result.outputJsonFile, "Write the full report to a JSON file")
        ->type_name("FILE")
        ->group(batch);
    app.add_option("--threads", result.threads, "Threads for loading, 0 = one per core")
        ->check(CLI::Range(0, 1024))
        ->group(batch);
    app.add_flag("--allow-missing", result.distributed.allowMissing,
                 "--batch merge: merge the available parts even if parts or ranks are missing")
        ->group(batch);
    app.add_flag("-v,--verbose", result.verbose, "Also print informational findings")->group(batch);
}

// NOLINTNEXTLINE(readability-function-size): a table, a few lines per option
void addSelectionOptions(CLI::App& app, CommandLine& result, RawOptions& raw)
{
    const char* selection = "Selection";
    app.add_option("--rank", raw.rank, "One rank of the run (for NVLink files: the GPU)")
        ->check(CLI::Range(0, std::numeric_limits<std::int32_t>::max()))
        ->group(selection);
    app.add_option("--gpu", raw.gpu, "Same as --rank")
        ->check(CLI::Range(0, std::numeric_limits<std::int32_t>::max()))
        ->group(selection);
    app.add_option("--link", raw.link, "One NVLink link")->group(selection);
    app.add_option("--direction", raw.direction, "tx or rx")
        ->transform(CLI::IsMember({"tx", "rx"}, CLI::ignore_case))
        ->group(selection);
    app.add_option_function<int>(
           "--top",
           [&result](int count) {
               result.metricOptions.top = count;
               result.outputs.peaks = count;
           },
           "Number of NVLink peaks")
        ->check(CLI::Range(1, 10000))
        ->group(selection);
    app.add_flag("--nccl-only", result.metricOptions.ncclOnly, "Only communication kernels")
        ->group(selection);
    app.add_option("--steps", raw.steps, "Steps to measure: inner, all, or N[-M]")->group(selection);
    app.add_option("--range", raw.range, "START-END in ms on the time axis, instead of steps")
        ->group(selection);
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
                   "clip: count GPU work where it ran; launch: count it for the step that launched it")
        ->check(CLI::IsMember({"clip", "launch"}))
        ->group(selection);
    app.add_option("--clocks", raw.clocks,
                   "Clocks of several ranks: aligned on the ends of their collectives, or raw as recorded; "
                   "auto aligns them if they disagree")
        ->check(CLI::IsMember({"auto", "aligned", "raw"}))
        ->group(selection);
    app.add_option("--definition", raw.definition,
                   "std, or reference: the value that the existing tool prints")
        ->check(CLI::IsMember({"std", "reference"}))
        ->group(selection);
    app.add_option("--reduce", raw.reduce, "How to combine ranks in metrics that are a mean over ranks")
        ->check(CLI::IsMember({"mean", "median", "max", "min", "sum"}))
        ->group(selection);
    app.add_option("--name", result.names, "Name of the run in tables and reports; one for each run")
        ->type_name("TEXT")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(selection);
    app.add_option("--model_params,--model-params", raw.modelParams,
                   "Number of model parameters, e.g. 8.03B; overrides card and TOML")
        ->type_name("N")
        ->group(selection);
    const auto degree = [&](const char* name, std::optional<std::int64_t>& value, const char* description) {
        app.add_option(name, value, description)->check(CLI::Range(1, 1'000'000))->group(selection);
    };
    Parallelism& parallelism = result.load.given.parallelism;
    degree("--dp", parallelism.dpShard, "Data-parallel degree; overrides card and TOML");
    degree("--tp", parallelism.tp, "Tensor-parallel degree");
    degree("--pp", parallelism.pp, "Pipeline-parallel degree");
    degree("--ep", parallelism.ep, "Expert-parallel degree");
    app.add_option("--hardware", result.hardwareFile,
                   "TOML file with device peaks; overrides the built-in ones")
        ->check(CLI::ExistingFile)
        ->group(selection);
    app.add_option("--card", result.load.cardPath, "Workload card to use")
        ->check(CLI::ExistingFile)
        ->group(selection);
    app.add_option("--config", result.load.configPath, "TorchTitan TOML to use")
        ->check(CLI::ExistingFile)
        ->group(selection);
    app.add_option("--max-ranks", raw.maxRanks, "Load at most N ranks, evenly spaced")
        ->check(CLI::PositiveNumber)
        ->group(selection);
    app.add_option("--max-memory", raw.maxMemory,
                   "Memory limit, e.g. 8G; load what fits (default: three quarters of the available memory)")
        ->type_name("SIZE")
        ->group(selection);
    app.add_flag("--export-nsys", result.load.exportsReports,
                 "Run nsys to export reports (.nsys-rep) that have no .sqlite yet")
        ->group(selection);
}

void addWindowOptions(CLI::App& app, CommandLine& result, RawOptions& raw)
{
    const char* window = "Window";
    app.add_option("--screenshot", result.screenshotFile,
                   "Save a screenshot of the window to FILE.png and exit")
        ->type_name("FILE")
        ->group(window);
    app.add_option("--size", raw.size, "Window size WxH of the screenshot")->type_name("WxH")->group(window);
    app.add_option("--goto", result.location,
                   "Open at a location: run@rank:track:begin-end in ns, as copied by Edit > Copy location")
        ->type_name("LOCATION")
        ->group(window);
    app.add_option("--tab", result.tab, "Title of the tab to show in the screenshot, for instance Lateness")
        ->group(window);
    app.add_option("--scale", result.scale, "Device pixel ratio of the screenshot")
        ->check(CLI::Range(0.5, 4.0))
        ->group(window);
    app.add_option("--theme", raw.theme, "light, dark or system")
        ->check(CLI::IsMember({"light", "dark", "system"}))
        ->group(window);
}

} // namespace

void addOptions(CLI::App& app, CommandLine& result, RawOptions& raw)
{
    app.set_version_flag("--version", versionText(), "Print the version and build information");
    app.add_option("--completion", raw.completion, "Print the completion script for a shell")
        ->check(CLI::IsMember({"bash", "zsh"}));
    app.add_flag("--man-page", raw.manPage, "Print the manual page");
    app.add_option("PATH", result.paths, "Run directory or trace files")->type_name("");
    app.add_flag("--demo", result.demo, "Open the demo run that comes with the program");
    app.add_flag("--batch", raw.batch, "Print metrics without a window or a display");
    addBatchOptions(app, result, raw);
    addSelectionOptions(app, result, raw);
    addOutputOptions(app, result, raw.outputs);
    addReportOptions(app, result.outputs.reports, raw.outputs.books);
    addWindowOptions(app, result, raw);
}

} // namespace collscope
