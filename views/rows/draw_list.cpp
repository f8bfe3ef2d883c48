// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/rows/draw_list.h"

#include "model/queries/slice_query.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace collscope {

namespace {

DrawRect rectOf(const SliceColumns& slices, TrackId track, std::size_t row, const TimeAxis& axis)
{
    DrawRect rect;
    const double left = std::max(axis.xOf(slices.startNs[row]), 0.0);
    const double right = std::min(axis.xOf(slices.endNs(row)), axis.width());
    rect.x = left;
    rect.width = std::max(right - left, 1.0); // keeps the shortest slices visible
    rect.slice = {track, static_cast<std::uint32_t>(row)};
    rect.kernelClass = slices.kernelClass[row];
    if (rect.width >= minLabelWidth)
        rect.name = slices.name[row];
    return rect;
}

/// Returns the pixel shared by the slices in rows [begin, end): the class of the longest slice, shaded by the
/// fraction of `timeNs` that the slices cover.
DrawRect densePixel(const SliceColumns& slices, TrackId track, std::size_t begin, std::size_t end,
                    double pixel, std::int64_t timeNs)
{
    const std::size_t longest = longestRow(slices, begin, end);
    const double coverage
        = static_cast<double>(outermostNs(slices, begin, end)) / static_cast<double>(timeNs);
    DrawRect rect;
    rect.x = pixel;
    rect.width = 1;
    rect.slice = {track, static_cast<std::uint32_t>(longest)};
    rect.kernelClass = slices.index.summary(longest / SliceIndex::blockRows).longest == longest
        ? slices.index.summary(longest / SliceIndex::blockRows).longestClass
        : slices.kernelClass[longest];
    rect.coverage = static_cast<float>(std::min(coverage, 1.0));
    return rect;
}

/// Draws slices that do not overlap: wide slices individually, narrow slices one pixel at a time. O(pixels x
/// log slices). Where a block of rows is narrower than a pixel, only the index is read.
void drawStream(const TraceModel& model, TrackId track, const TimeAxis& axis, std::vector<DrawRect>& rects)
{
    constexpr std::size_t blockRows = SliceIndex::blockRows;
    const SliceColumns& slices = model.track(track).slices;
    const TimeRange visible = axis.range();
    const double pixelNs = static_cast<double>(visible.lengthNs()) / axis.width();
    const auto wideNs = static_cast<std::int64_t>(pixelNs * 1.5);
    rects.reserve(static_cast<std::size_t>(axis.width()) + 1);
    std::size_t row = firstStartingAt(slices, visible.beginNs);
    if (row > 0 && slices.endNs(row - 1) > visible.beginNs)
        --row; // only the previous slice can reach into the range
    std::int64_t from = visible.beginNs; // everything before this is drawn
    while (row < slices.size()) {
        const bool atBlock = row % blockRows == 0;
        const std::int64_t start = atBlock ? slices.index.startNs(row / blockRows) : slices.startNs[row];
        if (start >= visible.endNs)
            break;
        const bool mayBeWide = !atBlock || slices.index.longestNs(row / blockRows) >= wideNs;
        const double x = std::max(axis.xOf(start), 0.0);
        if (mayBeWide && axis.xOf(slices.endNs(row)) - x >= 1.5) {
            rects.push_back(rectOf(slices, track, row, axis));
            from = slices.endNs(row);
            ++row;
            continue;
        }
        const double pixel = std::floor(x);
        from = std::max(from, axis.timeAt(pixel));
        const std::int64_t pixelEnd = std::max(axis.timeAt(pixel + 1), start + 1);
        // Slices that start within the next pixel may be counted here, provided that some are left for that
        // pixel.
        const std::int64_t latest = pixelEnd + static_cast<std::int64_t>(pixelNs * 0.95);
        std::size_t next = std::max(row + 1, firstStartingAbout(slices, pixelEnd, latest, row));
        const std::int64_t lastEnd
            = next % blockRows == 0 ? slices.index.latestEndNs(next / blockRows - 1) : slices.endNs(next - 1);
        if (next > row + 1 && axis.xOf(lastEnd) - pixel >= 2)
            next = std::max(row + 1, std::min(next - 1, firstStartingAt(slices, pixelEnd, row)));
        const bool wholeBlocks = next < slices.size() && next % blockRows == 0;
        const std::int64_t to
            = wholeBlocks ? std::clamp(slices.index.startNs(next / blockRows), pixelEnd, latest) : pixelEnd;
        rects.push_back(densePixel(slices, track, row, next, pixel, std::max<std::int64_t>(1, to - from)));
        from = to;
        row = next;
    }
}

/// The slices drawn at one depth of a stack, from left to right.
struct StackLevel
{
    std::vector<std::pair<double, double>> wide; ///< left and right edges of the slices drawn individually
    std::size_t next = 0; ///< first entry of `wide` that may reach a later pixel
    double lastPixel = -1; ///< last pixel drawn for narrow slices
    std::size_t lastRect = 0; ///< its rectangle
    double lastNs = 0; ///< estimated time of the slices in it

