// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/timeline_layout.h"

#include "model/slice_query.h"
#include "views/timeline/group_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace collscope {

namespace {

constexpr int streamHeight = 19;
constexpr int flameHeight = 15;
constexpr int summaryHeight = 13;
constexpr int instantStrip = 9; ///< tall enough for a diamond
constexpr int rowGap = 2;
constexpr int timelineGap = 9;

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

int scaledHeight(int height, const LayoutChoices& choices)
{
    return std::max(6, static_cast<int>(height * choices.scale));
}

/// The tracks of a timeline that have something to show, by where they go.
struct SortedTracks
{
    std::vector<std::pair<StreamRole, TrackId>> streams;
    std::vector<TrackId> annotations;
    std::vector<TrackId> threads;
};

SortedTracks sortedTracks(const TraceModel& model, const Timeline& timeline)
{
    SortedTracks sorted;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        const bool isEmpty = track.slices.isEmpty() && track.instants.size() == 0;
        if (track.kind == TrackKind::GpuStream)
            sorted.streams.emplace_back(roleOf(track), id);
        else if (!isEmpty && track.kind == TrackKind::GpuAnnotation)
            sorted.annotations.push_back(id);
        else if (!isEmpty)
            sorted.threads.push_back(id);
    }
    std::stable_sort(sorted.streams.begin(), sorted.streams.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    return sorted;
}

TimelineRow streamRow(const TraceModel& model, StreamRole role, TrackId track, const LayoutChoices& choices)
{
    TimelineRow row;
    row.kind = RowKind::Stream;
    row.tracks = {track};
    row.laneHeight = row.height = scaledHeight(streamHeight, choices);
    row.label = role == Communication ? tr("comm") : role == Copies ? tr("copy") : tr("compute");
    row.note = model.track(track).lane > 0 ? tr("overlapping") : textOf(model, model.track(track).name);
    return row;
}

/// The strip that stands for all threads; for the annotations where a GPU-only trace has no threads.
TimelineRow summaryRow(const SortedTracks& sorted, bool open, const LayoutChoices& choices)
{
    TimelineRow row;
    row.kind = RowKind::Summary;
    row.laneHeight = row.height = scaledHeight(summaryHeight, choices);
    if (sorted.threads.empty()) {
        row.tracks = sorted.annotations;
        row.label = tr("annotations");
    } else {
        row.tracks = sorted.threads;
        row.label = tr("CPU");
        row.note = sorted.threads.size() == 1 ? tr("1 thread") : tr("%1 threads").arg(sorted.threads.size());
    }
    row.expandable = true;
    row.expanded = open;
    return row;
}

TimelineRow stackRow(const TraceModel& model, TrackId id, const LayoutChoices& choices)
{
    const Track& track = model.track(id);
    TimelineRow row;
    row.kind = RowKind::Stack;
    row.tracks = {id};
    row.laneHeight = scaledHeight(flameHeight, choices);
    row.deepest = track.maxDepth;
    row.levels = std::min(row.deepest + 1, maxStackLevels);
    row.instantHeight = track.instants.size() > 0 ? scaledHeight(instantStrip, choices) : 0;
    row.height = row.instantHeight + row.levels * row.laneHeight;
    row.note = textOf(model, track.name);
    return row;
}

TimelineRow groupRow(const GroupLane& lane, std::size_t index, const ProcessGroup& group,
                     const LayoutChoices& choices)
{
    TimelineRow row;
    row.kind = RowKind::Group;
    row.lanes = {index};
    row.levels = static_cast<int>(lane.levels.size());
    row.laneHeight = scaledHeight(streamHeight, choices);
    row.height = row.levels * row.laneHeight;
    row.title = laneTitle(lane);
    row.note = laneNote(lane, group);
    row.shorterNotes = row.note.split(QStringLiteral(", ")) << QString(); // the tool tip has it all
    row.toolTip = laneToolTip(lane, group);
    return row;
}

/// One row for all groups of a purpose.
TimelineRow purposeRow(Purpose purpose, std::vector<std::size_t> lanes, const LayoutChoices& choices)
{
    TimelineRow row;
    row.kind = RowKind::GroupSummary;
    row.laneHeight = row.height = scaledHeight(summaryHeight, choices);
    row.title = purposeTitle(purpose);
    row.note = lanes.size() == 1 ? tr("1 group") : tr("%1 groups").arg(lanes.size());
    row.toolTip = tr("Darker where more of these groups communicate. Expand the process groups to see each.");
    row.lanes = std::move(lanes);
    return row;
}

/// Whether a person wants to see any rank of a group.
bool isShown(const GroupLane& lane, const LayoutChoices& choices)
{
    return std::any_of(lane.loaded.begin(), lane.loaded.end(),
                       [&](std::int32_t rank) { return !choices.hiddenRanks.contains(rank); });
}

/// Where the rank sits is more news beside its title than the stream's name, which the tool tip keeps.
void placeRank(TimelineRow& row, const QString& place)
{
    const QString stream = row.note;
    row.toolTip = QStringLiteral("<p><b>%1</b> %2</p><p>%3 %4</p>")
                      .arg(row.title.toHtmlEscaped(), place.toHtmlEscaped(), row.label.toHtmlEscaped(),
                           stream.toHtmlEscaped());
    row.note = place;
    // "TP1 PP0 DP12" with thin spaces, then "T1 P0 D12".
    QString narrow = place;
    narrow.replace(QLatin1Char(' '), QChar(0x2009));
    row.shorterNotes = {narrow, QString(narrow).remove(QRegularExpression(QStringLiteral("P(?=\\d)")))};
}

} // namespace

