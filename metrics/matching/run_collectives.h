// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The collectives of a run over its ranks, and the clocks derived from them, shared by metrics, timeline and
// tables. They depend on the model and the source used for each rank, not on steps or range, so they are
// computed once.

#include "metrics/calls/rank_mesh.h"
#include "metrics/matching/clock_alignment.h"
#include "metrics/matching/collective_times.h"

namespace collscope {

struct RunCollectives
{
    ProfileMode profileMode = ProfileMode::Auto;
    std::vector<RankCalls> ranks; ///< calls of complete files; their step is not set
    Matching matching;
    ClockAlignment clocks;
    RankMesh mesh; ///< location of each rank

    const Call& callOf(CallRef ref) const { return ranks[ref.rank].calls[ref.call]; }
    /// A timer for the collectives on the axis defined by `onAxis`. All arguments must outlive the timer.
    CollectiveTimer timer(const TraceModel& model, const ClockMap& onAxis) const
    {
        return {model, ranks, matching, onAxis};
    }
    /// The collective of a kernel (index into matching.instances); nullopt if it is not part of one, or if
    /// the ranks' calls differ. O(log calls).
    std::optional<std::uint32_t> instanceOf(SliceRef slice) const;

    /// A call that is part of an instance.
    struct Place
    {
        SliceRef slice;
        std::uint32_t instance = 0;
    };
    std::vector<Place> places; ///< sorted by slice
};
using RunCollectivesPtr = std::shared_ptr<const RunCollectives>;

/// Lists the calls, matches them and aligns the clocks. Uses only profileMode, hardware and cancelled of the
/// options. Returns nullptr if cancelled. O(calls). The model must outlive the result.
RunCollectivesPtr matchRun(const TraceModel& model, const MetricOptions& options);

} // namespace collscope
