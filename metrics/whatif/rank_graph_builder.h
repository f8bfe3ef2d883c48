// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Collects the nodes and edges of one rank. The parts of the graph (streams, waits between streams, threads)
// are added one after the other, since what a later part infers depends on what an earlier one explains.

#include "metrics/whatif/run_graph.h"

#include <optional>

namespace collscope {

/// Recorded times are not more exact than this.
constexpr std::int64_t toleranceNs = 1'000;
/// Longer waits that nothing explains are kept, and counted.
constexpr std::int64_t shortestHeldNs = 20'000;

class RankGraphBuilder
{
public:
    /// Creates the nodes of the GPU's work. `work` must outlive the builder.
    RankGraphBuilder(const TraceModel& model, const RankWork& work);

    const TraceModel& model() const { return m_model; }
    const RankWork& work() const { return m_work; }
    const RankConstants& constants() const { return m_graph.rank.constants; }
    const GpuActivity& activity(std::uint32_t index) const { return m_work.activities[index]; }
    const RunNode& node(std::uint32_t index) const { return m_graph.nodes[index]; }
    std::uint32_t arrivalOf(std::uint32_t activity) const { return m_graph.rank.arrivals[activity]; }
    std::uint32_t endOf(std::uint32_t activity) const { return m_graph.endOf(activity); }
    /// How early a node could start, by the edges so far and the recorded times; nullopt without edges.
    std::optional<std::int64_t> allowedNs(std::uint32_t node) const;

    std::uint32_t addNode(const RunNode& node);
    /// `to` waits for the end of `from`, with the recorded lag, but not more than `mostNs`. False, and
    /// counted, if the recorded times contradict it.
    bool connect(std::uint32_t from, std::uint32_t to, std::int64_t mostNs, EdgeKind kind);
    /// With this lag, whatever was recorded.
    void add(const ReplayEdge& edge);
    void hold(std::uint32_t node, HeldBy heldBy, std::int64_t ns)
    {
        m_graph.nodes[node].heldBy = heldBy;
        m_graph.nodes[node].heldNs = ns;
    }
    void setEnds(std::vector<StepEnd> ends) { m_graph.rank.ends = std::move(ends); }
    /// The nodes created from now on are the next thread's; to be called once more after the last one.
    void beginThread() { m_graph.rank.threads.push_back(static_cast<std::uint32_t>(m_graph.nodes.size())); }
    void setReturnNs(std::int64_t ns) { m_graph.rank.constants.returnNs = ns; }
    void setLaunchNs(std::int64_t ns) { m_graph.rank.constants.launchNs = ns; }
    void setGapNs(std::int64_t ns) { m_graph.rank.constants.gapNs = ns; }

    /// Holds what the edges do not explain, and returns the graph.
    RankGraph finish();

private:
    void holdActivity(std::uint32_t activity, bool isFirst);
    void countIdle();

    const TraceModel& m_model;
    const RankWork& m_work;
    RankGraph m_graph;
    std::vector<std::int64_t> m_allowedNs; ///< by node
};

/// Order on the streams, and launches.
void addStreams(RankGraphBuilder& builder, const std::vector<std::uint32_t>& launchNodes);
/// Waits of streams for each other.
void addStreamWaits(RankGraphBuilder& builder);
/// The threads, and their waits for the GPU. Returns the node at the end of which each launch is made.
std::vector<std::uint32_t> addThreads(RankGraphBuilder& builder);

/// A value of sorted or unsorted ones: the p-th percentile by rank, without interpolation. 0 without values.
std::int64_t percentileNs(std::vector<std::int64_t> values, double p);

} // namespace collscope
