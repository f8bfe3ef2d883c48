// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/gap_lane.h"

#include "views/common/palette.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

/// More gaps in one pixel are not all compared, so that a frame does not depend on their number.
constexpr std::ptrdiff_t mostCompared = 32;

using GapAt = std::span<const LaneGap>::iterator;

/// The first gap that ends after a moment.
GapAt firstAfter(std::span<const LaneGap> gaps, GapAt from, std::int64_t ns)
{
    return std::partition_point(from, gaps.end(), [ns](const LaneGap& gap) { return gap.range.endNs <= ns; });
}

const LaneGap& longestOf(GapAt first, GapAt end)
{
    return *std::max_element(
        first, std::min(end, first + std::min(end - first, mostCompared)),
        [](const LaneGap& a, const LaneGap& b) { return a.range.lengthNs() < b.range.lengthNs(); });
}

} // namespace

void paintGaps(QPainter& painter, const QRect& lanes, const TimelineRow& row, std::span<const LaneGap> gaps,
               const TimeAxis& axis, const QPalette& palette)
{
    const int top = lanes.top() + row.y + row.height + 1;
    const int height = row.gapHeight - 1;
    GapAt gap = firstAfter(gaps, gaps.begin(), axis.range().beginNs);
    while (gap != gaps.end() && gap->range.beginNs < axis.range().endNs) {
        const int left = std::max(0, static_cast<int>(std::floor(axis.xOf(gap->range.beginNs))));
        const int right = static_cast<int>(std::floor(std::min(axis.xOf(gap->range.endNs), axis.width())));
        if (right > left) {
            painter.fillRect(lanes.left() + left, top, right - left, height,
                             idleCauseColor(gap->cause, palette));
            ++gap;
            continue;
        }
        // Those that end in the same pixel share it.
        const GapAt next = firstAfter(gaps, gap + 1, axis.timeAt(left + 1));
        painter.fillRect(lanes.left() + left, top, 1, height,
                         idleCauseColor(longestOf(gap, next).cause, palette));
        gap = next;
    }
}

std::optional<LaneGap> gapAt(std::span<const LaneGap> gaps, const TimeAxis& axis, int pixel)
{
    const std::int64_t endNs = std::max(axis.timeAt(pixel + 1), axis.timeAt(pixel) + 1);
    const GapAt first = firstAfter(gaps, gaps.begin(), axis.timeAt(pixel));
    const GapAt end = std::partition_point(first, gaps.end(),
                                           [&](const LaneGap& gap) { return gap.range.beginNs < endNs; });
    return first == end ? std::nullopt : std::optional(longestOf(first, end));
}

} // namespace collscope
