// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whether one rank makes the others wait: the verdict, and its sentence with the reason.

#include "metrics/causes/arrivals.h"
#include "metrics/causes/cause_text.h"

#include <algorithm>

namespace collscope {

namespace {

/// "rank 3 waited 18.02 ms in 20 collectives (61 % of the window)".
std::string earlyText(const RankWait& rank, std::int64_t windowNs)
{
    return "rank " + std::to_string(rank.rank) + " waited " + timeText(rank.earlyNs) + " in "
        + countText(rank.timesEarly, "collective") + " (" + percentText(rank.earlyNs, windowNs)
        + " of the window)";
}

} // namespace

std::vector<const RankWait*> Arrivals::early() const
{
    std::vector<const RankWait*> found;
    std::int64_t leastNs = std::numeric_limits<std::int64_t>::max();
    std::int64_t othersNs = 0; // longest early wait of one of the other ranks
    for (const RankWait& rank : ranks) {
        if (windowNs > 0 && 100 * rank.earlyNs >= windowNs) {
            found.push_back(&rank);
            leastNs = std::min(leastNs, rank.earlyNs);
        } else {
            othersNs = std::max(othersNs, rank.earlyNs);
        }
    }
    if (2 * found.size() >= ranks.size() || 2 * othersNs > leastNs)
        found.clear(); // different ranks in turn: scatter
    return found;
}

StragglerVerdict Arrivals::verdict() const
{
    if (!doubt().empty())
        return StragglerVerdict::Inconclusive;
    const RankWait* const most = straggler();
    if (!most || isMinor(*most))
        return 100 * causeUnknownNs >= std::max<std::int64_t>(windowNs, 1) ? StragglerVerdict::Inconclusive
                                                                           : StragglerVerdict::Nobody;
    std::int64_t others = 0; // largest wait that another rank may have caused
    for (const RankWait& rank : ranks)
        others = std::max(others, &rank == most ? 0 : rank.causedNs + rank.possiblyCausedNs);
    const bool contradicted = outOfOrder * 5 > counted;
    const bool isAlone = 2 * most->soleNs >= most->causedNs;
    return most->causedNs >= 2 * others && isAlone && !contradicted ? StragglerVerdict::OneRank
                                                                    : StragglerVerdict::Inconclusive;
}

/// Text if no rank was clearly late.
std::string Arrivals::nobodyText() const
{
    const std::string judged = " in " + countText(counted, "collective");
    if (lastUnknown > 0)
        return "in " + std::to_string(lastUnknown) + " of " + countText(counted, "collective")
            + " several ranks arrived last within the clock uncertainty (" + timeText(orderNs)
            + "), with waits of " + timeText(lastUnknownNs) + " in total";
    return (notSignificant > 0 ? "no rank was late by more than the clock uncertainty ("
                    + timeText(significantByClocksNs) + ")"
                               : std::string("no rank arrived more than 1 \u00b5s after the first"))
        + judged;
}

std::string Arrivals::stragglerText(const RankWait& most) const
{
    return "rank " + std::to_string(most.rank) + " arrived last in " + std::to_string(most.timesLast) + " of "
        + countText(most.calls, "collective") + " and made other ranks wait " + timeText(most.causedNs)
        + " in total"
        + (most.causedNs > most.imposedNs
               ? " (" + timeText(most.imposedNs) + " directly, the rest through ranks that had waited for it)"
               : "");
}

/// Why this rank is not the only cause of the waits.
std::string Arrivals::rivalText(const RankWait& most) const
{
    const RankWait* second = nullptr;
    for (const RankWait& other : ranks) {
        if (&other != &most && (!second || other.causedNs > second->causedNs))
            second = &other;
    }
    if (second && most.causedNs < 2 * second->causedNs)
        return "rank " + std::to_string(second->rank) + " caused waits of " + timeText(second->causedNs);
    const bool mayBeOther = std::any_of(ranks.begin(), ranks.end(), [&](const RankWait& other) {
        return &other != &most && most.causedNs < 2 * (other.causedNs + other.possiblyCausedNs);
    });
    if (mayBeOther)
        return nobodyText();
    if (2 * most.soleNs < most.causedNs)
        return "other ranks were late too: without this rank alone, the waits would have been only "
            + timeText(most.soleNs) + " shorter";
    return "in " + std::to_string(outOfOrder) + " of " + std::to_string(counted)
        + " collectives the ranks' times contradict each other";
}

/// Describes the waits of early ranks if no rank was late; empty if no particular rank waited.
std::string Arrivals::earlySentence() const
{
    const std::vector<const RankWait*> ranksEarly = early();
    if (ranksEarly.empty())
        return {};
    constexpr std::size_t mostNamed = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(mostNamed, ranksEarly.size()); ++i)
        text += (i > 0 ? ", " : "") + earlyText(*ranksEarly[i], windowNs);
    if (ranksEarly.size() > mostNamed)
        text += ", and " + countText(static_cast<std::int64_t>(ranksEarly.size() - mostNamed), "more rank")
            + " waited likewise";
    return "No rank was late, but " + text
        + " for the other ranks, which arrived later and together. Early ranks may have less work, or the "
          "other ranks may all have been delayed.";
}

std::string Arrivals::verdictText() const
{
    const RankWait* const most = straggler();
    const std::string why = doubt();
    if (!why.empty())
        return "Inconclusive: " + (most ? stragglerText(*most) : nobodyText()) + ", but " + why + ".";
    const bool isNobody = !most || isMinor(*most);
    if (verdict() == StragglerVerdict::Inconclusive)
        return "Inconclusive: "
            + (isNobody ? nobodyText() : stragglerText(*most) + ", but " + rivalText(*most)) + ".";
    if (!isNobody)
        return "Straggler: " + stragglerText(*most) + ".";
    if (std::string early = earlySentence(); !early.empty())
        return early;
    if (most)
        return "No straggler: " + stragglerText(*most) + ", but delayed the median of the ranks by only "
            + timeText(most->delayNs) + ", less than 1 % of the window (" + timeText(windowNs) + ").";
    const std::int64_t untold = byOrderAlone + withoutRoot + lacking;
    return "No straggler: " + nobodyText()
        + (lastUnknown > 0 ? ", which delayed the median of the ranks by " + timeText(causeUnknownNs)
                   + ", less than 1 % of the window (" + timeText(windowNs) + ")"
                           : "")
        + (untold > 0 ? "; waiting time cannot be attributed in " + std::to_string(untold) + " more." : ".");
}

} // namespace collscope
