// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Who came late to the matched collectives of the window, and who waited for it.
// Times of different ranks are compared on the axis that the chosen clocks make (Analysis::clocks()).

#include "metrics/analysis.h"
#include "metrics/multirank/collective_times.h"
#include "metrics/multirank/match_gaps.h"

namespace collscope {

/// One matched collective that at least two ranks are present in, and that tells who waited.
struct Arrival
{
    const CollectiveInstance* instance = nullptr; ///< into Analysis::matching()
    CollectiveTimes times;
    std::size_t origin = 0; ///< index of the rank that this lateness comes from; the last one's own mostly
    bool isStaged = false; ///< its ranks hand work to each other (HandedWork): nobody is blamed
    bool isSignificant = false; ///< somebody waited longer than the clocks can be wrong by
    bool isLastKnown = false; ///< the awaited one came clearly after the next one
};

/// What one rank waited and made others wait.
struct RankWait
{
    std::int32_t rank = 0;
    std::int64_t ownNs = 0; ///< until the last one came, over all collectives of the rank
    std::int64_t ownByDurationNs = 0; ///< the same from durations minus the shortest: needs no clocks
    std::int64_t imposedNs
        = 0; ///< waits of all ranks in the collectives that this rank was last (and late) in
    /// Imposed waits traced back: whoever is late only because it had waited for another rank in another
    /// process group passes the blame on.
    std::int64_t causedNs = 0;
    /// Waits that it or another one caused that came last with it, as far as the clocks can tell; not where
    /// most ranks came together.
    std::int64_t maybeCausedNs = 0;
    /// Of the waits that it caused, what the others would not have waited without this rank alone.
    std::int64_t soleNs = 0;
    /// By how much the lateness that comes from it held up the median of the others; a few that came early
    /// make nobody late.
    std::int64_t delayNs = 0;
    /// Waits in collectives that most other ranks came to together, later: this rank was early.
    std::int64_t earlyNs = 0;
    std::int64_t timesEarly = 0;
    std::int64_t timesLast = 0;
    std::int64_t calls = 0;
};

/// Collectives of one process group.
struct GroupSkew
{
    std::string group; ///< empty where the trace names none
    std::int64_t skewNs = 0; ///< sum of how long somebody waited: the skew, where all wait for all
    std::int64_t longestNs = 0;
    std::int64_t significantNs = 0; ///< of skewNs, that of skews that the clocks can tell
    std::vector<std::size_t> arrivals; ///< into Arrivals::matched
};

/// Whether one rank makes the others wait.
enum class StragglerVerdict : std::uint8_t
{
    Nobody, ///< no rank came later than the clocks can tell, or held the others up by 1 % of the window
    OneRank,
    Inconclusive ///< two come late, or too little is matched to tell
};

struct Arrivals
{
    std::vector<Arrival> matched; ///< by the arrival of the last rank
    std::vector<RankWait> ranks; ///< as in Analysis::calls()
    std::vector<GroupSkew> groups; ///< largest sum first
    std::int64_t incomplete = 0; ///< of `matched`: a rank of the group has no such call in the run
    std::int64_t staged = 0; ///< of `matched`: the order of a pipeline decides who comes last
    std::int64_t pointToPoint = 0; ///< left out: sends and receives in groups of more than two ranks
    std::int64_t byOrderAlone = 0; ///< left out: MatchConfidence::OrderAlone
    std::int64_t lacking
        = 0; ///< left out: a rank whose trace is there has no such call, and may have come last
    SharedCalls shared; ///< calls of the window that other ranks should share
    std::int64_t withoutRoot = 0; ///< left out: broadcasts and the like whose root is not known
    std::int64_t outOfOrder = 0; ///< of `matched`: a rank left before the last one came
    std::int64_t clockErrorNs = 0; ///< by how much, at most
    std::int64_t significantNs = lateNs; ///< a smaller skew makes nobody late: ClockAlignment::significantNs
    /// The same where there is a root: it need not leave with the others, so that durations tell nothing.
    std::int64_t significantByClocksNs = lateNs;
    std::int64_t orderNs = 1; ///< a smaller lead leaves open who came last: arrivalErrorNs()
    /// Clocks that fit worse than 20 us are not asked: who waited follows from durations.
    bool isByDuration = false;
    std::int64_t windowNs = 0; ///< mean of the ranks
    std::int64_t notSignificant = 0; ///< of `matched`: skew above 1 us, but below that
    /// Of `matched`: several came last within what the clocks can tell, and none of them is said to be it.
    std::int64_t lastUnknown = 0;
    std::int64_t lastUnknownNs = 0; ///< waits of all ranks in these
    std::int64_t causeUnknownWaitNs = 0; ///< waits of all ranks that no single rank is behind
    std::int64_t causeUnknownNs = 0; ///< as RankWait::delayNs, of those that no single rank is behind

    /// The rank that caused most waiting (the lowest of several); nullptr if nobody was late.
    const RankWait* straggler() const;
    /// Nobody needs to look for it: what comes from this rank held the others up by less than 1 % of the
    /// window.
    bool isMinor(const RankWait& rank) const { return 100 * rank.delayNs < windowNs; }
    /// Ranks that waited 1 % of the window or more because they came early, and clearly more so than the
    /// others; empty if these are not the smaller part of the ranks.
    std::vector<const RankWait*> early() const;
    /// Nobody was late, and yet ranks waited: those that came early. Then no rank is the straggler.
    bool isOnlyEarly() const { return verdict() == StragglerVerdict::Nobody && !early().empty(); }
    StragglerVerdict verdict() const;
    /// Why what is matched says too little of who is late; empty if it says enough.
    std::string doubt() const;
    /// The verdict as a sentence with its reason.
    std::string verdictText() const;

private:
    std::string nobodyText() const;
    std::string stragglerText(const RankWait& most) const;
    std::string rivalText(const RankWait& most) const;
    std::string earlySentence() const;
};

/// More than a tenth of the calls found no partner: what is matched does not tell who was late.
bool lacksMatches(const SharedCalls& shared);
/// "8 of 28 calls that several ranks should share could not be matched".
std::string lackingMatchesText(const SharedCalls& shared);

Arrivals measureArrivals(Analysis& analysis);
/// Two arrivals that are less apart may have been in the other order. At least 1 ns: ties have none.
std::int64_t arrivalErrorNs(Analysis& analysis);

/// The reason why a metric that compares ranks has no value; nullopt if there are two to compare.
std::optional<MetricResult> needsTwoRanks(Analysis& analysis, const Selection& selection);
/// The same for one that needs matched collectives.
std::optional<MetricResult> needsArrivals(Analysis& analysis, const Arrivals& arrivals);

/// Says which clocks were used, and where the ranks' times cannot be compared: several hosts, no wall clock,
/// or collectives that show it.
void addClockWarnings(Analysis& analysis, const Arrivals* arrivals, MetricResult& result);

} // namespace collscope
