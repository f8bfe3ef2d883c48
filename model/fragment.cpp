// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/fragment.h"

#include "model/column_order.h"

#include <algorithm>
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
    const auto [found, isNew]
        = m_trackByKey.try_emplace(keyOf(pid, tid, static_cast<char>('0' + static_cast<int>(kind))),
                                   static_cast<std::uint32_t>(m_tracks.size()));
    if (isNew) {
        Track track;
        track.kind = kind;
        track.pid = m_strings.intern(pid);
        track.tid = m_strings.intern(tid);
        m_tracks.push_back(std::move(track));
    }
    return found->second;
}

void FragmentBuilder::addInstant(std::uint32_t track, std::int64_t timeNs, StringId name)
{
    m_tracks[track].instants.timeNs.push_back(timeNs);
    m_tracks[track].instants.name.push_back(name);
}

void FragmentBuilder::addFlow(std::string_view pid, std::string_view tid, std::int64_t timeNs,
                              std::uint64_t id, StringId kind, FlowPhase phase)
{
    const auto [found, isNew]
        = m_flowPlaceByKey.try_emplace(keyOf(pid, tid), static_cast<std::uint32_t>(m_flowPlaces.size()));
    if (isNew)
        m_flowPlaces.emplace_back(m_strings.intern(pid), m_strings.intern(tid));
    m_flows.timeNs.push_back(timeNs);
    m_flows.id.push_back(id);
    m_flows.kind.push_back(kind);
    m_flows.track.push_back(TrackId{found->second});
    m_flows.phase.push_back(phase);
}

void FragmentBuilder::addCounter(StringId name, CounterUnit unit, std::int32_t device, std::int64_t timeNs,
                                 double value)
{
    const auto [found, isNew] = m_counterByKey.try_emplace(
        keyOf(m_strings.view(name), std::to_string(device)), static_cast<std::uint32_t>(m_counters.size()));
    if (isNew) {
        CounterSeries series;
        series.name = name;
        series.unit = unit;
        series.device = device;
        m_counters.push_back(std::move(series));
    }
    m_counters[found->second].timeNs.push_back(timeNs);
    m_counters[found->second].value.push_back(value);
}

std::uint32_t FragmentBuilder::addDetail(const KernelDetail& detail)
{
    m_details.push_back(detail);
    return static_cast<std::uint32_t>(m_details.size() - 1);
}

std::uint32_t FragmentBuilder::addCollective(const CollectiveCall& call)
{
    m_collectives.push_back(call);
    return static_cast<std::uint32_t>(m_collectives.size() - 1);
}

void FragmentBuilder::setProcessName(std::string_view pid, std::string_view name)
{
    m_processNames[std::string(pid)] = name;
}

void FragmentBuilder::setThreadName(std::string_view pid, std::string_view tid, std::string_view name)
{
    m_threadNames[keyOf(pid, tid)] = name;
}

void FragmentBuilder::nameThread(Track& track)
{
    const std::string tid(m_strings.view(track.tid));
    const auto named = m_threadNames.find(keyOf(m_strings.view(track.pid), tid));
    std::string name = "thread " + tid;
    // Kineto names every thread "thread 123 (python)"; other names do not say which thread it is.
    if (named != m_threadNames.end() && !named->second.empty())
        name = named->second.starts_with("thread ") ? named->second : named->second + " (" + tid + ")";
    track.name = m_strings.intern(name);
}

