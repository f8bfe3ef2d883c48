// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Timelines of a training job in one file whose processes are data-parallel ranks and whose threads are
// pipeline stages: "DP rank [1]" with threads "PP rank 2, TP rank 0, compute". ByteDance publishes such files
// with StragglerAnalysis.

#include "model/fragment.h"

namespace collscope {

/// Gives each worker of such a file (a DP rank in a stage, with the TP rank that is in the file) a process of
/// its own, and what it does the meaning of GPU work. The number of workers; 0 if the file is another one.
std::size_t arrangePipelineWorkers(FragmentBuilder& builder, StringTable& strings);

/// Says of each communication of the workers, whose timelines are whole now, who takes part. What the names
/// do not settle (a reduction over tensor-parallel ranks that are not in the file) stays without a group.
void describeWorkerCalls(TraceFragment& fragment);

} // namespace collscope
