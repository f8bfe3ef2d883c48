// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/slice_query.h"

#include <algorithm>
#include <cstdlib>

namespace collscope {

std::size_t firstStartingAt(const SliceColumns& slices, std::int64_t timeNs)
{
    const auto& starts = slices.startNs;
    return static_cast<std::size_t>(std::lower_bound(starts.begin(), starts.end(), timeNs) - starts.begin());
}

std::size_t firstReaching(const SliceColumns& slices, std::int64_t timeNs)
{
    // A slice that reaches timeNs began at most the longest duration before it.
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
    // The blocks' starts are few and lie together; of the rows only those of one block are looked at.
    constexpr std::size_t blockRows = SliceIndex::blockRows;
    const std::size_t block = slices.index.blockStartingAt(timeNs, hint / blockRows);
    const std::size_t before = block > 0 ? (block - 1) * blockRows : 0;
    const auto begin = slices.startNs.begin() + static_cast<std::ptrdiff_t>(std::max(before, hint));
    const auto end
        = slices.startNs.begin() + static_cast<std::ptrdiff_t>(std::min(block * blockRows, slices.size()));
    return static_cast<std::size_t>(std::lower_bound(std::min(begin, end), end, timeNs)
                                    - slices.startNs.begin());
}

std::size_t firstStartingAbout(const SliceColumns& slices, std::int64_t timeNs, std::int64_t latestNs,
                               std::size_t hint)
{
    constexpr std::size_t blockRows = SliceIndex::blockRows;
    const std::size_t block = slices.index.blockStartingAt(timeNs, (hint + blockRows - 1) / blockRows);
    const bool isNear = block < slices.index.blocks() && slices.index.startNs(block) <= latestNs;
    return isNear ? block * blockRows : firstStartingAt(slices, timeNs, hint);
}

namespace {

/// What precedes a row on its track.
struct Preceding
{
    std::int64_t outermostNs = 0;
    std::uint32_t lastOutermost = SliceIndex::noRow;
};

Preceding preceding(const SliceColumns& slices, std::size_t row)
{
    constexpr std::size_t blockRows = SliceIndex::blockRows;
    if (slices.isEmpty())
        return {};
    const std::size_t block = std::min(row / blockRows, slices.index.blocks() - 1);
    const SliceIndex::Summary& summary = slices.index.summary(block);
    Preceding sum{summary.outermostNs, summary.lastOutermost};
    for (std::size_t i = block * blockRows; i < row; ++i) {
        if (slices.depth[i] == 0) {
            sum.outermostNs += slices.durationNs[i];
            sum.lastOutermost = static_cast<std::uint32_t>(i);
        }
    }
    return sum;
}

} // namespace

std::int64_t outermostNs(const SliceColumns& slices, std::size_t begin, std::size_t end)
{
    return preceding(slices, end).outermostNs - preceding(slices, begin).outermostNs;
}

std::int64_t outermostNsBefore(const SliceColumns& slices, std::int64_t timeNs, std::size_t row)
{
    // Outermost slices do not overlap, so only the last one can reach beyond.
    const Preceding sum = preceding(slices, row);
    const std::int64_t beyond = sum.lastOutermost != SliceIndex::noRow
        ? std::max<std::int64_t>(0, slices.endNs(sum.lastOutermost) - timeNs)
        : 0;
    return sum.outermostNs - beyond;
}

std::size_t longestRow(const SliceColumns& slices, std::size_t begin, std::size_t end)
{
    constexpr std::size_t blockRows = SliceIndex::blockRows;
    std::size_t longest = begin;
    std::int64_t longestNs = -1;
    for (std::size_t row = begin; row < end;) {
        const bool wholeBlock = row % blockRows == 0 && row + blockRows <= end;
        const std::size_t block = row / blockRows;
        const std::int64_t duration = wholeBlock ? slices.index.longestNs(block) : slices.durationNs[row];
        if (duration > longestNs) {
            longestNs = duration;
            longest = wholeBlock ? slices.index.summary(block).longest : row;
        }
        row += wholeBlock ? blockRows : 1;
    }
    return longest;
}

void forEachOverlapping(const SliceColumns& slices, TimeRange range,
                        const std::function<void(std::size_t)>& f)
{
    // What began before reaches in only if it is long; the index finds those few among all before.
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

} // namespace collscope
