// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Arrivals and ends of the ranks of a collective: the only place where members are compared in time.

#include "metrics/core/clock_map.h"
#include "metrics/matching/matching.h"

#include <optional>

namespace collscope {

/// Times of one collective over the present ranks, on the common axis.
struct CollectiveTimes
{
    std::uint32_t first = 0, last = 0; ///< earliest and latest member; ties: the lowest rank
    TimeRange arrivals; ///< first to last start
    TimeRange departures; ///< first to last end
    std::int64_t aheadOfLastNs = 0; ///< between the second-to-last and the last start
    /// Whether waiting time can be attributed: not if the collective is matched by order alone, its root is
    /// unknown, or its type is unknown.
    bool tellsWaits = false;
    std::uint32_t awaited = 0; ///< member that the others waited for: the last one, or the root
    std::uint32_t longest = 0; ///< member that waited longest
    std::int64_t heldNs = 0; ///< wait of `longest`
    std::int64_t waitNs = 0; ///< sum over members; no wait is longer than the member's kernel
    std::int64_t leadNs = 0; ///< time from the second-to-last member that was waited for to `awaited`
    /// Whether most ranks arrived within a tenth of `heldNs` before the awaited one, or later: then the
    /// others are called early and no rank late, though their waits are still counted.
    bool isMostTogether = false;
    std::int64_t transferNs = 0; ///< the shortest duration: the last rank did not wait. Needs no clocks
    bool tellsTransfer = true; ///< false if there is a root (hasRoot()): no duration is that of the transfer

    std::int64_t skewNs() const { return arrivals.lengthNs(); }
    /// First start to last end.
    TimeRange range() const { return {arrivals.beginNs, departures.endNs}; }
    /// Time between the first end and the last arrival; a value above 0 is impossible if all wait for all.
    std::int64_t contradictionNs() const { return arrivals.endNs - departures.beginNs; }
};

/// Measures one collective after the other, without an allocation for each.
class CollectiveTimer
{
public:
    /// All arguments must outlive the timer. byDuration: if all wait for all, members are assumed to end
    /// together, so starts follow from durations, which need no clocks.
    CollectiveTimer(const TraceModel& model, const std::vector<RankCalls>& ranks, const Matching& matching,
                    const ClockMap& clocks, bool byDuration = false)
        : m_model(model)
        , m_ranks(ranks)
        , m_matching(matching)
        , m_clocks(clocks)
        , m_byDuration(byDuration)
    { }

    /// Precondition: `instance` has members. O(members).
    CollectiveTimes of(const CollectiveInstance& instance);
    /// As of(), but only the members before CollectiveTimes::tellsWaits, and none of waits() and lateness().
    CollectiveTimes withoutWaits(const CollectiveInstance& instance);
    /// Start and end of each member of the collective measured last.
    const std::vector<TimeRange>& members() const { return m_members; }
    /// The wait of each member for another one, at most the duration of its kernel. 0 if unknown
    /// (CollectiveTimes::tellsWaits).
    const std::vector<std::int64_t>& waits() const { return m_waits; }
    /// The lateness of each member: how much later it arrived than it was needed. 0 for members that no rank
    /// waits for.
    const std::vector<std::int64_t>& lateness() const { return m_lateness; }

private:
    void leaveTogether();
    void waitForAll(CollectiveTimes& times);
    void waitForRoot(std::uint32_t root, CollectiveTimes& times);
    void waitAsRoot(std::uint32_t root, CollectiveTimes& times);
    void measureWaits(const CollectiveInstance& instance, CollectiveTimes& times);
    void summarizeWaits(CollectiveTimes& times) const;
    std::optional<std::uint32_t> rootIn(const CollectiveInstance& instance) const;
    std::int64_t waitUntil(std::uint32_t member, std::int64_t ns) const;

    const TraceModel& m_model;
    const std::vector<RankCalls>& m_ranks;
    const Matching& m_matching;
    const ClockMap& m_clocks;
    bool m_byDuration;
    std::vector<TimeRange> m_members;
    std::vector<std::int64_t> m_waits, m_lateness;
};

} // namespace collscope
