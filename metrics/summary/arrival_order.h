// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The collectives of all groups in the order in which their last ranks arrived, read from summaries. Each
// group is read by its numbers, which nearly is that order; what is read too early waits.

#include "metrics/core/step_rows.h"
#include "metrics/summary/folded_collectives.h"
#include "metrics/summary/pair_matching.h"

#include <functional>
#include <memory>

namespace collscope {

/// A group whose collectives are read in order.
struct OrderedGroup
{
    const SummarizedRun::Group* group = nullptr;
    MatchRule rule = MatchRule::GroupSequence;
    /// How much earlier than a collective before it, by number, one arrived at most.
    std::int64_t backNs = 0;
    const PairMatches* pairs = nullptr; ///< of sends and receives, or of calls without partners

    std::unique_ptr<CallJoin> join(const SummarizedRun& run) const;
};

/// A collective that shows who waited, or lacks a rank: what OrderedCollectives has.
struct OrderedCollective
{
    std::int64_t arrivedNs = 0; ///< the last arrival on the axis of the clocks
    std::int64_t beginNs = 0; ///< on its lowest rank, the clock as recorded
    std::uint64_t number = 0; ///< its place in its group
    bool isInWindow = false;
    MatchConfidence confidence = MatchConfidence::Named;
    TransferRole role = TransferRole::Other;
    std::vector<JoinedCall> calls;
};

/// How collectives are timed.
struct OrderOptions
{
    const ClockMap& clocks;
    bool byDuration = false;
    const std::vector<StepFinder>& windows; ///< by rank
    bool skipsHandovers = false; ///< from one stage to the next: nobody is blamed for these
};

/// Reads the collectives of one group in the order of numbers, without those that show nothing.
class NumberedReader
{
public:
    NumberedReader(const SummarizedRun& run, const OrderedGroup& group, const OrderOptions& options);
    /// False at the end.
    bool next(OrderedCollective& collective);
    NeedsDetail failure() const { return m_join->failure(); } ///< why it ended too early
    /// The collective that was read last, on hand.
    const CollectiveOnHand& onHand() const { return m_onHand; }

private:
    const SummarizedRun::Group& m_group;
    const OrderOptions& m_options;
    std::unique_ptr<CallJoin> m_join;
    CollectiveOnHand m_onHand;
    CollectiveTimer m_timer, m_clockTimer;
    std::uint64_t m_number = 0;
};

/// Merges the groups. In memory are one chunk of each rank of each group, and what waits.
class ArrivalOrder
{
public:
    /// All arguments must outlive this.
    ArrivalOrder(const SummarizedRun& run, const std::vector<OrderedGroup>& groups,
                 const OrderOptions& options);

    /// Calls f(index of the group, collective) for all, in order.
    void forEach(const std::function<void(std::size_t, const OrderedCollective&)>& f);

private:
    struct Lane
    {
        std::unique_ptr<NumberedReader> reader;
        std::vector<OrderedCollective> waiting; ///< a heap, the first arrival on top
        std::int64_t latestNs = 0; ///< arrival of what was read
        std::int64_t backNs = 0;
        bool isAtEnd = false;
    };
    static bool isAfter(const OrderedCollective& a, const OrderedCollective& b);
    bool fill(Lane& lane) const;

    std::vector<Lane> m_lanes;
};

} // namespace collscope
