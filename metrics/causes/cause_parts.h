// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Shared by cause_chain.cpp and step_causes.cpp: the late rank of a collective, the waits of a rank in an
// interval, and the causes that make up the difference between intervals.

#include "metrics/analysis/interval_profile.h"
#include "metrics/causes/cause_chain.h"

namespace collscope {

/// Percentage of the time that a cause must explain, and the percentage below which it is not mentioned.
constexpr std::int64_t enoughPercent = 60;
constexpr std::int64_t mentionPercent = 20;
constexpr bool isShare(std::int64_t part, std::int64_t whole, std::int64_t percent)
{
    return 100 * part >= percent * whole;
}

/// The last rank of a collective and its lateness. Times on the axis of Analysis::clocks().
struct LateArrival
{
    std::uint32_t instance = 0;
    CallRef last, first; ///< the awaited rank, and the rank that waited longest
    std::int64_t lastNs = 0, firstNs = 0; ///< their arrivals
    std::int64_t lateNs = 0; ///< lateness of the last rank relative to the median of `peers`
    std::int64_t imposedNs = 0; ///< sum of the waits of all others
    /// Whether most members arrived within a tenth of the skew before the last one: some were early.
    bool isMostTogether = false;
    bool isLastKnown = false; ///< `last` arrived clearly after the second-to-last
    bool tellsWaits = false; ///< false: waiting time cannot be attributed (CollectiveTimes)
    /// Ranks that arrived in the second half of the time between peers and the last one: they were late too.
    std::vector<std::int32_t> alsoLate;
    std::int64_t leadNs
        = 0; ///< between the latest of `alsoLate` and the last rank; lateNs if `alsoLate` is empty
    std::vector<CallRef> peers; ///< ranks that arrived in the first half of the time between first and last
    std::int64_t skewNs() const { return lastNs - firstNs; }
};
LateArrival measureLate(Analysis& analysis, std::uint32_t instance);
/// Smallest skew with which a rank counts as late.
std::int64_t significantSkewNs(Analysis& analysis);

/// Whether waits follow from durations because clocks fit poorly, as in Arrivals.
bool isByDuration(Analysis& analysis);
/// A timer for the run's collectives, independent of the ranks in the window.
CollectiveTimer timerOf(Analysis& analysis);

/// The time between a rank's start in a collective and the arrival of the last rank.
struct OneWait
{
    std::uint32_t instance = 0;
    SliceRef slice;
    TimeRange range; ///< range of the wait, in the timeline's own time
    std::int64_t ns = 0; ///< the part that computation does not hide
    std::int32_t rank = -1; ///< the last rank; -1: several ranks within the clock uncertainty
    std::uint64_t place = 0; ///< kernel name, and index of the call among those of this name in the interval
    std::int64_t moreNs = 0; ///< excess over the others' waits at the same place (compareWaits)
};
struct Waits
{
    std::int64_t totalNs = 0;
    std::int64_t unmatchedNs = 0; ///< in calls with unknown waits: waits and transfers together
    std::vector<OneWait> each;
};
/// Waits of one rank (index into Analysis::run().ranks) in the interval of a profile.
Waits waitsIn(Analysis& analysis, std::uint32_t rank, const Timeline& timeline,
              const IntervalProfile& profile, SliceRef ending);

/// One interval of one rank, and the intervals it is compared with.
struct CauseComparison
{
    std::int32_t rank = -1;
    const Timeline* timeline = nullptr;
    IntervalProfile own;
    std::vector<IntervalProfile> others;
    Waits waits;
    std::int64_t otherWaitsNs = 0; ///< median of the others
    std::int64_t otherUnmatchedNs = 0;
    std::string othersText; ///< "its peers", "the other steps"
    std::string where; ///< "on its peers", "in the other steps"
};

/// Fills in the compared waits.
void compareWaits(CauseComparison& comparison, const std::vector<Waits>& others);
/// The longest wait for the rank that was waited for most, both measured as excess over the others; nullptr
/// if none exceeds theirs.
const OneWait* worstWait(const Waits& waits);

/// A cause and the time that it accounts for.
struct CausePart
{
    Cause cause = Cause::Inconclusive;
    std::int64_t ns = 0;
    std::vector<CauseClause> clauses;
};
/// The excess of the interval over the others, one part per cause, largest first.
std::vector<CausePart> findParts(Analysis& analysis, const CauseComparison& comparison,
                                 const IntervalDifference& difference);

/// Determines cause and alsoCause of a chain and appends the sentences of the parts that count.
void decideCause(Analysis& analysis, const CauseComparison& comparison, const IntervalDifference& difference,
                 std::int64_t toExplainNs, CauseChain& chain);

/// Converts a timeline's own time to the axis.
TimeRange axisRange(Analysis& analysis, const Timeline& timeline, TimeRange own);

} // namespace collscope
