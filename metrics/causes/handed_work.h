// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Ranks that pass work to each other: the stages of a pipeline do different work, and the stage whose turn is
// last is also last at their common collectives, even if all stages are equally fast. Ranks that exchange
// data along a ring (context parallelism) are not stages: all of them do the same. See blame.md.

#include "metrics/analysis/analysis.h"
#include "metrics/matching/collective_times.h"

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

    /// Whether the order of the stages may be why a rank arrived last at a collective: since their last
    /// collective in its group, work was handed on between it and another member, and no other pipeline shows
    /// that the order alone does not make it late. `timer` and `times`: of this collective. O(members).
    bool mayExplainLast(const CollectiveInstance& instance, const CollectiveTimer& timer,
                        const CollectiveTimes& times) const;

private:
    enum class Role : std::uint8_t
    {
        Other, ///< a collective
        Handover, ///< from one stage to another
        Exchange
    };
    Role roleOf(const CollectiveInstance& instance) const
    {
        return m_roles[static_cast<std::size_t>(&instance - m_matching.instances.data())];
    }
    void findRoles(const std::vector<RankCalls>& ranks);
    void unitePipelines();
    void sumHandovers(const std::vector<RankCalls>& ranks);

    const Matching& m_matching;
    std::vector<Role> m_roles; ///< by instance
    std::vector<std::uint32_t> m_pipelineOf; ///< by index into `ranks`: the lowest index connected with it
    std::vector<std::uint32_t> m_stageOf; ///< by index into `ranks`: the number of lower ones in the pipeline
    /// By index into Matching::members: the time of its rank in handovers since the last collective of the
    /// group; `none` if it had none. Empty without handovers.
    std::vector<std::int64_t> m_handedNs;
    static constexpr std::int64_t none = -1;
};

} // namespace collscope
