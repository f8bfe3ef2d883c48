// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/timeline.h"

#include <vector>

namespace collscope {

/// The sums of a summarized timeline by window. They are read once, and kept as long as this.
class StepSummaries
{
public:
    /// Of a timeline with events, there are none. Throws LostBytes.
    explicit StepSummaries(const Timeline& timeline);
    /// The place of a step of the timeline among its steps; the one after the last: the whole timeline.
    /// Throws std::out_of_range for another window. O(log steps).
    std::size_t placeOf(const Step& step) const;
    const WindowSummary& at(std::size_t place) const;
    const WindowSummary& of(const Step& step) const { return at(placeOf(step)); }

private:
    const Timeline& m_timeline;
    std::vector<WindowSummary> m_steps; ///< in the order of the timeline's steps
};

} // namespace collscope
