// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/multirank/arrivals.h"

#include "metrics/multirank/cause_text.h"
#include "metrics/multirank/handed_work.h"
#include "metrics/statistics.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace collscope {

namespace {

/// Arrivals of the collectives one after the other, and the waits they mean.
class ArrivalSums
{
public:
    ArrivalSums(Analysis& analysis, Arrivals& arrivals)
        : m_analysis(analysis)
        , m_arrivals(arrivals)
        , m_timer(analysis.timer(arrivals.isByDuration))
        , m_stages(analysis.model(), analysis.calls(), analysis.matching())
        , m_delays(arrivals.ranks.size())
    { }

    void add(const Instance& instance)
    {
        const auto members = m_analysis.matching().membersOf(instance);
        Arrival arrival;
        arrival.instance = &instance;
        arrival.times = m_timer.of(instance);
        arrival.origin = members[arrival.times.awaited].rank;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const Call& call = m_analysis.callOf(members[i]);
            RankWait& wait = m_arrivals.ranks[members[i].rank];
            wait.ownNs += m_timer.waits()[i];
            if (waitsForAll(call.kind) || m_timer.waits()[i] > 0)
                wait.ownByDurationNs += call.durationNs() - arrival.times.transferNs;
            ++wait.calls;
        }
        const KernelClass kind = m_analysis.callOf(members.front()).kind;
        checkOrder(kind, arrival.times);
        const std::int64_t significantNs
            = waitsForAll(kind) ? m_arrivals.significantNs : m_arrivals.significantByClocksNs;
        if (m_stages.handWorkOn(members)) {
            ++m_arrivals.staged;
            arrival.isStaged = true;
        } else if (arrival.times.heldNs > significantNs)
            blame(arrival, members, kind);
        else if (arrival.times.heldNs > lateNs)
            ++m_arrivals.notSignificant;
        m_arrivals.matched.push_back(arrival);
    }

private:
    /// How long a rank has waited so far, and for whom: small waits do not hide the large one before them.
    struct Delay
    {
        std::int64_t ns = 0;
        std::size_t origin = 0;
        std::int64_t originNs = 0; ///< the wait that `origin` is about; 0 once it was passed on
    };

    /// Of all but the one that was waited for.
    std::int64_t medianWait(const Arrival& arrival) const
    {
        std::vector<double> waits;
        for (std::size_t i = 0; i < m_timer.waits().size(); ++i) {
            if (i != arrival.times.awaited)
                waits.push_back(static_cast<double>(m_timer.waits()[i]));
        }
        return std::llround(medianOf(std::move(waits)));
    }

    void checkOrder(KernelClass kind, const CollectiveTimes& times)
    {
        if (!waitsForAll(kind) || times.contradictionNs() <= m_arrivals.significantNs)
            return;
        ++m_arrivals.outOfOrder;
        m_arrivals.clockErrorNs = std::max(m_arrivals.clockErrorNs, times.contradictionNs());
    }

    /// How long a rank waits in the collective that was read last; 0 where it takes no part. Who waits for
    /// others there does not hold them up.
    std::int64_t waitOf(std::size_t rank, std::span<const CallRef> members) const
    {
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (members[i].rank == rank)
                return m_timer.waits()[i];
        }
        return 0;
    }

    /// Whether a rank came late only because it had waited for `origin`.
    bool isHeldUpBy(std::size_t origin, std::size_t rank, std::int64_t lateNs, std::size_t first) const
    {
        const Delay& delay = m_delays[rank];
        return rank == origin
            || (delay.origin == origin && 2 * (delay.ns - m_delays[first].ns) >= lateNs && lateNs > 0);
    }

    /// What the others would have waited less without the rank that this lateness comes from: up to the next
    /// one that was late for another reason.
    std::int64_t soleWaitNs(const Arrival& arrival, std::span<const CallRef> members, KernelClass kind) const
    {
        const std::vector<TimeRange>& times = m_timer.members();
        const std::size_t first = members[arrival.times.longest].rank;
        std::int64_t leadNs = arrival.times.heldNs;
        for (std::size_t i = 0; i < members.size() && waitsForAll(kind); ++i) {
            const std::int64_t lateNs = m_timer.lateness()[i];
            if (i != arrival.times.awaited && !isHeldUpBy(arrival.origin, members[i].rank, lateNs, first))
                leadNs = std::min(leadNs, arrival.times.arrivals.endNs - times[i].beginNs);
        }
        std::int64_t sum = 0;
        for (const std::int64_t waitNs : m_timer.waits())
            sum += std::min(waitNs, leadNs);
        return sum;
    }

    void blame(Arrival& arrival, std::span<const CallRef> members, KernelClass kind)
    {
        const std::size_t last = members[arrival.times.awaited].rank;
        const std::size_t first = members[arrival.times.longest].rank;
        // Waiting that the first one did not do as well explains why the last one is behind it.
        Delay& delay = m_delays[last];
        if (2 * (delay.ns - m_delays[first].ns) >= arrival.times.heldNs
            && waitOf(delay.origin, members) <= m_arrivals.significantNs)
            arrival.origin = delay.origin;
        m_arrivals.ranks[arrival.origin].soleNs += soleWaitNs(arrival, members, kind);
        delay.originNs = 0;
        m_arrivals.ranks[last].imposedNs += arrival.times.waitNs;
        m_arrivals.ranks[arrival.origin].causedNs += arrival.times.waitNs - waitOf(arrival.origin, members);
        m_arrivals.ranks[arrival.origin].delayNs += medianWait(arrival);
        ++m_arrivals.ranks[last].timesLast;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const std::int64_t waitNs = m_timer.waits()[i];
            Delay& own = m_delays[members[i].rank];
            own.ns += waitNs;
            if (waitNs > m_arrivals.significantNs && 2 * waitNs >= own.originNs) {
                own.origin = arrival.origin;
                own.originNs = waitNs;
            }
        }
    }

    Analysis& m_analysis;
    Arrivals& m_arrivals;
    CollectiveTimer m_timer;
    HandedWork m_stages;
    std::vector<Delay> m_delays; ///< by rank
};

