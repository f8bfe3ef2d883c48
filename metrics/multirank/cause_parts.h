// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What cause_chain.cpp and step_causes.cpp share: who came late to a collective, what a rank waited in an
// interval, and which causes make up the difference between two intervals.

#include "metrics/interval_profile.h"
#include "metrics/multirank/cause_chain.h"

namespace collscope {

/// A cause has to explain this part of the time, in percent; below the second it is not worth a sentence.
constexpr std::int64_t enoughPercent = 60;
constexpr std::int64_t mentionPercent = 20;
constexpr bool isShare(std::int64_t part, std::int64_t whole, std::int64_t percent)
{
    return 100 * part >= percent * whole;
}

/// Who came last to a collective and how late. Times on the axis of Analysis::clocks().
struct LateArrival
{
    std::uint32_t instance = 0;
    CallRef last, first; ///< the one that was waited for, and the one that waited longest
    std::int64_t lastNs = 0, firstNs = 0; ///< when they came
    std::int64_t lateNs = 0; ///< the last one behind the median of `peers`
    std::int64_t imposedNs = 0; ///< waits of all others, added up
    /// Most of its members came within a tenth of the skew before the last one: some were early.
    bool isMostTogether = false;
    bool isLastKnown = false; ///< `last` came clearly after the next one
    bool tellsWaits = false; ///< false: nobody can be said to have waited (CollectiveTimes)
    /// Ranks that came in the second half of the time between peers and the last one: they were late too.
    std::vector<std::int32_t> alsoLate;
    std::int64_t leadNs = 0; ///< between the last of these and the last one; lateNs where there are none
    std::vector<CallRef> peers; ///< those that came in the first half of the time between first and last
    std::int64_t skewNs() const { return lastNs - firstNs; }
};
LateArrival measureLate(Analysis& analysis, std::uint32_t instance);
/// A smaller skew makes nobody late.
std::int64_t significantSkewNs(Analysis& analysis);

/// Clocks that fit poorly are not asked, as in Arrivals: there durations tell who waited.
bool isByDuration(Analysis& analysis);
/// Of the run's collectives, whatever ranks the window has.
CollectiveTimer timerOf(Analysis& analysis);

/// Between the begin of a rank's part in a collective and the arrival of the last rank.
struct OneWait
{
    std::uint32_t instance = 0;
    SliceRef slice;
    TimeRange range; ///< of the wait, in the timeline's own time
    std::int64_t ns = 0; ///< the part that no computing hides
    std::int32_t rank = -1; ///< that came last; -1: several did, within what the clocks can tell
    std::uint64_t place = 0; ///< kernel name, and which call of that name in the interval
    std::int64_t moreNs = 0; ///< than others waited in the same place (compareWaits)
};
struct Waits
{
    std::int64_t totalNs = 0;
    std::int64_t unmatchedNs = 0; ///< in calls that lack partners: waits and transfers
    std::vector<OneWait> each;
};
/// Waits of one rank (index into Analysis::run().ranks) in the interval of a profile.
Waits waitsIn(Analysis& analysis, std::uint32_t rank, const Timeline& timeline,
              const IntervalProfile& profile, SliceRef ending);

/// One interval of one rank and those it is compared with.
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

/// Fills what is compared of the waits.
void compareWaits(CauseComparison& comparison, const std::vector<Waits>& others);
/// The longest one for the rank that was waited for most, both more than the others did; nullptr if there was
/// none.
const OneWait* worstWait(const Waits& waits);

/// A cause and how much of the time it makes.
struct CausePart
{
    Cause cause = Cause::Inconclusive;
    std::int64_t ns = 0;
    std::vector<CauseClause> clauses;
};
/// What the interval has more of than the others, one part per cause, largest first.
std::vector<CausePart> findParts(Analysis& analysis, const CauseComparison& comparison,
                                 const IntervalDifference& difference);

/// Settles cause and alsoCause of a chain and appends the sentences of the parts that count.
void decideCause(Analysis& analysis, const CauseComparison& comparison, const IntervalDifference& difference,
                 std::int64_t toExplainNs, CauseChain& chain);

/// A timeline's own time on the axis.
TimeRange axisRange(Analysis& analysis, const Timeline& timeline, TimeRange own);

} // namespace collscope