void FragmentBuilder::nameStream(Track& track)
{
    const std::string tid(m_strings.view(track.tid));
    if (track.stream < 0)
        track.stream = trailingNumber(tid);
    if (track.device < 0)
        track.device = trailingNumber(m_strings.view(track.pid));
    std::string name = "stream " + (track.stream >= 0 ? std::to_string(track.stream) : tid);
    if (track.kind == TrackKind::GpuAnnotation)
        name += " annotations";
    track.name = m_strings.intern(name);
    const auto& classes = track.slices.kernelClass;
    const auto kernels = std::count_if(classes.begin(), classes.end(), isKernel);
    track.communication = std::count_if(classes.begin(), classes.end(), isCommunication) * 2 > kernels;
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

std::unordered_map<std::uint32_t, std::uint32_t> FragmentBuilder::callsByExternalId() const
{
    std::unordered_map<std::uint32_t, std::uint32_t> calls;
    for (const Track& track : m_tracks) {
        const SliceColumns& slices = track.slices;
        for (std::size_t row = 0; track.kind == TrackKind::CpuThread && row < slices.size(); ++row) {
            if (slices.collective[row] != noRow && slices.externalId[row] != 0)
                calls.try_emplace(slices.externalId[row], slices.collective[row]);
        }
    }
    return calls;
}

std::vector<std::vector<std::uint32_t>> FragmentBuilder::callRows() const
{
    std::vector<std::vector<std::uint32_t>> rows(m_tracks.size());
    for (std::size_t t = 0; t < m_tracks.size(); ++t) {
        const std::vector<std::uint32_t>& collectives = m_tracks[t].slices.collective;
        for (std::uint32_t row = 0; m_tracks[t].kind == TrackKind::CpuThread && row < collectives.size();
             ++row) {
            if (collectives[row] != noRow)
                rows[t].push_back(row);
        }
    }
    return rows;
}

std::uint32_t FragmentBuilder::callEnclosing(SliceRef launch,
                                             const std::vector<std::uint32_t>& callRows) const
{
    // Slices of a thread nest, so the calls that began before and reach beyond the launch are around it.
    constexpr int nestedCalls = 8;
    const SliceColumns& slices = m_tracks[launch.track.value].slices;
    auto call = std::lower_bound(callRows.begin(), callRows.end(), launch.row);
    for (int i = 0; i < nestedCalls && call != callRows.begin(); ++i) {
        --call;
        if (slices.endNs(*call) >= slices.endNs(launch.row))
            return slices.collective[*call];
    }
    return noRow;
}

void FragmentBuilder::joinCollectives(const Timeline& timeline)
{
    // Newer profilers put the metadata on the kernel; older ones only on the CPU event of the same External
    // id, or on the record_param_comms call that encloses the launch (metrics.md 1.3).
    const std::unordered_map<std::uint32_t, std::uint32_t> byExternalId = callsByExternalId();
    const std::vector<std::vector<std::uint32_t>> rowsOfCalls = callRows();
    const auto metadataOf = [&](const SliceColumns& slices, std::size_t row) {
        if (const auto found = byExternalId.find(slices.externalId[row]); found != byExternalId.end())
            return found->second;
        const std::uint32_t correlation = slices.correlation[row];
        const SliceRef launch = correlation != 0 ? timeline.launchOf(correlation) : SliceRef();
        return launch ? callEnclosing(launch, rowsOfCalls[launch.track.value]) : noRow;
    };
    for (Track& track : m_tracks) {
        SliceColumns& slices = track.slices;
        for (std::size_t row = 0; track.kind == TrackKind::GpuStream && row < slices.size(); ++row) {
            if (!isCommunication(slices.kernelClass[row]) || slices.collective[row] != noRow)
                continue;
            const std::uint32_t from = metadataOf(slices, row);
            CollectiveCall call = from != noRow ? m_collectives[from] : CollectiveCall();
            const KernelClass named = classifyCollective(m_strings.view(call.name));
            call.kind = named == KernelClass::None ? slices.kernelClass[row] : named;
            call.onGpu = true;
            slices.kernelClass[row] = call.kind;
            slices.collective[row] = addCollective(call);
        }
    }
}

void FragmentBuilder::arrangeTracks()
{
    std::vector<Track> lanes;
    for (Track& track : m_tracks) {
        sortInstants(track.instants);
        std::vector<Track> split = splitLanes(std::move(track));
        std::move(split.begin(), split.end(), std::back_inserter(lanes));
    }
    const auto place = [&](const Track& track) {
        const bool cpu = track.kind == TrackKind::CpuThread;
        return std::tuple(track.kind, track.device,
                          cpu ? trailingNumber(m_strings.view(track.tid)) : track.stream, track.lane);
    };
    std::stable_sort(lanes.begin(), lanes.end(),
                     [&](const Track& a, const Track& b) { return place(a) < place(b); });
    m_tracks = std::move(lanes);
}

void FragmentBuilder::resolveFlows(std::uint32_t base)
{
    // A flow names a thread; on a GPU that thread is the stream, beside which its annotations lie. Kinds sort
    // streams first.
    std::vector<TrackId> trackOf(m_flowPlaces.size());
    for (std::uint32_t t = 0; t < m_tracks.size(); ++t) {
        for (std::size_t place = 0; place < m_flowPlaces.size(); ++place) {
            if (!trackOf[place] && m_flowPlaces[place] == std::pair(m_tracks[t].pid, m_tracks[t].tid))
                trackOf[place] = TrackId{base + t};
        }
    }
    for (TrackId& track : m_flows.track)
        track = trackOf[track.value];
    sortFlows(m_flows);
}

void FragmentBuilder::linkLaunches(Timeline& timeline) const
{
    for (std::uint32_t t = 0; t < m_tracks.size(); ++t) {
        const SliceColumns& slices = m_tracks[t].slices;
        if (m_tracks[t].kind != TrackKind::CpuThread)
            continue;
        for (std::uint32_t row = 0; row < slices.size(); ++row) {
            if (slices.correlation[row] != 0)
                timeline.launches.push_back({slices.correlation[row], {TrackId{t}, row}});
        }
    }
    // The outermost call of a correlation id launches; driver calls nested in it repeat the id.
    std::vector<LaunchLink>& links = timeline.launches;
    std::stable_sort(links.begin(), links.end(),
                     [](const LaunchLink& a, const LaunchLink& b) { return a.correlation < b.correlation; });
    const auto repeated
        = [](const LaunchLink& a, const LaunchLink& b) { return a.correlation == b.correlation; };
    links.erase(std::unique(links.begin(), links.end(), repeated), links.end());
}

void FragmentBuilder::finish(TraceFragment& fragment, Timeline timeline)
{
    nameTracks(timeline);
    arrangeTracks();
    linkLaunches(timeline);
    joinCollectives(timeline);

    const auto base = static_cast<std::uint32_t>(fragment.tracks.size());
    const TimelineId self{static_cast<std::uint32_t>(fragment.timelines.size())};
    bool first = true;
    for (std::uint32_t t = 0; t < m_tracks.size(); ++t) {
        const SliceColumns& slices = m_tracks[t].slices;
        for (std::uint32_t row = 0; row < slices.size(); ++row) {
            if (slices.collective[row] != noRow)
                m_collectives[slices.collective[row]].slice = {TrackId{base + t}, row};
            timeline.range = first ? slices.range(row) : timeline.range.united(slices.range(row));
            first = false;
        }
        m_tracks[t].timeline = self;
        timeline.tracks.push_back(TrackId{base + t});
    }
    for (LaunchLink& link : timeline.launches)
        link.slice.track.value += base;
    resolveFlows(base);
    for (CounterSeries& counter : m_counters)
        sortCounter(counter);
    timeline.counters = std::move(m_counters);
    timeline.kernelDetails = std::move(m_details);
    timeline.collectives = std::move(m_collectives);
    timeline.flows = std::move(m_flows);
    std::move(m_tracks.begin(), m_tracks.end(), std::back_inserter(fragment.tracks));
    fragment.timelines.push_back(std::move(timeline));
    m_tracks.clear();
}

} // namespace collscope