TimelineLayout::TimelineLayout(const TraceModel& model, const LayoutChoices& choices,
                               const GroupLanes& groups, const std::vector<ProcessGroup>& named)
{
    addGroups(choices, groups, named);
    m_groupsHeight = m_height;
    for (std::uint32_t i = 0; i < model.timelines.size(); ++i) {
        if (!choices.hiddenRanks.contains(model.timelines[i].rank))
            addTimeline(model, TimelineId{i}, choices);
    }
    m_height += timelineGap;
}

void TimelineLayout::addRow(TimelineRow row)
{
    row.y = m_height + (row.firstOfTimeline ? timelineGap : rowGap);
    m_height = row.y + row.height;
    m_rows.push_back(std::move(row));
}

void TimelineLayout::addGroups(const LayoutChoices& choices, const GroupLanes& groups,
                               const std::vector<ProcessGroup>& named)
{
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < groups.lanes().size(); ++i) {
        if (isShown(groups.lanes()[i], choices))
            shown.push_back(i);
    }
    if (shown.empty())
        return;
    const bool open = choices.openGroups.value_or(shown.size() <= manyGroups);
    TimelineRow header;
    header.kind = RowKind::GroupHeader;
    header.laneHeight = header.height = scaledHeight(flameHeight, choices);
    header.title = tr("process groups");
    header.note = QString::number(shown.size());
    header.toolTip = open ? tr("Click to show one row for each kind of parallelism")
                          : tr("Click to show a lane for each process group");
    header.expandable = true;
    header.expanded = open;
    header.firstOfTimeline = true;
    addRow(std::move(header));
    for (std::size_t i = 0; i < shown.size();) {
        const GroupLane& lane = groups.lanes()[shown[i]];
        if (open) {
            addRow(groupRow(lane, shown[i], named[lane.group], choices));
            ++i;
            continue;
        }
        const std::size_t first = i;
        while (i < shown.size() && groups.lanes()[shown[i]].purpose == lane.purpose)
            ++i;
        const auto at = [&](std::size_t index) { return shown.begin() + static_cast<std::ptrdiff_t>(index); };
        addRow(purposeRow(lane.purpose, {at(first), at(i)}, choices));
    }
}

void TimelineLayout::addTimeline(const TraceModel& model, TimelineId id, const LayoutChoices& choices)
{
    const Timeline& timeline = model.timeline(id);
    bool first = true;
    const auto add = [&](TimelineRow row) {
        row.timeline = id;
        row.firstOfTimeline = first;
        if (first) {
            row.title = tr("rank %1").arg(timeline.rank);
            if (const auto note = choices.rankNotes.find(timeline.rank); note != choices.rankNotes.end())
                placeRank(row, note->second);
        }
        first = false;
        addRow(std::move(row));
    };
    SortedTracks sorted = sortedTracks(model, timeline);
    for (const auto& [role, track] : sorted.streams) {
        TimelineRow row = streamRow(model, role, track, choices);
        if (first && timeline.kind == SourceKind::Nsys)
            row.note = tr("nsys, ") + row.note;
        add(std::move(row));
    }
    if (sorted.threads.empty() && sorted.annotations.empty())
        return;
    const bool open = choices.openThreads.contains(id.value);
    add(summaryRow(sorted, open, choices));
    if (!open)
        return;
    // The GPU's view of annotations repeats what the CPU threads say; it opens with them.
    for (const auto* group : {&sorted.annotations, &sorted.threads}) {
        for (const TrackId track : *group)
            add(stackRow(model, track, choices));
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
        if (row.showsTrack() && row.tracks.front() == track)
            return &row;
    }
    return nullptr;
}

const TimelineRow* TimelineLayout::rowOfLane(std::size_t lane) const
{
    for (const TimelineRow& row : m_rows) {
        if (row.kind == RowKind::Group && row.lanes.front() == lane)
            return &row;
    }
    return nullptr;
}

} // namespace collscope