    bool covers(double pixel)
    {
        while (next < wide.size() && wide[next].second <= pixel)
            ++next;
        return next < wide.size() && wide[next].first < pixel + 1;
    }
};

/// Draws nested slices. Slices of at least one pixel are found through the index and drawn individually. The
/// others are sampled: each pixel shows at each depth whether a sampled slice exists there, and how much of
/// the pixel such slices cover. O(pixels x depths), independent of the number of slices in the track. Depths
/// that share the last level are drawn over each other, the innermost on top, because parents come first.
void drawStack(const TraceModel& model, const TimelineRow& row, const TimeAxis& axis,
               std::vector<DrawRect>& rects)
{
    const TrackId track = row.tracks.front();
    const SliceColumns& slices = model.track(track).slices;
    const TimeRange visible = axis.range();
    const std::int64_t pixelNs = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(static_cast<double>(visible.lengthNs()) / axis.width()));
    const std::size_t first = firstStartingAt(slices, visible.beginNs);
    const std::size_t last = firstStartingAt(slices, visible.endNs, first);
    std::array<StackLevel, 256> levels;
    rects.reserve(static_cast<std::size_t>(axis.width()) + 1);
    const auto draw = [&](std::size_t i) {
        DrawRect rect = rectOf(slices, track, i, axis);
        rect.level = row.levelOf(slices.depth[i]);
        rect.category = slices.category[i];
        rects.push_back(rect);
        return rect;
    };
    const auto drawWide = [&](std::size_t i) {
        const DrawRect rect = draw(i);
        levels[slices.depth[i]].wide.emplace_back(rect.x, rect.x + rect.width);
    };
    for (std::size_t i = firstReaching(slices, visible.beginNs);
         (i = slices.index.nextReaching(i, first, visible.beginNs)) < first; ++i) {
        if (slices.endNs(i) > visible.beginNs)
            drawWide(i); // reaches in from the left, possibly by less than a pixel
    }
    for (std::size_t i = first; (i = slices.index.nextLasting(i, last, pixelNs)) < last; ++i) {
        if (slices.durationNs[i] >= pixelNs)
            drawWide(i);
    }
    for (std::size_t i = first; i < last;) {
        constexpr std::size_t samples = 16;
        const double pixel = std::floor(axis.xOf(slices.startNs[i]));
        const std::size_t next
            = std::max(i + 1, std::min(last, firstStartingAt(slices, axis.timeAt(pixel + 1), i)));
        const std::size_t stride = std::max<std::size_t>(1, (next - i) / samples);
        for (; i < next; i += stride) {
            StackLevel& level = levels[slices.depth[i]];
            // At the saturated depth, slices enclose each other.
            const bool nested = slices.depth[i] == levels.size() - 1;
            if (slices.durationNs[i] >= pixelNs)
                continue;
            if (!nested && level.lastPixel == pixel) {
                level.lastNs += static_cast<double>(slices.durationNs[i]);
            } else if (nested || !level.covers(pixel)) {
                level.lastPixel = pixel;
                level.lastRect = rects.size();
                level.lastNs = static_cast<double>(slices.durationNs[i]);
                draw(i);
            } else {
                continue;
            }
            const double coverage = level.lastNs * static_cast<double>(stride) / static_cast<double>(pixelNs);
            rects[level.lastRect].coverage = nested ? 1.0f : static_cast<float>(std::min(coverage, 1.0));
        }
        i = next;
    }
}

