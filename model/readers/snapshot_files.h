// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where a run keeps its memory snapshots, and which of them go with the timelines that are loaded.

#include "model/readers/trace_directory.h"

namespace collscope {

/// TorchTitan writes snapshots beside the folder of its profiles: who opens profile_traces/iteration_<n> gets
/// those of ../../memory_snapshot. Does nothing if the plan has some already.
void findSnapshotsBeside(LoadPlan& plan);

/// Keeps the snapshots of one iteration: that of the timelines, or the last one. What is set aside is noted.
void chooseSnapshots(LoadPlan& plan, const IterationChoice& choice);

} // namespace collscope
