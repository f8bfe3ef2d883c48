// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/suite/model_digest.h"

#include <cstring>
#include <type_traits>

namespace collscope {

namespace {

class Hash
{
public:
    explicit Hash(const TraceModel& model)
        : m_model(model)
    { }

    template<typename T>
    std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>> add(T value)
    {
        std::uint64_t word = 0;
        std::memcpy(&word, &value, sizeof value);
        m_value = (m_value ^ word) * 0x9E3779B97F4A7C15u;
        m_value ^= m_value >> 29;
    }
    void add(std::string_view text)
    {
        add(text.size());
        for (const char c : text)
            add(c);
    }
    /// As text: ids depend on the order in which strings were met.
    void add(StringId id) { add(m_model.text(id)); }
    void add(TrackId id) { add(id.value); }
    void add(SliceRef slice) { add(slice.track), add(slice.row); }
    void add(TimeRange range) { add(range.beginNs), add(range.endNs); }
    template<typename T>
    void add(const std::optional<T>& value)
    {
        add(value.has_value());
        if (value)
            add(*value);
    }
    template<typename T>
    void addAll(const std::vector<T>& values)
    {
        add(values.size());
        for (const T& value : values)
            add(value);
    }
    std::uint64_t value() const { return m_value; }

private:
    const TraceModel& m_model;
    std::uint64_t m_value = 0;
};

void addDetail(Hash& hash, const KernelDetail& detail)
{
    for (int axis = 0; axis < 3; ++axis)
        hash.add(detail.grid[axis]), hash.add(detail.block[axis]);
    hash.add(detail.device), hash.add(detail.stream), hash.add(detail.registersPerThread);
    hash.add(detail.sharedMemoryBytes), hash.add(detail.blocksPerSm), hash.add(detail.occupancyPercent);
    hash.add(detail.bytes), hash.add(detail.copyKind);
}

void addTrack(Hash& hash, const TraceModel& model, const Track& track)
{
    hash.add(track.kind), hash.add(track.name), hash.add(track.pid), hash.add(track.tid);
    hash.add(track.device), hash.add(track.stream), hash.add(track.lane), hash.add(track.maxDepth);
    hash.add(track.communication);
    const SliceColumns& slices = track.slices;
    const Timeline& timeline = model.timeline(track.timeline);
    for (std::size_t row = 0; row < slices.size(); ++row) {
        hash.add(slices.startNs[row]), hash.add(slices.durationNs[row]), hash.add(slices.name[row]);
        hash.add(slices.category[row]), hash.add(slices.kernelClass[row]), hash.add(slices.depth[row]);
        hash.add(slices.correlation[row]), hash.add(slices.externalId[row]), hash.add(slices.fileOffset[row]);
        hash.add(slices.collective[row]);
        if (slices.detail[row] != SliceColumns::noRow)
            addDetail(hash, timeline.kernelDetails[slices.detail[row]]);
    }
    hash.addAll(track.instants.timeNs), hash.addAll(track.instants.name);
}

void addCollective(Hash& hash, const CollectiveCall& call)
{
    hash.add(call.kind), hash.add(call.slice), hash.add(call.onGpu), hash.add(call.name),
        hash.add(call.group);
    hash.add(call.groupDescription), hash.add(call.groupRanks), hash.add(call.elementType);
    hash.add(call.inSplit), hash.add(call.outSplit);
    hash.add(call.groupSize), hash.add(call.sequence), hash.add(call.commsId), hash.add(call.inElements);
    hash.add(call.outElements), hash.add(call.sourceRank), hash.add(call.destinationRank);
}

void addTimeline(Hash& hash, const Timeline& timeline)
{
    hash.add(timeline.rank), hash.add(timeline.kind), hash.add(timeline.device),
        hash.add(timeline.deviceName);
    hash.add(timeline.hasWallClock), hash.add(timeline.fileToAxisNs), hash.add(timeline.worldSize);
    hash.add(timeline.worker.has_value()), hash.add(timeline.range), hash.add(timeline.stepSource),
        hash.addAll(timeline.tracks);
    for (const Step& step : timeline.steps)
        hash.add(step.number), hash.add(step.name), hash.add(step.range);
    for (const CollectiveCall& call : timeline.collectives)
        addCollective(hash, call);
    for (const auto* links : {&timeline.launches, &timeline.gpuSlices}) {
        for (const LaunchLink& link : *links)
            hash.add(link.correlation), hash.add(link.slice);
    }
    const FlowColumns& flows = timeline.flows;
    for (std::size_t row = 0; row < flows.size(); ++row) {
        hash.add(flows.timeNs[row]), hash.add(flows.id[row]), hash.add(flows.kind(row));
        hash.add(flows.track(row)), hash.add(flows.phase(row));
    }
    for (const CounterSeries& counter : timeline.counters) {
        hash.add(counter.name), hash.add(counter.device);
        hash.addAll(counter.timeNs), hash.addAll(counter.value);
    }
}

} // namespace

std::string modelDigest(const TraceModel& model)
{
    Hash hash(model);
    for (const Track& track : model.tracks)
        addTrack(hash, model, track);
    for (const Timeline& timeline : model.timelines)
        addTimeline(hash, timeline);
    for (const NvlinkDevice& device : model.nvlink) {
        for (const LinkSeries& series : device.series)
            hash.addAll(series.beginNs), hash.addAll(series.endNs);
    }
    for (const SourceInfo& source : model.sources)
        hash.add(source.eventsInFile), hash.add(source.shown), hash.add(source.excluded);
    hash.add(model.axisZeroNs), hash.add(model.hasWallClock), hash.add(model.range),
        hash.add(model.worldSize), hash.add(model.isWorldSizeLeast);
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash.value()));
    return text;
}

} // namespace collscope
