// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Chooses the files of a plan that are read: one profiler iteration, a number of ranks, the databases of the
// run.

#include "model/readers/run/load_plan.h"

namespace collscope {

bool isKind(const PlannedFile& planned, SourceKind kind);
/// Whether it is one rank in one iteration, see SourceTraits.
bool isIterated(const PlannedFile& planned);

/// Keeps the files of the chosen iteration. Error NotFound if the run does not have it.
Status chooseIteration(LoadPlan& plan, const IterationChoice& choice);
/// Keeps at most `maxRanks` rank files, evenly spaced.
void limitRanks(LoadPlan& plan, std::optional<int> maxRanks);
/// Of several SQLite files, keeps those without "profiling" in their name.
void preferDatabases(LoadPlan& plan);

/// Of files that a profiler wrote of one recording in several formats, under one name, keeps the most
/// complete one.
void keepBestForms(LoadPlan& plan);

} // namespace collscope
