// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which of the files of a plan are read: one profiler iteration, so many ranks, the databases of the run.

#include "model/readers/trace_directory.h"

namespace collscope {

bool isKind(const PlannedFile& planned, SourceKind kind);

/// Leaves the files of the chosen iteration. The answer: why the choice cannot be met ("" if it can).
std::string chooseIteration(LoadPlan& plan, const IterationChoice& choice);
/// Leaves so many rank files, evenly spaced.
void limitRanks(LoadPlan& plan, std::optional<int> maxRanks);
/// Of several SQLite files those without "profiling" in their name are the run.
void preferDatabases(LoadPlan& plan);

} // namespace collscope
