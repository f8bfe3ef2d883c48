// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The steps of a run with a number of their own each, by which tables refer to them.

#include "metrics/analysis/analysis.h"
#include "metrics/core/step_rows.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace collscope {

struct StepWindow
{
    std::int32_t rank = 0;
    std::size_t timeline = 0; ///< index into TraceModel::timelines
    Step step; ///< in the timeline's own time
    bool isStep = true; ///< false: the range, or the whole file, of which nobody marked steps
    bool isCounted = false; ///< metrics count it with the options of the user

    /// nullopt: the range, or the whole file.
    std::optional<std::int64_t> number() const { return isStep ? std::optional(step.number) : std::nullopt; }
};

/// The windows of all steps, by rank, then in the order of the timelines and their steps.
class StepWindows
{
public:
    /// `every`: with all steps. `counted`: with those of the user.
    StepWindows(Analysis& every, Analysis& counted);

    const std::vector<StepWindow>& all() const { return m_windows; }
    /// Index of the first window of a timeline, which has some; those of its other steps follow.
    std::size_t firstOf(std::size_t timeline) const { return m_finders.at(timeline).first; }
    /// Index of the window in which a call starts; nullopt if it starts in none.
    std::optional<std::size_t> of(const Call& call, const TraceModel& model) const;

private:
    std::vector<StepWindow> m_windows;
    struct Finder
    {
        std::size_t first = 0; ///< index of the timeline's first window
        StepFinder steps;
    };
    std::map<std::size_t, Finder> m_finders; ///< by timeline
};

} // namespace collscope
