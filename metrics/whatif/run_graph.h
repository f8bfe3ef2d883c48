// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A run of several ranks as a graph of what had to wait for what: work on the GPU, the threads that launch
// it, and the collectives in which ranks meet.

#include "metrics/whatif/rank_work.h"
#include "metrics/whatif/replay_graph.h"

namespace collscope {

enum class NodeKind : std::uint8_t
{
    Gpu, ///< a kernel, copy or memset that no other rank takes part in
    Arrival, ///< of a rank at a collective
    Transfer, ///< of a collective, after the last rank has arrived
    Departure, ///< of a rank from a collective
    Cpu, ///< work of a thread between two points
    Loading, ///< of input data
    Return, ///< from a call that waits for the GPU
    Resume, ///< of a thread, after another one
    Begin ///< of a thread or stream
};

/// Why a node is held longer than what it waits for explains.
enum class HeldBy : std::uint8_t
{
    Nothing,
    Unexplained, ///< the trace does not show what it waited for
    HiddenInGraph, ///< by work inside a CUDA graph that the trace does not show
    Backlog, ///< by work that was launched before the trace
    Begin ///< it waits for nothing: heldNs is its place on the common axis
};

struct RunNode
{
    NodeKind kind = NodeKind::Gpu;
    HeldBy heldBy = HeldBy::Nothing;
    CpuPoint::Kind point = CpuPoint::Kind::Pauses; ///< Cpu, Loading: with which it ends
    std::uint32_t rank = 0; ///< index into RunGraph::ranks
    SliceRef slice = {}; ///< of GPU work, or the call at the end of the CPU's work; none: there is none
    std::int64_t startNs = 0; ///< as recorded, on the axis
    std::int64_t durationNs = 0;
    std::int64_t heldNs = 0;

    std::int64_t endNs() const { return startNs + durationNs; }
};

/// What usually lies between two things on a rank, in ns.
struct RankConstants
{
    std::int64_t launchNs = 0; ///< from the call to work on an idle stream
    std::int64_t gapNs = 0; ///< between two pieces of work on a stream
    std::int64_t returnNs = 0; ///< from the end of the work to the return of a call that waits for it
};

/// The nodes of which a rank's step ends with the last one.
using StepEnd = std::vector<std::uint32_t>;

struct GraphOfRank
{
    std::int32_t rank = 0;
    RankConstants constants;
    std::vector<StepEnd> ends; ///< of the time before each step, and of the step
    std::vector<std::int64_t> numbers; ///< of the steps, as in the trace
    std::vector<std::uint32_t> arrivals; ///< node of each activity of RankWork
    /// First node of each thread of RankWork, and one more: a thread's nodes are numbered in time order.
    std::vector<std::uint32_t> threads;
};

struct GraphCounts
{
    std::size_t refuted = 0; ///< dependencies that the recorded times contradict
    std::size_t activities = 0;
    std::size_t launched = 0; ///< activities whose launch is in the trace
    std::int64_t communicationNs = 0; ///< duration of communication kernels
    std::int64_t matchedNs = 0; ///< of those, in collectives of several ranks
    std::int64_t idleNs = 0; ///< longer gaps of the GPUs
    std::int64_t unexplainedIdleNs = 0; ///< of those, what nothing explains
    std::int64_t spanNs = 0; ///< from the first to the last work of each rank's GPUs

    GraphCounts& operator+=(const GraphCounts& other);
};

/// Nodes and edges of one rank, numbered from 0.
struct RankGraph
{
    std::vector<RunNode> nodes;
    std::vector<ReplayEdge> edges;
    GraphOfRank rank;
    GraphCounts counts;

    /// The node with which an activity ends.
    std::uint32_t endOf(std::uint32_t activity) const
    {
        const std::uint32_t node = rank.arrivals[activity];
        return nodes[node].kind == NodeKind::Arrival ? node + 1 : node;
    }
};

struct RunGraph
{
    std::vector<RankWork> works;
    std::vector<GraphOfRank> ranks; ///< of each of these
    std::vector<RunNode> nodes;
    ReplayGraph graph;
    GraphCounts counts;
    std::vector<std::uint32_t> transfers; ///< node of each of Matching::instances; noIndex: it has none
};

/// The graph of one rank. O(n log n).
RankGraph graphOfRank(const TraceModel& model, const RankWork& work);
/// Of several ranks, which meet in the matched collectives.
RunGraph connectRanks(std::vector<RankWork> works, std::vector<RankGraph> graphs, const RunCollectives& run);

} // namespace collscope
