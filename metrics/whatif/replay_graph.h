// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What had to wait for what, as a graph that can be played through with the durations as recorded and with
// other ones.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace collscope {

/// How well a dependency is known. Where dependencies contradict each other, those that are known worst go
/// first.
enum class EdgeBasis : std::uint8_t
{
    Inferred, ///< from times
    Matched, ///< between the ranks of a matched collective
    Certain
};
constexpr std::size_t edgeBasisCount = static_cast<std::size_t>(EdgeBasis::Certain) + 1;

/// Why something waits for something else.
enum class EdgeKind : std::uint8_t
{
    Order, ///< one thing after the other: on a stream, on a thread, between operations
    Launch, ///< GPU work after the call that launched it
    StreamWait, ///< a stream waits for work of another one, as libraries make it
    Handover, ///< work of a stream begins just when that of another one has ended
    Resume, ///< a thread goes on just when another one has paused
    Synchronize, ///< a thread waits for the GPU
    Meet ///< ranks wait for each other in a collective
};
constexpr std::size_t edgeKindCount = static_cast<std::size_t>(EdgeKind::Meet) + 1;
EdgeBasis basisOf(EdgeKind kind);

/// `to` starts no earlier than `lagNs` after a part of `from` is done, usually all of it.
struct ReplayEdge
{
    static constexpr std::uint16_t wholePart = 65535;

    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::int64_t lagNs = 0; ///< may be negative: the next kernel may start while this one still runs
    EdgeKind kind = EdgeKind::Order;
    std::uint16_t part = wholePart; ///< of `from`, by wholePart; 0: it must have started
};
/// How long a part of something takes.
std::int64_t partNs(std::int64_t durationNs, std::uint16_t part);

/// What a replay is played with. By place in the graph, in ns.
struct ReplayInput
{
    std::span<const std::int64_t> durationsNs;
    /// How much later a node starts than what it waits for allows; empty: not at all.
    std::span<const std::int64_t> heldNs = {};
    std::array<bool, edgeKindCount> withoutLag = {}; ///< kinds of edges whose positive lags are taken as 0
};

/// Immutable. Its nodes are numbered so that every edge leads to a higher number.
class ReplayGraph
{
public:
    ReplayGraph() = default; ///< without nodes
    /// `edges` of nodes [0, nodeCount). Where they form a cycle, edges on it are dropped, and counted.
    /// O(nodes + edges), times the number of bases of which edges must be dropped.
    ReplayGraph(std::size_t nodeCount, std::vector<ReplayEdge> edges);

    std::size_t nodeCount() const { return m_places.size(); }
    std::size_t edgeCount() const { return m_edges.size(); }
    /// The number of a node in the order of this graph, by the number that the caller gave it.
    std::uint32_t placeOf(std::uint32_t node) const { return m_places[node]; }
    /// Edges that were dropped because they lie on a cycle.
    std::size_t droppedOf(EdgeBasis basis) const { return m_dropped[static_cast<std::size_t>(basis)]; }

    /// Whether none was.
    bool isWhole() const { return m_dropped == decltype(m_dropped){}; }

    /// When each node ends, in ns from the start of the first, if it lasts as long as `durationsNs` says.
    /// Both by place. O(nodes + edges).
    std::vector<std::int64_t> endsOf(std::span<const std::int64_t> durationsNs) const;
    std::vector<std::int64_t> endsOf(const ReplayInput& input) const;
    /// The same into a vector that is used again: the time of a replay is mostly that of fresh memory.
    void endsOf(const ReplayInput& input, std::vector<std::int64_t>& ends) const;
    /// The edge that a node waited for longest, of those that end at it; nullptr: it waits for nothing.
    /// `ends` as returned by endsOf() for the same input. O(edges of the node).
    struct Incoming;
    const Incoming* latestOf(std::uint32_t place, const ReplayInput& input,
                             std::span<const std::int64_t> ends) const;

    struct Incoming
    {
        std::int64_t lagNs = 0;
        std::uint32_t from = 0; ///< place
        EdgeKind kind = EdgeKind::Order;
        std::uint16_t part = ReplayEdge::wholePart;
    };

private:
    static std::int64_t allowedNs(const Incoming& edge, const ReplayInput& input,
                                  std::span<const std::int64_t> ends);

    std::vector<std::uint32_t> m_places;
    std::vector<std::uint32_t> m_firstEdges; ///< of the place, up to that of the next place
    std::vector<Incoming> m_edges; ///< by the place that they lead to
    std::array<std::size_t, edgeBasisCount> m_dropped{};
};

} // namespace collscope
