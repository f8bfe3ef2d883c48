// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The jobs of --batch, one function each. All return an ExitCode.

#include "app/batch_run.h"

namespace collscope {

using HardwareDatabasePtr = std::shared_ptr<const HardwareDatabase>;

/// Metrics of one or several runs: text, JSON, CSV, report, leaderboard, plots.
int runValues(const CommandLine& command, const HardwareDatabasePtr& hardware);
/// --tools: one JSON object keyed by tool.
int runTools(const CommandLine& command, const HardwareDatabasePtr& hardware);
/// --report text: one file per run; prints the file names.
int runTextReports(const CommandLine& command, const HardwareDatabasePtr& hardware);
/// --report nvlink: printed, or one file per run in --output, with the file names printed.
int runNvlinkReports(const CommandLine& command, const HardwareDatabasePtr& hardware);
/// --kernel-summary, --report kernels.
int runKernelSummary(const CommandLine& command, const HardwareDatabasePtr& hardware);
/// --summary, --iteration all --output: metrics_summary.csv and plots; prints the file names.
int runIterations(const CommandLine& command, const HardwareDatabasePtr& hardware);
/// --explain-step: the chain of causes as text or JSON.
int runExplainStep(const CommandLine& command, const HardwareDatabasePtr& hardware);
/// --report individual,collective: workbooks of each run; prints the file names.
int runReports(const CommandLine& command, const HardwareDatabasePtr& hardware);
/// --baseline, --test: reports of each run and workbooks that compare them; prints the file names.
int runComparison(const CommandLine& command, const HardwareDatabasePtr& hardware);
/// --doctor: damage and the outcome of each event; --write-clean: clean copies for other tools.
int runDoctor(const CommandLine& command);
/// Returns the exit code. NotConserved takes precedence over NothingReadable: counts that do not add up are a
/// bug in the program.
int doctorExitCode(const Examination& examination);
/// plan: divides the files of the run into tasks.
int runPlan(const CommandLine& command);
/// reduce: reads the files of one task and writes a part.
int runReduce(const CommandLine& command);
/// slurm: writes and submits the reduce and merge jobs; prints their job numbers.
int runSlurm(const CommandLine& command);
/// --write-scripts: prints the folder.
int writeScripts(const CommandLine& command);
/// --write-kit: prints the folder.
int writeKit(const CommandLine& command);

/// Returns the plan that runPlan() writes, with absolute paths, because tasks may run in another folder.
/// Error NotFound if nothing is left to reduce.
Result<ReducePlan> makePlan(const CommandLine& command);
/// Reports why a run could not be loaded and returns the exit code.
int sayNotLoaded(const Error& error);

} // namespace collscope
