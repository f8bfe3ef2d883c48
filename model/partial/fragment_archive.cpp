// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/partial/fragment_archive.h"

#include "model/building/correlation_links.h"
#include "model/partial/fields.h"
#include "model/partial/packed_steps.h"
#include "model/partial/sane_times.h"
#include "model/partial/sound_sums.h"

#include <algorithm>
#include <functional>

namespace collscope {

namespace {

/// Transfers the data after the strings and the counts, in both directions.
template<typename Archive>
void transfer(Archive& archive, TraceFragment& fragment, std::vector<Diagnostic>& problems)
{
    archive(fragment.source, problems, fragment.tracks, fragment.timelines, fragment.nvlink);
    archive(fragment.executionTraces, fragment.card, fragment.trainConfig, fragment.measurements);
    archive(fragment.hasWallClock, fragment.clockOffsetNs, fragment.isMerged, fragment.isOfDevices);
    archive(fragment.nameRank, fragment.contentRank);
}

bool areSane(const std::vector<std::int64_t>& times)
{
    return std::all_of(times.begin(), times.end(), [](std::int64_t time) { return isSane(time); });
}

bool areSorted(const std::vector<std::int64_t>& times)
{
    return std::is_sorted(times.begin(), times.end()) && areSane(times);
}

template<typename T, T fallback>
bool fill(OptionalColumn<T, fallback>& column, std::size_t size)
{
    while (column.size() == 0 && size > 0) {
        for (std::size_t row = 0; row < size; ++row)
            column.push_back(fallback);
    }
    return column.size() == size;
}

/// Restores the members that the archive excludes; false if the columns are inconsistent.
bool completeSlices(SliceColumns& slices, const Timeline& timeline, bool isStream)
{
    constexpr std::int64_t longest = std::int64_t{1} << 58;
    std::int64_t busyUntil = -(std::int64_t{1} << 62);
    const std::size_t size = slices.size();
    if (slices.durationNs.size() != size || slices.name.size() != size || slices.category.size() != size
        || slices.depth.size() != size || !areSorted(slices.startNs) || !fill(slices.kernelClass, size)
        || !fill(slices.correlation, size) || !fill(slices.externalId, size) || !fill(slices.detail, size)
        || !fill(slices.collective, size))
        return false;
    for (std::size_t row = 0; row < size; ++row) {
        const std::int64_t duration = slices.durationNs[row];
        const std::uint32_t detail = slices.detail[row], call = slices.collective[row];
        if (duration < 0 || duration > longest || !isSane(slices.startNs[row] + duration) || !slices.name[row]
            || (isStream && slices.startNs[row] < busyUntil)
            || (detail != SliceColumns::noRow && detail >= timeline.kernelDetails.size())
            || (call != SliceColumns::noRow && call >= timeline.collectives.size()))
            return false;
        slices.longestNs = std::max(slices.longestNs, duration);
        busyUntil = std::max(busyUntil, slices.startNs[row] + duration);
        slices.fileOffset.push_back(0);
    }
    slices.buildIndex();
    return true;
}

bool isSound(const FlowColumns& flows)
{
    return flows.id.size() == flows.size() && flows.place.size() == flows.size() && areSane(flows.timeNs)
        && std::all_of(flows.place.begin(), flows.place.end(),
                       [&](std::uint32_t place) { return place < flows.places.size(); })
        && std::all_of(flows.places.begin(), flows.places.end(),
                       [](const FlowColumns::Endpoint& place) { return static_cast<bool>(place.kind); });
}

bool isSound(const LinkSeries& series)
{
    const std::size_t size = series.beginNs.size();
    return series.endNs.size() == size && series.bytes.size() == size && series.gap.size() == size && size > 0
        && areSorted(series.beginNs) && areSorted(series.endNs)
        && std::equal(series.beginNs.begin(), series.beginNs.end(), series.endNs.begin(), std::less())
        && std::all_of(series.failedReads.begin(), series.failedReads.end(),
                       [](const LinkSeries::FailedRead& failed) { return isSane(failed.timeNs); });
}

/// Whether evidence can be taken from the calls.
bool isSound(const JobGroupCalls& own)
{
    constexpr std::int64_t most = std::int64_t{1} << 40; // calls; sums of several kinds must not overflow
    constexpr std::int64_t longest = std::int64_t{1} << 58;
    const NumberedJobCalls& calls = own.numbered;
    const std::size_t size = calls.size();
    return own.ranks && isSane(own.range) && calls.kind.size() == size && calls.beginNs.size() == size
        && calls.durationNs.size() == size && areSane(calls.beginNs)
        && std::all_of(own.kinds.begin(), own.kinds.end(),
                       [](const JobCallKind& kind) { return 0 <= kind.count && kind.count <= most; })
        && std::all_of(calls.durationNs.begin(), calls.durationNs.end(),
                       [](std::int64_t ns) { return 0 <= ns && ns <= longest; })
        && std::all_of(calls.kind.begin(), calls.kind.end(),
                       [&](std::uint32_t kind) { return kind < own.kinds.size(); })
        && std::adjacent_find(calls.number.begin(), calls.number.end(), std::greater_equal())
        == calls.number.end();
}

/// Whether the windows are those of the timeline's steps, which are found by their times.
bool areOfSteps(const std::vector<WindowSummary>& windows, const TimelineSummary& summary,
                const Timeline& timeline)
{
    const auto rangeOf = [&](std::size_t i) {
        return summary.detectedNs.empty() ? timeline.steps[i].range
                                          : TimeRange{summary.detectedNs[i], summary.detectedNs[i + 1]};
    };
    for (std::size_t i = 0; i < windows.size(); ++i) {
        if (windows[i].range != rangeOf(i))
            return false;
    }
    return true;
}

/// Whether others can rely on a summary: it has a window for each of the timeline's steps.
bool isSound(const TimelineSummary& summary, const Timeline& timeline, std::uint64_t mostBytes)
{
    const std::size_t steps
        = summary.detectedNs.empty() ? timeline.steps.size() : summary.detectedNs.size() - 1;
    const auto isName = [](StringId name) { return static_cast<bool>(name); };
    if (summary.steps.count != steps || !(summary.detectedNs.empty() || timeline.steps.empty())
        || summary.detectedNs.size() == 1 || !areSorted(summary.detectedNs) || !isSane(summary.kernels)
        || !timeline.tracks.empty() || summary.whole.range != timeline.range
        || !isSound(summary.whole, summary.partition)
        || !std::all_of(summary.steps.names.begin(), summary.steps.names.end(), isName)
        || !std::all_of(summary.jobCalls.groups.begin(), summary.jobCalls.groups.end(),
                        [](const JobGroupCalls& group) { return isSound(group); }))
        return false;
    const auto windows = unpackSteps(summary, mostBytes);
    return windows && areOfSteps(*windows, summary, timeline);
}

bool complete(TraceFragment& fragment, Timeline& timeline, std::uint64_t mostBytes)
{
    // The tracks of a timeline must be contiguous.
    for (std::size_t i = 0; i < timeline.tracks.size(); ++i) {
        const TrackId id = timeline.tracks[i];
        if (!id || id.value != timeline.tracks.front().value + i)
            return false;
        Track& track = fragment.tracks[id.value];
        if (!track.timeline || &fragment.timelines[track.timeline.value] != &timeline
            || !completeSlices(track.slices, timeline, track.kind == TrackKind::GpuStream)
            || !areSorted(track.instants.timeNs) || track.instants.name.size() != track.instants.size()
            || !track.name || !track.pid || !track.tid)
            return false;
    }
    constexpr std::int32_t mostDevices = 1 << 16;
    if (timeline.device >= mostDevices || timeline.rank < 0)
        return false;
    for (std::uint32_t i = 0; i < timeline.collectives.size(); ++i) {
        const CollectiveCall& call = timeline.collectives[i];
        if (!call.slice) {
            if (call.onGpu)
                return false;
            continue;
        }
        const Track& track = fragment.tracks[call.slice.track.value];
        if (&fragment.timelines[track.timeline ? track.timeline.value : 0] != &timeline
            || call.slice.row >= track.slices.size()
            || (call.onGpu && track.slices.collective[call.slice.row] != i))
            return false;
    }
    for (const CounterSeries& counter : timeline.counters) {
        if (!counter.name || counter.value.size() != counter.timeNs.size() || !areSorted(counter.timeNs))
            return false;
    }
    for (const Step& step : timeline.steps) {
        if (!isSane(step.range) || !step.name)
            return false;
    }
    const auto isEarlier
        = [](const SyncDetail& a, const SyncDetail& b) { return a.correlation < b.correlation; };
    if (timeline.summary && !isSound(*timeline.summary, timeline, mostBytes))
        return false;
    if (!isSound(timeline.flows) || !isSane(timeline.range)
        || !std::is_sorted(timeline.syncs.begin(), timeline.syncs.end(), isEarlier))
        return false;
    if (!timeline.tracks.empty()) {
        const std::size_t begin = timeline.tracks.front().value;
        const std::size_t end = begin + timeline.tracks.size();
        timeline.launches = correlationLinks(fragment.tracks, begin, end, TrackKind::CpuThread);
        timeline.gpuSlices = correlationLinks(fragment.tracks, begin, end, TrackKind::GpuStream);
    }
    return true;
}

bool complete(TraceFragment& fragment, std::uint64_t mostBytes)
{
    std::size_t tracks = 0;
    for (Timeline& timeline : fragment.timelines) {
        if (!complete(fragment, timeline, mostBytes))
            return false;
        tracks += timeline.tracks.size();
    }
    for (const NvlinkDevice& device : fragment.nvlink) {
        if (!std::all_of(device.series.begin(), device.series.end(),
                         [](const LinkSeries& series) { return isSound(series); }))
            return false;
    }
    for (const GateLog& log : fragment.measurements.gateLogs) {
        for (const auto& row : log.tokens) {
            if (row.size() != log.experts)
                return false;
        }
    }
    return tracks == fragment.tracks.size() && isSane(fragment.clockOffsetNs);
}

Error damaged()
{
    return {Error::Kind::Format, "A part of the reduced run is damaged."};
}

} // namespace

PackedFragment packFragment(TraceFragment& fragment)
{
    std::vector<Diagnostic> problems = fragment.problems.entries();
    ArchiveWriter first;
    transfer(first, fragment, problems);
    std::vector<StringId> newIds(fragment.strings.size());
    std::uint32_t next = 0;
    std::vector<std::string> texts;
    for (std::uint32_t old = 0; old < newIds.size(); ++old) {
        const bool isUsed = old < first.usedStrings().size() && first.usedStrings()[old];
        if (old != 0 && !isUsed)
            continue;
        newIds[old] = StringId{next++};
        if (old != 0)
            texts.emplace_back(fragment.strings.view(StringId{old}));
    }
    ArchiveWriter archive(&newIds);
    archive(texts);
    archive.number(fragment.tracks.size());
    archive.number(fragment.timelines.size());
    transfer(archive, fragment, problems);
    return {archive.takeBytes(), archive.takeStored()};
}

Result<TraceFragment> unpackFragment(std::string_view bytes, const StoredBytes& stored,
                                     std::uint64_t mostBytes)
{
    TraceFragment fragment;
    ArchiveReader head(bytes, {});
    std::vector<std::string> texts;
    head(texts);
    for (const std::string& text : texts) {
        if (text.empty() || fragment.strings.find(text))
            return damaged();
        fragment.strings.intern(text);
    }
    const std::uint64_t tracks = head.number();
    const std::uint64_t timelines = head.number();
    if (head.failed() || tracks > bytes.size() || timelines > bytes.size())
        return damaged();
    ArchiveReader archive(head.rest(), {fragment.strings.size(), tracks, timelines}, stored);
    std::vector<Diagnostic> problems;
    transfer(archive, fragment, problems);
    if (archive.failed() || !archive.isAtEnd() || fragment.tracks.size() != tracks
        || fragment.timelines.size() != timelines || !complete(fragment, mostBytes))
        return damaged();
    for (const Diagnostic& problem : problems)
        fragment.problems.merge(problem);
    return fragment;
}

} // namespace collscope
