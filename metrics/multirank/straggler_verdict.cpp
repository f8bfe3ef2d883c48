// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whether one rank makes the others wait, in a word and as a sentence with its reason.

#include "metrics/multirank/arrivals.h"
#include "metrics/multirank/cause_text.h"

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
    std::int64_t othersNs = 0; // the most that one of the others waited for having come early
    for (const RankWait& rank : ranks) {
        if (windowNs > 0 && 100 * rank.earlyNs >= windowNs) {
            found.push_back(&rank);
            leastNs = std::min(leastNs, rank.earlyNs);
        } else {
            othersNs = std::max(othersNs, rank.earlyNs);
        }
    }
    if (2 * found.size() >= ranks.size() || 2 * othersNs > leastNs)
        found.clear(); // now this one, now that one: scatter
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
    std::int64_t others = 0; // what one of them may have caused, at most
    for (const RankWait& rank : ranks)
        others = std::max(others, &rank == most ? 0 : rank.causedNs + rank.maybeCausedNs);
    const bool contradicted = outOfOrder * 5 > static_cast<std::int64_t>(matched.size());
    const bool isAlone = 2 * most->soleNs >= most->causedNs;
    return most->causedNs >= 2 * others && isAlone && !contradicted ? StragglerVerdict::OneRank
                                                                    : StragglerVerdict::Inconclusive;
}

/// Where no rank was clearly late.
std::string Arrivals::nobodyText() const
{
    const std::string judged = " in " + countText(static_cast<std::int64_t>(matched.size()), "collective");
    if (lastUnknown > 0)
        return "in " + std::to_string(lastUnknown) + " of "
            + countText(static_cast<std::int64_t>(matched.size()), "collective")
            + " several ranks came last within what the clocks can tell (" + timeText(orderNs)
            + "), and all waited " + timeText(lastUnknownNs) + " there together";
    return (notSignificant > 0
                ? "no rank came later than the clocks can tell (" + timeText(significantByClocksNs) + ")"
                : std::string("no rank came more than 1 \u00b5s after the first one"))
        + judged;
}

std::string Arrivals::stragglerText(const RankWait& most) const
{
    return "Rank " + std::to_string(most.rank) + " came last " + countText(most.timesLast, "time") + " of "
        + std::to_string(most.calls) + " and made others wait " + timeText(most.causedNs) + " in all"
        + (most.causedNs > most.imposedNs
               ? " (" + timeText(most.imposedNs) + " itself, the rest through ranks that had waited for it)"
               : "");
}

/// Why it is not this rank alone that the others wait for.
std::string Arrivals::rivalText(const RankWait& most) const
{
    const RankWait* second = nullptr;
    for (const RankWait& other : ranks) {
        if (&other != &most && (!second || other.causedNs > second->causedNs))
            second = &other;
    }
    if (second && most.causedNs < 2 * second->causedNs)
        return "rank " + std::to_string(second->rank) + " " + timeText(second->causedNs);
    const bool mayBeOther = std::any_of(ranks.begin(), ranks.end(), [&](const RankWait& other) {
        return &other != &most && most.causedNs < 2 * (other.causedNs + other.maybeCausedNs);
    });
    if (mayBeOther)
        return nobodyText();
    if (2 * most.soleNs < most.causedNs)
        return "others came late too: without it alone they would have waited only " + timeText(most.soleNs)
            + " less";
    return "in " + std::to_string(outOfOrder) + " of " + std::to_string(matched.size())
        + " collectives the ranks' times contradict each other";
}

/// Who waited for whom where nobody is to blame; empty if no rank in particular waited.
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
        text += ", and " + std::to_string(ranksEarly.size() - mostNamed) + " more ranks likewise";
    return "Nobody was late, but " + text
        + " for the others, which came later and together. Early ranks may have less to do, or the others "
          "may have been held up alike.";
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
        return stragglerText(*most) + ".";
    if (std::string early = earlySentence(); !early.empty())
        return early;
    if (most)
        return "Nobody: " + stragglerText(*most) + ", but held the median of them up by "
            + timeText(most->delayNs) + ", less than 1 % of the " + timeText(windowNs) + " of the window.";
    const std::int64_t untold = byOrderAlone + withoutRoot + lacking;
    return "Nobody: " + nobodyText()
        + (lastUnknown > 0 ? ", which held the median of them up by " + timeText(causeUnknownNs)
                   + ", less than 1 % of the " + timeText(windowNs) + " of the window"
                           : "")
        + (untold > 0 ? "; " + std::to_string(untold) + " more do not tell who waited." : ".");
}

} // namespace collscope
