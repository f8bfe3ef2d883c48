// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/ghost_lane.h"

#include "views/common/palette.h"
#include "views/common/theme.h"

#include <algorithm>
#include <cmath>

namespace collscope {

void paintGhost(QPainter& painter, const QRect& lanes, const TimelineRow& row, const TraceModel& model,
                const GhostLanes& ghost, const TimeAxis& axis, const QPalette& palette)
{
    const auto found = ghost.ranges.find(row.tracks.front());
    if (found == ghost.ranges.end())
        return;
    const SliceColumns& slices = model.track(row.tracks.front()).slices;
    const std::vector<TimeRange>& ranges = found->second;
    const int top = lanes.top() + row.y - row.ghostHeight;
    const int height = row.ghostHeight - 1;
    const auto firstAfter = [&](std::vector<TimeRange>::const_iterator from, std::int64_t ns) {
        return std::partition_point(from, ranges.end(), [ns](TimeRange range) { return range.endNs <= ns; });
    };
    painter.fillRect(lanes.left(), top + height, static_cast<int>(axis.width()), 1, surfaces(palette).grid);
    auto work = firstAfter(ranges.begin(), axis.range().beginNs);
    while (work != ranges.end() && work->beginNs < axis.range().endNs) {
        const int left = std::max(0, static_cast<int>(std::floor(axis.xOf(work->beginNs))));
        const int right = static_cast<int>(std::floor(std::min(axis.xOf(work->endNs), axis.width())));
        const QColor colour
            = kernelColor(slices.kernelClass[static_cast<std::size_t>(work - ranges.begin())], palette);
        painter.fillRect(lanes.left() + left, top, std::max(1, right - left), height, colour);
        work = right > left ? work + 1 : firstAfter(work + 1, axis.timeAt(left + 1));
    }
}

} // namespace collscope
