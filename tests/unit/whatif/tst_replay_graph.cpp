// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The graph that is played through: by hand, and against a slow replay that follows each path.

#include "metrics/whatif/replay_graph.h"
#include "tests/support/suite/suite.h"

#include <algorithm>
#include <functional>
#include <random>

namespace collscope {

namespace {

using Durations = std::vector<std::int64_t>;

/// The ends by the caller's numbers.
Durations endsOf(const ReplayGraph& graph, const Durations& durations)
{
    Durations placed(durations.size());
    for (std::uint32_t node = 0; node < durations.size(); ++node)
        placed[graph.placeOf(node)] = durations[node];
    const Durations ends = graph.endsOf(placed);
    Durations own(ends.size());
    for (std::uint32_t node = 0; node < ends.size(); ++node)
        own[node] = ends[graph.placeOf(node)];
    return own;
}

/// The definition: a node starts when the last of what it waits for allows.
Durations slowEndsOf(std::size_t nodes, const std::vector<ReplayEdge>& edges, const Durations& durations)
{
    std::vector<std::optional<std::int64_t>> known(nodes);
    const std::function<std::int64_t(std::uint32_t)> endOf = [&](std::uint32_t node) {
        if (known[node])
            return *known[node];
        std::int64_t start = 0;
        for (const ReplayEdge& edge : edges) {
            if (edge.to == node)
                start = std::max(start,
                                 endOf(edge.from) - durations[edge.from]
                                     + durations[edge.from] * edge.part / ReplayEdge::wholePart + edge.lagNs);
        }
        known[node] = start + durations[node];
        return *known[node];
    };
    Durations ends;
    for (std::uint32_t node = 0; node < nodes; ++node)
        ends.push_back(endOf(node));
    return ends;
}

/// Edges that lead from lower to higher numbers of a hidden order.
std::vector<ReplayEdge> randomEdges(std::size_t nodes, std::size_t count, std::mt19937& random)
{
    std::vector<std::uint32_t> order(nodes);
    for (std::uint32_t i = 0; i < nodes; ++i)
        order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    std::vector<ReplayEdge> edges;
    constexpr std::uint16_t parts[] = {0, 20'000, ReplayEdge::wholePart, ReplayEdge::wholePart};
    while (edges.size() < count) {
        const std::size_t from = random() % nodes;
        const std::size_t to = random() % nodes;
        if (from < to)
            edges.push_back({order[from], order[to], static_cast<std::int64_t>(random() % 40) - 20,
                             static_cast<EdgeKind>(random() % edgeKindCount),
                             parts[random() % std::size(parts)]});
    }
    return edges;
}

} // namespace

class TestReplayGraph : public QObject
{
    Q_OBJECT

private slots:
    void theLastOneAllows()
    {
        // Two streams: 0 -> 1 on one, 2 on the other, and 3 waits for both.
        const ReplayGraph graph(4, {{.from = 0, .to = 1}, {.from = 1, .to = 3}, {.from = 2, .to = 3}});
        QCOMPARE(endsOf(graph, {10, 20, 50, 5}), (Durations{10, 30, 50, 55}));
        QCOMPARE(endsOf(graph, {10, 20, 15, 5}), (Durations{10, 30, 15, 35}));
        QVERIFY(graph.isWhole());
    }
    void lagsAndStarts()
    {
        const ReplayGraph graph(
            3, {{.from = 2, .to = 1, .lagNs = -3}, {.from = 2, .to = 0, .lagNs = 7, .part = 0}});
        QCOMPARE(endsOf(graph, {1, 1, 100}), (Durations{8, 98, 100}));
        // Nothing starts before the beginning.
        QCOMPARE(endsOf(graph, {1, 1, 2}), (Durations{8, 1, 2}));
    }
    void randomGraphs()
    {
        for (std::uint32_t seed = 0; seed < 200; ++seed) {
            std::mt19937 random(seed);
            const std::size_t nodes = 2 + random() % 60;
            const std::vector<ReplayEdge> edges = randomEdges(nodes, random() % (3 * nodes), random);
            Durations durations;
            for (std::size_t i = 0; i < nodes; ++i)
                durations.push_back(static_cast<std::int64_t>(random() % 100));
            const ReplayGraph graph(nodes, edges);
            QVERIFY(graph.isWhole());
            QCOMPARE(graph.edgeCount(), edges.size());
            const Durations ends = endsOf(graph, durations);
            QCOMPARE(ends, slowEndsOf(nodes, edges, durations));
        }
    }
    /// Max-plus: with edges from ends, nothing ends later because something took less time.
    void shorterIsNeverLonger()
    {
        for (std::uint32_t seed = 0; seed < 100; ++seed) {
            std::mt19937 random(seed);
            const std::size_t nodes = 2 + random() % 60;
            const std::vector<ReplayEdge> edges = randomEdges(nodes, 2 * nodes, random);
            Durations durations;
            for (std::size_t i = 0; i < nodes; ++i)
                durations.push_back(static_cast<std::int64_t>(random() % 100));
            const ReplayGraph graph(nodes, edges);
            const Durations before = endsOf(graph, durations);
            std::int64_t& changed = durations[random() % nodes];
            changed /= 2;
            const Durations after = endsOf(graph, durations);
            for (std::size_t i = 0; i < nodes; ++i)
                QVERIFY(after[i] <= before[i]);
        }
    }
    /// The worst known edges of a cycle go, and those beside it stay.
    void cyclesAreCut()
    {
        std::vector<ReplayEdge> edges{{.from = 0, .to = 1},
                                      {.from = 1, .to = 2},
                                      {.from = 2, .to = 1, .kind = EdgeKind::Handover},
                                      {.from = 0, .to = 3, .kind = EdgeKind::Handover},
                                      {.from = 2, .to = 3, .kind = EdgeKind::Handover}};
        const ReplayGraph inferred(4, edges);
        QCOMPARE(inferred.droppedOf(EdgeBasis::Inferred), std::size_t(1));
        QCOMPARE(inferred.edgeCount(), std::size_t(4));
        QCOMPARE(endsOf(inferred, {1, 2, 4, 8}), (Durations{1, 3, 7, 15}));

        edges[2].kind = EdgeKind::Meet;
        const ReplayGraph matched(4, edges);
        QCOMPARE(matched.droppedOf(EdgeBasis::Inferred), std::size_t(0));
        QCOMPARE(matched.droppedOf(EdgeBasis::Matched), std::size_t(1));

        const ReplayGraph itself(1, {{.from = 0, .to = 0}});
        QCOMPARE(itself.droppedOf(EdgeBasis::Certain), std::size_t(1));
        QVERIFY(!itself.isWhole());
        QCOMPARE(endsOf(itself, {5}), Durations{5});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestReplayGraph)
#include "tst_replay_graph.moc"
