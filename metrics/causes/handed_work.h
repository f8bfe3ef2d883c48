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
    /// collective in its group, work was handed on between it and another member, and neither what the ranks
    /// did since they got their last work nor another pipeline shows that it is late itself. `timer` and
    /// `times`: of this collective. O(members).
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
    bool gotWorkLate(const CollectiveInstance& instance, const CollectiveTimes& times) const;
    bool worksLonger(const CollectiveInstance& instance, const CollectiveTimes& times) const;
    bool isLaterThanOtherPipelines(const CollectiveInstance& instance, const CollectiveTimer& timer,
                                   const CollectiveTimes& times) const;

    const Matching& m_matching;
    std::vector<Role> m_roles; ///< by instance
    std::vector<std::uint32_t> m_pipelineOf; ///< by index into `ranks`: the lowest index connected with it
    std::vector<std::uint32_t> m_stageOf; ///< by index into `ranks`: the number of lower ones in the pipeline
    static constexpr std::int64_t none = -1;
    /// What a rank did between two collectives of a group.
    struct Turn
    {
        std::int64_t handoversNs = none; ///< the time in handovers; `none` if it had none
        std::int64_t afterNs = none; ///< the time since it got its last work; `none` if it got none
    };
    std::vector<Turn> m_turns; ///< by index into Matching::members; empty without handovers
};

} // namespace collscope
