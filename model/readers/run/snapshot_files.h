// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Finds the memory snapshots of a run, and chooses those that belong to the loaded timelines.

#include "model/readers/run/load_plan.h"

namespace collscope {

/// TorchTitan writes snapshots next to the folder of its profiles: opening profile_traces/iteration_<n> also
/// loads those of ../../memory_snapshot. Does nothing if the plan already has snapshots.
void findSnapshotsBeside(LoadPlan& plan);

/// Keeps the snapshots of one iteration: that of the timelines, or else the last one. Reports those set
/// aside.
void chooseSnapshots(LoadPlan& plan, const IterationChoice& choice);

} // namespace collscope
