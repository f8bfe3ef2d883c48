// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/timeline_layout.h"

#include "model/slice_query.h"

#include <QCoreApplication>

#include <algorithm>

namespace collscope {

namespace {

constexpr int streamHeight = 19;
constexpr int flameHeight = 15;
constexpr int summaryHeight = 13;
constexpr int rowGap = 2;
constexpr int timelineGap = 9;
constexpr int deepestShown = 32; ///< stacks of Python calls can be hundreds deep

QString tr(const char* text, int n = -1)
{
    return QCoreApplication::translate("Timeline", text, nullptr, n);
}

QString textOf(const TraceModel& model, StringId id)
{
    const std::string_view view = model.text(id);
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

/// Compute streams first, then communication, then those that only copy; each in natural order.
enum StreamRole
{
    Compute,
    Communication,
    Copies
};

StreamRole roleOf(const Track& track)
{
    if (track.communication)
        return Communication;
    return holdsKernels(track.slices) ? Compute : Copies;
}

} // namespace

TimelineLayout::TimelineLayout(const TraceModel& model, const LayoutChoices& choices)
{
    for (std::uint32_t i = 0; i < model.timelines.size(); ++i) {
        if (!choices.hiddenRanks.contains(model.timelines[i].rank))
            addTimeline(model, TimelineId{i}, choices);
    }
    m_height += timelineGap;
}

void TimelineLayout::addRow(TimelineRow row, int gapBefore)
{
    row.y = m_height + gapBefore;
    m_height = row.y + row.height;
    m_rows.push_back(std::move(row));
}

void TimelineLayout::addTimeline(const TraceModel& model, TimelineId id, const LayoutChoices& choices)
{
    const Timeline& timeline = model.timeline(id);
    const auto scaled = [&](int height) { return std::max(6, static_cast<int>(height * choices.scale)); };
    QString title = tr("rank %1").arg(timeline.rank);
    bool first = true;
    const auto add = [&](TimelineRow row) {
        row.timeline = id;
        row.firstOfTimeline = first;
        if (first)
            row.title = title;
        addRow(std::move(row), first ? timelineGap : rowGap);
        first = false;
    };

    std::vector<std::pair<StreamRole, TrackId>> streams;
    std::vector<TrackId> annotations;
    std::vector<TrackId> threads;
    for (const TrackId track : timeline.tracks) {
        switch (model.track(track).kind) {
        case TrackKind::GpuStream:
            streams.emplace_back(roleOf(model.track(track)), track);
            break;
        case TrackKind::GpuAnnotation:
            annotations.push_back(track);
            break;
        case TrackKind::CpuThread:
            if (!model.track(track).slices.isEmpty())
                threads.push_back(track);
            break;
        }
    }
    std::stable_sort(streams.begin(), streams.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [role, track] : streams) {
        const Track& stream = model.track(track);
        TimelineRow row;
        row.kind = RowKind::Stream;
        row.tracks = {track};
        row.laneHeight = row.height = scaled(streamHeight);
        row.label = role == Communication ? tr("comm")
            : role == Copies              ? tr("copy")
            : first                       ? QString()
                                          : tr("compute");
        row.note = textOf(model, stream.name);
        if (stream.lane > 0)
            row.note = tr("overlapping");
        if (first && timeline.kind == SourceKind::Nsys)
            row.note = tr("nsys, ") + row.note;
        add(std::move(row));
    }
    if (threads.empty())
        return;
    const bool open = choices.openThreads.contains(id.value);
    TimelineRow summary;
    summary.kind = RowKind::Summary;
    summary.tracks = threads;
    summary.laneHeight = summary.height = scaled(summaryHeight);
    summary.label = tr("CPU");
    summary.note = threads.size() == 1 ? tr("1 thread") : tr("%1 threads").arg(threads.size());
    summary.expandable = true;
    summary.expanded = open;
    add(std::move(summary));
    if (!open)
        return;
    // The GPU's view of annotations repeats what the CPU threads say; it opens with them.
    threads.insert(threads.begin(), annotations.begin(), annotations.end());
    for (const TrackId track : threads) {
        const Track& lane = model.track(track);
        TimelineRow row;
        row.kind = RowKind::Stack;
        row.tracks = {track};
        row.laneHeight = scaled(flameHeight);
        row.height = row.laneHeight * (std::min<int>(lane.maxDepth, deepestShown - 1) + 1);
        row.note = textOf(model, lane.name);
        add(std::move(row));
    }
}

const TimelineRow* TimelineLayout::rowAt(int y) const
{
    const auto after = std::upper_bound(m_rows.begin(), m_rows.end(), y,
                                        [](int at, const TimelineRow& row) { return at < row.y; });
    if (after == m_rows.begin())
        return nullptr;
    const TimelineRow& row = *(after - 1);
    return y < row.y + row.height ? &row : nullptr;
}

const TimelineRow* TimelineLayout::rowOf(TrackId track) const
{
    for (const TimelineRow& row : m_rows) {
        if (row.kind != RowKind::Summary && row.tracks.front() == track)
            return &row;
    }
    return nullptr;
}

} // namespace collscope
