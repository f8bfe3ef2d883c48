// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Turns the arguments into one plain value, validated before anything is read.

#include "app/distributed.h"
#include "metrics/definitions/metric_catalog.h"
#include "model/readers/run/trace_directory.h"
#include "model/result.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace collscope {

/// Which workbooks of runs and of their comparison are written.
struct ReportChoices
{
    bool individual = false; ///< one per rank
    bool collective = false; ///< one for the collectives of all ranks
    bool kernels = false; ///< time by kernel name
    bool gpuTimelineBooks = false, collectiveBooks = false; ///< combined and compared
    bool finalReport = false;
    bool allRuns = false; ///< one baseline and several tests
    bool plots = false; ///< plots and a page that contains them
    bool reuse = false; ///< read reports that already exist
    bool geometricMean = false, gibCompat = false, isFull = false;
    double thresholdPercent = 1.0; ///< smaller changes count as similar
    bool asXlsx = true; ///< one workbook file
    bool asCsv = false; ///< a folder with one file per sheet
    bool asJson = false; ///< a single file
};

/// What --batch produces in addition to, or instead of, the values on standard output.
struct BatchOutputs
{
    enum class Job
    {
        Values, ///< metrics, printed or written in the requested form
        Tools, ///< one JSON object keyed by tool
        TextReport, ///< a text report of each run, written to `folder`
        NvlinkReport, ///< printed, or one file per run in `folder`
        KernelSummary,
        Iterations, ///< metrics of each profiler iteration: a table and plots in `folder`
        Doctor, ///< damage in the files
        Reports, ///< workbooks of each run in `folder`
        Comparison, ///< of the first run with the others, in `folder`
        ExplainStep, ///< why a step took as long as it did
        Scripts, ///< a get_<metric>.sh for each metric in `folder`
        Kit ///< the trace collection kit, in `folder`
    } job
        = Job::Values;
    std::string folder; ///< --output, or the folder of the option itself
    std::string prefix; ///< prefix of the text report's name
    std::vector<std::string> tools; ///< names of tool sets or of metrics
    std::optional<std::int64_t> explainStep; ///< step number
    std::optional<int> peaks; ///< --top, if given
    std::string cleanFolder; ///< --write-clean; "" = no clean copies
    std::string leaderboardFile;
    std::string kernelSummaryFile; ///< "" = stdout
    std::string plotPath; ///< *.png = one file, else a folder; "" = no plots
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
    std::vector<std::string> comparedPaths; ///< in the window: runs to compare with the run in `paths`
    std::vector<std::string> names; ///< run names, in order; "" or missing = named after the folder
    bool demo = false;
    LoadOptions load;

    // --batch
    std::vector<MetricRequest> requests; ///< empty: all metrics, those with a value first ("auto")
    MetricCatalog catalog; ///< the built-in metrics, metrics.toml of the configuration folder, --define
    bool listMetrics = false;
    bool markdown = false; ///< --list-metrics prints the help page
    bool explain = false;
    bool json = false;
    std::string csvFile; ///< "-" = stdout
    std::string outputJsonFile;
    std::string hardwareFile; ///< device peaks that override the built-in ones
    std::vector<std::string> definitionFiles; ///< read into `catalog` and the kernel rules
    MetricOptions metricOptions;
    int threads = 0; ///< 0 = one per core
    bool verbose = false;
    BatchOutputs outputs;
    Distributed distributed;
    std::vector<std::string> echoed; ///< the arguments, for the report

    // --screenshot; --theme also applies to the window
    std::string screenshotFile;
    int width = 1680;
    int height = 1010;
    double scale = 1.0;
    std::string location; ///< initial location; empty: the default view of the window
    std::string tab; ///< title of the tab to show; empty: the default tab
    enum class Theme
    {
        System,
        Light,
        Dark
    } theme
        = Theme::System;
};

/// A mistake in the arguments. `sentence` tells the user what to change.
inline Error usageError(std::string sentence)
{
    return {Error::Kind::Usage, std::move(sentence)};
}

/// Parses the arguments. `programName` may be a path; "ccl-metrics" implies --batch. Never throws, never
/// prints.
CommandLine parseCommandLine(const std::string& programName, std::vector<std::string> arguments);

} // namespace collscope
