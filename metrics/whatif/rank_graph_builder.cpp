// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/whatif/rank_graph_builder.h"

#include <algorithm>
#include <limits>
#include <set>

namespace collscope {
namespace {

/// Of a node in which no edge ends yet.
constexpr std::int64_t notAwaiting = std::numeric_limits<std::int64_t>::min();

} // namespace

RankGraphBuilder::RankGraphBuilder(const TraceModel& model, const RankWork& work)
    : m_model(model)
    , m_work(work)
{
    m_graph.rank.rank = work.timeline->rank;
    for (const Step& step : work.steps)
        m_graph.rank.numbers.push_back(step.number);
    std::size_t nodes = 2 * work.activities.size(); // all, if they meet
    for (const CpuThread& thread : work.threads)
        nodes += thread.points.size() + 1;
    m_graph.nodes.reserve(nodes);
    m_allowedNs.reserve(nodes);
    m_graph.edges.reserve(2 * nodes);
    m_graph.rank.arrivals.reserve(work.activities.size());
    for (const GpuActivity& activity : work.activities) {
        const bool meets = activity.collective != noIndex;
        m_graph.rank.arrivals.push_back(addNode({.kind = meets ? NodeKind::Arrival : NodeKind::Gpu,
                                                 .slice = activity.slice,
                                                 .startNs = activity.range.beginNs,
                                                 .durationNs = meets ? 0 : activity.range.lengthNs()}));
        if (meets)
            addNode({.kind = NodeKind::Departure, .slice = activity.slice, .startNs = activity.range.endNs});
        ++m_graph.counts.activities;
        m_graph.counts.launched += activity.launch != noIndex ? 1 : 0;
        m_graph.counts.communicationNs += activity.communicates() ? activity.range.lengthNs() : 0;
        m_graph.counts.matchedNs += meets ? activity.range.lengthNs() : 0;
    }
}

std::uint32_t RankGraphBuilder::addNode(const RunNode& node)
{
    m_graph.nodes.push_back(node);
    m_allowedNs.push_back(notAwaiting);
    return static_cast<std::uint32_t>(m_graph.nodes.size() - 1);
}

std::optional<std::int64_t> RankGraphBuilder::allowedNs(std::uint32_t node) const
{
    if (m_allowedNs[node] == notAwaiting)
        return std::nullopt;
    return m_allowedNs[node];
}

bool RankGraphBuilder::connect(std::uint32_t from, std::uint32_t to, std::int64_t mostNs, EdgeKind kind)
{
    const std::int64_t lagNs = node(to).startNs - node(from).endNs();
    if (lagNs < -toleranceNs) {
        ++m_graph.counts.refuted;
        return false;
    }
    add({.from = from, .to = to, .lagNs = std::min(lagNs, mostNs), .kind = kind});
    return true;
}

void RankGraphBuilder::add(const ReplayEdge& edge)
{
    m_graph.edges.push_back(edge);
    const RunNode& from = node(edge.from);
    m_allowedNs[edge.to]
        = std::max(m_allowedNs[edge.to], from.startNs + partNs(from.durationNs, edge.part) + edge.lagNs);
}

void RankGraphBuilder::holdActivity(std::uint32_t activity, bool isFirst)
{
    const GpuActivity& own = this->activity(activity);
    RunNode& node = m_graph.nodes[arrivalOf(activity)];
    const std::optional<std::int64_t> allowed = allowedNs(arrivalOf(activity));
    if (!allowed) {
        node.heldBy = HeldBy::Begin;
        return;
    }
    const std::int64_t heldNs = node.startNs - *allowed;
    if (heldNs <= shortestHeldNs)
        return;
    const bool isInGraph = own.launch != noIndex && m_work.launches[own.launch].ofGraph;
    node.heldBy = isFirst ? HeldBy::Backlog : isInGraph ? HeldBy::HiddenInGraph : HeldBy::Unexplained;
    node.heldNs = heldNs;
}

/// How much of the longer gaps of each GPU ends with work that starts later than what is known explains.
void RankGraphBuilder::countIdle()
{
    std::vector<std::uint32_t> byStart(m_work.activities.size());
    for (std::uint32_t i = 0; i < byStart.size(); ++i)
        byStart[i] = i;
    std::stable_sort(byStart.begin(), byStart.end(), [&](std::uint32_t a, std::uint32_t b) {
        return activity(a).range.beginNs < activity(b).range.beginNs;
    });
    std::int64_t busyUntilNs = 0;
    bool isFirst = true;
    for (const std::uint32_t index : byStart) {
        const TimeRange range = activity(index).range;
        const std::int64_t gapNs = isFirst ? 0 : range.beginNs - busyUntilNs;
        if (gapNs > shortestHeldNs) {
            const RunNode& node = this->node(arrivalOf(index));
            m_graph.counts.idleNs += gapNs;
            if (node.heldBy == HeldBy::Unexplained || node.heldBy == HeldBy::HiddenInGraph)
                m_graph.counts.unexplainedIdleNs += std::min(gapNs, node.heldNs);
        }
        m_graph.counts.spanNs
            += std::max<std::int64_t>(isFirst ? range.lengthNs() : range.endNs - busyUntilNs, 0);
        busyUntilNs = isFirst ? range.endNs : std::max(busyUntilNs, range.endNs);
        isFirst = false;
    }
}

RankGraph RankGraphBuilder::finish()
{
    std::set<std::int32_t> begunDevices;
    for (const std::uint32_t index : m_work.inLaunchOrder) {
        const std::int32_t device = m_work.streams[activity(index).stream].device;
        holdActivity(index, begunDevices.insert(device).second);
    }
    for (std::uint32_t index = 0; index < m_work.activities.size(); ++index) {
        if (activity(index).launch == noIndex)
            holdActivity(index, false);
    }
    countIdle();
    return std::move(m_graph);
}

std::int64_t percentileNs(std::vector<std::int64_t> values, double p)
{
    if (values.empty())
        return 0;
    const auto place = static_cast<std::ptrdiff_t>(p * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + place, values.end());
    return values[static_cast<std::size_t>(place)];
}

RankGraph graphOfRank(const TraceModel& model, const RankWork& work)
{
    RankGraphBuilder builder(model, work);
    addStreams(builder, addThreads(builder));
    addStreamWaits(builder);
    return builder.finish();
}

} // namespace collscope
