// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Why calls found no partners, as far as the traces show it.

#include "metrics/multirank/clock_alignment.h"

namespace collscope {

/// Finds the places where the ranks of a group certainly called different collectives (their calls before
/// and after are the same ones, and these ended together), marks them (Gap::OtherCall,
/// UnmatchedReason::Differs, Matching::mismatched), and adds warnings about them, about calls whose ends
/// contradict their order, and about groups that the trace does not name. To be called once, when the clocks
/// have judged all matches. O(calls log calls).
void explainGaps(const TraceModel& model, const std::vector<RankCalls>& ranks, const ClockAlignment& clocks,
                 Matching& matching);

/// Sets CollectiveInstance::isWhole. A group that the trace does not name may be the whole job: where ranks
/// of that are missing, it is not whole. O(instances).
void noteMissingRanks(const TraceModel& model, const std::vector<RankCalls>& ranks, Matching& matching);

/// Calls of a window that another loaded rank should share.
struct SharedCalls
{
    std::int64_t all = 0;
    std::int64_t unmatched = 0; ///< of them: no call of another rank is known to be the same one
    std::int64_t othersNotLoaded = 0; ///< not of them: the traces of the group's other ranks are not there
};

/// Counts Call::inWindow() calls; sends and receives are left out. O(calls).
SharedCalls countShared(const TraceModel& model, const std::vector<RankCalls>& ranks,
                        const Matching& matching);

} // namespace collscope
