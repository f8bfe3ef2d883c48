// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Loading and measuring for --batch: which paths are one run, and what its metrics are.

#include "app/command_line.h"
#include "metrics/export/written_report.h"
#include "model/readers/examine.h"

namespace collscope {

/// One run as the command line names it.
struct BatchRun
{
    std::string label; ///< its path, or what the user calls it
    std::vector<std::string> paths;
    LoadOptions load;
};

/// Several folders are as many runs; files, or folders with --merge-paths, are one. The demo is a run too.
std::vector<BatchRun> runsOf(const CommandLine& command);
/// False, with a sentence on stderr, if they are several; `what`: "Plots are".
bool isOneRun(const std::vector<BatchRun>& runs, std::string_view what);
/// One entry per profiler iteration that the run's folders hold, with its number; the run itself with -1 if
/// there are none. An error if a path does not exist.
Result<std::vector<std::pair<std::int64_t, BatchRun>>> iterationsOf(const BatchRun& run);

/// From now on SIGINT and SIGTERM cancel.
void watchInterrupts();
bool isInterrupted();

/// Loads with progress on a terminal, and tells on stderr what is wrong with the files.
Result<TraceModelPtr> loadRun(const CommandLine& command, const BatchRun& run);
/// Reads every value of all files, then loads the run for what it is as a whole, if the memory allows.
Result<Examination> examineRun(const CommandLine& command, const BatchRun& run);
/// The options of the command line with what they need to compute: knowledge, and a way to cancel.
MetricOptions metricOptions(const CommandLine& command, std::shared_ptr<const HardwareDatabase> hardware);
/// The metrics that were asked for, all of them if none was.
std::vector<MetricRequest> requestsOf(const CommandLine& command);
std::vector<NamedResult> evaluateAll(std::vector<MetricRequest> requests, const TraceModel& model,
                                     const MetricOptions& options);

} // namespace collscope
