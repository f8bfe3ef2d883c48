// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The ranks of a run by the summaries of their calls, and the process groups that they form, without the
// calls themselves. See folding.md.

#include "metrics/calls/process_groups.h"
#include "metrics/summary/summarized_calls.h"

#include <deque>
#include <memory>
#include <unordered_map>

namespace collscope {

/// Why a group cannot be joined from summaries alone.
enum class NeedsDetail : std::uint8_t
{
    Nothing, ///< it can
    NoGroupNames, ///< no trace names its process groups
    PointToPoint, ///< sends and receives are matched by order (pair_matching.h)
    OnCpu, ///< calls of a CPU backend are matched by program order
    NoNumbers, ///< calls without Seq are matched by order
    NumbersContradict, ///< calls with equal numbers are not alike
    NumbersUnsorted, ///< Seq counts in several communicators at once
    SeveralPairs, ///< more than two ranks send and receive in one group
    MatchesCross, ///< of two calls of a rank, the later one belongs to the earlier one of its partner
    TooManyCalls, ///< to be matched by order in memory
    TwoNotations, ///< one rank states the group in two ways
    Damaged ///< a summary cannot be read
};
constexpr int needsDetailCount = static_cast<int>(NeedsDetail::Damaged) + 1;
/// As a clause: "its calls have no sequence numbers, and are matched by order".
std::string_view needsDetailText(NeedsDetail reason);

class SummarizedRun
{
public:
    /// A process group; its calls stay with the ranks.
    struct Group
    {
        /// A rank, and which of its groups this is.
        struct Lane
        {
            std::uint32_t rank = 0; ///< index into ranks()
            std::uint32_t own = 0; ///< into SummarizedCalls::groups
        };
        ProcessGroup group; ///< without lanes
        std::vector<Lane> lanes; ///< by rank
        std::int64_t calls = 0;
        NeedsDetail needs = NeedsDetail::Nothing;
        /// The traces do not tell its members: its calls are known to have no partners (PartnersUnknown).
        bool hasUnknownMembers = false;
        bool isNumbered = false; ///< all calls have a Seq
        bool hasCommunicators = false; ///< and a Comms Id

        bool isOfPairs() const
        {
            return group.kind == ProcessGroup::Kind::Pair || group.kind == ProcessGroup::Kind::Unpaired;
        }
    };

    /// Files of one job, one for each rank and in any order: ranks without GPU work are left out beforehand.
    /// Error: a rank twice, or ranks years apart.
    static Result<std::shared_ptr<const SummarizedRun>> make(std::vector<RankSummary> ranks);

    /// A model of the ranks with one timeline each, in the order of ranks(): their steps and clocks, placed
    /// as when all files are loaded, but no events apart from one kernel each.
    const TraceModel& model() const { return m_model; }
    /// The first call of each group of each rank, by group as in SummarizedCalls::groups. Ascending by rank.
    const std::vector<RankCalls>& ranks() const { return m_ranks; }
    const std::vector<Group>& groups() const { return m_groups; } ///< in the order of groupCalls()
    const GroupedCalls& grouped() const { return m_grouped; } ///< its warnings, and what has no group
    const SummarizedGroup& ownGroup(Group::Lane lane) const { return m_groupsOf[lane.rank][lane.own]; }
    const CallChunks& chunksOf(std::uint32_t rank) const { return *m_chunks[rank]; }
    /// From a rank's own clock to the axis.
    std::int64_t shiftNs(std::uint32_t rank) const { return m_model.timelines[rank].fileToAxisNs; }
    /// How many kinds of calls the whole run has; kindOf() is below.
    std::size_t kindCount() const { return m_kinds.size(); }
    /// The kind in the whole run of the rank's kind `what`.
    std::uint32_t kindOf(std::uint32_t rank, std::uint32_t what) const { return m_kindsOf[rank][what]; }
    /// A call of a kind, without time and rank.
    const Call& callOf(std::uint32_t kind) const { return m_kinds[kind]; }
    /// SummarizedKind::annotated.
    ParallelismKind annotatedOf(std::uint32_t kind) const { return m_annotated[kind]; }
    bool isOfCpu(std::uint32_t kind) const { return m_isOfCpu[kind]; }
    std::optional<std::int64_t> communicatorOf(std::uint32_t kind) const
    {
        return m_kinds[kind].meta ? m_kinds[kind].meta->commsId : std::nullopt;
    }

private:
    SummarizedRun() = default;
    void addTimelines(const std::vector<RankSummary>& ranks);
    void addRank(std::uint32_t rank, RankSummary& summary);
    std::uint32_t internKind(const SummarizedKind& kind);
    Call firstCall(std::uint32_t rank, const SummarizedGroup& group, std::uint32_t kind);
    void findGroups();
    NeedsDetail whyDetail(const Group& group) const;

    TraceModel m_model;
    std::vector<RankCalls> m_ranks;
    std::vector<std::shared_ptr<const CallChunks>> m_chunks;
    std::vector<std::vector<SummarizedGroup>> m_groupsOf; ///< by rank
    std::vector<std::vector<std::uint32_t>> m_kindsOf; ///< by rank
    std::vector<Call> m_kinds;
    std::vector<bool> m_isOfCpu; ///< by kind
    std::vector<ParallelismKind> m_annotated; ///< by kind
    std::deque<CollectiveCall> m_metas; ///< what calls point to
    std::unordered_map<std::string, std::uint32_t> m_kindNumbers;
    std::unordered_map<std::string, const CollectiveCall*> m_groupMetas;
    GroupedCalls m_grouped;
    std::vector<Group> m_groups;
};
using SummarizedRunPtr = std::shared_ptr<const SummarizedRun>;

/// What a group keeps from being told, why, and what helps. `what`: "The clocks".
Error cannotTell(std::string_view what, const SummarizedRun::Group& group, NeedsDetail needs);

} // namespace collscope
