// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Struct-of-arrays storage of the events on one track, without a heap object or a string per event.

#include "model/containers/compact_column.h"
#include "model/ids.h"
#include "model/kernels/kernel_class.h"
#include "model/slice_index.h"
#include "model/units.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace collscope {

/// Kind of event that a slice was in its file (Kineto `cat`, nsys table).
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

/// One event to be added to the columns.
struct SliceRow
{
    std::int64_t startNs = 0;
    std::int64_t durationNs = 0;
    StringId name;
    SliceCategory category = SliceCategory::Other;
    KernelClass kernelClass = KernelClass::None;
    std::uint32_t correlation = 0; ///< launch <-> kernel, scoped to one file; 0 = none
    std::uint32_t externalId = 0; ///< CPU op <-> kernel, scoped to one file; 0 = none
    std::uint32_t detail = Id<void>::noneValue; ///< row of Timeline::kernelDetails (equal details share it)
    std::uint32_t collective = Id<void>::noneValue; ///< row of Timeline::collectives
    std::uint64_t fileOffset = 0; ///< start of the event in the (inflated) file, for rereading all its args
};

/// The slices of one track, sorted by start, then by descending duration. All columns have the same length.
/// Durations are >= 0.
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
    std::int64_t longestNs = 0; ///< longest duration; limits how far back a range query must look
    SliceIndex index; ///< of the sorted rows; empty while the track is being read

    std::size_t size() const { return startNs.size(); }
    bool isEmpty() const { return startNs.empty(); }
    std::int64_t endNs(std::size_t row) const { return startNs[row] + durationNs[row]; }
    TimeRange range(std::size_t row) const { return {startNs[row], endNs(row)}; }
    /// Builds the index again, of the rows as they are.
    void buildIndex() { index.build({startNs, durationNs, kernelClass, depth}); }
    void append(const SliceRow& row);
    /// Moves the slices of a part of the file to the end. detailThere[i] is the row here of the part's detail
    /// i. The part's collectives start at row `callBase`.
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
    /// Properties that many flow ends share.
    struct Endpoint
    {
        StringId kind; ///< the event's cat: "ac2g", "fwdbwd"
        TrackId track; ///< none if no slice ever appeared on that thread
        FlowPhase phase = FlowPhase::Start;
    };
    std::vector<Endpoint> places;
    std::vector<std::int64_t> timeNs;
    MostlySmallColumn<std::uint64_t> id;
    std::vector<std::uint32_t> place; ///< index into places
    std::size_t size() const { return timeNs.size(); }
    StringId kind(std::size_t row) const { return places[place[row]].kind; }
    TrackId track(std::size_t row) const { return places[place[row]].track; }
    FlowPhase phase(std::size_t row) const { return places[place[row]].phase; }
};

/// Launch geometry and sizes of a GPU activity. Optional values are negative if the file omits them.
struct KernelDetail
{
    std::int32_t device = -1;
    std::int32_t stream = -1;
    std::uint32_t grid[3] = {0, 0, 0};
    std::uint32_t block[3] = {0, 0, 0};
    std::int32_t registersPerThread = -1;
    std::int32_t sharedMemoryBytes = -1;
    double blocksPerSm = -1; ///< as printed by the profiler, not clamped
    double occupancyPercent = -1; ///< "est. achieved occupancy %"
    std::int64_t bytes = -1; ///< copies and memsets; for XLA operations, bytes read and written
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

/// Counters from a profiler's `[memory]` events (profile_memory=True), one of each per GPU, in bytes.
inline constexpr std::string_view allocatedCounter = "memory allocated";
inline constexpr std::string_view reservedCounter = "memory reserved";
/// Counter for host memory, from `[memory]` events of type CPU; device -1.
inline constexpr std::string_view hostAllocatedCounter = "host memory allocated";

/// A value of a timeline or device, sampled over time.
struct CounterSeries
{
    StringId name;
    CounterUnit unit = CounterUnit::Count;
    std::int32_t device = -1;
    std::vector<std::int64_t> timeNs; ///< sorted
    std::vector<double> value;
};

} // namespace collscope
