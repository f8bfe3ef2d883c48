// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/whatif/run_replay.h"

#include <algorithm>
#include <numeric>

namespace collscope {

namespace {

/// When a step of a rank ends: with its last node.
template<typename EndOf>
std::int64_t endOfStep(const StepEnd& end, const EndOf& endOf)
{
    if (end.empty())
        return 0;
    std::int64_t ns = endOf(end.front());
    for (const std::uint32_t node : end)
        ns = std::max(ns, endOf(node));
    return ns;
}

template<typename EndOf>
std::int64_t lengthOfStep(const GraphOfRank& rank, std::size_t step, const EndOf& endOf)
{
    return endOfStep(rank.ends[2 * step + 1], endOf) - endOfStep(rank.ends[2 * step], endOf);
}

template<typename EndOf>
std::vector<double> stepsWith(const RunGraph& run, const EndOf& endOf)
{
    std::vector<double> steps(run.ranks.empty() ? 0 : run.ranks.front().numbers.size());
    for (const GraphOfRank& rank : run.ranks) {
        for (std::size_t step = 0; step < steps.size(); ++step)
            steps[step] += static_cast<double>(lengthOfStep(rank, step, endOf));
    }
    for (double& ns : steps)
        ns /= static_cast<double>(run.ranks.size());
    return steps;
}

PathPart partOf(NodeKind kind)
{
    switch (kind) {
    case NodeKind::Gpu:
        return PathPart::GpuWork;
    case NodeKind::Transfer:
        return PathPart::Transfers;
    case NodeKind::Loading:
        return PathPart::Loading;
    default:
        return PathPart::CpuWork;
    }
}

PathPart partOf(EdgeKind kind)
{
    switch (kind) {
    case EdgeKind::Resume:
        return PathPart::HandOffs;
    case EdgeKind::Synchronize:
        return PathPart::Synchronization;
    default:
        return PathPart::Overhead;
    }
}

} // namespace

RunTimes timesOf(const RunGraph& run, HeldWaits waits)
{
    RunTimes times;
    times.durationsNs.resize(run.nodes.size());
    times.heldNs.resize(run.nodes.size());
    for (std::uint32_t i = 0; i < run.nodes.size(); ++i) {
        const RunNode& node = run.nodes[i];
        const std::uint32_t place = run.graph.placeOf(i);
        times.durationsNs[place] = node.durationNs;
        if (waits == HeldWaits::Kept || node.heldBy != HeldBy::Unexplained)
            times.heldNs[place] = node.heldNs;
    }
    return times;
}

std::vector<double> recordedSteps(const RunGraph& run)
{
    return stepsWith(run, [&](std::uint32_t node) { return run.nodes[node].endNs(); });
}

std::vector<double> replayedSteps(const RunGraph& run, std::span<const std::int64_t> ends)
{
    return stepsWith(run, [&](std::uint32_t node) { return ends[run.graph.placeOf(node)]; });
}

double replayedStepOf(const GraphOfRank& rank, std::size_t step, const RunGraph& run,
                      std::span<const std::int64_t> ends)
{
    const auto endOf = [&](std::uint32_t node) { return ends[run.graph.placeOf(node)]; };
    return static_cast<double>(lengthOfStep(rank, step, endOf));
}

std::string_view pathPartName(PathPart part)
{
    constexpr std::string_view names[pathPartCount]
        = {"gpu_work", "transfers",       "cpu_work",    "input",           "hand_offs",
           "overhead", "synchronization", "unexplained", "hidden_in_graphs"};
    return names[static_cast<std::size_t>(part)];
}

std::int64_t CriticalPath::totalNs() const
{
    return std::accumulate(ns.begin(), ns.end(), std::int64_t(0));
}

double CriticalPath::share(PathPart part) const
{
    const std::int64_t total = totalNs();
    return total > 0 ? static_cast<double>(ns[static_cast<std::size_t>(part)]) / static_cast<double>(total)
                     : 0.0;
}

CriticalPath criticalPath(const RunGraph& run, const RunTimes& times, std::span<const std::int64_t> ends,
                          std::size_t firstStep, std::size_t lastStep)
{
    CriticalPath path;
    std::vector<std::uint32_t> nodeAt(run.nodes.size());
    for (std::uint32_t i = 0; i < run.nodes.size(); ++i)
        nodeAt[run.graph.placeOf(i)] = i;
    std::uint32_t place = noIndex;
    std::int64_t beginNs = std::numeric_limits<std::int64_t>::max();
    const auto endOf = [&](std::uint32_t node) { return ends[run.graph.placeOf(node)]; };
    for (const GraphOfRank& rank : run.ranks) {
        beginNs = std::min(beginNs, endOfStep(rank.ends[2 * firstStep], endOf));
        for (const std::uint32_t node : rank.ends[2 * lastStep + 1]) {
            if (place == noIndex || endOf(node) > ends[place])
                place = run.graph.placeOf(node);
        }
    }
    const ReplayInput input = times.input();
    const auto count = [&](PathPart part, std::int64_t ns) { path.ns[static_cast<std::size_t>(part)] += ns; };
    while (place != noIndex && ends[place] > beginNs) {
        const RunNode& node = run.nodes[nodeAt[place]];
        const std::int64_t durationNs = times.durationsNs[place];
        count(partOf(node.kind), durationNs);
        path.items.push_back({nodeAt[place], durationNs});
        if (node.heldBy != HeldBy::Nothing && node.heldBy != HeldBy::Begin)
            count(node.heldBy == HeldBy::HiddenInGraph ? PathPart::HiddenInGraphs : PathPart::Unexplained,
                  times.heldNs[place]);
        const ReplayGraph::Incoming* const edge = run.graph.latestOf(place, input, ends);
        if (!edge)
            break;
        const bool isFree = times.withoutLag[static_cast<std::size_t>(edge->kind)];
        if (edge->lagNs < 0 || !isFree)
            count(partOf(edge->kind), edge->lagNs);
        place = edge->from;
    }
    return path;
}

} // namespace collscope
