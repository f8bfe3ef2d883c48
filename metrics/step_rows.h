// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which GPU slices belong to a step: by where they ran (clipped to its window), or by who launched them
// (--attribution launch: whole kernels).

#include "metrics/metric.h"

#include <algorithm>

namespace collscope {

/// Finds steps by time without trying all of them. Steps may be nested, overlap, and come in any order.
class StepFinder
{
public:
    explicit StepFinder(const std::vector<Step>& steps);

    /// Calls f(index, common part) for the steps that overlap the range. O(log steps + found) where they do
    /// not nest.
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
    /// The first step in their order whose [begin, end) holds the time; -1 = none.
    std::int32_t at(std::int64_t timeNs) const;

private:
    struct Entry
    {
        TimeRange range;
        std::int64_t latestEndNs; ///< of this step and those before it
        std::size_t index;
    };
    std::vector<Entry> m_steps; ///< by begin
};

/// The step of a timeline that holds a time, the one that begins last if several do; nullptr if none does.
/// For one question; StepFinder is for many. O(steps).
const Step* stepAround(const Timeline& timeline, std::int64_t timeNs);

/// The GPU slices of one timeline for one step after the other.
class StepRows
{
public:
    StepRows(const TraceModel& model, const Timeline& timeline, const std::vector<Step>& steps,
             MetricOptions::Attribution attribution);

    /// The window to clip to: the step's range, or where steps own whole kernels, from the first to the last
    /// of its own.
    TimeRange window(std::size_t step) const;
    /// True if a GPU slice that overlaps window(step) counts for the step.
    bool belongs(TrackId track, std::size_t row, std::size_t step) const
    {
        return m_owner.empty() || m_owner[track.value - m_firstTrack][row] == static_cast<std::int32_t>(step);
    }
    /// The step in whose window the slice starts (or that launched it); -1 = none of them.
    std::int32_t stepOf(TrackId track, std::size_t row) const;

private:
    const TraceModel& m_model;
    const std::vector<Step>& m_steps;
    StepFinder m_finder;
    std::vector<TimeRange> m_hull; ///< by step: of the slices it owns
    std::uint32_t m_firstTrack = 0;
    std::vector<std::vector<std::int32_t>> m_owner; ///< by track and row; empty when clipping
};

} // namespace collscope
