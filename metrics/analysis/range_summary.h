// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Summary of a time range: number of slices, GPU utilization, and a pivot of names and tracks.

#include "metrics/core/clock_map.h"
#include "model/queries/slice_matches.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace collscope {

/// The slices of one name and class on one track, clipped to the range. Durations of nested slices also count
/// in the enclosing slices: on a CPU thread the total is the time spent in a function including its callees.
struct RangeRow
{
    StringId name;
    KernelClass kernelClass = KernelClass::None;
    TrackId track;
    std::uint64_t count = 0;
    std::int64_t totalNs = 0; ///< a sum, not a union
    std::int64_t longestNs = 0; ///< of one slice, inside the range
    SliceRef longest; ///< the first slice of that duration
    /// Time inside the range that no compute kernel of the rank hides, of communication and copies, and the
    /// waiting in it, of communication: once addExposure() (metrics/partition) has measured them.
    std::optional<std::int64_t> exposedNs, waitingNs;

    /// Whether the exposed time contains waits that are not known.
    bool hidesWaits() const
    {
        return isCommunication(kernelClass) && exposedNs.value_or(0) > 0 && !waitingNs;
    }
};

/// How long any kernel, copy or memset ran on a rank's GPU, counted like the metric
/// aggregate_gpu_utilization, and how much of it computed: a GPU that waits for other ranks is busy too.
struct BusyGpu
{
    std::int32_t rank = 0;
    std::int64_t busyNs = 0; ///< union over its streams
    std::int64_t computeNs = 0; ///< union of its compute kernels; the rest of busyNs is exposed
    std::int64_t windowNs = 0; ///< > 0: the range; a multiple if several iterations were traced in it
    std::int64_t exposedNs() const { return busyNs - computeNs; }
    double share() const { return static_cast<double>(busyNs) / static_cast<double>(windowNs); }
    double computeShare() const { return static_cast<double>(computeNs) / static_cast<double>(windowNs); }
};

/// One source counts per rank, as for metrics: work traced by both Kineto and Nsight counts once.
struct RangeSummary
{
    TimeRange range; ///< on the axis
    std::uint64_t slices = 0; ///< overlap the range; one without a duration counts where it starts
    std::uint64_t instants = 0;
    std::vector<BusyGpu> gpus; ///< of the ranks whose files contain GPU work, ascending
    std::vector<RangeRow> rows; ///< track by track
    std::size_t timelinesLeftOut = 0; ///< in the range, but of ranks for which another source counts

    /// 0 ... 1, mean over ranks; nullopt without GPU work.
    std::optional<double> busyShare() const;
    std::optional<double> computeShare() const;
    /// Communication and copies without compute, mean over ranks; nullopt without GPU work.
    std::optional<std::int64_t> exposedNs() const;
};

/// nullptr if cancelled. O(slices in the range), independent of the size of the run.
std::shared_ptr<RangeSummary> summarizeRange(
    const TraceModel& model, const ClockMap& clocks, TimeRange axisRange,
    const std::set<std::int32_t>& hiddenRanks = {},
    const std::function<bool()>& cancelled = [] { return false; });

/// The grouping of a pivot's rows.
enum class RangeGrouping
{
    Class,
    Name, ///< and class
    Rank,
    Track
};

/// The slices that count in a pivot.
enum class RangeWork
{
    Gpu, ///< on streams: kernels, copies, memsets
    Cpu, ///< on threads
    Everything ///< including annotations projected onto GPUs
};

struct RangePivot
{
    /// Properties not determined by the grouping (track, name ...) are those of the longest slice.
    std::vector<RangeRow> rows;
    std::int64_t totalNs = 0; ///< of the chosen work, wanted or not: the base of the shares
};

/// `isWanted` is evaluated once for each name and each class name; a slice counts if either is wanted. Empty:
/// all count. O(rows).
RangePivot pivotOf(const TraceModel& model, const RangeSummary& summary, RangeGrouping grouping,
                   RangeWork work, const NameTest& isWanted = {});

} // namespace collscope
