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
    std::vector<std::int64_t> heldNs(run.nodes.size());
    for (std::uint32_t i = 0; i < run.nodes.size(); ++i) {
        const RunNode& node = run.nodes[i];
        const std::uint32_t place = run.graph.placeOf(i);
        times.durationsNs[place] = node.durationNs;
        if (waits == HeldWaits::Kept || node.heldBy != HeldBy::Unexplained)
            heldNs[place] = node.heldNs;
    }
    times.heldNs = std::make_shared<const std::vector<std::int64_t>>(std::move(heldNs));
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

namespace {

/// Walks from the end of a step to its begin on the rank that ends last, always to what was waited for
/// longest.
class PathWalk
{
public:
    PathWalk(const RunGraph& run, const RunTimes& times, std::span<const std::int64_t> ends)
        : m_run(run)
        , m_times(times)
        , m_ends(ends)
        , m_nodeAt(run.nodes.size())
    {
        for (std::uint32_t i = 0; i < run.nodes.size(); ++i)
            m_nodeAt[run.graph.placeOf(i)] = i;
    }

    void walk(std::size_t step);
    CriticalPath take() { return std::move(m_path); }

private:
    std::int64_t endOf(std::uint32_t node) const { return m_ends[m_run.graph.placeOf(node)]; }
    /// Counts up to so much before a moment, but not what lies before the step. Returns where that begins.
    std::int64_t count(PathPart part, std::int64_t ns, std::int64_t untilNs);

    const RunGraph& m_run;
    const RunTimes& m_times;
    std::span<const std::int64_t> m_ends;
    std::vector<std::uint32_t> m_nodeAt; ///< by place
    std::int64_t m_beginNs = 0; ///< of the step
    CriticalPath m_path;
};

std::int64_t PathWalk::count(PathPart part, std::int64_t ns, std::int64_t untilNs)
{
    const std::int64_t counted = std::min(ns, std::max<std::int64_t>(untilNs - m_beginNs, 0));
    m_path.ns[static_cast<std::size_t>(part)] += counted;
    return untilNs - ns;
}

void PathWalk::walk(std::size_t step)
{
    std::uint32_t place = noIndex;
    m_beginNs = 0;
    for (const GraphOfRank& rank : m_run.ranks) {
        for (const std::uint32_t node : rank.ends[2 * step + 1]) {
            if (place != noIndex && endOf(node) <= m_ends[place])
                continue;
            place = m_run.graph.placeOf(node);
            m_beginNs = endOfStep(rank.ends[2 * step], [&](std::uint32_t own) { return endOf(own); });
        }
    }
    const ReplayInput input = m_times.input();
    while (place != noIndex && m_ends[place] > m_beginNs) {
        const RunNode& node = m_run.nodes[m_nodeAt[place]];
        std::int64_t ns = count(partOf(node.kind), m_times.durationsNs[place], m_ends[place]);
        m_path.items.push_back({m_nodeAt[place], m_ends[place] - std::max(ns, m_beginNs)});
        if (node.heldBy == HeldBy::Backlog)
            ns -= (*m_times.heldNs)[place]; // work from before the trace: it is not part of the run
        else if (node.heldBy != HeldBy::Nothing && node.heldBy != HeldBy::Begin)
            ns = count(node.heldBy == HeldBy::HiddenInGraph ? PathPart::HiddenInGraphs
                                                            : PathPart::Unexplained,
                       (*m_times.heldNs)[place], ns);
        const ReplayGraph::Incoming* const edge = m_run.graph.latestOf(place, input, m_ends);
        if (!edge)
            break;
        const bool isFree = edge->lagNs > 0 && m_times.withoutLag[static_cast<std::size_t>(edge->kind)];
        count(partOf(edge->kind), isFree ? 0 : edge->lagNs, ns);
        place = edge->from;
    }
}

} // namespace

CriticalPath criticalPath(const RunGraph& run, const RunTimes& times, std::span<const std::int64_t> ends,
                          const std::vector<std::size_t>& steps)
{
    PathWalk walk(run, times, ends);
    for (const std::size_t step : steps)
        walk.walk(step);
    return walk.take();
}

} // namespace collscope
