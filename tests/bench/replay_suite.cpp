// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The graph of a run of many ranks: building it, beside a plain sort of its edges, and replaying scenarios,
// beside a plain pass over the same bytes.

#include "metrics/whatif/replay_graph.h"
#include "tests/bench/references.h"
#include "tests/bench/suites.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <limits>
#include <random>
#include <thread>
#include <utility>

namespace collscope::bench {

namespace {

using Clock = std::chrono::steady_clock;

struct Edges
{
    std::uint32_t nodes = 0;
    std::vector<ReplayEdge> edges;
};

/// Ranks whose thread launches work to three streams, and every 50th time to one that communicates.
Edges edgesOfRun(std::uint32_t ranks, std::uint32_t launches)
{
    constexpr std::uint32_t streams = 4;
    constexpr std::uint32_t communication = streams - 1;
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    Edges run;
    std::mt19937 random(1);
    std::vector<std::vector<std::uint32_t>> arrivals(ranks);
    const auto connect = [&](std::uint32_t from, std::uint32_t to, std::int64_t lagNs, EdgeKind kind) {
        if (from != none)
            run.edges.push_back({.from = from, .to = to, .lagNs = lagNs, .kind = kind});
    };
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        std::uint32_t thread = none;
        std::array<std::uint32_t, streams> last;
        last.fill(none);
        for (std::uint32_t i = 0; i < launches; ++i) {
            const std::uint32_t call = run.nodes++;
            connect(std::exchange(thread, call), call, 0, EdgeKind::Order);
            const std::uint32_t stream
                = i % 50 == 49 ? communication : static_cast<std::uint32_t>(random() % communication);
            const std::uint32_t work = run.nodes++;
            connect(call, work, 5000, EdgeKind::Launch);
            connect(std::exchange(last[stream], work), work, 1000, EdgeKind::Order);
            if (stream != communication)
                continue;
            connect(last[0], work, 1000, EdgeKind::StreamWait);
            arrivals[rank].push_back(work);
            last[stream] = run.nodes++; // departs
        }
    }
    for (std::size_t i = 0; i < arrivals.front().size(); ++i) {
        const std::uint32_t transfer = run.nodes++;
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            connect(arrivals[rank][i], transfer, 0, EdgeKind::Meet);
            connect(transfer, arrivals[rank][i] + 1, 0, EdgeKind::Meet);
        }
    }
    return run;
}

double sortMilliseconds(std::vector<ReplayEdge> edges)
{
    std::shuffle(edges.begin(), edges.end(), std::mt19937(1)); // as the ranks' threads make them, at worst
    const auto start = Clock::now();
    std::sort(edges.begin(), edges.end(),
              [](const ReplayEdge& a, const ReplayEdge& b) { return a.to < b.to; });
    return millisecondsSince(start);
}

/// Reads what a replay reads, and writes what it writes.
double passMilliseconds(const std::vector<ReplayGraph::Incoming>& edges, const ReplayInput& input,
                        std::vector<std::int64_t>& ends)
{
    const auto start = Clock::now();
    std::int64_t sum = 0;
    for (const ReplayGraph::Incoming& edge : edges)
        sum = std::max(sum, edge.lagNs + edge.from);
    for (std::size_t place = 0; place < ends.size(); ++place)
        ends[place] = (sum ^ input.durationsNs[place]) + input.heldNs[place];
    return millisecondsSince(start);
}

} // namespace

void measureReplay(const Settings& settings, Report& report)
{
    const std::uint32_t ranks = settings.smoke ? 4 : 64;
    const std::uint32_t launches = settings.smoke ? 500 : 80'000;
    const Edges run = edgesOfRun(ranks, launches);
    const QString suite = QStringLiteral("%1 ranks, %2 million nodes, %3 million edges")
                              .arg(ranks)
                              .arg(run.nodes * 1e-6, 0, 'f', 1)
                              .arg(static_cast<double>(run.edges.size()) * 1e-6, 0, 'f', 1);
    std::vector<double> sorting, building, pass, one, eight;
    std::vector<std::int64_t> durations(run.nodes), held(run.nodes);
    std::mt19937 random(2);
    std::generate(durations.begin(), durations.end(), [&] { return 1000 + random() % 20'000; });
    const ReplayInput input{durations, held};
    std::vector<std::vector<std::int64_t>> ends(2);
    std::vector<ReplayGraph::Incoming> bytes(run.edges.size());
    for (int i = 0; i < settings.runs; ++i) {
        sorting.push_back(sortMilliseconds(run.edges));
        std::vector<ReplayEdge> edges = run.edges;
        auto start = Clock::now();
        const ReplayGraph graph(run.nodes, std::move(edges));
        building.push_back(millisecondsSince(start));
        if (!graph.isWhole())
            report.fail(QStringLiteral("%1: edges of a run without cycles were dropped").arg(suite));
        for (std::vector<std::int64_t>& own : ends)
            graph.endsOf(input, own); // the first scenario pays for the memory
        passMilliseconds(bytes, input, ends[0]); // the first one, after all this was freed, is not typical
        pass.push_back(passMilliseconds(bytes, input, ends[0]));
        start = Clock::now();
        graph.endsOf(input, ends[0]);
        one.push_back(millisecondsSince(start));
        start = Clock::now();
        const auto half = [&](std::vector<std::int64_t>& own) {
            for (int scenario = 0; scenario < 4; ++scenario)
                graph.endsOf(input, own);
        };
        std::thread other(half, std::ref(ends[1]));
        half(ends[0]);
        other.join();
        eight.push_back(millisecondsSince(start));
    }
    const auto add = [&](const QString& name, double value, const QString& reference, double of,
                         std::optional<double> most) {
        const std::optional<double> ratio
            = of > 0 && !reference.isEmpty() ? std::optional(value / of) : std::nullopt;
        report.add({suite, name, value, QStringLiteral("ms"), reference, ratio,
                    most ? QStringLiteral("<= %1 x").arg(*most) : QString(),
                    most && ratio && !settings.smoke ? std::optional(*ratio <= *most) : std::nullopt});
    };
    const QString sort = QStringLiteral("plain sort");
    const QString plain = QStringLiteral("plain pass");
    add(QStringLiteral("plain sort of the edges"), median(sorting), {}, 0, std::nullopt);
    add(QStringLiteral("build the graph"), median(building), sort, median(sorting), 3);
    add(QStringLiteral("plain pass over the same bytes"), median(pass), {}, 0, std::nullopt);
    add(QStringLiteral("replay a scenario"), median(one), plain, median(pass), 4);
    add(QStringLiteral("replay eight, two threads"), median(eight), plain, median(pass), 16);
}

} // namespace collscope::bench
