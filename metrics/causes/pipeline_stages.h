// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The stages of pipelines, and what their order explains, from transfers that are given one by one: those of
// calls in memory (handed_work.h), or of summaries of the ranks (metrics/summary/folded_stages.h). See
// blame.md.

#include "metrics/calls/communication_call.h"
#include "metrics/matching/collective_times.h"

#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace collscope {

/// What the two calls of a collective do.
enum class TransferRole : std::uint8_t
{
    Other, ///< a collective
    Handover, ///< from one stage to another
    Exchange ///< a transfer between ranks that all do the same
};

/// What the trace says about the purpose of a transfer.
enum class TransferPurpose : std::uint8_t
{
    Pipeline,
    Unknown,
    OtherParallelism ///< context, data, tensor or expert parallelism: not stages
};
TransferPurpose purposeOf(ParallelismKind kind, ParallelismRule rule);

/// The ranks that transfers connect. Those that serve another parallelism than pipelines are not added.
class TransferGraph
{
public:
    explicit TransferGraph(std::size_t ranks);

    void add(std::uint32_t from, std::uint32_t to, TransferPurpose purpose);
    /// The lowest rank that is connected with this one.
    std::uint32_t setOf(std::uint32_t rank);
    std::size_t ranks() const { return m_setOf.size(); }
    /// Whether a rank may be in a ring: more than two ranks each of which sends to one rank only and receives
    /// from one only, and no purpose says otherwise. Whether it is one shows whether its ranks do so at the
    /// same time: the stages of a pipeline send both ways, or one after the other.
    std::vector<bool> mayBeInRings();
    /// The sets that are rings. `exchanges`: by rank, see mostlyExchanges(); read of ranks that may be in
    /// rings.
    std::set<std::uint32_t> rings(const std::vector<bool>& exchanges);

private:
    std::vector<std::uint32_t> m_setOf; ///< by rank: a lower one of its set, or itself
    std::vector<std::set<std::uint32_t>> m_to, m_from; ///< by rank
    std::vector<bool> m_isOfPipeline; ///< by rank: one of its transfers says so
};

/// Whether a rank mostly sends while it receives. A stage sends what it computed from what it received.
bool mostlyExchanges(const std::vector<TimeRange>& sent, std::vector<TimeRange> received);

/// What a rank did between two collectives of a group.
struct StageTurn
{
    static constexpr std::int64_t none = -1;

    std::int64_t handoversNs = none; ///< the time in handovers; `none` if it had none
    std::int64_t afterNs = none; ///< the time since it got its last work; `none` if it got none

    bool isEmpty() const { return handoversNs == none && afterNs == none; }
};

/// The handovers of one rank, summed up to any time.
class HandoverSums
{
public:
    struct Sum
    {
        std::int64_t ns = 0;
        std::int64_t calls = 0;
        std::int64_t receives = 0;
        std::int64_t receivedNs = 0; ///< the latest end of a receive
    };
    struct Handover
    {
        TimeRange range;
        bool isReceive = false;
    };

    /// `handovers`: in any order.
    explicit HandoverSums(std::vector<Handover> handovers);
    bool isEmpty() const { return m_beginNs.empty(); }
    /// Of those that began before a time. O(log n).
    Sum before(std::int64_t ns) const;

private:
    std::vector<std::int64_t> m_beginNs; ///< ascending
    std::vector<Sum> m_sums; ///< m_sums[i]: of the first i
};

/// The turns of one rank in one group.
class GroupTurns
{
public:
    /// The next call of the rank in the group, in the order of their begins.
    StageTurn next(const HandoverSums& handovers, TimeRange call);

private:
    HandoverSums::Sum m_last, m_own; ///< before the call before this one, and before this one
    std::int64_t m_beginNs = 0;
    bool m_hasBegun = false;
};

/// The pipelines of a run.
class PipelineStages
{
public:
    PipelineStages() = default;
    /// The ranks that are connected, without rings, are of one pipeline.
    PipelineStages(TransferGraph& graph, const std::set<std::uint32_t>& rings);

    /// One collective. All spans: by member.
    struct Members
    {
        std::span<const std::uint32_t> ranks;
        std::span<const StageTurn> turns;
        std::span<const std::int64_t> lateness; ///< of the timer that measured it
    };
    /// Whether the order of the stages may be why a rank arrived last: since their last collective in its
    /// group, work was handed on between it and another member, and neither what the ranks did since they got
    /// their last work nor another pipeline shows that it is late itself. O(members).
    bool mayExplainLast(const Members& members, const CollectiveTimes& times) const;

private:
    bool isLaterThanOtherPipelines(const Members& members, const CollectiveTimes& times) const;

    std::vector<std::uint32_t> m_pipelineOf; ///< by rank: the lowest one connected with it
    std::vector<std::uint32_t> m_stageOf; ///< by rank: the number of lower ones in the pipeline
};

} // namespace collscope
