// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Commands that read runs: which paths form one run, loading it, and its metrics.

#include "app/cli/command_input.h"
#include "app/commands/batch.h"
#include "metrics/definitions/metric_catalog.h"
#include "metrics/export/written_report.h"
#include "model/readers/run/examine.h"
#include "model/readers/run/load_context.h"

namespace collscope {

/// One run as named on the command line.
struct BatchRun
{
    std::string label; ///< its path, or the name given by the user
    std::vector<std::string> paths;
    LoadOptions load;
};

using HardwareDatabasePtr = std::shared_ptr<const HardwareDatabase>;

/// A command that reads runs.
class RunCommand : public BatchCommand
{
public:
    BatchInput input;

    void declare() override { input.declare(options); }
    Status check() override;
    int prepare() override;

protected:
    bool startsPrograms() const override { return input.load.exportsReports; }
    bool isVerbose() const override { return input.verbose; }
    /// Whether the options ask for something that needs no run.
    virtual bool needsRun() const { return true; }
    virtual std::size_t runCount() const;
    int execute() const final;
    virtual int executeOnRuns() const = 0;
};

/// A command that computes metrics.
class MeasuringCommand : public RunCommand
{
public:
    MetricSelection selection;
    MetricCatalog catalog; ///< the built-in metrics, metrics.toml of the configuration folder, --define

    void declare() override;
    Status check() override;

protected:
    /// Reads the catalog, for a command that asks it for metrics.
    Status readCatalog();
    int executeOnRuns() const override;
    virtual int measure(const HardwareDatabasePtr& hardware) const = 0;
};

/// Returns the runs: several folders are one run each; files, or folders with --merge-paths, are one run. The
/// demo is a run, too.
std::vector<BatchRun> runsOf(const BatchInput& input);
/// Returns false, with a sentence on stderr, if there are several runs. `what`: the option or command that
/// takes one run.
bool isOneRun(const std::vector<BatchRun>& runs, std::string_view what);
/// Returns one entry per profiler iteration in the run's folders, with its number; the run itself with -1 if
/// there are none. An error if a path does not exist.
Result<std::vector<std::pair<std::int64_t, BatchRun>>> iterationsOf(const BatchRun& run);

/// What every load of the command line may use; without progress.
LoadContext loadContext(const LoadOptions& load, int threads);

/// What a command reads of a run.
enum class RunContents
{
    Events,
    EventsOrSums ///< metrics and findings, which say themselves what they cannot tell from sums
};
/// Loads with progress on a terminal and reports problems with the files on stderr. Error Incomplete if the
/// run has sums in place of the events that the command reads.
Result<TraceModelPtr> loadRun(const BatchInput& input, const BatchRun& run,
                              RunContents reads = RunContents::Events);
/// The same, for a command whose selection must fit what is loaded.
Result<TraceModelPtr> loadRun(const MeasuringCommand& command, const BatchRun& run,
                              RunContents reads = RunContents::Events);
/// Reads every value of all files, then loads the run as a whole, if memory allows.
Result<Examination> examineRun(const BatchInput& input, const BatchRun& run);
/// Returns the selection together with hardware data and a cancellation function.
MetricOptions metricOptions(const MetricSelection& selection, HardwareDatabasePtr hardware);
/// Computes the metrics. `onResult`: called with each result in the order of the requests, as soon as it is
/// known; it may take from it what will not be used.
std::vector<NamedResult> evaluateAll(std::vector<MetricRequest> requests, const TraceModel& model,
                                     const MetricOptions& options,
                                     const std::function<void(NamedResult& named)>& onResult = {});

/// Reports why a run could not be loaded and returns the exit code.
int sayNotLoaded(const Error& error);
/// Reports problems, one a line. `all`: also those that are only information.
void sayProblems(const Diagnostics& problems, bool all);

} // namespace collscope
