// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/queries/rank_copies.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace collscope {

namespace {

constexpr std::size_t fewestSlices = 16;

std::size_t sliceCountOf(const TraceModel& model, const Timeline& timeline)
{
    std::size_t count = 0;
    for (const TrackId id : timeline.tracks)
        count += model.track(id).slices.size();
    return count;
}

/// A few values that are the same for copies, but hardly ever for other timelines.
using FirstSight = std::tuple<SourceKind, std::int64_t, std::size_t, std::size_t, std::int64_t, std::int64_t,
                              std::uint64_t>;

FirstSight firstSight(const TraceModel& model, const Timeline& timeline)
{
    constexpr std::size_t samples = 16;
    if (timeline.summary)
        return {timeline.kind,        timeline.iteration,      0, 0, timeline.range.beginNs,
                timeline.range.endNs, timeline.summary->digest};
    std::uint64_t sum = timeline.collectives.empty() ? 0 : timeline.collectives.front().groupRanks.value;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        const SliceColumns& slices = track.slices;
        sum = (sum * 1099511628211u + track.pid.value) * 1099511628211u + track.tid.value;
        const std::size_t step = std::max<std::size_t>(slices.size() / samples, 1);
        for (std::size_t row = 0; row < slices.size(); row += step)
            sum = sum * 1099511628211u + static_cast<std::uint64_t>(slices.startNs[row])
                + (static_cast<std::uint64_t>(slices.durationNs[row]) << 20) + slices.name[row].value;
    }
    return {timeline.kind,
            timeline.iteration,
            timeline.tracks.size(),
            sliceCountOf(model, timeline),
            timeline.range.beginNs,
            timeline.range.endNs,
            sum};
}

bool areSame(const Track& a, const Track& b)
{
    if (std::tie(a.kind, a.pid, a.tid, a.device, a.stream, a.lane)
            != std::tie(b.kind, b.pid, b.tid, b.device, b.stream, b.lane)
        || a.slices.startNs != b.slices.startNs || a.slices.name != b.slices.name)
        return false;
    for (std::size_t row = 0; row < a.slices.size(); ++row) {
        if (a.slices.durationNs[row] != b.slices.durationNs[row])
            return false;
    }
    return true;
}

bool areSame(const TraceModel& model, const Timeline& a, const Timeline& b)
{
    if (a.summary && b.summary)
        return std::tie(a.device, a.host, a.summary->digest) == std::tie(b.device, b.host, b.summary->digest);
    const auto sameTrack = [&](TrackId x, TrackId y) { return areSame(model.track(x), model.track(y)); };
    const auto sameGroup = [](const CollectiveCall& x, const CollectiveCall& y) {
        return std::tie(x.group, x.groupRanks) == std::tie(y.group, y.groupRanks);
    };
    return std::tie(a.device, a.host) == std::tie(b.device, b.host)
        && std::equal(a.tracks.begin(), a.tracks.end(), b.tracks.begin(), b.tracks.end(), sameTrack)
        && std::equal(a.collectives.begin(), a.collectives.end(), b.collectives.begin(), b.collectives.end(),
                      sameGroup);
}

} // namespace

void findRankCopies(TraceModel& model)
{
    std::map<FirstSight, std::vector<const Timeline*>> originals; // timelines are sorted by rank
    for (Timeline& timeline : model.timelines) {
        if (timeline.summary ? timeline.summary->digest == 0 : sliceCountOf(model, timeline) < fewestSlices)
            continue;
        std::vector<const Timeline*>& alike = originals[firstSight(model, timeline)];
        const auto original = std::find_if(alike.begin(), alike.end(), [&](const Timeline* other) {
            return other->rank != timeline.rank && areSame(model, timeline, *other);
        });
        if (original != alike.end())
            timeline.copyOfRank = (*original)->rank;
        else if (alike.size() < 16) // if this many are alike, equality means nothing
            alike.push_back(&timeline);
    }
}

} // namespace collscope
