// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/arrivals.h"

#include <algorithm>
#include <set>

namespace collscope {

namespace {

void checkOrder(Analysis& analysis, const Instance& instance, Arrivals& arrivals)
{
    std::int64_t lastBegin = std::numeric_limits<std::int64_t>::min();
    std::int64_t firstEnd = std::numeric_limits<std::int64_t>::max();
    for (const CallRef member : analysis.matching().membersOf(instance)) {
        const Call& call = analysis.callOf(member);
        if (!waitsForAll(call.kind))
            return;
        const TimeRange range = analysis.onAxis(call);
        lastBegin = std::max(lastBegin, range.beginNs);
        firstEnd = std::min(firstEnd, range.endNs);
    }
    if (lastBegin - firstEnd <= arrivals.significantNs)
        return;
    ++arrivals.outOfOrder;
    arrivals.clockErrorNs = std::max(arrivals.clockErrorNs, lastBegin - firstEnd);
}

/// Adds the arrivals of one collective, and the waits they mean.
void addArrival(Analysis& analysis, const Instance& instance, Arrivals& arrivals)
{
    const auto members = analysis.matching().membersOf(instance);
    std::vector<std::int64_t> begins;
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
    for (const CallRef member : members) {
        begins.push_back(analysis.onAxis(analysis.callOf(member)).beginNs);
        shortest = std::min(shortest, analysis.callOf(member).durationNs());
    }
    Arrival arrival;
    arrival.instance = &instance;
    for (std::size_t i = 1; i < begins.size(); ++i) {
        if (begins[i] < begins[arrival.first])
            arrival.first = i;
        if (begins[i] > begins[arrival.last])
            arrival.last = i;
    }
    const std::int64_t lastNs = begins[arrival.last];
    arrival.skewNs = lastNs - begins[arrival.first];
    arrival.step = analysis.callOf(members[arrival.first]).step;
    arrival.aheadOfLastNs = arrival.skewNs;
    std::int64_t all = 0;
    for (std::size_t i = 0; i < begins.size(); ++i) {
        RankWait& wait = arrivals.ranks[members[i].rank];
        wait.ownNs += lastNs - begins[i];
        wait.ownByDurationNs += analysis.callOf(members[i]).durationNs() - shortest;
        ++wait.calls;
        all += lastNs - begins[i];
        if (i != arrival.last)
            arrival.aheadOfLastNs = std::min(arrival.aheadOfLastNs, lastNs - begins[i]);
    }
    if (arrival.skewNs > arrivals.significantNs) {
        arrivals.ranks[members[arrival.last].rank].imposedNs += all;
        ++arrivals.ranks[members[arrival.last].rank].timesLast;
        ++arrivals.ranks[members[arrival.first].rank].timesFirst;
    } else if (arrival.skewNs > lateNs) {
        ++arrivals.notSignificant;
    }
    arrivals.matched.push_back(arrival);
}

std::vector<GroupSkew> skewByGroup(const Matching& matching, const std::vector<Arrival>& matched)
{
    std::map<std::string, GroupSkew> byName;
    for (std::size_t i = 0; i < matched.size(); ++i) {
        GroupSkew& group = byName[matching.groupOf(*matched[i].instance).text];
        group.skewNs += matched[i].skewNs;
        group.longestNs = std::max(group.longestNs, matched[i].skewNs);
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

std::string times(std::int64_t count, const char* what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

} // namespace

const RankWait* Arrivals::straggler() const
{
    const RankWait* most = nullptr;
    for (const RankWait& rank : ranks) {
        if (rank.imposedNs > (most ? most->imposedNs : 0))
            most = &rank;
    }
    return most;
}

StragglerVerdict Arrivals::verdict() const
{
    const RankWait* const most = straggler();
    if (!most)
        return StragglerVerdict::Nobody;
    std::int64_t others = 0;
    for (const RankWait& rank : ranks)
        others = std::max(others, &rank == most ? 0 : rank.imposedNs);
    const bool contradicted = outOfOrder * 5 > static_cast<std::int64_t>(matched.size());
    return most->imposedNs >= 2 * others && !contradicted ? StragglerVerdict::OneRank
                                                          : StragglerVerdict::Inconclusive;
}

std::string Arrivals::verdictText() const
{
    const RankWait* const most = straggler();
    if (!most)
        return notSignificant > 0 ? "Nobody: no rank came later than the clocks can tell ("
                + numberText(nsToUs(significantNs)) + " \u00b5s)."
                                  : "Nobody: no rank came more than 1 \u00b5s after the first one.";
    const std::string rank = "Rank " + std::to_string(most->rank) + " came last "
        + times(most->timesLast, "time") + " of " + std::to_string(most->calls) + " and made the others wait "
        + numberText(nsToUs(most->imposedNs)) + " \u00b5s in all";
    if (verdict() == StragglerVerdict::OneRank)
        return rank + ".";
    const RankWait* second = nullptr;
    for (const RankWait& other : ranks) {
        if (&other != most && (!second || other.imposedNs > second->imposedNs))
            second = &other;
    }
    if (second && most->imposedNs < 2 * second->imposedNs)
        return "Inconclusive: " + rank + ", but rank " + std::to_string(second->rank) + " "
            + numberText(nsToUs(second->imposedNs)) + " \u00b5s.";
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
    arrivals.significantNs = std::max(lateNs, analysis.run().clocks.significantNs(analysis.options().clocks));
    const Matching& matching = analysis.matching();
    for (const Instance& instance : matching.instances) {
        if (instance.memberCount < 2 || !analysis.isInWindow(instance))
            continue;
        const Call& call = analysis.callOf(matching.membersOf(instance).front());
        if (isPointToPoint(analysis.model(), call)) {
            ++arrivals.pointToPoint;
            continue;
        }
        const auto expected
            = call.groupSize > 0 ? static_cast<std::uint32_t>(call.groupSize) : instance.memberCount;
        arrivals.incomplete += instance.memberCount < expected ? 1 : 0;
        checkOrder(analysis, instance, arrivals);
        addArrival(analysis, instance, arrivals);
    }
    arrivals.groups = skewByGroup(matching, arrivals.matched);
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
    std::string reason = "None of the " + times(calls, "communication call") + " in the window ("
        + selection.window + ") could be matched with the same call of another rank";
    if (calls == 0)
        reason = "No communication kernel ran in the window (" + selection.window + ")";
    else if (!matching.complete)
        reason += ": the trace names no process groups, and several streams communicate";
    else if (matching.mismatched > 0)
        reason += ": " + times(matching.mismatched, "collective")
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
    if (arrivals && arrivals->notSignificant > 0)
        result.inputs.push_back(times(arrivals->notSignificant, "collective")
                                + " whose skew is smaller than the clocks can tell ("
                                + numberText(nsToUs(arrivals->significantNs))
                                + " \u00b5s) made nobody late.");
    if (arrivals && arrivals->outOfOrder > 0)
        result.warnings.push_back(
            "In " + std::to_string(arrivals->outOfOrder) + " of "
            + times(static_cast<std::int64_t>(arrivals->matched.size()), "collective")
            + " a rank left before the last one came, by up to " + numberText(nsToUs(arrivals->clockErrorNs))
            + " \u00b5s, which cannot be: the ranks' clocks are apart, or a file lacks "
              "calls so that the wrong ones were matched. Skews and waits are wrong by at "
              "least as much.");
}

} // namespace collscope
