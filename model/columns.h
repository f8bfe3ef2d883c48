// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Struct-of-arrays storage of what one track holds. No per-event heap object, no per-event string.

#include "model/compact_column.h"
#include "model/ids.h"
#include "model/kernel_class.h"
#include "model/slice_index.h"
#include "model/units.h"

#include <cstdint>
#include <vector>

namespace collscope {

/// What kind of event a slice was in its file (Kineto `cat`, nsys table).
enum class SliceCategory : std::uint8_t
{
    Kernel,
    Memcpy,
    Memset,
    GpuAnnotation, ///< GPU projection of a user annotation: never a kernel, step or collective
    UserAnnotation,
    CpuOp,
    Runtime, ///< CUDA/HIP runtime or driver call
    Python,
    Nvtx,
    Overhead,
    Other,
};
constexpr bool isGpuWork(SliceCategory c)
{
    return c <= SliceCategory::Memset;
}

/// One event on its way into the columns.
struct SliceRow
{
    std::int64_t startNs = 0;
    std::int64_t durationNs = 0;
    StringId name;
    SliceCategory category = SliceCategory::Other;
    KernelClass kernelClass = KernelClass::None;
    std::uint32_t correlation = 0; ///< launch <-> kernel, scoped to one file; 0 = none
    std::uint32_t externalId = 0; ///< CPU op <-> kernel, scoped to one file; 0 = none
    std::uint32_t detail = Id<void>::noneValue; ///< row of Timeline::kernelDetails (equal ones are one row)
    std::uint32_t collective = Id<void>::noneValue; ///< row of Timeline::collectives
    std::uint64_t fileOffset
        = 0; ///< where the event begins in the (inflated) file, to read all its args again
};

/// The slices of one track, sorted by start, then longer first. All columns have equal length; durations are
/// >= 0.
struct SliceColumns
{
    static constexpr std::uint32_t noRow = Id<void>::noneValue;
    std::vector<std::int64_t> startNs;
    MostlySmallColumn<std::int64_t> durationNs;
    std::vector<StringId> name;
    std::vector<SliceCategory> category;
    OptionalColumn<KernelClass, KernelClass::None> kernelClass;
    std::vector<std::uint8_t> depth; ///< nesting level on the track, 0 = outermost; saturates at 255
    OptionalColumn<std::uint32_t, 0> correlation;
    OptionalColumn<std::uint32_t, 0> externalId;
    OptionalColumn<std::uint32_t, noRow> detail;
    OptionalColumn<std::uint32_t, noRow> collective;
    OffsetColumn fileOffset;
    std::int64_t longestNs = 0; ///< longest duration, bounds how far back a range query must look
    SliceIndex index; ///< of the sorted rows; empty while a track is read

    std::size_t size() const { return startNs.size(); }
    bool isEmpty() const { return startNs.empty(); }
    std::int64_t endNs(std::size_t row) const { return startNs[row] + durationNs[row]; }
    TimeRange range(std::size_t row) const { return {startNs[row], endNs(row)}; }
    void append(const SliceRow& row);
    /// Moves the slices of a part of the file to the end; detailThere[i] is the row here of the part's detail
    /// i, its collectives begin at row `callBase`.
    void takeFrom(SliceColumns& part, const std::vector<std::uint32_t>& detailThere, std::uint32_t callBase);
    SliceRow at(std::size_t row) const;
    /// Applies f to each vector column (for reordering, shrinking and size accounting).
    template<typename F>
    void forEachColumn(F&& f)
    {
        f(startNs), f(durationNs), f(name), f(category), f(kernelClass), f(depth), f(correlation),
            f(externalId);
        f(detail), f(collective), f(fileOffset);
    }
};

/// Events without a duration (Kineto ph i, NVTX marks), sorted by time.
struct InstantColumns
{
    std::vector<std::int64_t> timeNs;
    std::vector<StringId> name;
    std::size_t size() const { return timeNs.size(); }
};

enum class FlowPhase : std::uint8_t
{
    Start,
    Step,
    End
};

/// Ends of flow arrows (Kineto ph s, t, f), sorted by (kind, id, time).
struct FlowColumns
{
    /// What many flow ends have in common.
    struct Endpoint
    {
        StringId kind; ///< the event's cat: "ac2g", "fwdbwd"
        TrackId track; ///< none where no slice ever appeared on that thread
        FlowPhase phase = FlowPhase::Start;
    };
    std::vector<Endpoint> places;
    std::vector<std::int64_t> timeNs;
    MostlySmallColumn<std::uint64_t> id;
    std::vector<std::uint32_t> place; ///< into places
    std::size_t size() const { return timeNs.size(); }
    StringId kind(std::size_t row) const { return places[place[row]].kind; }
    TrackId track(std::size_t row) const { return places[place[row]].track; }
    FlowPhase phase(std::size_t row) const { return places[place[row]].phase; }
};

/// Launch geometry and sizes of a GPU activity. Values a file may omit are negative.
struct KernelDetail
{
    std::int32_t device = -1;
    std::int32_t stream = -1;
    std::uint32_t grid[3] = {0, 0, 0};
    std::uint32_t block[3] = {0, 0, 0};
    std::int32_t registersPerThread = -1;
    std::int32_t sharedMemoryBytes = -1;
    double blocksPerSm = -1; ///< as the profiler prints it, not clamped
    double occupancyPercent = -1; ///< "est. achieved occupancy %"
    std::int64_t bytes = -1; ///< copies and memsets; what an XLA operation reads and writes
    double modelFlops = -1; ///< XLA operations: model_flops
    std::int32_t copyKind = -1; ///< CUPTI: 1 HtoD, 2 DtoH, 8 DtoD, 10 PtoP
    friend bool operator==(const KernelDetail&, const KernelDetail&) = default;
};

enum class CounterUnit : std::uint8_t
{
    Count,
    Percent,
    Bytes,
    BytesPerSecond,
    Watts,
    Megahertz
};

/// Counters of a profiler's `[memory]` events (profile_memory=True), one of each per GPU; bytes.
inline constexpr std::string_view allocatedCounter = "memory allocated";
inline constexpr std::string_view reservedCounter = "memory reserved";
/// Of the host, by the same events of type CPU; device -1.
inline constexpr std::string_view hostAllocatedCounter = "host memory allocated";

/// A sampled value over time of one timeline or device.
struct CounterSeries
{
    StringId name;
    CounterUnit unit = CounterUnit::Count;
    std::int32_t device = -1;
    std::vector<std::int64_t> timeNs; ///< sorted
    std::vector<double> value;
};

} // namespace collscope
