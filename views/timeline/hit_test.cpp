// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/hit_test.h"

#include "model/slice_query.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

/// As the model's sliceAt, but over all depths from firstDepth on, and innermost among equals.
std::optional<std::uint32_t> innermostAt(const SliceColumns& slices, std::int64_t timeNs, int firstDepth,
                                         std::int64_t toleranceNs)
{
    std::optional<std::uint32_t> best;
    std::int64_t bestDistance = toleranceNs + 1;
    forEachOverlapping(slices, {timeNs - toleranceNs, timeNs + toleranceNs + 1}, [&](std::size_t row) {
        if (slices.depth[row] < firstDepth)
            return;
        const auto distance
            = std::max<std::int64_t>({0, slices.startNs[row] - timeNs, timeNs - slices.endNs(row)});
        const bool deeper = best && slices.depth[row] >= slices.depth[*best];
        if (distance < bestDistance || (distance == bestDistance && deeper)) {
            bestDistance = distance;
            best = static_cast<std::uint32_t>(row);
        }
    });
    return best;
}

} // namespace

std::optional<SliceRef> sliceAtLevel(const TraceModel& model, const TimelineRow& row, std::int64_t timeNs,
                                     int level, std::int64_t toleranceNs)
{
    if (!row.showsTrack() || level < 0 || level >= row.levels)
        return std::nullopt;
    const TrackId track = row.tracks.front();
    const SliceColumns& slices = model.track(track).slices;
    const bool shared = row.sharesLastLevel() && level == row.levels - 1;
    const auto found = shared ? innermostAt(slices, timeNs, level, toleranceNs)
                              : sliceAt(slices, timeNs, level, toleranceNs);
    return found ? std::optional(SliceRef{track, *found}) : std::nullopt;
}

std::optional<DrawInstant> instantAt(const InstantColumns& instants, const TimeAxis& axis, double x,
                                     double tolerance)
{
    // The few columns around x are drawn again: what is hit is then what is seen.
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
