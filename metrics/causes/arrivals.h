// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Late ranks of the matched collectives in the window, and the waits that they caused. Times of different
// ranks are compared on the axis defined by the selected clocks (Analysis::clocks()).
// See blame.md.

#include "metrics/analysis/analysis.h"
#include "metrics/matching/collective_times.h"
#include "metrics/matching/match_gaps.h"

namespace collscope {

/// One matched collective of at least two present ranks, with known waits.
struct Arrival
{
    const CollectiveInstance* instance = nullptr; ///< into Analysis::matching()
    CollectiveTimes times;
    std::size_t origin = 0; ///< index of the rank that the lateness originates from; mostly the last rank
    bool isOriginKnown = false; ///< a rank is blamed: all ranks that arrived last have this origin
    bool mayPassOn = false; ///< the last rank had waited itself, and it is not known for whom
    bool isStaged = false; ///< its ranks pass work to each other (HandedWork): no rank is blamed
    bool isSignificant = false; ///< a rank waited longer than the clock uncertainty
    bool isLastKnown = false; ///< the awaited rank arrived clearly after the second-to-last
};

/// Waits of one rank, and waits that it caused.
struct RankWait
{
    std::int32_t rank = 0;
    std::int64_t ownNs = 0; ///< until the last rank arrived, over all collectives of the rank
    std::int64_t ownByDurationNs
        = 0; ///< like ownNs, from durations minus the shortest: independent of clocks
    std::int64_t imposedNs
        = 0; ///< waits of all ranks in the collectives in which this rank was last (and late)
    /// Imposed waits traced back to their origin: a rank that is late only because it waited for another rank
    /// in another process group passes the blame on.
    std::int64_t causedNs = 0;
    /// Waits caused by this rank or by another one that arrived last with it within the clock uncertainty;
    /// not counted if most ranks arrived together.
    std::int64_t possiblyCausedNs = 0;
    /// The part of the caused waits that the others would not have had without this rank alone.
    std::int64_t soleNs = 0;
    /// How long the lateness that originates from this rank delayed the median of the others. A few early
    /// ranks do not make any rank late.
    std::int64_t delayNs = 0;
    /// Waits in collectives at which most other ranks arrived later and together: this rank was early.
    std::int64_t earlyNs = 0;
    std::int64_t timesEarly = 0;
    std::int64_t timesLast = 0;
    std::int64_t calls = 0;
};

/// Collectives of one process group.
struct GroupSkew
{
    std::string group; ///< empty if the trace names none
    std::int64_t skewNs = 0; ///< sum of the longest waits; these are the skews if all ranks wait for all
    std::int64_t longestNs = 0;
    std::int64_t significantNs = 0; ///< the part of skewNs that exceeds the clock uncertainty
    std::vector<std::size_t> arrivals; ///< into Arrivals::matched
};

/// Whether one rank makes the others wait.
enum class StragglerVerdict : std::uint8_t
{
    Nobody, ///< no rank was late by more than the clock uncertainty, or delayed the others by 1 % of the
            ///< window
    OneRank,
    Inconclusive ///< two ranks are late, or too little is matched
};

struct Arrivals
{
    std::vector<Arrival> matched; ///< by the arrival of the last rank
    std::vector<RankWait> ranks; ///< as in Analysis::calls()
    std::vector<GroupSkew> groups; ///< largest sum first
    std::int64_t incomplete = 0; ///< of `matched`: the run lacks the call of a rank of the group
    std::int64_t staged = 0; ///< of `matched`: the order of a pipeline determines the last rank
    std::int64_t pointToPoint = 0; ///< excluded: sends and receives
    std::int64_t byOrderAlone = 0; ///< excluded: MatchConfidence::OrderAlone
    std::int64_t lacking = 0; ///< excluded: a loaded rank lacks the call, and may have arrived last
    SharedCalls shared; ///< calls in the window that are expected on other ranks
    std::int64_t withoutRoot
        = 0; ///< excluded: unknown root (broadcast, reduce) or unknown type, so that waits are unknown
    std::int64_t outOfOrder = 0; ///< of `matched`: a rank ended before the last one arrived
    std::int64_t clockErrorNs = 0; ///< maximum contradiction of these
    std::int64_t significantNs
        = lateNs; ///< a rank is not late with a smaller skew: ClockAlignment::significantNs
    /// Like significantNs, for collectives with a root: it need not end with the others, so durations do not
    /// show waits.
    std::int64_t significantByClocksNs = lateNs;
    std::int64_t orderNs = 1; ///< with a smaller lead the last rank is unknown: arrivalErrorNs()
    /// Clocks with a residual above 20 us are not used: waits follow from durations.
    bool isByDuration = false;
    std::int64_t windowNs = 0; ///< mean over ranks
    std::int64_t notSignificant = 0; ///< of `matched`: skew above 1 us, but not significant
    /// Of `matched`: several ranks arrived last within the clock uncertainty, so the last rank is unknown.
    std::int64_t lastUnknown = 0;
    std::int64_t lastUnknownNs = 0; ///< waits of all ranks in these collectives
    std::int64_t causeUnknownWaitNs = 0; ///< waits of all ranks that no single rank caused
    std::int64_t causeUnknownNs = 0; ///< like RankWait::delayNs, for delays that no single rank caused
    /// Number of collectives in which it is known who waited: of `matched`, which summaries do not keep.
    std::int64_t counted = 0;

