// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What happens in a range of time: how many slices, how busy the GPUs are, and a pivot of names and tracks.

#include "metrics/multirank/clock_map.h"
#include "model/match_collector.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace collscope {

/// The slices of one name and class on one track, as far as they lie in the range. Durations are cut off at
/// its ends; those of nested slices count in each: on a CPU thread a total is the time spent in a function
/// with all that it calls.
struct RangeRow
{
    StringId name;
    KernelClass kernelClass = KernelClass::None;
    TrackId track;
    std::uint64_t count = 0;
    std::int64_t totalNs = 0; ///< a sum, no union
    std::int64_t longestNs = 0; ///< of one slice, inside the range
    SliceRef longest; ///< the first that lasts so long
};

/// How long any kernel, copy or memset ran on a rank's GPU, as the metric aggregate_gpu_utilization counts.
struct BusyGpu
{
    std::int32_t rank = 0;
    std::int64_t busyNs = 0; ///< union over its streams
    std::int64_t windowNs = 0; ///< > 0: the range; several times where several iterations were traced in it
    double share() const { return static_cast<double>(busyNs) / static_cast<double>(windowNs); }
};

/// Of each rank one source counts, as for metrics: what both Kineto and Nsight traced counts once.
struct RangeSummary
{
    TimeRange range; ///< on the axis
    std::uint64_t slices = 0; ///< that overlap the range; one without a length counts where it starts
    std::uint64_t instants = 0;
    std::vector<BusyGpu> gpus; ///< of the ranks whose files hold GPU work, ascending
    std::vector<RangeRow> rows; ///< track by track
    std::size_t timelinesLeftOut = 0; ///< in the range, but of ranks that another source counts for

    /// 0 ... 1, mean over ranks; nullopt without GPU work.
    std::optional<double> busyShare() const;
};

/// nullptr if cancelled. O(slices in the range), whatever the size of the run.
std::shared_ptr<const RangeSummary> summarizeRange(
    const TraceModel& model, const ClockMap& clocks, TimeRange axisRange,
    const std::set<std::int32_t>& hiddenRanks = {},
    const std::function<bool()>& cancelled = [] { return false; });

/// What the rows of a pivot are.
enum class RangeGrouping
{
    Class,
    Name, ///< and class
    Rank,
    Track
};

/// Which slices count in a pivot.
enum class RangeWork
{
    Gpu, ///< on streams: kernels, copies, memsets
    Cpu, ///< on threads
    Everything ///< annotations projected onto GPUs, too
};

struct RangePivot
{
    /// What the grouping leaves open (track, name ...) is that of the longest slice.
    std::vector<RangeRow> rows;
    std::int64_t totalNs = 0; ///< of the chosen work, wanted or not: what shares are shares of
};

/// `isWanted` is asked once for each name and each class name; a slice counts if either is. Empty: all count.
/// O(rows).
RangePivot pivotOf(const TraceModel& model, const RangeSummary& summary, RangeGrouping grouping,
                   RangeWork work, const NameTest& isWanted = {});

} // namespace collscope
