// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The activity of a GPU in an interval, and its excess over the activity of others in their intervals.
// Without GPUs the operators of the CPU threads count as compute.

#include "model/interval_set.h"
#include "model/trace_model.h"

#include <optional>
#include <span>

namespace collscope {

/// One timeline between two times of its own clock. Times in ns; the first five sum to the interval.
struct IntervalProfile
{
    /// Kernels or copies of one name.
    struct Named
    {
        StringId name;
        KernelClass kind = KernelClass::None;
        bool fromHost = false; ///< copies to the device
        std::int64_t ns = 0; ///< sum of the clipped durations
        double calls = 0; ///< a call that lies partly in the interval counts in proportion
        double blocks = 0; ///< of the grids, also in proportion; 0: unknown
    };
    /// Time in which all streams were idle.
    struct Gap
    {
        TimeRange range;
        SliceRef next; ///< slice that ended the gap; none: the interval's end
        StringId name; ///< name of `next`; none for the slice at the interval's end
        std::uint32_t ordinal = 0; ///< number among slices of that name in the interval
    };

    TimeRange range;
    std::int64_t ownStreamNs = 0; ///< communication on the stream of the slice that ends the interval
    std::int64_t computeNs = 0; ///< compute not covered by ownStreamNs
    std::int64_t communicationNs = 0; ///< other communication not hidden by the above
    std::int64_t copyNs = 0; ///< copies and memsets not hidden by the above
    std::int64_t idleNs = 0;
    IntervalSet covering; ///< the first two combined: they hide a wait on another stream
    std::vector<Named> names; ///< sorted by name
    std::vector<Gap> gaps; ///< in time order
    bool onCpu = false; ///< timeline without GPU work: operators and collectives of a CPU backend

    std::int64_t lengthNs() const { return range.lengthNs(); }
    std::int64_t allCommunicationNs() const { return ownStreamNs + communicationNs; }
};

/// `ending`: the slice that starts where the interval ends, if any. `namesUntilNs`: compute and copies count
/// in `names` up to this time, if it is later than the interval's end. O(n log n) in the slices.
IntervalProfile profileInterval(const TraceModel& model, const Timeline& timeline, TimeRange range,
                                SliceRef ending, std::int64_t namesUntilNs = 0);

/// One interval minus the median of others.
struct IntervalDifference
{
    struct Named
    {
        IntervalProfile::Named own;
        std::int64_t otherNs = 0;
        double otherCalls = 0;
        double otherBlocks = 0;
        std::int64_t moreNs = 0; ///< caused by more calls or larger grids
        std::int64_t longerNs = 0; ///< remainder
        std::int64_t ns() const { return moreNs + longerNs; }
    };
    struct Gap
    {
        IntervalProfile::Gap own;
        std::int64_t otherNs = 0; ///< length of the gap before the same slice
        std::int64_t ns() const { return own.range.lengthNs() - otherNs; }
    };

    std::int64_t lengthNs = 0, computeNs = 0, communicationNs = 0, copyNs = 0, idleNs = 0;
    std::vector<Named> names; ///< largest difference first
    std::vector<Gap> gaps; ///< longer than in the others, largest difference first; at most 256
};

IntervalDifference compareIntervals(const IntervalProfile& own, std::span<const IntervalProfile> others);

/// The slices of one name on the GPU (`onCpu`: on threads) in a range, longest first, at most `most`.
std::vector<SliceRef> longestNamed(const TraceModel& model, const Timeline& timeline, TimeRange range,
                                   StringId name, std::size_t most, bool onCpu = false);

/// The median; 0 without values.
double middleOf(std::vector<double> values);

} // namespace collscope