/// The collectives of several ranks in the window, by the arrival of their last rank on the common axis: what
/// delays a rank comes before what it delays.
std::vector<const Instance*> inAxisOrder(Analysis& analysis, const Arrivals& arrivals)
{
    std::vector<std::pair<std::int64_t, const Instance*>> order;
    CollectiveTimer timer = analysis.timer(arrivals.isByDuration);
    for (const Instance* instance : analysis.instancesInWindow()) {
        if (instance->memberCount >= 2)
            order.emplace_back(timer.of(*instance).arrivals.endNs, instance);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<const Instance*> instances;
    instances.reserve(order.size());
    for (const auto& [beginNs, instance] : order)
        instances.push_back(instance);
    return instances;
}

std::vector<GroupSkew> skewByGroup(const Matching& matching, const std::vector<Arrival>& matched)
{
    std::map<std::string, GroupSkew> byName;
    for (std::size_t i = 0; i < matched.size(); ++i) {
        GroupSkew& group = byName[matching.groupOf(*matched[i].instance).text];
        group.skewNs += matched[i].times.heldNs;
        group.longestNs = std::max(group.longestNs, matched[i].times.heldNs);
        group.arrivals.push_back(i);
    }
    std::vector<GroupSkew> groups;
    for (auto& [name, group] : byName) {
        group.group = name;
        groups.push_back(std::move(group));
    }
    std::stable_sort(groups.begin(), groups.end(),
                     [](const GroupSkew& a, const GroupSkew& b) { return a.skewNs > b.skewNs; });
    return groups;
}

} // namespace

const RankWait* Arrivals::straggler() const
{
    const RankWait* most = nullptr;
    for (const RankWait& rank : ranks) {
        if (rank.causedNs > (most ? most->causedNs : 0))
            most = &rank;
    }
    return most;
}

std::string Arrivals::doubt() const
{
    const auto judged = static_cast<std::int64_t>(matched.size());
    if (10 * shared.unmatched > shared.all)
        return std::to_string(shared.unmatched) + " of " + countText(shared.all, "call")
            + " that several ranks should share could not be matched";
    if (2 * staged >= judged && staged > 0)
        return std::to_string(staged) + " of " + countText(judged, "collective")
            + " join ranks that hand work to each other by sends and receives, and the order of that "
              "can decide who comes last";
    const std::int64_t hidden = incomplete + shared.othersNotLoaded;
    if (hidden > 0 && 2 * hidden >= judged + shared.othersNotLoaded)
        return std::to_string(hidden) + " of " + countText(judged + shared.othersNotLoaded, "collective")
            + " have ranks whose traces are not loaded or not in this window, which may be the ones "
              "that came last";
    return {};
}

StragglerVerdict Arrivals::verdict() const
{
    if (!doubt().empty())
        return StragglerVerdict::Inconclusive;
    const RankWait* const most = straggler();
    if (!most || isMinor(*most))
        return StragglerVerdict::Nobody;
    std::int64_t others = 0;
    for (const RankWait& rank : ranks)
        others = std::max(others, &rank == most ? 0 : rank.causedNs);
    const bool contradicted = outOfOrder * 5 > static_cast<std::int64_t>(matched.size());
    const bool isAlone = 2 * most->soleNs >= most->causedNs;
    return most->causedNs >= 2 * others && isAlone && !contradicted ? StragglerVerdict::OneRank
                                                                    : StragglerVerdict::Inconclusive;
}

