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
    const auto& starts = slices.startNs;
    std::size_t low = hint;
    std::size_t step = 1;
    while (low + step < starts.size() && starts[low + step] < timeNs) {
        low += step;
        step *= 2;
    }
    const auto begin = starts.begin() + static_cast<std::ptrdiff_t>(low);
    const auto end = starts.begin() + static_cast<std::ptrdiff_t>(std::min(low + step + 1, starts.size()));
    return static_cast<std::size_t>(std::lower_bound(begin, end, timeNs) - starts.begin());
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
