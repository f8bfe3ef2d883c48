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
        if (arrival.times.heldNs > significantNs)
            blame(arrival, members);
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

    void blame(Arrival& arrival, std::span<const CallRef> members)
    {
        const std::size_t last = members[arrival.times.awaited].rank;
        const std::size_t first = members[arrival.times.longest].rank;
        // Waiting that the first one did not do as well explains why the last one is behind it.
        Delay& delay = m_delays[last];
        if (2 * (delay.ns - m_delays[first].ns) >= arrival.times.heldNs
            && waitOf(delay.origin, members) <= m_arrivals.significantNs)
            arrival.origin = delay.origin;
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

/// Why most unmatched calls of the window are so; nullopt if there are none.
std::optional<UnmatchedReason> commonReason(Analysis& analysis)
{
    std::map<UnmatchedReason, std::int64_t> counts;
    for (const Unmatched& unmatched : analysis.matching().unmatched)
        counts[unmatched.reason] += analysis.callOf(unmatched.call).inWindow() ? 1 : 0;
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most != counts.end() && most->second > 0 ? std::optional(most->first) : std::nullopt;
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
    const std::int64_t hidden = incomplete + shared.othersNotLoaded;
    if (hidden > 0 && 2 * hidden >= judged + shared.othersNotLoaded)
        return std::to_string(hidden) + " of " + countText(judged + shared.othersNotLoaded, "collective")
            + " have ranks whose traces are not loaded, which may be the ones that came last";
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
    return most->causedNs >= 2 * others && !contradicted ? StragglerVerdict::OneRank
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
    const Selection& selection = analysis.communicating();
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
    const auto why = commonReason(analysis);
    const bool isAmbiguous = !matching.complete && why == UnmatchedReason::Ambiguous;
    std::string reason = "None of the " + countText(calls, "communication call") + " in the window ("
        + selection.window + ") could be matched with the same call of another rank";
    if (calls == 0)
        reason = std::string(selection.isOfCpu ? "No collective of a CPU backend began"
                                               : "No communication kernel ran")
            + " in the window (" + selection.window + ")";
    else if (arrivals.byOrderAlone > 0)
        reason = "Nothing but their order matches " + countText(arrivals.byOrderAlone, "collective")
            + " of the window (" + selection.window
            + "): the moments at which they ended do not confirm it, so that "
              "nobody can be said to have waited";
    else if (arrivals.lacking > 0)
        reason = "Of all " + countText(arrivals.lacking, "collective") + " of the window (" + selection.window
            + ") that several ranks share, a rank whose trace is there has no such call: it may be the one "
              "that came last, so that nobody can be said to have waited";
    else if (arrivals.withoutRoot > 0)
        reason = "The trace does not say the root of " + countText(arrivals.withoutRoot, "collective")
            + " of the window (" + selection.window
            + ") that has one (broadcast, reduce), so that nobody can be said to have waited";
    else if (arrivals.shared.unmatched == 0 && arrivals.shared.othersNotLoaded > 0)
        reason += ": the traces of the other ranks of their groups are not loaded";
    else if (!matching.complete && !isAmbiguous)
        reason += selection.isOfCpu
            ? ": the trace lists several process groups and does not say which of them a call is in"
            : ": the trace names no process groups, several streams communicate, and no calls of other "
              "ranks ended when they did";
    else if (matching.mismatched > 0 && !isAmbiguous)
        reason += ": " + countText(matching.mismatched, "collective")
            + " of the run differ in name, type or size "
              "between the ranks";
    else if (pointToPoint == calls && !isAmbiguous)
        reason += ": they are sends and receives, which have no common begin";
    else if (why)
        reason += ": " + std::string(unmatchedReasonText(*why));
    return noValue(selection, MetricState::NotApplicable, reason + ".");
}

void addClockWarnings(Analysis& analysis, const Arrivals* arrivals, MetricResult& result)
{
    std::set<std::string> hosts;
    std::set<SourceId> files;
    bool wallClock = true;
    const std::int64_t perNode = analysis.workload().ranksPerNode.value_or(0);
    for (const RankWindows& rank : analysis.communicating().ranks) {
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
    if (arrivals && arrivals->byOrderAlone > 0)
        result.warnings.push_back(
            countText(arrivals->byOrderAlone, "collective")
            + " left out: nothing but their order matches them, and the moments at which "
              "they ended do not confirm it.");
    if (arrivals && arrivals->lacking > 0)
        result.inputs.push_back(countText(arrivals->lacking, "collective")
                                + " left out: a rank whose trace is there has no such call, and may be the "
                                  "one that came last.");
    if (arrivals && arrivals->withoutRoot > 0)
        result.inputs.push_back(countText(arrivals->withoutRoot, "collective")
                                + " left out: a root that leaves early makes nobody wait, and the trace does "
                                  "not say which rank it is.");
    if (arrivals && arrivals->notSignificant > 0)
        result.inputs.push_back(countText(arrivals->notSignificant, "collective")
                                + " whose skew is smaller than the clocks can tell ("
                                + numberText(nsToUs(arrivals->significantByClocksNs))
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
