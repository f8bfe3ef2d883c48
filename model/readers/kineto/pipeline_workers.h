// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reads a training job from one file whose processes are data-parallel ranks and whose threads are pipeline
// stages: "DP rank [1]" with threads "PP rank 2, TP rank 0, compute". ByteDance publishes such files with
// StragglerAnalysis.

#include "model/building/fragment.h"

namespace collscope {

/// Gives each worker of such a file (a DP rank in a stage, with the TP rank that is in the file) a separate
/// process, and treats its events as GPU work. Returns the number of workers; 0 if the file is of another
/// kind.
std::size_t arrangePipelineWorkers(FragmentBuilder& builder, StringTable& strings);

/// Sets the worker of each timeline, which must be complete, and the participants of its communication calls.
/// Calls that the names do not settle (a reduction over tensor-parallel ranks that are not in the file) stay
/// without a group.
void describeWorkers(TraceFragment& fragment);

} // namespace collscope
