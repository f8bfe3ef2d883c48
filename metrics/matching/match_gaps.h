// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reasons for calls without partners, as far as the traces show them.

#include "metrics/matching/clock_alignment.h"

namespace collscope {

/// Finds the positions at which the ranks of a group certainly called different collectives (the calls before
/// and after match, and these calls ended together), marks them (Gap::OtherCall, UnmatchedReason::Differs,
/// Matching::mismatched), and adds warnings about them, about calls whose ends contradict their order, and
/// about groups that the trace does not name. Call once, after the clocks have judged all matches. O(calls
/// log calls).
void explainGaps(const TraceModel& model, const std::vector<RankCalls>& ranks, const ClockAlignment& clocks,
                 Matching& matching);

/// Sets CollectiveInstance::isWhole. A group that the trace does not name may contain all ranks of the job:
/// if some of these are missing, it is not complete. O(instances).
void noteMissingRanks(const TraceModel& model, const std::vector<RankCalls>& ranks, Matching& matching);

/// Calls of a window that are expected on another loaded rank.
struct SharedCalls
{
    std::int64_t all = 0;
    std::int64_t unmatched = 0; ///< part of `all`: without a known matching call on another rank
    std::int64_t othersNotLoaded
        = 0; ///< not part of `all`: the traces of the group's other ranks are not loaded
};

/// Counts Call::inWindow() calls; sends and receives are excluded. O(calls).
SharedCalls countShared(const TraceModel& model, const std::vector<RankCalls>& ranks,
                        const Matching& matching);

} // namespace collscope
