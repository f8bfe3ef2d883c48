// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Arguments -> one plain value, checked before anything is read.

#include "app/distributed.h"
#include "metrics/metric_catalog.h"
#include "model/readers/trace_directory.h"

#include <optional>
#include <string>
#include <vector>

namespace collscope {

/// Which workbooks of runs and of their comparison are written.
struct ReportChoices
{
    bool individual = false; ///< one for each rank
    bool collective = false; ///< one for the collectives of all ranks
    bool kernels = false; ///< time by kernel name
    bool gpuTimelineBooks = false, collectiveBooks = false; ///< combined and compared
    bool finalReport = false;
    bool allRuns = false; ///< one baseline and several tests
    bool plots = false; ///< pictures and a page of them
    bool reuse = false; ///< of reports that were written earlier, where they are
    bool geometricMean = false, gibCompat = false, isFull = false;
    double thresholdPercent = 1.0; ///< what changed less is similar
    bool asXlsx = true; ///< a workbook as a file of its own
    bool asCsv = false; ///< as a folder with a file for each sheet
    bool asJson = false; ///< as one file
};

/// What --batch makes beside the values on standard output, or instead of them.
struct BatchOutputs
{
    enum class Job
    {
        Values, ///< metrics, printed or written in the form that was asked for
        Tools, ///< one JSON object keyed by tool
        TextReport, ///< a report of each run into `folder`
        NvlinkReport, ///< printed, or a file of each run into `folder`
        KernelSummary,
        Iterations, ///< metrics of each profiler iteration: a table and plots into `folder`
        Doctor, ///< what is damaged in the files
        Reports, ///< workbooks of each run into `folder`
        Comparison, ///< of the first run with the others, into `folder`
        ExplainStep, ///< why a step took as long as it did
        Scripts, ///< a get_<metric>.sh of each metric into `folder`
        Kit ///< what collects traces on a cluster, into `folder`
    } job
        = Job::Values;
    std::string folder; ///< --output, or the option's own folder
    std::string prefix; ///< of the text report's name
    std::vector<std::string> tools; ///< names of tool sets, or of metrics
    std::optional<std::int64_t> explainStep; ///< number of the step
    std::optional<int> peaks; ///< --top, where it was given
    std::string cleanFolder; ///< --write-clean; "" = no clean copies
    std::string leaderboardFile;
    std::string kernelSummaryFile; ///< "" = stdout
    std::string plotPath; ///< *.png = one picture, else a folder; "" = no plots
    bool linear = false, combined = false, show = false;
    std::string title;
    std::optional<double> widthInches, heightInches;
    ReportChoices reports;
    bool mergePaths = false; ///< several folders are parts of one run

    bool paints() const { return !plotPath.empty() || job == Job::Iterations || reports.plots; }
};

struct CommandLine
{
    enum class Mode
    {
        Window,
        Batch,
        Screenshot,
        Message ///< --help, --version, or a usage error: print `message` and exit with `exitCode`
    } mode
        = Mode::Window;

    std::string message;
    int exitCode = 0;

    std::vector<std::string> paths;
    std::vector<std::string> comparedPaths; ///< in the window: each is a run to compare that of `paths` with
    std::vector<std::string> names; ///< of the runs, in their order; "" or none = after their folders
    bool demo = false;
    LoadOptions load;

    // --batch
    std::vector<MetricRequest> requests; ///< empty: all metrics, those with a value first ("auto")
    MetricCatalog catalog; ///< the built-in metrics, metrics.toml of the configuration folder, --define
    bool listMetrics = false;
    bool markdown = false; ///< --list-metrics as the help page
    bool explain = false;
    bool json = false;
    std::string csvFile; ///< "-" = stdout
    std::string outputJsonFile;
    std::string hardwareFile; ///< device peaks that stand over the program's
    std::vector<std::string> definitionFiles; ///< read into `catalog` and the rules for kernels
    MetricOptions metricOptions;
    int threads = 0; ///< 0 = one per core
    bool verbose = false;
    BatchOutputs outputs;
    Distributed distributed;
    std::vector<std::string> echoed; ///< the arguments, for the report

    // --screenshot, and --theme for the window
    std::string screenshotFile;
    int width = 1680;
    int height = 1010;
    double scale = 1.0;
    std::string location; ///< what to show first; empty: as the window opens
    std::string tab; ///< in front, by its title; empty: as the window opens
    enum class Theme
    {
        System,
        Light,
        Dark
    } theme
        = Theme::System;
};

/// `programName` may be a path; "ccl-metrics" means --batch. Never throws, never prints.
CommandLine parseCommandLine(const std::string& programName, std::vector<std::string> arguments);

} // namespace collscope
