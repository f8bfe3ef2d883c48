// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Loading and measuring for --batch: which paths form one run, and its metrics.

#include "app/command_line.h"
#include "metrics/export/written_report.h"
#include "model/readers/run/examine.h"

#include <stop_token>

namespace collscope {

/// One run as named on the command line.
struct BatchRun
{
    std::string label; ///< its path, or the name given by the user
    std::vector<std::string> paths;
    LoadOptions load;
};

/// Returns the runs: several folders are one run each; files, or folders with --merge-paths, are one run. The
/// demo is a run, too.
std::vector<BatchRun> runsOf(const CommandLine& command);
/// Returns false, with a sentence on stderr, if there are several runs. `what`: the option that takes one
/// run.
bool isOneRun(const std::vector<BatchRun>& runs, std::string_view what);
/// Returns one entry per profiler iteration in the run's folders, with its number; the run itself with -1 if
/// there are none. An error if a path does not exist.
Result<std::vector<std::pair<std::int64_t, BatchRun>>> iterationsOf(const BatchRun& run);

/// Makes SIGINT and SIGTERM cancel from now on.
void watchInterrupts();
bool isInterrupted();
/// Returns the token for readers: a stop is requested by the same signals.
std::stop_token interruptToken();

/// Loads with progress on a terminal and reports problems with the files on stderr.
Result<TraceModelPtr> loadRun(const CommandLine& command, const BatchRun& run);
/// Reads every value of all files, then loads the run as a whole, if memory allows.
Result<Examination> examineRun(const CommandLine& command, const BatchRun& run);
/// Returns the options of the command line together with hardware data and a cancellation function.
MetricOptions metricOptions(const CommandLine& command, std::shared_ptr<const HardwareDatabase> hardware);
/// Returns the requested metrics, or all metrics if none was requested.
std::vector<MetricRequest> requestsOf(const CommandLine& command);
std::vector<NamedResult> evaluateAll(std::vector<MetricRequest> requests, const TraceModel& model,
                                     const MetricOptions& options);

} // namespace collscope
