// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The GPU slices that belong to a step: by the time they ran (clipped to the step's window), or by the step
// that launched them (--attribution launch: unclipped kernels).

#include "metrics/core/metric.h"

#include <algorithm>

namespace collscope {

/// Finds steps by time without testing all of them. Steps may be nested, overlap, and be in any order.
class StepFinder
{
public:
    explicit StepFinder(const std::vector<Step>& steps);

    /// Calls f(index, common part) for the steps that overlap the range. O(log steps + found) if steps do not
    /// nest.
    template<typename F>
    void forEachOverlapping(TimeRange range, const F& f) const
    {
        auto next
            = std::lower_bound(m_steps.begin(), m_steps.end(), range.endNs,
                               [](const Entry& step, std::int64_t t) { return step.range.beginNs < t; });
        while (next != m_steps.begin() && (--next)->latestEndNs > range.beginNs) {
            const TimeRange common = next->range.intersected(range);
            if (!common.isEmpty())
                f(next->index, common);
        }
    }
    /// The first step in their order whose [begin, end) contains the time; -1 = none.
    std::int32_t at(std::int64_t timeNs) const;

private:
    struct Entry
    {
        TimeRange range;
        std::int64_t latestEndNs; ///< of this step and all earlier ones
        std::size_t index;
    };
    std::vector<Entry> m_steps; ///< by start
};

/// The step of a timeline that contains a time, the one with the latest start if several do; nullptr if none
/// does. For a single query; StepFinder is for many. O(steps).
const Step* stepAround(const Timeline& timeline, std::int64_t timeNs);

/// The GPU slices of one timeline, step by step.
class StepRows
{
public:
    StepRows(const TraceModel& model, const Timeline& timeline, const std::vector<Step>& steps,
             MetricOptions::Attribution attribution);

    /// The window to clip to: the step's range or, if steps own unclipped kernels, the range from the first
    /// to the last of its kernels.
    TimeRange window(std::size_t step) const;
    /// Whether a GPU slice that overlaps window(step) counts for the step.
    bool belongs(TrackId track, std::size_t row, std::size_t step) const
    {
        return m_owner.empty() || m_owner[track.value - m_firstTrack][row] == static_cast<std::int32_t>(step);
    }
    /// The step in whose window the slice starts (or that launched it); -1 = none.
    std::int32_t stepOf(TrackId track, std::size_t row) const;

private:
    const TraceModel& m_model;
    const std::vector<Step>& m_steps;
    StepFinder m_finder;
    std::vector<TimeRange> m_hull; ///< by step: hull of the slices it owns
    std::uint32_t m_firstTrack = 0;
    std::vector<std::vector<std::int32_t>> m_owner; ///< by track and row; empty when clipping
};

} // namespace collscope
