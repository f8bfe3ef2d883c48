// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/whatif/replay_graph.h"

#include <algorithm>
#include <limits>

namespace collscope {

namespace {

constexpr std::uint32_t noPlace = std::numeric_limits<std::uint32_t>::max();

/// Where the edges of each node begin if they are sorted by node: of node n at [n + 1]. Whoever places them
/// counts these up, after which they begin at [n] and end at [n + 1].
template<typename NodeOf>
std::vector<std::uint32_t> firstPlaces(std::size_t nodeCount, const std::vector<ReplayEdge>& edges,
                                       const NodeOf& nodeOf)
{
    std::vector<std::uint32_t> first(nodeCount + 2);
    for (const ReplayEdge& edge : edges)
        ++first[nodeOf(edge) + 2];
    for (std::size_t node = 0; node < nodeCount; ++node)
        first[node + 2] += first[node + 1];
    return first;
}

/// Edges by the node at one of their ends.
struct EdgesByNode
{
    std::vector<std::uint32_t> first; ///< by node
    std::vector<std::uint32_t> edges;

    EdgesByNode(std::size_t nodeCount, const std::vector<ReplayEdge>& all, std::uint32_t ReplayEdge::*end)
        : first(firstPlaces(nodeCount, all, [&](const ReplayEdge& edge) { return edge.*end; }))
        , edges(all.size())
    {
        for (std::uint32_t i = 0; i < all.size(); ++i)
            edges[first[all[i].*end + 1]++] = i;
    }
    std::span<const std::uint32_t> of(std::uint32_t node) const
    {
        return std::span(edges).subspan(first[node], first[node + 1] - first[node]);
    }
};

/// Numbers the nodes so that edges lead to higher numbers.
class Order
{
public:
    Order(std::size_t nodeCount, std::vector<ReplayEdge>& edges)
        : m_edges(edges)
        , m_places(nodeCount, noPlace)
    { }

    /// Numbers what no cycle holds up. Returns whether that is all.
    bool number();
    /// Drops the edges of one basis that lie on a cycle, or between two. Returns how many.
    std::size_t drop(EdgeBasis basis);
    std::vector<std::uint32_t> take() { return std::move(m_places); }

private:
    bool isStuck(std::uint32_t node) const { return m_places[node] == noPlace; }

