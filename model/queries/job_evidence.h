// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether the work of timelines shows that they belong to different jobs, if neither times nor sizes do.

#include "model/trace_model.h"

namespace collscope {

/// Assigns a number to each of these timelines (indices into the model's timelines). Timelines with different
/// numbers cannot belong to one job. All members of a process group make the same calls on it, with the same
/// sizes for all-reduces. Two timelines agree if they share half of their calls on a group. They contradict
/// each other if they share less than a tenth of at least eight calls, or less than half if the groups have
/// different descriptions. Calls without a group, abbreviated lists of ranks, groups that only one timeline
/// has, and captures that overlap, but by less than half of the shorter one, are not evidence. If more than
/// 16 numbers were needed, all are 0. `calls`: of all timelines. O(kinds of calls).
std::vector<std::int32_t> partsByCalls(const TraceModel& model, const std::vector<JobCalls>& calls,
                                       const std::vector<std::size_t>& timelines);

/// Like partsByCalls(), but by compute kernels: parts that share less than a tenth of their kernel time by
/// name, while the ranks within a part share most of it. Pipeline stages and experts have some kernels of
/// their own and most in common. Ranks that make the same calls on a process group belong to one part
/// regardless of their kernels. All numbers are 0 if the GPUs differ, or if a rank computes next to nothing.
/// O(kernels).
std::vector<std::int32_t> partsByKernels(const TraceModel& model, const std::vector<JobCalls>& calls,
                                         const std::vector<std::size_t>& timelines);

} // namespace collscope