/// Draws all tracks of a collapsed group as one strip that is darker where more tracks are busy.
void drawSummary(const TraceModel& model, const TimelineRow& row, const TimeAxis& axis,
                 std::vector<DrawRect>& rects)
{
    const auto columns = static_cast<std::size_t>(std::ceil(axis.width() / densityStep));
    struct Column
    {
        double busy = 0; ///< number of busy tracks
        double busiest = 0;
        KernelClass kind = KernelClass::None; ///< class of the busiest stream
        SliceRef slice; ///< of the busiest stream, the last one that begins before the column ends
    };
    std::vector<Column> busy(columns);
    const auto columnNs = static_cast<std::int64_t>(static_cast<double>(axis.range().lengthNs())
                                                    / static_cast<double>(columns));
    for (const TrackId track : row.tracks) {
        const SliceColumns& slices = model.track(track).slices;
        const bool isGpu = model.track(track).kind == TrackKind::GpuStream;
        std::int64_t begin = axis.range().beginNs;
        std::size_t next = firstStartingAt(slices, begin);
        std::int64_t before = outermostNsBefore(slices, begin, next);
        for (std::size_t column = 0; column < columns; ++column) {
            std::int64_t end
                = std::max(axis.timeAt(static_cast<double>(column + 1) * densityStep), begin + 1);
            // Between blocks of rows where they are narrow: there the sums are at hand.
            next = firstStartingAbout(slices, end, end + columnNs / 2, next);
            if (next < slices.size() && next % SliceIndex::blockRows == 0)
                end = std::max(
                    end, std::min(end + columnNs / 2, slices.index.startNs(next / SliceIndex::blockRows)));
            const std::int64_t upTo = outermostNsBefore(slices, end, next);
            const double share = static_cast<double>(upTo - before) / static_cast<double>(end - begin);
            busy[column].busy += share;
            if (isGpu && share > busy[column].busiest && next > 0) {
                busy[column].busiest = share;
                busy[column].kind = slices.index.summary((next - 1) / SliceIndex::blockRows).longestClass;
                busy[column].slice = {track, static_cast<std::uint32_t>(next - 1)};
            }
            begin = end;
            before = upTo;
        }
    }
    for (std::size_t column = 0; column < columns; ++column) {
        if (busy[column].busy <= 0.01)
            continue;
        DrawRect rect;
        rect.x = static_cast<double>(column) * densityStep;
        rect.width = densityStep;
        // One busy thread of many is the normal case, so it must be seen well, and two must still be darker.
        rect.coverage = static_cast<float>(std::min(1.0, 0.6 * busy[column].busy));
        rect.kernelClass = busy[column].kind;
        if (isCommunication(rect.kernelClass))
            rect.slice = busy[column].slice;
        rects.push_back(rect);
    }
}

} // namespace

PixelColumns columnsOf(const DrawRect& rect)
{
    const int left = static_cast<int>(rect.x); // never negative
    return {left, std::max(left + 1, static_cast<int>(rect.x + rect.width))};
}

std::vector<DrawRect> drawRow(const TraceModel& model, const TimelineRow& row, const TimeAxis& axis)
{
    std::vector<DrawRect> rects;
    switch (row.kind) {
    case RowKind::Stream:
        drawStream(model, row.tracks.front(), axis, rects);
        break;
    case RowKind::Stack:
        drawStack(model, row, axis, rects);
        break;
    case RowKind::Summary:
        drawSummary(model, row, axis, rects);
        break;
    case RowKind::GroupHeader:
    case RowKind::Group:
    case RowKind::GroupSummary:
        break; // group_lanes.h: their collectives are on no track
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
