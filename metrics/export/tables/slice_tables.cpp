// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Tables of all slices, written on request.

#include "metrics/export/tables/export_tables.h"
#include "model/kernels/kernel_names.h"

namespace collscope {

namespace {

struct TrackRow
{
    const TraceModel& model;
    std::size_t number = 0;
    const Track& track;
};

struct NameRow
{
    std::size_t number = 0;
    std::string_view name;
};

struct SliceTableRow
{
    const SliceColumns& slices;
    std::uint32_t row = 0;
    SliceRef slice;
    std::int32_t rank = 0;
    std::int64_t beginNs = 0; ///< on the axis
};

constexpr const char* withoutSlices = "Only export --slices writes it.";

std::string_view trackKindName(TrackKind kind)
{
    switch (kind) {
    case TrackKind::GpuStream:
        return "gpu_stream";
    case TrackKind::GpuAnnotation:
        return "gpu_annotation";
    case TrackKind::CpuThread:
        break;
    }
    return "cpu_thread";
}

std::string lacksOfReduced(const TableSource& source)
{
    return source.model().isReduced()
        ? "The run was reduced with --keep metrics: most operators of the CPU are not in it."
        : "";
}

std::string trackRows(TableSource& source, const TakeTyped<TrackRow>& take)
{
    const std::vector<Track>& tracks = source.model().tracks;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        if (!take({source.model(), i, tracks[i]}))
            break;
    }
    return {};
}

std::string nameRows(TableSource& source, const TakeTyped<NameRow>& take)
{
    if (!source.withSlices)
        return withoutSlices;
    const StringTable& strings = source.model().strings;
    for (std::size_t i = 0; i < strings.size(); ++i) {
        if (!take({i, strings.view(StringId{static_cast<std::uint32_t>(i)})}))
            break;
    }
    return {};
}

std::string sliceRows(TableSource& source, const TakeTyped<SliceTableRow>& take)
{
    if (!source.withSlices)
        return withoutSlices;
    const TraceModel& model = source.model();
    const ClockMap& clocks = source.counted.clocks();
    for (std::uint32_t t = 0; t < model.tracks.size(); ++t) {
        const Track& track = model.tracks[t];
        const std::int32_t rank = model.timeline(track.timeline).rank;
        for (std::uint32_t row = 0; row < track.slices.size(); ++row) {
            const std::int64_t begin = clocks.toAxis(track.timeline.value, track.slices.startNs[row]);
            if (!take({track.slices, row, {TrackId{t}, row}, rank, begin}))
                return {};
        }
    }
    return lacksOfReduced(source);
}

} // namespace

void addSliceTables(std::vector<ExportTable>& tables)
{
    using enum CellType;
    tables.push_back(tableOf<TrackRow>(
        {.name = "tracks",
         .meaning = "One row of the timeline: a GPU stream, an annotation lane, a CPU thread.",
         .hasKey = true},
        {{"track_id", Integer, "number of the track",
          [](const TrackRow& row) { return tableCount(row.number); }},
         {"timeline_id", Integer, "see timelines",
          [](const TrackRow& row) { return tableCount(row.track.timeline.value); }},
         {"rank", Integer, "see ranks",
          [](const TrackRow& row) { return tableCount(row.model.timeline(row.track.timeline).rank); }},
         {"kind", Text, "gpu_stream, gpu_annotation, cpu_thread",
          [](const TrackRow& row) { return tableText(trackKindName(row.track.kind)); }},
         {"name", Text, "as shown",
          [](const TrackRow& row) { return tableText(row.model.text(row.track.name)); }},
         {"device", Integer, "GPU; NULL: none",
          [](const TrackRow& row) { return tableKnown(row.track.device); }},
         {"stream", Integer, "NULL: none", [](const TrackRow& row) { return tableKnown(row.track.stream); }},
         {"lane", Integer,
          "0: the stream or thread itself; else a further lane of it, for slices that overlap",
          [](const TrackRow& row) { return tableCount(row.track.lane); }},
         {"slices", Integer, "number of its slices",
          [](const TrackRow& row) { return tableCount(row.track.slices.size()); }}},
        trackRows));
    tables.push_back(
        tableOf<NameRow>({.name = "names", .meaning = "A name of slices. With --slices.", .hasKey = true},
                         {{"name_id", Integer, "number of the name",
                           [](const NameRow& row) { return tableCount(row.number); }},
                          {"name", Text, "the name", [](const NameRow& row) { return tableText(row.name); }}},
                         nameRows));
    tables.push_back(tableOf<SliceTableRow>(
        {.name = "slices", .meaning = "One event with a duration. With --slices.", .hasKey = true},
        {{"slice_id", Integer, "number of the slice",
          [](const SliceTableRow& row) { return sliceNumber(row.slice); }},
         {"track_id", Integer, "see tracks",
          [](const SliceTableRow& row) { return tableCount(row.slice.track.value); }},
         {"rank", Integer, "see ranks", [](const SliceTableRow& row) { return tableCount(row.rank); }},
         {"name_id", Integer, "see names",
          [](const SliceTableRow& row) { return tableCount(row.slices.name[row.row].value); }},
         {"class", Text, "class of GPU work; NULL: none",
          [](const SliceTableRow& row) {
              const KernelClass kernelClass = row.slices.kernelClass[row.row];
              return kernelClass == KernelClass::None ? TableCell() : tableText(kernelClassName(kernelClass));
          }},
         {"begin_ns", Integer, "start", [](const SliceTableRow& row) { return tableCount(row.beginNs); }},
         {"duration_ns", Integer, "duration on the rank's own clock",
          [](const SliceTableRow& row) { return tableCount(row.slices.durationNs[row.row]); }},
         {"depth", Integer, "number of slices around it on its track; 255: or more",
          [](const SliceTableRow& row) { return tableCount(row.slices.depth[row.row]); }},
         {"correlation", Integer, "the same for a launch and its GPU work in one file; NULL: none",
          [](const SliceTableRow& row) {
              const std::uint32_t correlation = row.slices.correlation[row.row];
              return correlation == 0 ? TableCell() : tableCount(correlation);
          }}},
        sliceRows));
}

} // namespace collscope
