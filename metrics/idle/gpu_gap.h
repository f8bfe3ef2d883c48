// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A time in which no stream of a rank's GPU works, and all of them of one timeline.

#include "metrics/idle/idle_cause.h"

#include <algorithm>
#include <functional>

namespace collscope {

/// A stretch in which no stream of the GPU works. Times in ns, in the timeline's own time.
struct GpuGap
{
    TimeRange range;
    SliceRef next; ///< the first GPU event after it; none: the end of a step, or of the file
    SliceRef shown; ///< the CPU slice that shows the cause; none: no slice does
    StringId
        name; ///< the operator, call or Python function to blame, or see blamesNextEvent(); none: unknown
    TrackId thread; ///< the thread that was judged; none: no thread was
    std::int64_t shownNs = 0; ///< how much of it the recorded events of the cause cover; 0: no event shows it
    IdleCause cause = IdleCause::Unexplained;
    bool isInsideGraph = false; ///< one launch of a graph made the GPU events before and after it
    bool wasQueued = false; ///< `next` was launched before the gap began
};

/// The gaps of one timeline, in time order, over its range and all its steps.
struct TimelineGaps
{
    std::vector<GpuGap> gaps;
    std::int64_t launchIntervalNs = 0; ///< median time between two launches; 0: fewer than two
    std::int64_t launchLatencyNs = 0; ///< median time from a launch to its event on an idle GPU; 0: unknown
    bool hasCpuEvents = false; ///< the file contains CPU events besides annotations

    /// Calls f(gap, part) for each gap that overlaps a window, with the common part. O(log n + gaps inside).
    template<typename F>
    void forEachIn(TimeRange window, const F& f) const
    {
        auto gap = std::partition_point(gaps.begin(), gaps.end(),
                                        [&](const GpuGap& g) { return g.range.endNs <= window.beginNs; });
        for (; gap != gaps.end() && gap->range.beginNs < window.endNs; ++gap)
            f(*gap, gap->range.intersected(window));
    }
};

/// A gap no longer than this is launch overhead, even if launches are further apart.
constexpr std::int64_t longestLaunchOverheadNs = 20'000;

/// Finds and judges the gaps of a timeline (gpu_gaps.cpp; see idle-causes.md). `windows` outside its range
/// are covered, too. O(slices of the timeline), without an allocation per slice.
TimelineGaps findGaps(const TraceModel& model, const Timeline& timeline, const std::vector<Step>& windows,
                      const std::function<bool()>& cancelled);

} // namespace collscope
