// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Who waits for whom, over all groups, sends and receives of a job.

#include "metrics/hang/argument_check.h"
#include "metrics/hang/call_heads.h"

#include <span>

namespace collscope {

/// A call in which at least one rank waits.
struct WaitPoint
{
    CallHead::Kind kind = CallHead::Kind::Collective;
    std::uint32_t group = 0; ///< of the job
    std::int64_t number = 0; ///< in the group; of Pair and Batch, in the rank that waits
    std::vector<std::uint32_t> waiting; ///< ranks for which it is the oldest unfinished call of its stream
    std::vector<CallStage> stages; ///< Collective: of each member of the group
    std::optional<ArgumentMismatch> mismatch;
    std::vector<std::uint32_t> awaited; ///< ranks that must act before anybody can go on here
    std::vector<std::uint32_t> inside; ///< of these, those whose CPU is inside the call
    std::vector<std::uint32_t> unknown; ///< ranks whose part is not known; only if nobody else is awaited
    bool isFinishedBySome = false; ///< a member has finished it
    bool needsAll = false; ///< nobody can finish it before all members have called
    bool isSoft = false; ///< as of its head: perhaps nobody waits here

    /// Ranks that the point leads to.
    const std::vector<std::uint32_t>& targets() const { return awaited.empty() ? unknown : awaited; }
};

struct WaitGraph
{
    static constexpr std::uint32_t noPoint = HangJob::noIndex;
    std::vector<RankHeads> heads; ///< by rank
    std::vector<WaitPoint> points;
    /// What holds each rank up; noPoint: nothing that is known.
    std::vector<std::uint32_t> mainPoint;
    /// The same, and the points of older calls: on the GPU, what holds the rank up may wait for them.
    std::vector<std::vector<std::uint32_t>> holding;
    /// A call that its peers have finished and it has not: its GPU, or its view of it, stands. noPoint: none.
    std::vector<std::uint32_t> standsAt;

    /// The points in which a rank waits for others, and so what explains it. A rank that stands by itself has
    /// none.
    std::span<const std::uint32_t> waitsAt(std::uint32_t rank) const
    {
        return standsAt[rank] == noPoint ? std::span(holding[rank]) : std::span<const std::uint32_t>();
    }
};

/// O(calls + members of the points).
WaitGraph waitGraphOf(const HangJob& job);

/// When the first of the ranks that wait in a point made the call, in nanoseconds since the epoch; 0 if a
/// ring lost it, since it is older than all that the ring holds.
std::int64_t firstCallNs(const HangJob& job, const WaitGraph& graph, std::uint32_t point);

/// The waits from their other end.
struct WaitSources
{
    std::vector<std::vector<std::uint32_t>> leadsTo; ///< by rank: the points that lead to it
    std::vector<std::vector<std::uint32_t>> waiting; ///< by point: the ranks that it holds up
};
WaitSources waitSourcesOf(const WaitGraph& graph);

/// Ranks and points that lead to each other, and to nothing else.
struct WaitEnd
{
    std::vector<std::uint32_t> ranks, points;
};
/// The ends of all waits: the strongly connected parts of the graph without an edge that leaves them.
std::vector<WaitEnd> waitEnds(const WaitGraph& graph);

} // namespace collscope
