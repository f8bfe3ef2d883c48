// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Decides whether the traces of a folder are one run or several, by names and first bytes, before any of them
// is read.

#include "model/readers/run/load_plan.h"

namespace collscope {

/// Returns the runs of a folder in name order; empty if the folder is one run. Several runs are subfolders
/// that contain the same ranks, or files whose processes were recorded one after the other. Subfolders with
/// different ranks are one run, and so are kineto/, iteration_5/, rank3/, node1/.
std::vector<FoundRun> findRuns(const std::string& folder, const std::vector<PlannedFile>& files);

/// Describes a run for lists: "ranks 0-7", "rank 3", "4 traces".
std::string ranksText(const FoundRun& run);
/// Returns a sentence and one line per run.
std::string severalRunsText(const std::string& folder, const std::vector<FoundRun>& runs);

} // namespace collscope
