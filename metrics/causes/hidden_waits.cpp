// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/hidden_waits.h"

#include "model/interval_set.h"
#include "model/queries/slice_query.h"

#include <algorithm>
#include <limits>

namespace collscope {

const std::vector<TrackId>& HiddenWaits::streamsOf(const Timeline& timeline)
{
    const auto [known, isNew] = m_streams.try_emplace(&timeline);
    if (!isNew)
        return known->second;
    for (const TrackId id : timeline.tracks) {
        const Track& track = m_model.track(id);
        bool computes = false;
        for (std::size_t row = 0; track.kind == TrackKind::GpuStream && row < track.slices.size(); ++row)
            computes |= isCompute(track.slices.kernelClass[row]);
        if (computes)
            known->second.push_back(id);
    }
    return known->second;
}

std::int64_t HiddenWaits::exposedNs(const Call& call, std::int64_t waitNs)
{
    const TimeRange whole = m_model.rangeOf(call.slice); // in the timeline's own time
    std::vector<TimeRange> hidden;
    for (const TrackId id : streamsOf(*call.timeline)) {
        const SliceColumns& slices = m_model.track(id).slices;
        if (id == call.slice.track)
            continue;
        forEachOverlapping(slices, whole, [&](std::size_t row) {
            if (isCompute(slices.kernelClass[row]))
                hidden.push_back(slices.range(row).intersected(whole));
        });
    }
    return std::min(waitNs, whole.lengthNs() - IntervalSet(std::move(hidden)).lengthNs());
}

bool HiddenWaits::isHiddenAtEnd(const Call& call)
{
    const std::int64_t endNs = m_model.rangeOf(call.slice).endNs;
    std::int64_t nextNs = std::numeric_limits<std::int64_t>::max(); // begin of the next compute kernel
    for (const TrackId id : streamsOf(*call.timeline)) {
        const SliceColumns& slices = m_model.track(id).slices;
        for (std::size_t row = firstReaching(slices, endNs); row < slices.size(); ++row) {
            if (!isCompute(slices.kernelClass[row]))
                continue;
            if (slices.startNs[row] < endNs && slices.endNs(row) > endNs)
                return true;
            if (slices.startNs[row] >= endNs) {
                nextNs = std::min(nextNs, slices.startNs[row]);
                break;
            }
        }
    }
    return std::any_of(call.timeline->tracks.begin(), call.timeline->tracks.end(), [&](const TrackId id) {
        const Track& track = m_model.track(id);
        if (track.kind != TrackKind::GpuStream || id == call.slice.track)
            return false;
        bool isAwaited = false;
        forEachOverlapping(track.slices, {endNs, endNs + 1}, [&](std::size_t row) {
            isAwaited |= track.slices.startNs[row] < endNs && track.slices.endNs(row) <= nextNs;
        });
        return isAwaited;
    });
}

bool HiddenWaits::isQueued(const RankCalls& rank, std::size_t call)
{
    constexpr std::int64_t nextNs = 5'000;
    constexpr std::size_t farthest = 32;
    const Call& own = rank.calls[call];
    for (std::size_t back = 1; back <= std::min(call, farthest); ++back) {
        const Call& before = rank.calls[call - back];
        if (before.slice.track == own.slice.track)
            return own.range.beginNs - before.range.endNs <= nextNs;
    }
    return false;
}

} // namespace collscope
