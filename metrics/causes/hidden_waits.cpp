// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/hidden_waits.h"

#include "model/interval_set.h"
#include "model/queries/slice_query.h"

#include <algorithm>
#include <limits>

namespace collscope {

TrackId HiddenWaits::mainStreamOf(const Timeline& timeline)
{
    const auto [known, isNew] = m_mainStreams.try_emplace(&timeline);
    if (!isNew)
        return known->second;
    std::int64_t mostNs = 0;
    for (const TrackId id : timeline.tracks) {
        const Track& track = m_model.track(id);
        std::int64_t ns = 0;
        for (std::size_t row = 0; track.kind == TrackKind::GpuStream && row < track.slices.size(); ++row)
            ns += isCompute(track.slices.kernelClass[row]) ? track.slices.durationNs[row] : 0;
        if (ns > mostNs) {
            mostNs = ns;
            known->second = id;
        }
    }
    return known->second;
}

std::int64_t HiddenWaits::exposedNs(const Call& call, std::int64_t waitNs)
{
    const TrackId main = mainStreamOf(*call.timeline);
    if (!main || main == call.slice.track)
        return waitNs;
    const TimeRange whole = m_model.rangeOf(call.slice); // in the timeline's own time
    const SliceColumns& slices = m_model.track(main).slices;
    std::vector<TimeRange> hidden;
    forEachOverlapping(slices, whole, [&](std::size_t row) {
        if (isCompute(slices.kernelClass[row]))
            hidden.push_back(slices.range(row).intersected(whole));
    });
    return std::min(waitNs, whole.lengthNs() - IntervalSet(std::move(hidden)).lengthNs());
}

bool HiddenWaits::isHiddenAtEnd(const Call& call)
{
    const TrackId main = mainStreamOf(*call.timeline);
    if (!main || main == call.slice.track)
        return false;
    const std::int64_t endNs = m_model.rangeOf(call.slice).endNs;
    const SliceColumns& computing = m_model.track(main).slices;
    std::int64_t nextNs = std::numeric_limits<std::int64_t>::max(); // begin of the next compute kernel
    for (std::size_t row = firstReaching(computing, endNs); row < computing.size(); ++row) {
        if (!isCompute(computing.kernelClass[row]))
            continue;
        if (computing.startNs[row] < endNs && computing.endNs(row) > endNs)
            return true;
        if (computing.startNs[row] >= endNs) {
            nextNs = computing.startNs[row];
            break;
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

} // namespace collscope
