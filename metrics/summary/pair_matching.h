// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Sends and receives from summaries. The calls of one group are matched in memory, by the code that loaded
// traces use; of the result some bits a call are kept, and the calls are read again where they are needed.

#include "metrics/matching/clock_alignment.h"
#include "metrics/summary/group_join.h"

namespace collscope {

/// How the calls of a group of sends and receives are matched. Matches keep the order: the k-th matched calls
/// of both lanes are one instance.
struct PairMatches
{
    static constexpr std::int64_t mostCalls = 1'000'000; ///< that are matched in memory

    PairMatches() = default;
    explicit PairMatches(NeedsDetail why)
        : needs(why)
    { }

    NeedsDetail needs = NeedsDetail::Nothing; ///< all else is empty unless Nothing
    std::vector<std::vector<bool>> isMatched; ///< by lane and call; empty: no call has a partner
    std::vector<bool> isOrderAlone; ///< by k: nothing confirms the match
    std::vector<bool> isOfOther; ///< by k: it serves another parallelism than pipelines
    bool areTransfers = false; ///< the trace names both ranks of the pair
    std::uint32_t fromLane = 0; ///< of transfers: the lane of the sender
    bool hasCandidates = false; ///< some transfers may be handovers of a pipeline
    bool isOfPipeline = false; ///< one of them says so
    bool isOfRing = false; ///< they are not, as their ranks exchange data in a ring; set by FoldedStages

    std::size_t matches() const { return isOrderAlone.size(); }
    TransferRole roleOf(std::size_t k) const
    {
        if (!areTransfers)
            return TransferRole::Other;
        return isOfRing || isOfOther[k] ? TransferRole::Exchange : TransferRole::Handover;
    }
};

/// Matches the calls of a group of sends and receives. `clocks`: of the run; `mesh`: of the workload.
PairMatches matchPairs(const SummarizedRun& run, const SummarizedRun::Group& group,
                       const ClockAlignment& clocks, const Mesh& mesh);

/// Reads the matches of a group: instances of two calls, and calls without a partner, by begin.
class PairJoin : public CallJoin
{
public:
    /// All arguments must outlive this.
    PairJoin(const SummarizedRun& run, const SummarizedRun::Group& group, const PairMatches& matches);

    bool next() override;
    bool areAlike() const override { return true; }
    MatchConfidence confidence() const override;
    TransferRole role() const override;

private:
    struct Lane
    {
        LaneReader reader;
        std::size_t next = 0; ///< place of the call after the one at hand
        bool isAtEnd = false;
    };
    void advance(std::uint32_t lane);
    bool isMatched(std::uint32_t lane) const;
    bool isAfter(std::uint32_t a, std::uint32_t b) const;
    void take(std::uint32_t lane);

    const PairMatches& m_matches;
    std::vector<Lane> m_lanes;
    std::vector<std::uint32_t> m_heap; ///< lanes, the earliest begin on top
    std::vector<std::uint32_t> m_taken;
    std::size_t m_match = 0; ///< k of the next match
};

} // namespace collscope
