// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/draw_list.h"

#include "model/slice_query.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace collscope {

namespace {

constexpr double densityStep = 3; ///< px per column of a summary row

DrawRect rectOf(const SliceColumns& slices, TrackId track, std::size_t row, const TimeAxis& axis)
{
    DrawRect rect;
    const double left = std::max(axis.xOf(slices.startNs[row]), 0.0);
    const double right = std::min(axis.xOf(slices.endNs(row)), axis.width());
    rect.x = left;
    rect.width = std::max(right - left, 1.0); // nothing is too short to be seen
    rect.slice = {track, static_cast<std::uint32_t>(row)};
    rect.kernelClass = slices.kernelClass[row];
    if (rect.width >= minLabelWidth)
        rect.name = slices.name[row];
    return rect;
}

/// A pixel that many slices share: the class of the longest of a few of them, shaded by how much they cover.
DrawRect densePixel(const SliceColumns& slices, TrackId track, std::size_t begin, std::size_t end,
                    double pixel, double coverage)
{
    const std::size_t stride = std::max<std::size_t>(1, (end - begin) / 8);
    std::size_t longest = begin;
    for (std::size_t row = begin; row < end; row += stride) {
        if (slices.durationNs[row] > slices.durationNs[longest])
            longest = row;
    }
    DrawRect rect;
    rect.x = pixel;
    rect.width = 1;
    rect.slice = {track, static_cast<std::uint32_t>(longest)};
    rect.kernelClass = slices.kernelClass[longest];
    rect.coverage = static_cast<float>(std::clamp(coverage, 0.4, 1.0));
    return rect;
}

/// Slices that do not overlap: wide ones one by one, narrow ones a pixel at a time. O(pixels x log slices).
void drawStream(const TraceModel& model, TrackId track, const TimeAxis& axis, DensityCache& densities,
                std::vector<DrawRect>& rects)
{
    const SliceColumns& slices = model.track(track).slices;
    const DensityIndex& density = densities.of(model, track);
    const TimeRange visible = axis.range();
    std::size_t row = firstStartingAt(slices, visible.beginNs);
    if (row > 0 && slices.endNs(row - 1) > visible.beginNs)
        --row; // only the slice before can reach in
    while (row < slices.size() && slices.startNs[row] < visible.endNs) {
        const double x = std::max(axis.xOf(slices.startNs[row]), 0.0);
        if (axis.xOf(slices.endNs(row)) - x >= 1.5) {
            rects.push_back(rectOf(slices, track, row, axis));
            ++row;
            continue;
        }
        const double pixel = std::floor(x);
        const std::int64_t pixelBegin = axis.timeAt(pixel);
        const std::int64_t pixelEnd = std::max(axis.timeAt(pixel + 1), slices.startNs[row] + 1);
        std::size_t next = firstStartingAt(slices, pixelEnd);
        if (next > row + 1 && axis.xOf(slices.endNs(next - 1)) - pixel >= 2)
            --next; // the last one reaches out of the pixel: it is drawn for itself
        const auto busy = static_cast<double>(density.busyNs(pixelBegin, pixelEnd));
        rects.push_back(
            densePixel(slices, track, row, next, pixel, busy / static_cast<double>(pixelEnd - pixelBegin)));
        row = std::max(next, row + 1);
    }
}

/// Nested slices: each depth keeps the last pixel it has drawn, and narrow slices in the same pixel are
/// skipped. Depths that share the last level lie on each other, the innermost on top: parents come first.
void drawStack(const TraceModel& model, const TimelineRow& row, const TimeAxis& axis,
               std::vector<DrawRect>& rects)
{
    const TrackId track = row.tracks.front();
    const SliceColumns& slices = model.track(track).slices;
    std::array<double, 256> lastPixel;
    lastPixel.fill(-1);
    const TimeRange visible = axis.range();
    for (std::size_t i = firstReaching(slices, visible.beginNs);
         i < slices.size() && slices.startNs[i] < visible.endNs; ++i) {
        const std::uint8_t depth = slices.depth[i];
        if (slices.endNs(i) < visible.beginNs)
            continue;
        const double right = axis.xOf(slices.endNs(i));
        // Slices of one depth follow each other, but the deepest depth is saturated: there they may nest.
        const bool maySkip = depth < lastPixel.size() - 1 || right - axis.xOf(slices.startNs[i]) < 1;
        if (maySkip && right <= lastPixel[depth])
            continue;
        DrawRect rect = rectOf(slices, track, i, axis);
        rect.level = row.levelOf(depth);
        lastPixel[depth] = std::floor(rect.x + rect.width);
        rects.push_back(rect);
    }
}

/// All tracks of a collapsed group as one strip: darker where more of them are busy.
void drawSummary(const TraceModel& model, const TimelineRow& row, const TimeAxis& axis,
                 DensityCache& densities, std::vector<DrawRect>& rects)
{
    const auto columns = static_cast<std::size_t>(std::ceil(axis.width() / densityStep));
    std::vector<double> busy(columns, 0.0);
    for (const TrackId track : row.tracks) {
        const DensityIndex& density = densities.of(model, track);
        std::int64_t begin = axis.range().beginNs;
        for (std::size_t column = 0; column < columns; ++column) {
            const std::int64_t end
                = std::max(axis.timeAt(static_cast<double>(column + 1) * densityStep), begin + 1);
            busy[column] = std::max(busy[column], 0.0)
                + static_cast<double>(density.busyNs(begin, end)) / static_cast<double>(end - begin);
            begin = end;
        }
    }
    for (std::size_t column = 0; column < columns; ++column) {
        if (busy[column] <= 0.01)
            continue;
        DrawRect rect;
        rect.x = static_cast<double>(column) * densityStep;
        rect.width = densityStep;
        // One busy thread of many is the normal case, so it must be visible.
        rect.coverage = static_cast<float>(std::min(1.0, 0.25 + 0.45 * busy[column]));
        rects.push_back(rect);
    }
}

} // namespace

const DensityIndex& DensityCache::of(const TraceModel& model, TrackId track)
{
    const auto [found, isNew] = m_indexes.try_emplace(track.value);
    if (isNew)
        found->second = DensityIndex(model.track(track).slices);
    return found->second;
}

std::vector<DrawRect> drawRow(const TraceModel& model, const TimelineRow& row, const TimeAxis& axis,
                              DensityCache& densities)
{
    std::vector<DrawRect> rects;
    switch (row.kind) {
    case RowKind::Stream:
        drawStream(model, row.tracks.front(), axis, densities, rects);
        break;
    case RowKind::Stack:
        drawStack(model, row, axis, rects);
        break;
    case RowKind::Summary:
        drawSummary(model, row, axis, densities, rects);
        break;
    }
    return rects;
}

std::vector<DrawInstant> drawInstants(const InstantColumns& instants, const TimeAxis& axis)
{
    const auto& times = instants.timeNs;
    const auto rowOf = [&](auto position) { return static_cast<std::size_t>(position - times.begin()); };
    std::vector<DrawInstant> drawn;
    auto at = std::lower_bound(times.begin(), times.end(), axis.range().beginNs);
    while (at != times.end() && *at < axis.range().endNs) {
        const double column = std::floor(axis.xOf(*at));
        const auto next = std::partition_point(
            at, times.end(), [&](std::int64_t time) { return std::floor(axis.xOf(time)) <= column; });
        drawn.push_back({column, rowOf(at), static_cast<std::size_t>(next - at)});
        at = next;
    }
    return drawn;
}

} // namespace collscope
