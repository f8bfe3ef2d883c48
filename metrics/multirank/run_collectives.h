// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The collectives of a run as objects over its ranks, and the clocks they imply: what metrics, timeline and
// tables share. It depends on the model and on which source of each rank counts, on no step or range, so it
// is worked out once.

#include "metrics/multirank/clock_alignment.h"
#include "metrics/multirank/collective_times.h"
#include "metrics/multirank/rank_mesh.h"

namespace collscope {

struct RunCollectives
{
    ProfileMode profileMode = ProfileMode::Auto;
    std::vector<RankCalls> ranks; ///< calls of whole files; their step is not set
    Matching matching;
    ClockAlignment clocks;
    RankMesh mesh; ///< where each rank sits

    const Call& callOf(CallRef ref) const { return ranks[ref.rank].calls[ref.call]; }
    /// For the times of its collectives on the axis that `onAxis` makes. All must outlive the timer.
    CollectiveTimer timer(const TraceModel& model, const ClockMap& onAxis) const
    {
        return {model, ranks, matching, onAxis};
    }
    /// The collective that a kernel is part of (index into matching.instances); nullopt if it is none, or one
    /// whose ranks differ. O(log calls).
    std::optional<std::uint32_t> instanceOf(SliceRef slice) const;

    /// Sorted by slice: every call that is part of an instance.
    struct Place
    {
        SliceRef slice;
        std::uint32_t instance = 0;
    };
    std::vector<Place> places;
};
using RunCollectivesPtr = std::shared_ptr<const RunCollectives>;

/// Lists, matches and aligns. Of the options only profileMode, knowledge and cancelled count; nullptr if
/// cancelled. O(calls). The model must outlive the result.
RunCollectivesPtr matchRun(const TraceModel& model, const MetricOptions& options);

} // namespace collscope
