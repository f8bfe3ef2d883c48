// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which GPU slices belong to a step: by where they ran (clipped to its window), or by who launched them
// (--attribution launch: whole kernels).

#include "metrics/metric.h"

namespace collscope {

/// The GPU slices of one timeline for one step after the other.
class StepRows
{
public:
    StepRows(const TraceModel& model, const Timeline& timeline, const std::vector<Step>& steps,
             MetricOptions::Attribution attribution);

    /// The window to clip to: the step's range, or a hull that clips nothing when steps own whole kernels.
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
    TimeRange m_everything;
    std::uint32_t m_firstTrack = 0;
    std::vector<std::vector<std::int32_t>> m_owner; ///< by track and row; empty when clipping
};

/// The step of `steps` (sorted by start) whose [begin, end) holds the time; -1 = none.
std::int32_t stepAt(const std::vector<Step>& steps, std::int64_t timeNs);

} // namespace collscope
