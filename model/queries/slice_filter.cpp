// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/queries/slice_filter.h"

#include "model/queries/slice_matches.h"
#include "model/queries/slice_query.h"

namespace collscope {

namespace {

constexpr std::size_t askEvery = std::size_t{1} << 16U;

} // namespace

SliceMatchesPtr slicesLasting(const TraceModel& model, const SliceMatches& matches, DurationRange lasting,
                              const std::function<bool()>& cancelled)
{
    MatchCollector collector(model);
    for (const SliceMatches::InTrack& found : matches.tracks) {
        const SliceColumns& slices = model.track(found.track).slices;
        for (std::size_t i = 0; i < found.rows.size(); ++i) {
            if (i % askEvery == 0 && cancelled())
                return nullptr;
            if (lasting.contains(slices.durationNs[found.rows[i]]))
                collector.add(found.track, found.rows[i]);
        }
    }
    return collector.finish();
}

SliceMatchesPtr slicesDuring(const TraceModel& model, std::span<const TimeRange> windowOfTimeline,
                             const std::stop_token& stop)
{
    MatchCollector collector(model);
    for (std::uint32_t t = 0; t < model.tracks.size(); ++t) {
        if (stop.stop_requested())
            return nullptr;
        const Track& track = model.tracks[t];
        const TimeRange window = windowOfTimeline[track.timeline.value];
        if (window.isEmpty())
            continue;
        forEachOverlapping(track.slices, window, [&](std::size_t row) {
            collector.add(TrackId{t}, static_cast<std::uint32_t>(row));
        });
    }
    return collector.finish();
}

} // namespace collscope
