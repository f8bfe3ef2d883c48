// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// When the ranks of a collective came to it and left it: the one place where members are compared in time.

#include "metrics/multirank/call_matching.h"
#include "metrics/multirank/clock_map.h"

#include <optional>

namespace collscope {

/// Times of one collective over the ranks that are present, on the common axis.
struct CollectiveTimes
{
    std::uint32_t first = 0, last = 0; ///< earliest and latest member; the lowest rank where several are
    TimeRange arrivals; ///< first to last begin
    TimeRange departures; ///< first to last end
    std::int64_t aheadOfLastNs = 0; ///< between the last begin and the one before it
    /// Whether anybody can be said to have waited: not where order alone makes the collective, nor where it
    /// has a root that the trace does not name.
    bool tellsWaits = false;
    std::uint32_t awaited = 0; ///< member that the others waited for: the last one, or the root
    std::uint32_t longest = 0; ///< member that waited longest
    std::int64_t heldNs = 0; ///< how long that was
    std::int64_t waitNs = 0; ///< of all members together; no member's wait is longer than its own kernel
    std::int64_t leadNs = 0; ///< how much later it came than the next one that the others waited for, too
    /// Most ranks came within a tenth of `heldNs` before the awaited one, or later: the others were early,
    /// and nobody was late.
    bool isMostTogether = false;
    std::int64_t transferNs = 0; ///< the shortest duration: who came last waited for nobody. Needs no clocks
    bool tellsTransfer = true; ///< false where there is a root (hasRoot()): no duration is the transfer's

    std::int64_t skewNs() const { return arrivals.lengthNs(); }
    /// First begin to last end.
    TimeRange range() const { return {arrivals.beginNs, departures.endNs}; }
    /// How long before the last one came the first one had left; above 0 cannot be where all wait for all.
    std::int64_t contradictionNs() const { return arrivals.endNs - departures.beginNs; }
};

/// Reads the times of one collective after the other, without allocating for each.
class CollectiveTimer
{
public:
    /// All must outlive it. byDuration: where all wait for all they are taken to leave together, so that
    /// begins follow from durations alone, which need no clocks.
    CollectiveTimer(const TraceModel& model, const std::vector<RankCalls>& ranks, const Matching& matching,
                    const ClockMap& clocks, bool byDuration = false)
        : m_model(model)
        , m_ranks(ranks)
        , m_matching(matching)
        , m_clocks(clocks)
        , m_byDuration(byDuration)
    { }

    /// Precondition: it has members. O(members).
    CollectiveTimes of(const CollectiveInstance& instance);
    /// Begin and end of each member of the collective that was read last.
    const std::vector<TimeRange>& members() const { return m_members; }
    /// How long each of them waited for another one, at most as long as its own kernel lasted. 0 where it is
    /// not known (CollectiveTimes::tellsWaits).
    const std::vector<std::int64_t>& waits() const { return m_waits; }
    /// By how much each of them came later than it was wanted. 0 for those that nobody waits for.
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
