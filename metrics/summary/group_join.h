// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The collectives of one process group, one after the other, read from the summaries of its ranks: in memory
// are one chunk of each rank, and the calls of one collective.

#include "metrics/causes/pipeline_stages.h"
#include "metrics/core/clock_map.h"
#include "metrics/matching/collective_times.h"
#include "metrics/summary/summarized_run.h"

#include <span>

namespace collscope {

/// A call of the collective that was joined last.
struct JoinedCall
{
    std::uint32_t lane = 0; ///< into SummarizedRun::Group::lanes
    std::uint32_t kind = 0; ///< of SummarizedRun::callOf()
    TimeRange range; ///< on the axis, the clock as recorded
    std::int64_t feltNs = 0; ///< as in CallColumns
    bool endsHidden = false;
};

/// What numbers a call of a group.
enum class LaneOrder : std::uint8_t
{
    Communicator, ///< Comms Id and Seq
    Sequence, ///< Seq alone
    Time ///< nothing: calls are in the order of the rank
};
LaneOrder laneOrderOf(MatchRule rule);

/// Reads the calls of one rank in one group, in the order in which its summary has them.
class LaneReader
{
public:
    LaneReader(const SummarizedRun& run, const SummarizedRun::Group& group, std::uint32_t lane,
               LaneOrder order);

    /// The number of a call: equal for the calls of one collective. Coalesced calls share a number; the k-th
    /// of them is the same on every rank.
    struct Number
    {
        std::int64_t communicator = 0, sequence = 0;
        std::uint32_t repeat = 0;
        // NOLINTNEXTLINE(modernize-use-nullptr): mistaken
        friend auto operator<=>(const Number&, const Number&) = default;
    };
    /// Goes to the next call; false at the end, or if failure() says why there is none.
    bool next();
    const Number& number() const { return m_number; } ///< not with LaneOrder::Time
    const JoinedCall& call() const { return m_call; }
    NeedsDetail failure() const { return m_failure; }

private:
    bool readChunk();
    void readNumber(std::int64_t sequence);

    const SummarizedRun& m_run;
    SummarizedRun::Group::Lane m_lane;
    std::uint32_t m_chunkCount;
    LaneOrder m_order;
    bool m_hasNumber = false;
    std::int64_t m_shiftNs;
    ChunkReader m_chunk;
    std::uint32_t m_nextChunk = 0;
    Number m_number;
    std::int64_t m_communicator = 0; ///< of the last call
    JoinedCall m_call;
    NeedsDetail m_failure = NeedsDetail::Nothing;
};

/// The collectives of a group, one after the other. The calls of each rank come in the order of its summary.
class CallJoin
{
public:
    virtual ~CallJoin() = default;
    /// Joins the next collective; false at the end, or if failure() says why.
    virtual bool next() = 0;
    /// Its calls by rank, at least one.
    std::span<const JoinedCall> calls() const { return m_calls; }
    /// Whether they agree in all that matching compares.
    virtual bool areAlike() const = 0;
    virtual MatchConfidence confidence() const { return MatchConfidence::Named; }
    virtual TransferRole role() const { return TransferRole::Other; }
    NeedsDetail failure() const { return m_failure; }

protected:
    std::vector<JoinedCall> m_calls;
    NeedsDetail m_failure = NeedsDetail::Nothing;
};

/// Joins the calls of a group by their numbers. Time O(calls) where all ranks make each collective, else
/// O(calls log ranks).
class GroupJoin : public CallJoin
{
public:
    /// Precondition: the group needs no detail. The run must outlive this.
    GroupJoin(const SummarizedRun& run, const SummarizedRun::Group& group, LaneOrder order);

    bool next() override; ///< in the order of numbers
    bool areAlike() const override;

private:
    bool advance(std::uint32_t lane);
    void takeTurns();
    bool isAfter(std::uint32_t a, std::uint32_t b) const;

    const SummarizedRun& m_run;
    std::vector<LaneReader> m_lanes;
    std::vector<std::uint32_t> m_heap; ///< lanes that wait for their turn, the lowest number on top
    std::vector<std::uint32_t> m_taken; ///< those of the last collective, ascending
};

/// A matching of one collective, rewritten for each, so that all who measure collectives measure these, too.
class CollectiveOnHand
{
public:
    CollectiveOnHand(const SummarizedRun& run, const SummarizedRun::Group& group, MatchRule rule);

    /// Puts in the calls of a collective. O(members).
    void set(std::span<const JoinedCall> calls, MatchConfidence confidence = MatchConfidence::Named);
    /// Complete: `absent` and `isWhole` are as noteMissingRanks() sets them.
    const CollectiveInstance& instance() const { return m_matching.instances.front(); }
    std::span<const CallRef> members() const { return m_matching.membersOf(instance()); }
    const Call& callOf(CallRef ref) const { return m_ranks[ref.rank].calls[ref.call]; }
    CollectiveTimer timer(const ClockMap& clocks, bool byDuration) const
    {
        return {m_run.model(), m_ranks, m_matching, clocks, byDuration};
    }

private:
    const SummarizedRun& m_run;
    std::vector<RankCalls> m_ranks; ///< by lane, one call each
    std::vector<std::uint32_t> m_kindOf; ///< by lane: what its call is
    Matching m_matching;
    std::uint32_t m_wholeMembers = 0; ///< members of a whole collective
    std::size_t m_expected = 0; ///< loaded ranks that are expected in it
};

} // namespace collscope
