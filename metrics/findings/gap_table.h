// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The gaps of all GPUs as lists: by cause, and the longest ones.

#include "metrics/partition/partition.h"
#include "model/result.h"

#include <memory>
#include <string>

namespace collscope {

/// The gaps of one cause in the windows of the selection. Times in ns.
struct CauseGaps
{
    IdleCause cause = IdleCause::Unexplained;
    std::int64_t count = 0;
    std::int64_t ns = 0; ///< over all ranks and steps; adds up to the idle part over all causes
    std::int64_t longestNs = 0;
};

/// One gap, clipped to a window.
struct ListedGap
{
    std::int32_t rank = 0;
    std::int64_t step = 0; ///< number of the step; only if CountedTime::isPerStep
    IdleCause cause = IdleCause::Unexplained;
    TimeRange range; ///< on the axis of Analysis::clocks()
    std::string
        name; ///< the operator, call or Python function to blame, or see blamesNextEvent(); empty: unknown
    SliceRef shown; ///< the CPU slice that shows the cause, else the GPU event after the gap; may be none
};

struct GapTable : CountedTime
{
    /// Longest gaps of each cause that are listed.
    static constexpr std::size_t mostPerCause = 200;

    std::vector<CauseGaps> causes; ///< largest sum first; only those that occur
    std::vector<ListedGap> longest; ///< longest first
    std::int64_t count = 0; ///< of all gaps in the windows
    std::int64_t idleNs = 0; ///< the idle part of the partition
    std::int64_t windowNs = 0; ///< sum of the windows
};

/// A gap of a timeline, in its own time.
struct LaneGap
{
    TimeRange range;
    StringId name; ///< as GpuGap::name
    IdleCause cause = IdleCause::Unexplained;
};
/// The gaps of each timeline over the whole trace, in time order, without those of LaunchOverhead: they are
/// too short to be seen, and the most. nullptr for timelines that the selection does not contain.
using GapLane = std::shared_ptr<const std::vector<LaneGap>>;
using GapLanes = std::vector<GapLane>;

/// From partitionOf(). O(gaps).
GapLanes gapLanes(Analysis& analysis);

/// The gaps of Analysis::selection(), from partitionOf(). Fails where that is a failure. O(gaps x
/// log(mostPerCause)).
Result<GapTable> listGaps(Analysis& analysis);

} // namespace collscope
