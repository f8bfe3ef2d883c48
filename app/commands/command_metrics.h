// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Commands that print metrics.

#include "app/commands/batch_run.h"

namespace collscope {

/// --plot and how its pictures look.
struct PlotChoices
{
    std::string path; ///< *.png = one file, else a folder; "" = no plots
    bool linear = false, combined = false, show = false;
    std::string title;
    std::optional<double> widthInches, heightInches;
};

/// Prints, writes and plots metrics.
class ValuesCommand : public MeasuringCommand
{
public:
    std::vector<MetricRequest> requests; ///< empty: all metrics, those with a value first ("auto")
    bool explains = false; ///< print formula, inputs and warnings of the only request
    bool json = false;
    std::string csvFile; ///< "-" = stdout
    std::string outputJsonFile, leaderboardFile;
    PlotChoices plots;
    /// Called with the results of each run, which then have their evidence. Empty: without evidence, which
    /// takes memory.
    std::function<void(const TraceModel& model, const std::vector<NamedResult>& results)> seeResults;

protected:
    void declareValues();
    Status checkValues() const;
    /// Adds a metric, or all of them for "all" and "auto".
    Status request(const std::string& name);
    bool paints() const override { return !plots.path.empty(); }
};

class MetricsCommand : public ValuesCommand
{
public:
    enum class Job
    {
        Values, ///< metrics, printed or written in the requested form
        List, ///< the available metrics
        Tools, ///< one JSON object keyed by tool
        Iterations, ///< metrics of each profiler iteration: a table and plots in `folder`
        Scripts ///< a get_<metric>.sh for each metric in `scriptsFolder`
    };
    std::vector<std::string> names, listedNames; ///< of metrics: --metric, --metrics
    std::vector<std::string> tools; ///< names of tool sets or of metrics
    bool lists = false, markdown = false;
    std::string folder, summaryFolder, scriptsFolder;
    Job job = Job::Values; ///< set by check()

    void declare() override;
    Status check() override;

protected:
    bool needsRun() const override { return !lists && scriptsFolder.empty(); }
    bool paints() const override { return ValuesCommand::paints() || job == Job::Iterations; }
    int executeOnRuns() const override;
    int measure(const HardwareDatabasePtr& hardware) const override;

private:
    Status checkTools();
    Status requestMetrics();
    Status chooseJob();
};

/// Metrics of one or several runs: text, JSON, CSV, report, leaderboard, plots.
int runValues(const ValuesCommand& command, const HardwareDatabasePtr& hardware);
/// One JSON object keyed by tool.
int runTools(const MetricsCommand& command, const HardwareDatabasePtr& hardware);
/// Prints the folder.
int writeScripts(const std::string& folder);

/// Returns the requested metrics, or all metrics if none was requested.
std::vector<MetricRequest> requestsOf(const ValuesCommand& command);

} // namespace collscope
