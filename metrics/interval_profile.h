// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a GPU did in an interval, and what it did more of than others in theirs. Without GPUs the operators of
// the CPU's threads are what computes.

#include "model/interval_set.h"
#include "model/trace_model.h"

#include <optional>
#include <span>

namespace collscope {

/// One timeline between two moments of its own time. Times in ns; the first five add up to the interval.
struct IntervalProfile
{
    /// Kernels or copies of one name.
    struct Named
    {
        StringId name;
        KernelClass kind = KernelClass::None;
        bool fromHost = false; ///< copies to the device
        std::int64_t ns = 0; ///< clipped durations added up
        double calls = 0; ///< one that lies in the interval in part counts in part
        double blocks = 0; ///< of the grids, in part as well; 0: the trace does not say
    };
    /// Time in which no stream worked.
    struct Gap
    {
        TimeRange range;
        SliceRef next; ///< what ended it; none: the interval's end
        StringId name; ///< of next; none for what ends the interval
        std::uint32_t ordinal = 0; ///< among slices of that name in the interval
    };

    TimeRange range;
    std::int64_t ownStreamNs = 0; ///< communication on the stream of what ends the interval
    std::int64_t computeNs = 0; ///< computing, without the former
    std::int64_t communicationNs = 0; ///< other communication that none of the former hides
    std::int64_t copyNs = 0; ///< copies and memsets that none of the former hides
    std::int64_t idleNs = 0;
    IntervalSet covering; ///< the first two together: what hides a wait on another stream
    std::vector<Named> names; ///< by name
    std::vector<Gap> gaps; ///< in time order
    bool onCpu = false; ///< of a timeline without GPU work: of operators and a CPU backend's collectives

    std::int64_t lengthNs() const { return range.lengthNs(); }
    std::int64_t allCommunicationNs() const { return ownStreamNs + communicationNs; }
};

/// `ending`: the slice that begins where the interval ends, if any. `namesUntilNs`: computing and copies
/// count among `names` until then, if that is later than the interval's end. O(n log n) of the slices.
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
        std::int64_t moreNs = 0; ///< by more calls or larger grids
        std::int64_t longerNs = 0; ///< the rest
        std::int64_t ns() const { return moreNs + longerNs; }
    };
    struct Gap
    {
        IntervalProfile::Gap own;
        std::int64_t otherNs = 0; ///< the gap before the same slice
        std::int64_t ns() const { return own.range.lengthNs() - otherNs; }
    };

    std::int64_t lengthNs = 0, computeNs = 0, communicationNs = 0, copyNs = 0, idleNs = 0;
    std::vector<Named> names; ///< largest difference first
    std::vector<Gap> gaps; ///< longer than the others', largest difference first; at most 256
};

IntervalDifference compareIntervals(const IntervalProfile& own, std::span<const IntervalProfile> others);

/// The slices of one name on the GPU (`onCpu`: on threads) in a range, longest first, at most `most`.
std::vector<SliceRef> longestNamed(const TraceModel& model, const Timeline& timeline, TimeRange range,
                                   StringId name, std::size_t most, bool onCpu = false);

/// The median; 0 of nothing.
double middleOf(std::vector<double> values);

} // namespace collscope