    /// The rank that caused most waiting (the lowest of several); nullptr if no rank was late.
    const RankWait* straggler() const;
    /// Whether the rank delayed the others by less than 1 % of the window.
    bool isMinor(const RankWait& rank) const { return 100 * rank.delayNs < windowNs; }
    /// Ranks that waited 1 % of the window or more because they arrived early, and clearly longer than the
    /// other ranks did; empty if these are not the minority.
    std::vector<const RankWait*> early() const;
    /// Whether no rank was late, but ranks waited because they arrived early. Then no rank is the straggler.
    bool isOnlyEarly() const { return verdict() == StragglerVerdict::Nobody && !early().empty(); }
    StragglerVerdict verdict() const;
    /// Why the matched collectives do not suffice for a verdict; empty if they do.
    std::string doubt() const;
    /// The verdict as a sentence with its reason.
    std::string verdictText() const;

private:
    std::string nobodyText() const;
    std::string stragglerText(const RankWait& most) const;
    std::string rivalText(const RankWait& most) const;
    std::string earlySentence() const;
};

/// Whether more than a tenth of the calls have no partner, so that the matched calls do not show which rank
/// was late.
bool lacksMatches(const SharedCalls& shared);
/// "8 of 28 calls expected on several ranks could not be matched".
std::string lackingMatchesText(const SharedCalls& shared);

/// Computed once. O(members of the collectives in the window, and calls of the run).
const Arrivals& measureArrivals(Analysis& analysis);
/// Two arrivals that differ by less may have occurred in the opposite order. At least 1 ns, because ties have
/// no order.
std::int64_t arrivalErrorNs(Analysis& analysis);
std::int64_t arrivalErrorNs(const ClockAlignment& clocks, ClockChoice choice);
/// Sets isByDuration, significantNs, significantByClocksNs and orderNs.
void setLimits(const ClockAlignment& clocks, ClockChoice choice, Arrivals& arrivals);

/// The reason why a metric that compares ranks has no value; nullopt if there are two to compare.
std::optional<MetricResult> needsTwoRanks(Analysis& analysis, const Selection& selection);
/// The reason why a metric that needs matched collectives has no value; nullopt if `arrivals` has any.
std::optional<MetricResult> needsArrivals(Analysis& analysis, const Arrivals& arrivals);

/// Adds the clocks used to the inputs, and warnings if the ranks' times cannot be compared: several hosts, no
/// wall clock, or contradictions in the collectives.
void addClockWarnings(Analysis& analysis, const ClockAlignment& clocks, const Arrivals* arrivals,
                      MetricResult& result);

} // namespace collscope