std::string Arrivals::verdictText() const
{
    const RankWait* const most = straggler();
    const std::string why = doubt();
    if (!most) {
        const std::int64_t untold = byOrderAlone + withoutRoot + lacking;
        const std::string judged
            = " in " + countText(static_cast<std::int64_t>(matched.size()), "collective");
        const std::string late = notSignificant > 0
            ? "no rank came later than the clocks can tell (" + timeText(significantByClocksNs) + ")"
            : "no rank came more than 1 \u00b5s after the first one";
        if (!why.empty())
            return "Inconclusive: " + late + judged + ", but " + why + ".";
        return "Nobody: " + late
            + (untold > 0 ? judged + "; " + std::to_string(untold) + " more do not tell who waited." : ".");
    }
    const std::string rank = "Rank " + std::to_string(most->rank) + " came last "
        + countText(most->timesLast, "time") + " of " + std::to_string(most->calls) + " and made others wait "
        + timeText(most->causedNs) + " in all"
        + (most->causedNs > most->imposedNs
               ? " (" + timeText(most->imposedNs) + " itself, the rest through ranks that had waited for it)"
               : "");
    if (!why.empty())
        return "Inconclusive: " + rank + ", but " + why + ".";
    if (isMinor(*most))
        return "Nobody: " + rank + ", but held the median of them up by " + timeText(most->delayNs)
            + ", less than 1 % of the " + timeText(windowNs) + " of the window.";
    if (verdict() == StragglerVerdict::OneRank)
        return rank + ".";
    const RankWait* second = nullptr;
    for (const RankWait& other : ranks) {
        if (&other != most && (!second || other.causedNs > second->causedNs))
            second = &other;
    }
    if (second && most->causedNs < 2 * second->causedNs)
        return "Inconclusive: " + rank + ", but rank " + std::to_string(second->rank) + " "
            + timeText(second->causedNs) + ".";
    if (2 * most->soleNs < most->causedNs)
        return "Inconclusive: " + rank + ", but others came late too: without it alone they would have "
            + "waited only " + timeText(most->soleNs) + " less.";
    return "Inconclusive: " + rank + ", but in " + std::to_string(outOfOrder) + " of "
        + std::to_string(matched.size()) + " collectives the ranks' times contradict each other.";
}

Arrivals measureArrivals(Analysis& analysis)
{
    Arrivals arrivals;
    for (const RankCalls& rank : analysis.calls()) {
        arrivals.ranks.emplace_back();
        arrivals.ranks.back().rank = rank.rank;
    }
    const ClockChoice choice = analysis.options().clocks;
    const ClockAlignment& clocks = analysis.run().clocks;
    arrivals.isByDuration = clocks.fitsPoorly(choice);
    arrivals.significantNs = arrivals.isByDuration ? lateNs : clocks.significantNs(choice);
    arrivals.significantByClocksNs = arrivals.isByDuration
        ? std::max(arrivals.significantNs, 2 * clocks.residualOf(choice))
        : arrivals.significantNs;
    arrivals.shared = countShared(analysis.model(), analysis.calls(), analysis.matching());
    const std::vector<RankWindows>& windows = analysis.communicating().ranks;
    for (const RankWindows& rank : windows)
        arrivals.windowNs += rank.windowNs() / static_cast<std::int64_t>(windows.size());
    ArrivalSums sums(analysis, arrivals);
    CollectiveTimer timer = analysis.timer(arrivals.isByDuration);
    for (const Instance* instance : inAxisOrder(analysis, arrivals)) {
        const Call& call = analysis.callOf(analysis.matching().membersOf(*instance).front());
        if (isPointToPoint(analysis.model(), call)) {
            ++arrivals.pointToPoint;
            continue;
        }
        if (instance->confidence == MatchConfidence::OrderAlone) {
            ++arrivals.byOrderAlone;
            continue;
        }
        if (instance->absent > 0) {
            ++arrivals.lacking;
            continue;
        }
        if (!timer.of(*instance).tellsWaits) {
            ++arrivals.withoutRoot;
            continue;
        }
        arrivals.incomplete += instance->isWhole ? 0 : 1;
        sums.add(*instance);
    }
    arrivals.groups = skewByGroup(analysis.matching(), arrivals.matched);
    return arrivals;
}

} // namespace collscope
