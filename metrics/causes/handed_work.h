// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Ranks that pass work to each other: the stages of a pipeline do different work, and the stage whose turn is
// last is also last at their common collectives, even if all stages are equally fast. Ranks that exchange
// data along a ring (context parallelism) are not stages: all of them do the same. See blame.md.

#include "metrics/analysis/analysis.h"
#include "metrics/causes/pipeline_stages.h"

namespace collscope {

class HandedWork
{
public:
    /// Uses the sends and receives of which both sides are known. O(calls).
    HandedWork(const std::vector<RankCalls>& ranks, const Matching& matching);

    /// Whether it is a send and its receive. `instance`: of the matching.
    bool isTransfer(const CollectiveInstance& instance) const { return roleOf(instance) != Role::Other; }
    /// Whether it is a transfer between ranks that all do the same: who waits there waits for a late rank.
    bool isExchange(const CollectiveInstance& instance) const { return roleOf(instance) == Role::Exchange; }

    /// PipelineStages::mayExplainLast(). `timer` and `times`: of this collective.
    bool mayExplainLast(const CollectiveInstance& instance, const CollectiveTimer& timer,
                        const CollectiveTimes& times) const;

private:
    using Role = TransferRole;
    Role roleOf(const CollectiveInstance& instance) const
    {
        return m_roles[static_cast<std::size_t>(&instance - m_matching.instances.data())];
    }
    void findRoles(const std::vector<RankCalls>& ranks);
    void sumHandovers(const std::vector<RankCalls>& ranks);

    const Matching& m_matching;
    std::vector<Role> m_roles; ///< by instance
    PipelineStages m_stages;
    std::vector<StageTurn> m_turns; ///< by index into Matching::members; empty without handovers
};

} // namespace collscope
