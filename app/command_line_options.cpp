// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/command_line_options.h"

#include "app/version.h"

#include <CLI/CLI.hpp>

namespace collscope {

namespace {

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
    list(
        "--report", raw.reports,
        "individual, collective: workbooks of ranks and of collectives into --output; text: a report of each "
        "run; kernels: time by kernel name, printed or as a workbook into --output; nvlink: throughput, "
        "peaks "
        "and their kernels");
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
                   "Folder for reports and plots; with --iteration all for table, page and plots of all "
                   "iterations")
        ->type_name("DIR")
        ->group(files);
    app.add_option("--prefix", outputs.prefix, "Before the name of the text report: nccl, gloo, nsys")
        ->group(files);
    app.add_option("--summary", raw.summaryFolder,
                   "Folder for metrics_summary (.csv, .json), report.html and plots: a row and a point per "
                   "profiler iteration, or per run where there are several")
        ->type_name("DIR")
        ->group(files);
    app.add_option("--leaderboard", outputs.leaderboardFile,
                   "Write the run as a row of the CCL-Bench table to a JSON file")
        ->type_name("FILE")
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
        ->type_name("DIR")
        ->group(files);
    app.add_option("--write-kit", raw.kitFolder,
                   "Write the kit that collects traces on a Slurm cluster into a new folder")
        ->type_name("DIR")
        ->group(files);
    app.add_flag("--merge-paths", outputs.mergePaths,
                 "Several folders, or a folder that looks like several runs, are one run")
        ->group(files);
    app.add_option("--trace-base", raw.traceBase,
                   "A folder of iteration_<n>: the same as PATH --iteration all")
        ->type_name("DIR")
        ->group(files);
    app.add_option("--plot", outputs.plotPath, "Plot the metric into FILE.png, or each metric into a folder")
        ->type_name("PATH")
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

void addReportOptions(CLI::App& app, ReportChoices& reports, RawReports& raw)
{
    const char* group = "Batch: workbooks of runs and of their comparison";
    app.add_option("--baseline", raw.baseline,
                   "The run that others are compared with: in a window, or with --batch into --output")
        ->type_name("DIR")
        ->group(group);
    app.add_option("--test", raw.tests, "A run to compare; several with --compare-all-runs")
        ->type_name("DIR")
        ->group(group);
    app.add_option("--baseline-label", raw.baselineLabel,
                   "What the baseline is called, instead of its folder")
        ->type_name("TEXT")
        ->group(group);
    app.add_option("--test-label", raw.testLabels, "What a test run is called; one for each --test")
        ->type_name("TEXT")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(group);
    app.add_flag("--all", raw.all, "All workbooks of the comparison (the default)")->group(group);
    app.add_flag("--gpu-timeline", raw.gpuTimeline, "gpu_timeline_combined and _comparison")->group(group);
    app.add_flag("--collective", raw.collective, "collective_combined and _comparison")->group(group);
    app.add_flag("--final-report", raw.finalReport, "final_analysis_report")->group(group);
    app.add_flag("--generate-plots", raw.plots, "Pictures in plots/ and performance_analysis_report.html")
        ->group(group);
    app.add_flag("--compare-all-runs", raw.compareAllRuns,
                 "final_analysis_report_for_all, of any number of runs")
        ->group(group);
    app.add_flag("--individual-only", raw.individualOnly, "No reports of collectives")->group(group);
    app.add_flag("--collective-only", raw.collectiveOnly, "No reports of single ranks")->group(group);
    app.add_flag("--skip-tracelens", reports.reuse,
                 "Compare reports that were written earlier, where they are there")
        ->group(group);
    app.add_option("--threshold", raw.threshold, "A change up to so many percent is similar")
        ->check(CLI::Range(0.0, 100.0))
        ->group(group);
    app.add_flag("--geo-mean", reports.geometricMean, "Geometric instead of arithmetic means over the ranks")
        ->group(group);
    app.add_option("--report-format", raw.formats,
                   "xlsx (the default), csv: a folder with a file for each sheet, json; or several of them")
        ->delimiter(',')
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->type_name("FORMAT,...")
        ->group(group);
    app.add_flag("--gib-compat", reports.gibCompat, "Bandwidths in GiB/s, as older tools print them")
        ->group(group);
    app.add_flag("--full", reports.isFull, "Columns for each rank also where there are more than 64")
        ->group(group);
}

void addBatchOptions(CLI::App& app, CommandLine& result, RawOptions& raw)
{
    const char* batch = "Batch";
    app.add_option("--trace,--workload-dir", raw.tracePaths, "A run directory or trace file, same as PATH")
        ->type_name("PATH")
        ->group(batch);
    app.add_option("--metric", raw.metrics,
                   "Metric id or alias, a comma between several; all: each in a row; auto (the default): "
                   "those with a value, then why others have none")
        ->type_name("METRIC,...")
        ->delimiter(',')
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(batch);
    app.add_option("--metrics", raw.listedMetrics, "The same, as a list: --metrics a b c")
        ->type_name("METRIC")
        ->group(batch);
    app.add_flag("--list-metrics,--list", result.listMetrics, "List all metrics")->group(batch);
    app.add_flag("--markdown", result.markdown, "With --list-metrics: the help page of all metrics")
        ->group(batch);
    app.add_option("--define", raw.definitionFiles,
                   "TOML file that defines more metrics, and rules for kernel names")
        ->type_name("FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->check(CLI::ExistingFile)
        ->group(batch);
    app.add_option("--explain", raw.explainId, "Value, formula, inputs and warnings of one metric")
        ->type_name("METRIC")
        ->group(batch);
    app.add_flag("--json", result.json, "Print JSON")->group(batch);
    app.add_option("--csv", result.csvFile, "Write CSV to a file, '-' for stdout")
        ->type_name("FILE|-")
        ->group(batch);
    app.add_option("--output-json", result.outputJsonFile, "Write the whole report to a file")
        ->type_name("FILE")
        ->group(batch);
    app.add_option("--threads", result.threads, "Threads for loading, 0 = one per core")
        ->check(CLI::Range(0, 1024))
        ->group(batch);
    app.add_flag("--allow-missing", result.distributed.allowMissing,
                 "--batch merge: take what is there, whatever parts and ranks are missing")
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
    app.add_option_function<int>(
           "--top",
           [&result](int count) {
               result.metricOptions.top = count;
               result.outputs.peaks = count;
           },
           "How many NVLink peaks")
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
    app.add_option("--reduce", raw.reduce, "One number of several ranks, where a metric is their mean")
        ->check(CLI::IsMember({"mean", "median", "max", "min", "sum"}))
        ->group(selection);
    app.add_option("--name", result.names, "What the run is called in tables and reports; one for each run")
        ->type_name("TEXT")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group(selection);
    app.add_option("--model_params,--model-params", raw.modelParams,
                   "Parameters of the model, e.g. 8.03B: over card and TOML")
        ->type_name("N")
        ->group(selection);
    const auto degree = [&](const char* name, std::optional<std::int64_t>& value, const char* description) {
        app.add_option(name, value, description)->check(CLI::Range(1, 1'000'000))->group(selection);
    };
    Parallelism& parallelism = result.load.given.parallelism;
    degree("--dp", parallelism.dpShard, "Data-parallel degree, over card and TOML");
    degree("--tp", parallelism.tp, "Tensor-parallel degree");
    degree("--pp", parallelism.pp, "Pipeline-parallel degree");
    degree("--ep", parallelism.ep, "Expert-parallel degree");
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
    app.add_flag("--export-nsys", result.load.exportsReports,
                 "Run nsys to export reports (.nsys-rep) that have no .sqlite yet")
        ->group(selection);
}

void addWindowOptions(CLI::App& app, CommandLine& result, RawOptions& raw)
{
    const char* window = "Window";
    app.add_option("--screenshot", result.screenshotFile, "Paint the window into FILE.png and exit")
        ->type_name("FILE")
        ->group(window);
    app.add_option("--size", raw.size, "Window size WxH of the screenshot")->type_name("WxH")->group(window);
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

} // namespace

void addOptions(CLI::App& app, CommandLine& result, RawOptions& raw)
{
    app.set_version_flag("--version", versionText(), "The version, and what it was built with");
    app.add_option("--completion", raw.completion, "Print completions for a shell")
        ->check(CLI::IsMember({"bash", "zsh"}));
    app.add_flag("--man-page", raw.manPage, "Print the manual page");
    app.add_option("PATH", result.paths, "A run directory or trace files")->type_name("");
    app.add_flag("--demo", result.demo, "Open the demo run that comes with the program");
    app.add_flag("--batch", raw.batch, "Print metrics; no window, no display");
    addBatchOptions(app, result, raw);
    addSelectionOptions(app, result, raw);
    addOutputOptions(app, result, raw.outputs);
    addReportOptions(app, result.outputs.reports, raw.outputs.books);
    addWindowOptions(app, result, raw);
}

} // namespace collscope