    std::vector<ReplayEdge>& m_edges;
    std::vector<std::uint32_t> m_places;
};

bool Order::number()
{
    std::fill(m_places.begin(), m_places.end(), noPlace);
    const EdgesByNode leaving(m_places.size(), m_edges, &ReplayEdge::from);
    std::vector<std::uint32_t> missing(m_places.size());
    for (const ReplayEdge& edge : m_edges)
        ++missing[edge.to];
    std::vector<std::uint32_t> ready;
    ready.reserve(m_places.size());
    for (std::uint32_t node = 0; node < m_places.size(); ++node) {
        if (missing[node] == 0)
            ready.push_back(node);
    }
    for (std::size_t i = 0; i < ready.size(); ++i) {
        m_places[ready[i]] = static_cast<std::uint32_t>(i);
        for (const std::uint32_t edge : leaving.of(ready[i])) {
            if (--missing[m_edges[edge].to] == 0)
                ready.push_back(m_edges[edge].to);
        }
    }
    return ready.size() == m_places.size();
}

std::size_t Order::drop(EdgeBasis basis)
{
    // What leads to no stuck node, directly or not, is only behind a cycle.
    const EdgesByNode arriving(m_places.size(), m_edges, &ReplayEdge::to);
    std::vector<std::uint32_t> leads(m_places.size());
    for (const ReplayEdge& edge : m_edges)
        leads[edge.from] += isStuck(edge.to) ? 1U : 0U;
    std::vector<std::uint32_t> behind;
    std::vector<std::uint8_t> isBehind(m_places.size());
    const auto add = [&](std::uint32_t node) {
        if (isStuck(node) && leads[node] == 0) {
            isBehind[node] = 1;
            behind.push_back(node);
        }
    };
    for (std::uint32_t node = 0; node < m_places.size(); ++node)
        add(node);
    for (std::size_t i = 0; i < behind.size(); ++i) { // NOLINT(modernize-loop-convert): add() makes it longer
        for (const std::uint32_t edge : arriving.of(behind[i])) {
            const std::uint32_t from = m_edges[edge].from;
            --leads[from];
            add(from);
        }
    }
    const auto isOnCycle = [&](std::uint32_t node) { return isStuck(node) && isBehind[node] == 0; };
    return std::erase_if(m_edges, [&](const ReplayEdge& edge) {
        return basisOf(edge.kind) == basis && isOnCycle(edge.from) && isOnCycle(edge.to);
    });
}

} // namespace

ReplayGraph::ReplayGraph(std::size_t nodeCount, std::vector<ReplayEdge> edges)
{
    Order order(nodeCount, edges);
    for (std::size_t basis = 0; !order.number() && basis < edgeBasisCount; ++basis)
        m_dropped[basis] = order.drop(static_cast<EdgeBasis>(basis));
    m_places = order.take();
    m_firstEdges
        = firstPlaces(nodeCount, edges, [this](const ReplayEdge& edge) { return m_places[edge.to]; });
    m_edges.resize(edges.size());
    for (const ReplayEdge& edge : edges)
        m_edges[m_firstEdges[m_places[edge.to] + 1]++]
            = {edge.lagNs, m_places[edge.from], edge.kind, edge.part};
}

EdgeBasis basisOf(EdgeKind kind)
{
    constexpr EdgeBasis bases[edgeKindCount]
        = {EdgeBasis::Certain,  EdgeBasis::Certain, EdgeBasis::Inferred, EdgeBasis::Inferred,
           EdgeBasis::Inferred, EdgeBasis::Certain, EdgeBasis::Matched};
    return bases[static_cast<std::size_t>(kind)];
}

std::int64_t partNs(std::int64_t durationNs, std::uint16_t part)
{
    if (part == ReplayEdge::wholePart)
        return durationNs;
    return static_cast<std::int64_t>(static_cast<double>(durationNs) * part / ReplayEdge::wholePart);
}

std::int64_t ReplayGraph::allowedNs(const Incoming& edge, const ReplayInput& input,
                                    std::span<const std::int64_t> ends)
{
    const bool isFree = edge.lagNs > 0 && input.withoutLag[static_cast<std::size_t>(edge.kind)];
    const std::int64_t leftNs = edge.part == ReplayEdge::wholePart
        ? 0
        : input.durationsNs[edge.from] - partNs(input.durationsNs[edge.from], edge.part);
    return ends[edge.from] - leftNs + (isFree ? 0 : edge.lagNs);
}

std::vector<std::int64_t> ReplayGraph::endsOf(std::span<const std::int64_t> durationsNs) const
{
    return endsOf(ReplayInput{.durationsNs = durationsNs});
}

std::vector<std::int64_t> ReplayGraph::endsOf(const ReplayInput& input) const
{
    std::vector<std::int64_t> ends;
    endsOf(input, ends);
    return ends;
}

void ReplayGraph::endsOf(const ReplayInput& input, std::vector<std::int64_t>& ends) const
{
    ends.resize(nodeCount());
    for (std::size_t place = 0; place < ends.size(); ++place) {
        std::int64_t startNs = 0;
        for (std::uint32_t i = m_firstEdges[place]; i < m_firstEdges[place + 1]; ++i)
            startNs = std::max(startNs, allowedNs(m_edges[i], input, ends));
        ends[place] = startNs + input.durationsNs[place] + (input.heldNs.empty() ? 0 : input.heldNs[place]);
    }
}

const ReplayGraph::Incoming* ReplayGraph::latestOf(std::uint32_t place, const ReplayInput& input,
                                                   std::span<const std::int64_t> ends) const
{
    const Incoming* latest = nullptr;
    for (std::uint32_t i = m_firstEdges[place]; i < m_firstEdges[place + 1]; ++i) {
        if (!latest || allowedNs(m_edges[i], input, ends) > allowedNs(*latest, input, ends))
            latest = &m_edges[i];
    }
    return latest;
}

} // namespace collscope
