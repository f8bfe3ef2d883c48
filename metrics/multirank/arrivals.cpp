// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/multirank/arrivals.h"

#include "metrics/multirank/cause_text.h"
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
        , m_delays(arrivals.ranks.size())
    { }

    void add(const Instance& instance)
    {
        const auto members = m_analysis.matching().membersOf(instance);
        Arrival arrival;
        arrival.instance = &instance;
        arrival.times = m_timer.of(instance);
        arrival.origin = members[arrival.times.last].rank;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const Call& call = m_analysis.callOf(members[i]);
            RankWait& wait = m_arrivals.ranks[members[i].rank];
            wait.ownNs += waitOf(arrival, i);
            wait.ownByDurationNs += call.durationNs() - arrival.times.transferNs;
            ++wait.calls;
        }
        const KernelClass kind = m_analysis.callOf(members.front()).kind;
        checkOrder(kind, arrival.times);
        const bool areBeginsKnown = !m_arrivals.isByDuration || waitsForAll(kind); // else by the clocks only
        if (areBeginsKnown && arrival.times.skewNs() > m_arrivals.significantNs)
            blame(arrival, members);
        else if (areBeginsKnown && arrival.times.skewNs() > lateNs)
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

    /// Of a member of the collective that the timer read last.
    std::int64_t waitOf(const Arrival& arrival, std::size_t member) const
    {
        return arrival.times.arrivals.endNs - m_timer.members()[member].beginNs;
    }

    /// Of all but the last one.
    std::int64_t medianWait(const Arrival& arrival) const
    {
        std::vector<double> waits;
        for (std::size_t i = 0; i < m_timer.members().size(); ++i) {
            if (i != arrival.times.last)
                waits.push_back(static_cast<double>(waitOf(arrival, i)));
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

    void blame(Arrival& arrival, std::span<const CallRef> members)
    {
        const std::size_t last = members[arrival.times.last].rank;
        const std::size_t first = members[arrival.times.first].rank;
        // Waiting that the first one did not do as well explains why the last one is behind it.
        Delay& delay = m_delays[last];
        if (2 * (delay.ns - m_delays[first].ns) >= arrival.times.skewNs())
            arrival.origin = delay.origin;
        delay.originNs = 0;
        m_arrivals.ranks[last].imposedNs += arrival.times.waitNs;
        m_arrivals.ranks[arrival.origin].causedNs += arrival.times.waitNs;
        m_arrivals.ranks[arrival.origin].delayNs += medianWait(arrival);
        ++m_arrivals.ranks[last].timesLast;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const std::int64_t waitNs = waitOf(arrival, i);
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
        group.skewNs += matched[i].times.skewNs();
        group.longestNs = std::max(group.longestNs, matched[i].times.skewNs());
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

StragglerVerdict Arrivals::verdict() const
{
    const RankWait* const most = straggler();
    if (!most || isMinor(*most))
        return StragglerVerdict::Nobody;
    std::int64_t others = 0;
    for (const RankWait& rank : ranks)
        others = std::max(others, &rank == most ? 0 : rank.causedNs);
    const bool contradicted = outOfOrder * 5 > static_cast<std::int64_t>(matched.size());
    return most->causedNs >= 2 * others && !contradicted ? StragglerVerdict::OneRank
                                                         : StragglerVerdict::Inconclusive;
}

std::string Arrivals::verdictText() const
{
    const RankWait* const most = straggler();
    if (!most)
        return notSignificant > 0
            ? "Nobody: no rank came later than the clocks can tell (" + timeText(significantNs) + ")."
            : "Nobody: no rank came more than 1 \u00b5s after the first one.";
    const std::string rank = "Rank " + std::to_string(most->rank) + " came last "
        + countText(most->timesLast, "time") + " of " + std::to_string(most->calls) + " and made others wait "
        + timeText(most->causedNs) + " in all"
        + (most->causedNs > most->imposedNs
               ? " (" + timeText(most->imposedNs) + " itself, the rest through ranks that had waited for it)"
               : "");
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
    const std::vector<RankWindows>& windows = analysis.selection().ranks;
    for (const RankWindows& rank : windows)
        arrivals.windowNs += rank.windowNs() / static_cast<std::int64_t>(windows.size());
    ArrivalSums sums(analysis, arrivals);
    for (const Instance* instance : inAxisOrder(analysis, arrivals)) {
        const Call& call = analysis.callOf(analysis.matching().membersOf(*instance).front());
        if (isPointToPoint(analysis.model(), call)) {
            ++arrivals.pointToPoint;
            continue;
        }
        const auto expected
            = call.groupSize > 0 ? static_cast<std::uint32_t>(call.groupSize) : instance->memberCount;
        arrivals.incomplete += instance->memberCount < expected ? 1 : 0;
        sums.add(*instance);
    }
    arrivals.groups = skewByGroup(analysis.matching(), arrivals.matched);
    return arrivals;
}

std::optional<MetricResult> needsTwoRanks(Analysis& analysis, const Selection& selection)
{
    if (selection.failure)
        return selection.failure;
    if (selection.ranks.size() >= 2)
        return std::nullopt;
    const std::string rank = std::to_string(selection.ranks.front().rank);
    const std::size_t present = analysis.model().ranks().size();
    if (analysis.options().rank && present > 1)
        return noValue(selection, MetricState::NotApplicable,
                       "This compares ranks, and one was chosen (rank " + rank + "): ask for all "
                           + std::to_string(present) + ".");
    return noValue(selection, MetricState::NotApplicable,
                   "This compares ranks, and only rank " + rank + " has a timeline in the window ("
                       + selection.window + "). If the run has others, open their traces with it.");
}

std::optional<MetricResult> needsArrivals(Analysis& analysis, const Arrivals& arrivals)
{
    const Selection& selection = analysis.selection();
    if (!arrivals.matched.empty())
        return std::nullopt;
    std::int64_t calls = 0;
    std::int64_t pointToPoint = 0;
    for (const RankCalls& rank : analysis.calls()) {
        for (const Call& call : rank.calls) {
            calls += call.inWindow() ? 1 : 0;
            pointToPoint += call.inWindow() && call.kind == KernelClass::SendRecv ? 1 : 0;
        }
    }
    const Matching& matching = analysis.matching();
    std::string reason = "None of the " + countText(calls, "communication call") + " in the window ("
        + selection.window + ") could be matched with the same call of another rank";
    if (calls == 0)
        reason = "No communication kernel ran in the window (" + selection.window + ")";
    else if (!matching.complete)
        reason += ": the trace names no process groups, and several streams communicate";
    else if (matching.mismatched > 0)
        reason += ": " + countText(matching.mismatched, "collective")
            + " of the run differ in name, type or size "
              "between the ranks";
    else if (pointToPoint == calls)
        reason += ": they are sends and receives, which have no common begin";
    return noValue(selection, MetricState::NotApplicable, reason + ".");
}

void addClockWarnings(Analysis& analysis, const Arrivals* arrivals, MetricResult& result)
{
    std::set<std::string> hosts;
    std::set<SourceId> files;
    bool wallClock = true;
    const std::int64_t perNode = analysis.workload().ranksPerNode.value_or(0);
    for (const RankWindows& rank : analysis.selection().ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            wallClock &= part.timeline->hasWallClock;
            files.insert(part.timeline->source);
            if (part.timeline->host)
                hosts.emplace(analysis.model().text(part.timeline->host));
            else if (perNode > 0) // the card says how the ranks are spread
                hosts.insert("node " + std::to_string(rank.rank / perNode));
        }
    }
    const ClockAlignment& alignment = analysis.run().clocks;
    const ClockChoice choice = analysis.options().clocks;
    result.inputs.push_back(alignment.summary(choice));
    const bool isAligned = alignment.isUsed(choice);
    if (isAligned && alignment.components > 1)
        result.warnings.push_back(
            "The ranks form " + std::to_string(alignment.components)
            + " sets that share no collective: times between the sets are not aligned.");
    if (!isAligned && !alignment.isTrusted && hosts.size() > 1)
        result.warnings.push_back(
            "The ranks ran on " + std::to_string(hosts.size())
            + " hosts, whose clocks differ: times between ranks of different hosts hold "
              "that difference too.");
    if (!isAligned && !alignment.isTrusted && !wallClock && files.size() > 1)
        result.warnings.emplace_back("Not every file has a wall clock: the ranks are compared as if their "
                                     "files counted from the same moment.");
    if (!isAligned && choice == ClockChoice::Raw && alignment.isNeeded)
        result.warnings.push_back(alignment.summary(choice));
    if (arrivals && arrivals->isByDuration)
        result.warnings.emplace_back(
            "The clocks of the ranks fit worse than " + numberText(nsToUs(poorFitNs))
            + " \u00b5s: who waited is judged by durations, each minus the shortest of its collective.");
    if (arrivals && arrivals->notSignificant > 0)
        result.inputs.push_back(countText(arrivals->notSignificant, "collective")
                                + " whose skew is smaller than the clocks can tell ("
                                + numberText(nsToUs(arrivals->significantNs))
                                + " \u00b5s) made nobody late.");
    if (arrivals && arrivals->outOfOrder > 0)
        result.warnings.push_back(
            "In " + std::to_string(arrivals->outOfOrder) + " of "
            + countText(static_cast<std::int64_t>(arrivals->matched.size()), "collective")
            + " a rank left before the last one came, by up to " + numberText(nsToUs(arrivals->clockErrorNs))
            + " \u00b5s, which cannot be: the ranks' clocks are apart, or a file lacks "
              "calls so that the wrong ones were matched. Skews and waits are wrong by at "
              "least as much.");
}

} // namespace collscope
