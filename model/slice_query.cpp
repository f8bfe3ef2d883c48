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

void forEachOverlapping(const SliceColumns& slices, TimeRange range,
                        const std::function<void(std::size_t)>& f)
{
    for (std::size_t row = firstReaching(slices, range.beginNs); row < slices.size(); ++row) {
        if (slices.startNs[row] >= range.endNs)
            break;
        const bool instant = slices.durationNs[row] == 0 && slices.startNs[row] >= range.beginNs;
        if (instant || slices.endNs(row) > range.beginNs)
            f(row);
    }
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
