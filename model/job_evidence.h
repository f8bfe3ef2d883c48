// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the work of timelines tells about whether they are of one job, where neither times nor sizes do.

#include "model/trace_model.h"

namespace collscope {

/// Of each of these timelines (indices into the model's) a number; those with different numbers cannot be of
/// one job. All members of a process group call the same collectives on it, all-reduces with the same sizes.
/// Two timelines with half of their calls on a group in common agree. Those with less than a tenth of at
/// least eight in common contradict each other, and so do those with less than half whose groups are
/// described in other words. Nothing is said by calls without a group, by abbreviated lists of ranks, by
/// groups that only one of them has, and by captures that overlap by less than half of the shorter one. If
/// more than 16 numbers were needed, all are 0. O(calls).
std::vector<std::int32_t> partsByCalls(const TraceModel& model, const std::vector<std::size_t>& timelines);

/// The same by compute kernels: parts that share less than a tenth of their kernel time by name, while the
/// ranks within a part share most of it. Stages of a pipeline and experts have some kernels of their own and
/// most in common; ranks that make the same calls on a process group are of one part whatever they compute,
/// and so are all where GPUs differ, or where a rank computes next to nothing. O(kernels).
std::vector<std::int32_t> partsByKernels(const TraceModel& model, const std::vector<std::size_t>& timelines);

} // namespace collscope
