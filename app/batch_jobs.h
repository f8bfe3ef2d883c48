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
/// --report text: a file for each run; prints their names.
int runTextReports(const CommandLine& command, const HardwareDatabasePtr& hardware);
/// --report nvlink: printed, or a file for each run into --output, whose names are printed.
int runNvlinkReports(const CommandLine& command, const HardwareDatabasePtr& hardware);
/// --kernel-summary, --report kernels.
int runKernelSummary(const CommandLine& command, const HardwareDatabasePtr& hardware);
/// --summary, --iteration all --output: metrics_summary.csv and plots; prints their names.
int runIterations(const CommandLine& command, const HardwareDatabasePtr& hardware);
/// --explain-step: the chain of causes as text or JSON.
int runExplainStep(const CommandLine& command, const HardwareDatabasePtr& hardware);
/// --report individual,collective: workbooks of each run; prints their names.
int runReports(const CommandLine& command, const HardwareDatabasePtr& hardware);
/// --baseline, --test: reports of each run and workbooks that compare them; prints their names.
int runComparison(const CommandLine& command, const HardwareDatabasePtr& hardware);
/// --doctor: what is damaged and what became of each event; --write-clean: copies for other tools.
int runDoctor(const CommandLine& command);
/// NotConserved before NothingReadable: a ledger that does not add up is a defect of the program.
int doctorExitCode(const Examination& examination);
/// plan: the files of the run in tasks.
int runPlan(const CommandLine& command);
/// reduce: one task's files to a part.
int runReduce(const CommandLine& command);
/// slurm: jobs that do both and merge, written and submitted; prints their numbers.
int runSlurm(const CommandLine& command);
/// --write-scripts: prints the folder.
int writeScripts(const CommandLine& command);
/// --write-kit: prints the folder.
int writeKit(const CommandLine& command);

/// What runPlan() writes, with absolute paths: tasks may run in another folder. Error NotFound if there is
/// nothing to reduce.
Result<ReducePlan> makePlan(const CommandLine& command);
/// Says why a run could not be loaded and gives the exit code for it.
int sayNotLoaded(const Error& error);

} // namespace collscope
