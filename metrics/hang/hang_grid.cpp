// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hang/hang_grid.h"

#include "metrics/hang/hang_text.h"
#include "model/text/wall_clock_text.h"

#include <algorithm>
#include <array>
#include <set>

namespace collscope {

namespace {

std::set<std::uint32_t> namedRanks(const HangCase& own)
{
    std::set<std::uint32_t> named;
    for (const HangFinding& finding : own.findings) {
        named.insert(finding.accused.begin(), finding.accused.end());
        named.insert(finding.candidates.begin(), finding.candidates.end());
    }
    return named;
}

/// How many waits lead from each rank to one that is named: 1 = it waits for one. 0 = none leads there, or it
/// is named itself. `next`: the rank that is waited for, and where.
struct Distances
{
    std::vector<std::size_t> distance;
    std::vector<WaitStep> next;
};

Distances distancesOf(const HangCase& own)
{
    const auto ranks = static_cast<std::uint32_t>(own.job.ranks().size());
    Distances found{std::vector<std::size_t>(ranks), std::vector<WaitStep>(ranks)};
    const WaitSources sources = waitSourcesOf(own.graph);
    const std::set<std::uint32_t> named = namedRanks(own);
    std::vector<bool> isSeen(ranks), isPassed(own.graph.points.size());
    std::vector<std::uint32_t> queue(named.begin(), named.end());
    for (const std::uint32_t rank : queue)
        isSeen[rank] = true;
    const auto pass = [&](std::uint32_t point, std::uint32_t target, std::size_t distance) {
        if (isPassed[point])
            return;
        isPassed[point] = true;
        for (const std::uint32_t rank : sources.waiting[point]) {
            if (isSeen[rank])
                continue;
            isSeen[rank] = true;
            found.distance[rank] = distance;
            found.next[rank] = {rank, point, target};
            queue.push_back(rank);
        }
    };
    // A call that cannot end is an end of waits by itself.
    for (const HangFinding& finding : own.findings) {
        if (finding.mismatch || finding.accused.empty())
            pass(finding.point, HangJob::noIndex, 1);
    }
    for (std::size_t i = 0; i < queue.size(); ++i) {
        for (const std::uint32_t point : sources.leadsTo[queue[i]])
            pass(point, queue[i], found.distance[queue[i]] + 1);
    }
    return found;
}

HangCell cellOf(const HangCase& own, std::uint32_t rank, std::uint32_t group, std::int64_t number)
{
    switch (own.job.stageOf(rank, group, number)) {
    case CallStage::NotCalled:
        return HangCell::NotCalled;
    case CallStage::Inside:
        return HangCell::Inside;
    case CallStage::Completed:
        return HangCell::Done;
    case CallStage::Unknown:
        return HangCell::Unknown;
    case CallStage::Pending:
        break;
    }
    const auto call = own.job.callOf(rank, group, number);
    const bool isStarted = call && own.job.recordOf(rank)->calls.state[*call] == FlightState::Started;
    return isStarted ? HangCell::Started : HangCell::Waiting;
}

/// Marks the ranks that gave other arguments than most.
void markMismatch(const HangCase& own, const HangGrid& grid, std::size_t column, std::uint32_t rank,
                  HangCell& cell)
{
    for (const HangFinding& finding : own.findings) {
        if (!finding.mismatch || finding.point == WaitGraph::noPoint)
            continue;
        const WaitPoint& point = own.graph.points[finding.point];
        if (point.group != grid.group || point.number != grid.numbers[column])
            continue;
        const std::vector<std::uint32_t> named = finding.named();
        if (std::find(named.begin(), named.end(), rank) != named.end())
            cell = HangCell::OtherArguments;
    }
}

} // namespace

char letterOf(HangCell cell)
{
    constexpr std::array<char, 7> letters{'N', 'E', 'P', 'S', 'C', '!', '?'};
    return letters[static_cast<std::size_t>(cell)];
}

HangGrid gridOf(const HangCase& own, std::uint32_t group, std::size_t mostColumns)
{
    HangGrid grid;
    grid.group = group;
    const std::vector<std::uint32_t>& members = own.job.groups()[group].members;
    std::int64_t newest = 0;
    for (const std::uint32_t rank : members)
        newest = std::max(newest, own.job.newestOf(rank, group));
    // Calls that were made ahead say nothing: the oldest unfinished one is in sight, with some before it.
    std::int64_t first = newest;
    for (const WaitPoint& point : own.graph.points) {
        if (point.group == group && point.kind == CallHead::Kind::Collective)
            first = std::min(first, point.number);
    }
    constexpr std::int64_t before = 4;
    for (std::int64_t number = std::max<std::int64_t>(first - before, 1);
         number <= newest && grid.numbers.size() < mostColumns; ++number)
        grid.numbers.push_back(number);
    const Distances distances = distancesOf(own);
    const std::set<std::uint32_t> named = namedRanks(own);
    std::map<std::tuple<bool, std::size_t, std::vector<HangCell>>, std::size_t> known;
    for (const std::uint32_t rank : members) {
        HangGrid::Row row;
        row.isNamed = named.contains(rank);
        row.distance = distances.distance[rank];
        for (std::size_t column = 0; column < grid.numbers.size(); ++column) {
            row.cells.push_back(cellOf(own, rank, group, grid.numbers[column]));
            markMismatch(own, grid, column, rank, row.cells.back());
        }
        const auto [found, isNew]
            = known.try_emplace({row.isNamed, row.distance, row.cells}, grid.rows.size());
        if (isNew)
            grid.rows.push_back(std::move(row));
        grid.rows[found->second].ranks.push_back(rank);
    }
    const auto order = [](const HangGrid::Row& row) {
        const bool isApart = !row.isNamed && row.distance == 0;
        return std::tuple(!row.isNamed, isApart, row.distance, row.ranks.front());
    };
    std::stable_sort(grid.rows.begin(), grid.rows.end(),
                     [&](const HangGrid::Row& a, const HangGrid::Row& b) { return order(a) < order(b); });
    return grid;
}

std::vector<StuckGroup> stuckGroups(const HangCase& own)
{
    std::map<std::uint32_t, std::set<std::uint32_t>> waiting;
    for (const WaitPoint& point : own.graph.points) {
        if (!point.waiting.empty())
            waiting[point.group].insert(point.waiting.begin(), point.waiting.end());
    }
    std::vector<StuckGroup> groups;
    const auto add = [&](std::uint32_t group) {
        const auto found = waiting.find(group);
        if (found == waiting.end())
            return;
        groups.push_back({group, found->second.size()});
        waiting.erase(found);
    };
    for (const HangFinding& finding : own.findings) {
        if (finding.point != WaitGraph::noPoint)
            add(own.graph.points[finding.point].group);
    }
    const std::size_t ofFindings = groups.size();
    while (!waiting.empty())
        add(waiting.begin()->first);
    std::stable_sort(groups.begin() + static_cast<std::ptrdiff_t>(ofFindings), groups.end(),
                     [](const StuckGroup& a, const StuckGroup& b) { return a.waiting > b.waiting; });
    return groups;
}

std::vector<WaitStep> waitPath(const HangCase& own, std::uint32_t rank)
{
    const Distances distances = distancesOf(own);
    std::vector<WaitStep> path;
    while (rank != HangJob::noIndex && distances.distance[rank] > 0) {
        path.push_back(distances.next[rank]);
        rank = path.back().next;
    }
    return path;
}

std::vector<WaitsAlike> allWaits(const HangCase& own)
{
    const Distances distances = distancesOf(own);
    std::map<std::tuple<std::size_t, std::uint32_t, std::uint32_t>, WaitsAlike> waits;
    for (std::uint32_t rank = 0; rank < distances.distance.size(); ++rank) {
        if (distances.distance[rank] == 0)
            continue;
        const WaitStep& step = distances.next[rank];
        WaitsAlike& alike = waits[{distances.distance[rank], step.next, step.point}];
        if (alike.ranks.empty()) {
            alike.step = step;
            alike.distance = distances.distance[rank];
        }
        alike.ranks.push_back(rank);
    }
    std::vector<WaitsAlike> all;
    for (auto& [key, alike] : waits)
        all.push_back(std::move(alike));
    return all;
}

std::string awaitedText(const HangCase& own, const WaitStep& step)
{
    return step.next == HangJob::noIndex ? std::string() : ranksText(own.job, {step.next});
}

std::string callDetail(const HangCase& own, std::uint32_t rank, std::uint32_t group, std::int64_t number)
{
    const std::string who = ranksText(own.job, {rank});
    const FlightRecord* const record = own.job.recordOf(rank);
    if (!record)
        return who + " left no dump.";
    const auto call = own.job.callOf(rank, group, number);
    if (!call)
        return "The dump of " + who + " (" + record->file + ") does not hold call " + std::to_string(number)
            + " of " + groupText(own.job, group) + ".";
    const FlightSignature& signature = record->signatureOf(*call);
    std::string text = who + ", call " + std::to_string(number) + " of " + groupText(own.job, group) + ": "
        + std::string(own.job.text(signature.operation)) + " "
        + std::string(own.job.text(signature.inputSizes)) + " "
        + std::string(own.job.text(signature.inputTypes)) + " to "
        + std::string(own.job.text(signature.outputSizes)) + ", called at "
        + wallClockText(record->calls.createdNs[*call]);
    const std::string site = siteOf(own.job, rank, *call);
    text += site.empty() ? "" : " from " + site;
    return text + ". File " + record->file + ", record " + std::to_string(record->calls.record[*call]) + ".";
}

} // namespace collscope
