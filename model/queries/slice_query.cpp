// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/queries/slice_query.h"

#include <algorithm>
#include <limits>

namespace collscope {

std::size_t firstStartingAt(const SliceColumns& slices, std::int64_t timeNs)
{
    const auto& starts = slices.startNs;
    return static_cast<std::size_t>(std::lower_bound(starts.begin(), starts.end(), timeNs) - starts.begin());
}

std::size_t firstReaching(const SliceColumns& slices, std::int64_t timeNs)
{
    // A slice that reaches timeNs starts at most the longest duration before it.
    return firstStartingAt(slices, timeNs - slices.longestNs);
}

bool holdsKernels(const SliceColumns& slices)
{
    for (std::size_t row = 0; row < slices.size(); ++row) {
        if (isKernel(slices.kernelClass[row]))
            return true;
    }
    return false;
}

std::size_t firstStartingAt(const SliceColumns& slices, std::int64_t timeNs, std::size_t hint)
{
    constexpr std::size_t blockRows = SliceIndex::blockRows;
    const auto& starts = slices.startNs;
    std::size_t low = hint;
    std::size_t end = std::min((hint / blockRows + 1) * blockRows, starts.size());
    if (end < starts.size() && slices.index.startNs(end / blockRows) < timeNs) {
        // Not in this block. The starts of blocks are few and contiguous in memory.
        const std::size_t block = slices.index.blockStartingAt(timeNs, end / blockRows);
        low = (block - 1) * blockRows;
        end = std::min(block * blockRows, starts.size());
    } else {
        for (std::size_t step = 1; low + step < end; step *= 2) {
            if (starts[low + step] >= timeNs) {
                end = low + step;
                break;
            }
            low += step;
        }
    }
    const auto at = [&](std::size_t row) { return starts.begin() + static_cast<std::ptrdiff_t>(row); };
    return static_cast<std::size_t>(std::lower_bound(at(std::min(low, end)), at(end), timeNs)
                                    - starts.begin());
}

std::size_t firstStartingAbout(const SliceColumns& slices, std::int64_t timeNs, std::int64_t latestNs,
                               std::size_t hint)
{
    const std::size_t next = hint / SliceIndex::blockRows + 1;
    const std::size_t block = slices.index.blockStartingAt(timeNs, next);
    if (block < slices.index.blocks() && slices.index.startNs(block) <= latestNs)
        return block * SliceIndex::blockRows;
    return firstStartingAt(slices, timeNs, hint);
}

namespace {

/// Summary of the rows before a row on its track.
struct Preceding
{
    std::int64_t outermostNs = 0; ///< durations
    std::int64_t endNs = std::numeric_limits<std::int64_t>::min(); ///< of the last outermost slice
};

Preceding preceding(const SliceColumns& slices, std::size_t row)
{
    constexpr std::size_t blockRows = SliceIndex::blockRows;
    if (slices.isEmpty())
        return {};
    const std::size_t block = std::min(row / blockRows, slices.index.blocks() - 1);
    const SliceIndex::Summary& summary = slices.index.summary(block);
    Preceding sum{summary.outermostNs, summary.outermostEndNs};
    std::size_t last = row;
    for (std::size_t i = block * blockRows; i < row; ++i) {
        const bool isOutermost = slices.depth[i] == 0; // unpredictable: a branch would be mispredicted
        sum.outermostNs += isOutermost ? slices.durationNs[i] : 0;
        last = isOutermost ? i : last;
    }
    if (last != row)
        sum.endNs = slices.endNs(last);
    return sum;
}

} // namespace

std::int64_t outermostNs(const SliceColumns& slices, std::size_t begin, std::size_t end)
{
    if (end - begin > SliceIndex::blockRows)
        return preceding(slices, end).outermostNs - preceding(slices, begin).outermostNs;
    std::int64_t sum = 0;
    for (std::size_t row = begin; row < end; ++row)
        sum += slices.depth[row] == 0 ? slices.durationNs[row] : 0;
    return sum;
}

std::int64_t outermostNsBefore(const SliceColumns& slices, std::int64_t timeNs, std::size_t row)
{
    // Outermost slices do not overlap, so only the last one can extend beyond timeNs.
    const Preceding sum = preceding(slices, row);
    return sum.outermostNs - (sum.endNs > timeNs ? sum.endNs - timeNs : 0);
}

std::size_t longestRow(const SliceColumns& slices, std::size_t begin, std::size_t end)
{
    constexpr std::size_t blockRows = SliceIndex::blockRows;
    std::size_t longest = begin;
    std::int64_t longestNs = -1;
    const auto look = [&](std::size_t row, std::int64_t durationNs) {
        if (durationNs > longestNs) {
            longestNs = durationNs;
            longest = row;
        }
    };
    std::size_t row = begin;
    for (; row < end && row % blockRows != 0; ++row)
        look(row, slices.durationNs[row]);
    for (; row + blockRows <= end; row += blockRows)
        look(slices.index.summary(row / blockRows).longest, slices.index.longestNs(row / blockRows));
    for (; row < end; ++row)
        look(row, slices.durationNs[row]);
    return longest;
}

void forEachOverlapping(const SliceColumns& slices, TimeRange range,
                        const std::function<void(std::size_t)>& f)
{
    // An earlier slice reaches into the range only if it is long. The index finds these few slices among all
    // earlier ones.
    const std::size_t starting = firstStartingAt(slices, range.beginNs);
    for (std::size_t row = firstReaching(slices, range.beginNs);
         (row = slices.index.nextReaching(row, starting, range.beginNs)) < starting; ++row) {
        if (slices.endNs(row) > range.beginNs)
            f(row);
    }
    for (std::size_t row = starting; row < slices.size() && slices.startNs[row] < range.endNs; ++row)
        f(row);
}

std::optional<std::uint32_t> sliceAt(const SliceColumns& slices, std::int64_t timeNs, int depth,
                                     std::int64_t toleranceNs)
{
    std::optional<std::uint32_t> best;
    std::int64_t bestDistance = toleranceNs + 1;
    forEachOverlapping(slices, {timeNs - toleranceNs, timeNs + toleranceNs + 1}, [&](std::size_t row) {
        if (slices.depth[row] != depth)
            return;
        const std::int64_t before = std::max<std::int64_t>(0, slices.startNs[row] - timeNs);
        const std::int64_t after = std::max<std::int64_t>(0, timeNs - slices.endNs(row));
        const std::int64_t distance = std::max(before, after);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = static_cast<std::uint32_t>(row);
        }
    });
    return best;
}

