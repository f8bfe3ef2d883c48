// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Filters slices by duration and by time.

#include "model/queries/slice_search.h"

#include <functional>
#include <limits>
#include <span>
#include <stop_token>

namespace collscope {

/// Range of wanted durations, including both ends.
struct DurationRange
{
    std::int64_t leastNs = 0;
    std::int64_t mostNs = std::numeric_limits<std::int64_t>::max();

    bool isAll() const { return *this == DurationRange(); }
    bool contains(std::int64_t ns) const { return leastNs <= ns && ns <= mostNs; }
    friend bool operator==(const DurationRange&, const DurationRange&) = default;
};

/// The matches with a duration in this range. `cancelled` as in MetricOptions, whose users call this; nullptr
/// once it returns true. O(matches).
SliceMatchesPtr slicesLasting(
    const TraceModel& model, const SliceMatches& matches, DurationRange lasting,
    const std::function<bool()>& cancelled = [] { return false; });

/// The slices that overlap the window of their timeline, on that timeline's own clock. An empty window
/// contains none. nullptr if cancelled. O(slices in the windows).
SliceMatchesPtr slicesDuring(const TraceModel& model, std::span<const TimeRange> windowOfTimeline,
                             const std::stop_token& stop = {});

} // namespace collscope
