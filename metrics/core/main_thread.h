// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The CPU activity of the thread that runs the steps, and whether the GPU waits for it.

#include "metrics/core/rank_windows.h"

namespace collscope {

/// Times of one rank in its windows, in ns.
struct CpuWork
{
    std::int64_t windowNs = 0;
    std::int64_t selfNs = 0; ///< CPU operators, without the runtime and driver calls they make
    std::int64_t operatorNs = 0; ///< CPU operators, calls included
    std::int64_t callNs = 0; ///< runtime and driver calls
    std::int64_t launchBoundNs = 0; ///< operators running while the GPU is idle
    std::string thread; ///< name of the (first) thread
    bool isMarked
        = true; ///< false: no step marker identifies the thread; uses the one with most operator time
    bool hasOperators = false; ///< whether the files record any CPU operators

    CpuWork& operator+=(const CpuWork& other);
};

/// One entry per step of the rank, in the order of its parts and steps. O(slices of the thread and of the GPU
/// streams, times log(streams)).
std::vector<CpuWork> measureMainThread(const TraceModel& model, const RankWindows& rank,
                                       const std::function<bool()>& cancelled);

/// The track that contains the marker of a step; nullptr if the trace has none.
const Track* stepThread(const TraceModel& model, const Timeline& timeline);
/// The tracks (a thread and its overflow lanes) of the thread that `track` belongs to.
std::vector<const Track*> threadLanes(const TraceModel& model, const Timeline& timeline, const Track& track);

} // namespace collscope