std::optional<SliceRef> linkedSlice(const TraceModel& model, SliceRef slice)
{
    const Track& track = model.track(slice.track);
    const std::uint32_t correlation = track.slices.correlation[slice.row];
    if (correlation == 0)
        return std::nullopt;
    const Timeline& timeline = model.timeline(track.timeline);
    if (track.kind == TrackKind::GpuStream) {
        const SliceRef launch = timeline.launchOf(correlation);
        return launch ? std::optional(launch) : std::nullopt;
    }
    const SliceRef work = timeline.gpuSliceOf(correlation);
    return work ? std::optional(work) : std::nullopt;
}

std::optional<SliceRef> firstLinked(const TraceModel& model, SliceRef slice)
{
    const Track& track = model.track(slice.track);
    if (track.kind == TrackKind::GpuStream)
        return linkedSlice(model, slice);
    const SliceColumns& slices = track.slices;
    const std::int64_t endNs = slices.range(slice.row).endNs;
    for (std::uint32_t row = slice.row; row < slices.size(); ++row) {
        const bool isInside = row == slice.row
            || (slices.depth[row] > slices.depth[slice.row] && slices.startNs[row] < endNs);
        if (!isInside)
            break;
        if (const auto linked = linkedSlice(model, {slice.track, row}))
            return linked;
    }
    return std::nullopt;
}

} // namespace collscope
