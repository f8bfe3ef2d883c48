// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Plays the graph of a run through, and says how long its steps take and what the longest chain consists of.

#include "metrics/whatif/run_graph.h"

#include <memory>

namespace collscope {

/// Durations of everything in a run, by place in its graph, in ns.
struct RunTimes
{
    std::vector<std::int64_t> durationsNs;
    std::shared_ptr<const std::vector<std::int64_t>> heldNs; ///< no scenario changes them
    std::array<bool, edgeKindCount> withoutLag{};

    ReplayInput input() const { return {durationsNs, *heldNs, withoutLag}; }
};

enum class HeldWaits : std::uint8_t
{
    Dropped, ///< strict: unexplained waits take no time
    Kept ///< unexplained waits take as long as they took
};
/// As recorded.
RunTimes timesOf(const RunGraph& run, HeldWaits waits);

/// Length of each step, as the mean over the ranks, in ns. The steps of all ranks have the same numbers.
std::vector<double> recordedSteps(const RunGraph& run);
/// `ends` as returned by ReplayGraph::endsOf().
std::vector<double> replayedSteps(const RunGraph& run, std::span<const std::int64_t> ends);
/// Of one rank.
double replayedStepOf(const GraphOfRank& rank, std::size_t step, const RunGraph& run,
                      std::span<const std::int64_t> ends);

/// What the time on the longest chain of a run consists of.
enum class PathPart : std::uint8_t
{
    GpuWork,
    Transfers,
    CpuWork,
    Loading,
    HandOffs, ///< between threads
    Overhead, ///< of launches, and between two pieces of work on a stream
    Synchronization, ///< returns from calls that wait
    Unexplained,
    HiddenInGraphs
};
constexpr std::size_t pathPartCount = static_cast<std::size_t>(PathPart::HiddenInGraphs) + 1;
std::string_view pathPartName(PathPart part);

struct PathItem
{
    std::uint32_t node = 0; ///< index into RunGraph::nodes
    std::int64_t ns = 0; ///< on the path
};

struct CriticalPath
{
    std::array<std::int64_t, pathPartCount> ns{};
    std::vector<PathItem> items; ///< from the last to the first

    std::int64_t totalNs() const;
    double share(PathPart part) const; ///< 0 without a path
};
/// The longest chain of each of these steps (indices into GraphOfRank::numbers), from its begin to its end on
/// the rank that ends last. O(nodes).
CriticalPath criticalPath(const RunGraph& run, const RunTimes& times, std::span<const std::int64_t> ends,
                          const std::vector<std::size_t>& steps);

} // namespace collscope
