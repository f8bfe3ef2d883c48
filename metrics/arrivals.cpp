// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/arrivals.h"

#include <algorithm>
#include <set>

namespace collscope {

namespace {

/// Nobody can leave these before everybody has come.
bool waitsForAll(KernelClass kind)
{
    return kind == KernelClass::AllReduce || kind == KernelClass::AllGather
        || kind == KernelClass::ReduceScatter || kind == KernelClass::AllToAll;
}

void checkOrder(const Instance& instance, const std::vector<RankCalls>& ranks, Arrivals& arrivals)
{
    std::int64_t lastBegin = std::numeric_limits<std::int64_t>::min();
    std::int64_t firstEnd = std::numeric_limits<std::int64_t>::max();
    for (const Instance::Member& member : instance.members) {
        const Call& call = ranks[member.rank].calls[member.call];
        if (!waitsForAll(call.kind))
            return;
        lastBegin = std::max(lastBegin, call.range.beginNs);
        firstEnd = std::min(firstEnd, call.range.endNs);
    }
    if (lastBegin - firstEnd <= lateNs)
        return;
    ++arrivals.outOfOrder;
    arrivals.clockErrorNs = std::max(arrivals.clockErrorNs, lastBegin - firstEnd);
}

Arrival arrivalOf(const Instance& instance, const std::vector<RankCalls>& ranks)
{
    const auto beginOf = [&](std::size_t member) {
        const Instance::Member& m = instance.members[member];
        return ranks[m.rank].calls[m.call].range.beginNs;
    };
    Arrival arrival;
    arrival.instance = &instance;
    for (std::size_t i = 1; i < instance.members.size(); ++i) {
        if (beginOf(i) < beginOf(arrival.first))
            arrival.first = i;
        if (beginOf(i) > beginOf(arrival.last))
            arrival.last = i;
    }
    arrival.skewNs = beginOf(arrival.last) - beginOf(arrival.first);
    const Instance::Member& first = instance.members[arrival.first];
    arrival.step = ranks[first.rank].calls[first.call].step;
    return arrival;
}

void addWaits(const Arrival& arrival, const std::vector<RankCalls>& ranks, std::vector<RankWait>& waits)
{
    const auto callOf = [&](const Instance::Member& member) -> const Call& {
        return ranks[member.rank].calls[member.call];
    };
    const Instance::Member& last = arrival.instance->members[arrival.last];
    const std::int64_t lastNs = callOf(last).range.beginNs;
    std::int64_t all = 0;
    for (const Instance::Member& member : arrival.instance->members) {
        const std::int64_t wait = lastNs - callOf(member).range.beginNs;
        waits[member.rank].ownNs += wait;
        ++waits[member.rank].calls;
        all += wait;
    }
    if (arrival.skewNs > lateNs) {
        waits[last.rank].imposedNs += all;
        ++waits[last.rank].timesLast;
    }
}

std::vector<GroupSkew> skewByGroup(const std::vector<Arrival>& matched)
{
    std::map<std::string, GroupSkew> byName;
    for (std::size_t i = 0; i < matched.size(); ++i) {
        GroupSkew& group = byName[matched[i].instance->group];
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

Arrivals measureArrivals(Analysis& analysis)
{
    const std::vector<RankCalls>& ranks = analysis.calls();
    Arrivals arrivals;
    for (const RankCalls& rank : ranks) {
        arrivals.ranks.emplace_back();
        arrivals.ranks.back().rank = rank.rank;
    }
    for (const Instance& instance : analysis.instances().all) {
        if (!instance.inWindow || instance.members.size() < 2)
            continue;
        const Instance::Member& member = instance.members.front();
        const Call& call = ranks[member.rank].calls[member.call];
        if (isPointToPoint(analysis.model(), call)) {
            ++arrivals.pointToPoint;
            continue;
        }
        const auto expected
            = call.groupSize > 0 ? static_cast<std::size_t>(call.groupSize) : instance.members.size();
        arrivals.incomplete += instance.members.size() < expected ? 1 : 0;
        checkOrder(instance, ranks, arrivals);
        arrivals.matched.push_back(arrivalOf(instance, ranks));
        addWaits(arrivals.matched.back(), ranks, arrivals.ranks);
    }
    arrivals.groups = skewByGroup(arrivals.matched);
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
    const Instances& instances = analysis.instances();
    std::string reason = "None of the " + times(calls, "communication call") + " in the window ("
        + selection.window + ") could be matched with the same call of another rank";
    if (calls == 0)
        reason = "No communication kernel ran in the window (" + selection.window + ")";
    else if (!instances.complete)
        reason += ": the trace names no process groups, and several streams communicate";
    else if (instances.mismatched > 0)
        reason += ": " + times(instances.mismatched, "collective")
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
    if (hosts.size() > 1)
        result.warnings.push_back(
            "The ranks ran on " + std::to_string(hosts.size())
            + " hosts, whose clocks differ: times between ranks of different hosts hold "
              "that difference too.");
    if (!wallClock && files.size() > 1)
        result.warnings.emplace_back("Not every file has a wall clock: the ranks are compared as if their "
                                     "files counted from the same moment.");
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
