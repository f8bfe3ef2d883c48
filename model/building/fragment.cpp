// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/building/fragment.h"

#include "model/building/column_order.h"
#include "model/building/correlation_links.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>

namespace collscope {

namespace {

constexpr std::uint32_t noRow = Id<void>::noneValue;

std::string keyOf(std::string_view a, std::string_view b, char kind = ' ')
{
    std::string key;
    key.reserve(a.size() + b.size() + 2);
    key.append(a).append(1, '\x1f').append(b).append(1, kind);
    return key;
}

template<typename T>
void moveToEnd(std::vector<T>& from, std::vector<T>& to)
{
    to.insert(to.end(), from.begin(), from.end());
    from.clear();
}

/// The trailing integer of "stream 7" or "7"; -1 if there is none.
std::int32_t trailingNumber(std::string_view text)
{
    std::size_t begin = text.size();
    while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9')
        --begin;
    std::int32_t number = -1;
    std::from_chars(text.data() + begin, text.data() + text.size(), number);
    return number;
}

} // namespace

std::uint32_t FragmentBuilder::track(TrackKind kind, std::string_view pid, std::string_view tid)
{
    return trackOf({m_strings->intern(pid), m_strings->intern(tid), kind});
}

std::uint32_t FragmentBuilder::trackOf(const TrackKey& key)
{
    const auto [found, isNew] = m_trackByKey.try_emplace(key, static_cast<std::uint32_t>(m_tracks.size()));
    if (isNew) {
        Track track;
        track.kind = key.kind;
        track.pid = key.pid;
        track.tid = key.tid;
        m_tracks.push_back(std::move(track));
    }
    return found->second;
}

std::uint32_t FragmentBuilder::flowPlaceOf(const FlowEndpoint& place)
{
    return m_flowPlaces.rowOf(place);
}

std::uint64_t FragmentBuilder::DetailHash::operator()(const KernelDetail& detail) const
{
    std::uint64_t hash = 0;
    const auto mix = [&](std::uint64_t value) {
        hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    };
    const auto pair = [](auto high, auto low) {
        return std::uint64_t{static_cast<std::uint32_t>(high)} << 32 | static_cast<std::uint32_t>(low);
    };
    mix(pair(detail.grid[0], detail.grid[1]));
    mix(pair(detail.grid[2], detail.block[0]));
    mix(pair(detail.block[1], detail.block[2]));
    mix(pair(detail.device, detail.stream));
    mix(pair(detail.registersPerThread, detail.sharedMemoryBytes));
    mix(std::bit_cast<std::uint64_t>(detail.blocksPerSm + 0.0)); // 0.0 and -0.0 are equal
    mix(std::bit_cast<std::uint64_t>(detail.occupancyPercent + 0.0));
    mix(static_cast<std::uint64_t>(detail.bytes) ^ static_cast<std::uint64_t>(detail.copyKind) << 56);
    return hash;
}

void FragmentBuilder::addInstant(std::uint32_t track, std::int64_t timeNs, StringId name)
{
    if (!m_keepsEvents)
        return;
    m_tracks[track].instants.timeNs.push_back(timeNs);
    m_tracks[track].instants.name.push_back(name);
}

std::uint32_t FragmentBuilder::flowPlace(std::string_view pid, std::string_view tid, std::string_view kind,
                                         FlowPhase phase)
{
    return flowPlaceOf({m_strings->intern(pid), m_strings->intern(tid), m_strings->intern(kind), phase});
}

void FragmentBuilder::addFlow(std::uint32_t place, std::int64_t timeNs, std::uint64_t id)
{
    if (!m_keepsEvents)
        return;
    m_flows.timeNs.push_back(timeNs);
    m_flows.id.push_back(id);
    m_flows.place.push_back(place);
}

std::uint32_t FragmentBuilder::counter(StringId name, CounterUnit unit, std::int32_t device)
{
    const auto [found, isNew] = m_counterByKey.try_emplace(
        keyOf(m_strings->view(name), std::to_string(device)), static_cast<std::uint32_t>(m_counters.size()));
    if (isNew) {
        CounterSeries series;
        series.name = name;
        series.unit = unit;
        series.device = device;
        m_counters.push_back(std::move(series));
    }
    return found->second;
}

void FragmentBuilder::addSample(std::uint32_t counter, std::int64_t timeNs, double value)
{
    if (!m_keepsEvents)
        return;
    m_counters[counter].timeNs.push_back(timeNs);
    m_counters[counter].value.push_back(value);
}

std::uint32_t FragmentBuilder::addDetail(const KernelDetail& detail)
{
    return m_keepsEvents ? m_details.rowOf(detail) : 0;
}

std::uint32_t FragmentBuilder::addCollective(const CollectiveCall& call)
{
    if (m_keepsEvents)
        m_collectives.push_back(call);
    return static_cast<std::uint32_t>(m_collectives.size() - 1);
}

void FragmentBuilder::addSync(const SyncDetail& sync)
{
    if (m_keepsEvents)
        m_syncs.push_back(sync);
}

void FragmentBuilder::setProcessName(std::string_view pid, std::string_view name)
{
    m_processNames[std::string(pid)] = name;
}

void FragmentBuilder::setThreadName(std::string_view pid, std::string_view tid, std::string_view name)
{
    m_threadNames[keyOf(pid, tid)] = name;
}

void FragmentBuilder::expectTotal(double shareRead)
{
    // Slightly more than the estimate, because another doubling at the very end would be the worst case.
    const auto total = [&](std::size_t sofar) {
        return static_cast<std::size_t>(1.05 * static_cast<double>(sofar) / shareRead);
    };
    for (Track& track : m_tracks) {
        const std::size_t slices = total(track.slices.size());
        track.slices.forEachColumn([&](auto& column) { column.reserve(slices); });
    }
    m_collectives.reserve(total(m_collectives.size()));
    const std::size_t flows = total(m_flows.size());
    m_flows.timeNs.reserve(flows);
    m_flows.id.reserve(flows);
    m_flows.place.reserve(flows);
}

const std::vector<std::uint32_t>& FragmentBuilder::takeFrom(FragmentBuilder& part,
                                                            const std::vector<StringId>& names)
{
    const auto rename = [&](StringId& id) { id = id ? names[id.value] : id; };
    const auto callBase = static_cast<std::uint32_t>(m_collectives.size());
    for (std::size_t t = part.m_trackThere.size(); t < part.m_tracks.size(); ++t) {
        const Track& track = part.m_tracks[t];
        part.m_trackThere.push_back(trackOf({names[track.pid.value], names[track.tid.value], track.kind}));
    }
    for (std::size_t d = part.m_detailThere.size(); d < part.m_details.size(); ++d)
        part.m_detailThere.push_back(addDetail(part.m_details[d]));
    for (std::size_t t = 0; t < part.m_tracks.size(); ++t) {
        Track& from = part.m_tracks[t];
        Track& to = m_tracks[part.m_trackThere[t]];
        to.device = to.device < 0 ? from.device : to.device;
        to.stream = to.stream < 0 ? from.stream : to.stream;
        if (!to.name && from.name)
            to.name = names[from.name.value];
        std::for_each(from.slices.name.begin(), from.slices.name.end(), rename);
        to.slices.takeFrom(from.slices, part.m_detailThere, callBase);
        std::for_each(from.instants.name.begin(), from.instants.name.end(), rename);
        moveToEnd(from.instants.timeNs, to.instants.timeNs);
        moveToEnd(from.instants.name, to.instants.name);
    }
    for (CollectiveCall& call : part.m_collectives)
        forEachString(call, rename);
    moveToEnd(part.m_collectives, m_collectives);
    moveToEnd(part.m_syncs, m_syncs);
    takeFlows(part, names);
    for (CounterSeries& series : part.m_counters) {
        CounterSeries& to = m_counters[counter(names[series.name.value], series.unit, series.device)];
        moveToEnd(series.timeNs, to.timeNs);
        moveToEnd(series.value, to.value);
    }
    for (auto& [key, name] : part.m_processNames)
        m_processNames[key] = std::move(name);
    for (auto& [key, name] : part.m_threadNames)
        m_threadNames[key] = std::move(name);
    part.m_processNames.clear();
    part.m_threadNames.clear();
    return part.m_trackThere;
}

void FragmentBuilder::takeFlows(FragmentBuilder& part, const std::vector<StringId>& names)
{
    for (std::size_t p = part.m_flowPlaceThere.size(); p < part.m_flowPlaces.size(); ++p) {
        const FlowEndpoint& place = part.m_flowPlaces[p];
        part.m_flowPlaceThere.push_back(flowPlaceOf(
            {names[place.pid.value], names[place.tid.value], names[place.kind.value], place.phase}));
    }
    FlowColumns& from = part.m_flows;
    for (std::uint32_t& place : from.place)
        place = part.m_flowPlaceThere[place];
    moveToEnd(from.timeNs, m_flows.timeNs);
    m_flows.id.append(from.id);
    from.id.clear();
    moveToEnd(from.place, m_flows.place);
}

std::string FragmentBuilder::threadName(const Track& track) const
{
    const auto named = m_threadNames.find(keyOf(m_strings->view(track.pid), m_strings->view(track.tid)));
    return named == m_threadNames.end() ? std::string() : named->second;
}

void FragmentBuilder::nameThread(Track& track)
{
    const std::string tid(m_strings->view(track.tid));
    std::string name = threadName(track);
    // Kineto names every thread "thread 123 (python)". Other names do not identify the thread.
    if (name.empty())
        name = "thread " + tid;
    else if (!name.starts_with("thread "))
        name += " (" + tid + ")";
    track.name = m_strings->intern(name);
}

void FragmentBuilder::nameStream(Track& track)
{
    const std::string tid(m_strings->view(track.tid));
    if (track.stream < 0)
        track.stream = trailingNumber(tid);
    if (track.device < 0)
        track.device = trailingNumber(m_strings->view(track.pid));
    std::string name = "stream " + (track.stream >= 0 ? std::to_string(track.stream) : tid);
    if (track.kind == TrackKind::GpuAnnotation)
        name += " annotations";
    if (!track.name) // lanes of XLA devices already have names
        track.name = m_strings->intern(name);
    track.communication = mostlyCommunicates(track.slices);
}

void FragmentBuilder::nameTracks(Timeline& timeline)
{
    std::map<std::int32_t, std::size_t> slicesOnDevice;
    for (Track& track : m_tracks) {
        if (track.kind == TrackKind::CpuThread)
            nameThread(track);
        else
            nameStream(track);
        if (track.kind == TrackKind::GpuStream && track.device >= 0)
            slicesOnDevice[track.device] += track.slices.size();
    }
    const auto fuller = [](const auto& a, const auto& b) { return a.second < b.second; };
    if (timeline.device < 0 && !slicesOnDevice.empty())
        timeline.device = std::max_element(slicesOnDevice.begin(), slicesOnDevice.end(), fuller)->first;
}

bool FragmentBuilder::arrange(const Parallel& parallel, const std::function<bool(double)>& shouldContinue)
{
    // The longest pieces of work come first, so that all threads finish at about the same time.
    std::vector<std::size_t> bySize(m_tracks.size());
    std::iota(bySize.begin(), bySize.end(), std::size_t{0});
    std::stable_sort(bySize.begin(), bySize.end(), [&](std::size_t a, std::size_t b) {
        return m_tracks[a].slices.size() > m_tracks[b].slices.size();
    });
    for (const FlowEndpoint& place : m_flowPlaces.rows())
        m_flows.places.push_back({place.kind, TrackId(), place.phase});
    std::vector<std::vector<Track>> split(m_tracks.size());
    const std::size_t pieces = m_tracks.size() + 1;
    std::size_t begun = 0;
    std::size_t done = 0;
    std::vector<std::size_t> pieceIn(2 * static_cast<std::size_t>(parallel.threads()) + 2);
    Parallel::Stages stages;
    stages.read = [&](std::size_t slot) {
        pieceIn[slot] = begun;
        return begun++ < pieces;
    };
    stages.work = [&](std::size_t slot) {
        if (pieceIn[slot] == 0)
            return sortFlows(m_flows);
        const std::size_t t = bySize[pieceIn[slot] - 1];
        sortInstants(m_tracks[t].instants);
        split[t] = splitLanes(std::move(m_tracks[t]));
    };
    stages.take = [&](std::size_t) {
        return shouldContinue(static_cast<double>(++done) / static_cast<double>(pieces));
    };
    if (!parallel.forPieces(pieceIn.size(), stages))
        return false;
    std::vector<Track> lanes;
    for (std::vector<Track>& tracks : split)
        std::move(tracks.begin(), tracks.end(), std::back_inserter(lanes));
    const auto place = [&](const Track& track) {
        const bool cpu = track.kind == TrackKind::CpuThread;
        return std::tuple(track.kind, track.device,
                          cpu ? trailingNumber(m_strings->view(track.tid)) : track.stream, track.lane);
    };
    std::stable_sort(lanes.begin(), lanes.end(),
                     [&](const Track& a, const Track& b) { return place(a) < place(b); });
    m_tracks = std::move(lanes);
    return true;
}

void FragmentBuilder::placeFlows(std::uint32_t base)
{
    // A flow names a thread. On a GPU, this is the stream, and its annotations have the same thread. Tracks
    // are sorted by kind, so the stream is found first.
    std::unordered_map<TrackKey, TrackId, TrackKeyHash> trackOfThread;
    for (std::uint32_t t = 0; t < m_tracks.size(); ++t)
        trackOfThread.try_emplace(TrackKey{m_tracks[t].pid, m_tracks[t].tid}, TrackId{base + t});
    for (std::size_t p = 0; p < m_flowPlaces.size(); ++p) {
        const auto track = trackOfThread.find(TrackKey{m_flowPlaces[p].pid, m_flowPlaces[p].tid});
        if (track != trackOfThread.end())
            m_flows.places[p].track = track->second;
    }
}

bool FragmentBuilder::finish(TraceFragment& fragment, Timeline timeline, const Parallel& parallel,
                             const std::function<bool(double)>& shouldContinue)
{
    nameTracks(timeline);
    if (!arrange(parallel, [&](double done) { return shouldContinue(0.6 * done); }))
        return false;
    const auto base = static_cast<std::uint32_t>(fragment.tracks.size());
    placeFlows(base);
    parallel.forEach(2, [&](std::size_t i) {
        if (i == 0)
            timeline.launches = correlationLinks(m_tracks, 0, m_tracks.size(), TrackKind::CpuThread);
        else
            timeline.gpuSlices = correlationLinks(m_tracks, 0, m_tracks.size(), TrackKind::GpuStream);
    });
    if (!shouldContinue(0.8))
        return false;
    settleCpuCalls(m_tracks, m_collectives, timeline, m_onlyGroup, *m_strings);
    joinCollectives(timeline);
    // Built after joinCollectives(), which sets the classes from the metadata.
    parallel.forEach(m_tracks.size(), [&](std::size_t t) { m_tracks[t].slices.buildIndex(); });

    const TimelineId self{static_cast<std::uint32_t>(fragment.timelines.size())};
    bool first = true;
    for (std::uint32_t t = 0; t < m_tracks.size(); ++t) {
        const SliceColumns& slices = m_tracks[t].slices;
        for (std::uint32_t row = 0; row < slices.size(); ++row) {
            // If several copies form one collective, the first one represents it.
            if (slices.collective[row] != noRow
                && !(slices.category[row] == SliceCategory::Memcpy
                     && m_collectives[slices.collective[row]].slice))
                m_collectives[slices.collective[row]].slice = {TrackId{base + t}, row};
            timeline.range = first ? slices.range(row) : timeline.range.united(slices.range(row));
            first = false;
        }
        m_tracks[t].timeline = self;
        timeline.tracks.push_back(TrackId{base + t});
    }
    for (std::vector<LaunchLink>* links : {&timeline.launches, &timeline.gpuSlices}) {
        for (LaunchLink& link : *links)
            link.slice.track.value += base;
    }
    for (CounterSeries& counter : m_counters)
        sortCounter(counter);
    timeline.counters = std::move(m_counters);
    timeline.kernelDetails = m_details.take();
    timeline.collectives = std::move(m_collectives);
    timeline.syncs = std::move(m_syncs);
    std::stable_sort(timeline.syncs.begin(), timeline.syncs.end(),
                     [](const SyncDetail& a, const SyncDetail& b) { return a.correlation < b.correlation; });
    timeline.flows = std::move(m_flows);
    std::move(m_tracks.begin(), m_tracks.end(), std::back_inserter(fragment.tracks));
    fragment.timelines.push_back(std::move(timeline));
    m_tracks.clear();
    return shouldContinue(1);
}

} // namespace collscope
