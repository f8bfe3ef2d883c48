// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/hit_test.h"

#include <algorithm>
#include <cmath>

namespace collscope {

std::optional<SliceRef> sliceAtColumn(const TraceModel& model, const TimelineRow& row, const TimeAxis& axis,
                                      int column, int level, int tolerance)
{
    if (!row.showsTrack() || level < 0 || level >= row.levels)
        return std::nullopt;
    // Draws the row again, so that the result matches the picture.
    std::optional<SliceRef> best;
    int bestDistance = tolerance;
    bool bestIsNarrow = false;
    for (const DrawRect& rect : drawRow(model, row, axis)) {
        if (rect.level != level)
            continue;
        const PixelColumns columns = columnsOf(rect);
        const int distance = std::max({0, columns.left - column, column - (columns.right - 1)});
        // Same order as in painting: narrow over wide, later over earlier.
        const bool isOnTop = distance == bestDistance && columns.areNarrow() >= bestIsNarrow;
        if (distance < bestDistance || isOnTop) {
            best = rect.slice;
            bestDistance = distance;
            bestIsNarrow = columns.areNarrow();
        }
    }
    return best;
}

std::optional<DrawInstant> instantAt(const InstantColumns& instants, const TimeAxis& axis, double x,
                                     double tolerance)
{
    // Draws the few columns around x again, so that the result matches the picture.
    const std::int64_t begin = std::max(axis.timeAt(x - tolerance - 1), axis.range().beginNs);
    const std::int64_t end = std::min(axis.timeAt(x + tolerance + 1), axis.range().endNs);
    const auto& times = instants.timeNs;
    const auto columnOf = [&](std::int64_t time) { return std::floor(axis.xOf(time)); };
    std::optional<DrawInstant> nearest;
    double best = tolerance;
    auto at = std::lower_bound(times.begin(), times.end(), begin);
    while (at != times.end() && *at < end) {
        const double column = columnOf(*at);
        const auto first = std::partition_point(times.begin(), at,
                                                [&](std::int64_t time) { return columnOf(time) < column; });
        const auto next = std::partition_point(at, times.end(),
                                               [&](std::int64_t time) { return columnOf(time) <= column; });
        if (std::abs(column + 0.5 - x) <= best) {
            best = std::abs(column + 0.5 - x);
            nearest = {column, static_cast<std::size_t>(first - times.begin()),
                       static_cast<std::size_t>(next - first)};
        }
        at = next;
    }
    return nearest;
}

} // namespace collscope
