// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/whatif/run_graph.h"

#include <algorithm>

namespace collscope {

GraphCounts& GraphCounts::operator+=(const GraphCounts& other)
{
    refuted += other.refuted;
    activities += other.activities;
    launched += other.launched;
    communicationNs += other.communicationNs;
    matchedNs += other.matchedNs;
    idleNs += other.idleNs;
    unexplainedIdleNs += other.unexplainedIdleNs;
    spanNs += other.spanNs;
    return *this;
}

namespace {

/// Concatenates the graphs of the ranks.
class RunBuilder
{
public:
    RunBuilder(std::vector<RankWork>&& works, const RunCollectives& run)
        : m_works(std::move(works))
        , m_run(run)
    { }

    void reserve(const std::vector<RankGraph>& graphs);
    void addRank(std::uint32_t rank, RankGraph graph);
    void meet();
    RunGraph finish();

private:
    struct Member
    {
        std::uint32_t arrival = 0;
        std::int64_t durationNs = 0;
    };

    std::vector<RankWork> m_works;
    const RunCollectives& m_run;
    std::vector<GraphOfRank> m_ranks;
    std::vector<RunNode> m_nodes;
    std::vector<ReplayEdge> m_edges;
    GraphCounts m_counts;
    std::int64_t m_beginNs
        = std::numeric_limits<std::int64_t>::max(); ///< of the first that waits for nothing
    std::vector<std::vector<Member>> m_meetings; ///< by index into Matching::instances
    std::vector<std::uint32_t> m_transfers; ///< likewise
};

void RunBuilder::reserve(const std::vector<RankGraph>& graphs)
{
    const Matching& matching = m_run.matching;
    std::size_t nodes = matching.instances.size();
    std::size_t edges = 0;
    for (const RankGraph& graph : graphs) {
        nodes += graph.nodes.size();
        edges += graph.edges.size();
    }
    for (const CollectiveInstance& instance : matching.instances)
        edges += 2 * std::size_t{instance.memberCount};
    m_nodes.reserve(nodes);
    m_edges.reserve(edges);
}

/// Frees the rank's own graph when it is done: a large run has room for one more of them, not for all.
void RunBuilder::addRank(std::uint32_t rank, RankGraph graph)
{
    const RankWork& work = m_works[rank];
    const auto base = static_cast<std::uint32_t>(m_nodes.size());
    m_meetings.resize(m_run.matching.instances.size());
    for (std::uint32_t i = 0; i < work.activities.size(); ++i) {
        if (work.activities[i].collective != noIndex)
            m_meetings[work.activities[i].collective].push_back(
                {base + graph.rank.arrivals[i], work.activities[i].range.lengthNs()});
    }
    for (RunNode node : graph.nodes) {
        node.rank = rank;
        if (node.heldBy == HeldBy::Begin)
            m_beginNs = std::min(m_beginNs, node.startNs);
        m_nodes.push_back(node);
    }
    for (ReplayEdge edge : graph.edges) {
        edge.from += base;
        edge.to += base;
        m_edges.push_back(edge);
    }
    for (StepEnd& end : graph.rank.ends) {
        for (std::uint32_t& node : end)
            node += base;
    }
    for (std::uint32_t& node : graph.rank.arrivals)
        node += base;
    for (std::uint32_t& node : graph.rank.threads)
        node += base;
    m_ranks.push_back(std::move(graph.rank));
    m_counts += graph.counts;
}

/// Ranks leave a collective together: after the last one has come, it takes as long as for the one that
/// waited least.
void RunBuilder::meet()
{
    m_transfers.assign(m_meetings.size(), noIndex);
    for (std::size_t instance = 0; instance < m_meetings.size(); ++instance) {
        const std::vector<Member>& members = m_meetings[instance];
        if (members.empty())
            continue;
        RunNode transfer{.kind = NodeKind::Transfer,
                         .rank = m_nodes[members.front().arrival].rank,
                         .slice = m_nodes[members.front().arrival].slice,
                         .startNs = m_nodes[members.front().arrival].startNs,
                         .durationNs = members.front().durationNs};
        for (const Member& member : members) {
            if (member.durationNs >= transfer.durationNs)
                continue;
            const RunNode& arrival = m_nodes[member.arrival];
            transfer.rank = arrival.rank;
            transfer.slice = arrival.slice;
            transfer.startNs = arrival.startNs;
            transfer.durationNs = member.durationNs;
        }
        const auto node = static_cast<std::uint32_t>(m_nodes.size());
        m_transfers[instance] = node;
        m_nodes.push_back(transfer);
        for (const Member& member : members) {
            m_edges.push_back({.from = member.arrival, .to = node, .kind = EdgeKind::Meet});
            m_edges.push_back({.from = node, .to = member.arrival + 1, .kind = EdgeKind::Meet});
        }
    }
}

RunGraph RunBuilder::finish()
{
    const std::size_t count = m_nodes.size();
    for (RunNode& node : m_nodes) {
        if (node.heldBy == HeldBy::Begin)
            node.heldNs = node.startNs - m_beginNs;
    }
    return {std::move(m_works), std::move(m_ranks),
            std::move(m_nodes), ReplayGraph(count, std::move(m_edges)),
            m_counts,           std::move(m_transfers)};
}

} // namespace

RunGraph connectRanks(std::vector<RankWork> works, std::vector<RankGraph> graphs, const RunCollectives& run)
{
    const auto count = static_cast<std::uint32_t>(works.size());
    RunBuilder builder(std::move(works), run);
    builder.reserve(graphs);
    for (std::uint32_t rank = 0; rank < count; ++rank)
        builder.addRank(rank, std::move(graphs[rank]));
    builder.meet();
    return builder.finish();
}

} // namespace collscope
