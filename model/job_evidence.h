// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the work of timelines tells about whether they are of one job, where neither times nor sizes do.

#include "model/trace_model.h"

namespace collscope {

/// Of each of these timelines (indices into the model's) a number; those with different numbers cannot be of
/// one job. All members of a process group call the same collectives on it, with the same sizes where these
/// have to agree, and describe it in the same words. Timelines that share no group do not contradict each
/// other. O(calls).
std::vector<std::int32_t> partsByCalls(const TraceModel& model, const std::vector<std::size_t>& timelines);

/// The same by compute kernels: parts that share less than a tenth of their kernel time by name, while the
/// ranks within a part share most of it. Stages of a pipeline and experts have some kernels of their own and
/// most in common; ranks that make the same calls on a process group are of one part whatever they compute,
/// and so are all where GPUs differ, or where a rank computes next to nothing. O(kernels).
std::vector<std::int32_t> partsByKernels(const TraceModel& model, const std::vector<std::size_t>& timelines);

} // namespace collscope
