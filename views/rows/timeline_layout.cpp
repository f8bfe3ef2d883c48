// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/rows/timeline_layout.h"

#include "model/queries/rank_order.h"
#include "model/queries/slice_query.h"
#include "views/common/format.h"
#include "views/rows/group_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <iterator>
#include <utility>

namespace collscope {

namespace {

constexpr int streamHeight = 19;
constexpr int flameHeight = 15;
constexpr int summaryHeight = 13;
constexpr int instantStrip = 9; ///< tall enough for a diamond
constexpr int rowGap = 2;
constexpr int timelineGap = 9;
constexpr int gapLaneHeight = 4; ///< with a line of background above it
constexpr int ghostLaneHeight = 6; ///< likewise, below it
constexpr int pinnedLevels = 6; ///< levels of a pinned stack, limited to leave room for other rows
constexpr int pinnedGap = 4; ///< below the last row that does not scroll

struct LayoutText
{
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};

/// Order of streams: compute, then communication, then copy-only streams; each in natural order.
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

/// The non-empty tracks of a timeline, sorted by their place in the layout.
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
    row.label = role == Communication ? LayoutText::tr("comm")
        : role == Copies              ? LayoutText::tr("copy")
                                      : LayoutText::tr("compute");
    const QString name = toText(model.text(model.track(track).name));
    row.note = model.track(track).lane > 0 ? LayoutText::tr("overlapping") : name;
    row.key.name = QStringLiteral("%1/%2/%3")
                       .arg(name, QString::number(model.track(track).device),
                            QString::number(model.track(track).lane));
    return row;
}

/// The strip that represents all threads, or the annotations if a GPU-only trace does not have threads.
TimelineRow summaryRow(const SortedTracks& sorted, bool open, const LayoutChoices& choices)
{
    TimelineRow row;
    row.kind = RowKind::Summary;
    row.laneHeight = row.height = scaledHeight(summaryHeight, choices);
    if (sorted.threads.empty()) {
        row.tracks = sorted.annotations;
        row.label = LayoutText::tr("annotations");
    } else {
        row.tracks = sorted.threads;
        row.label = LayoutText::tr("CPU");
        row.note = sorted.threads.size() == 1 ? LayoutText::tr("1 thread")
                                              : LayoutText::tr("%1 threads").arg(sorted.threads.size());
    }
    row.toggle = RowToggle::Threads;
    row.isExpanded = open;
    row.key.name = QStringLiteral("threads");
    return row;
}

/// The strip that represents all streams of a rank.
TimelineRow collapsedRow(const SortedTracks& sorted, const LayoutChoices& choices)
{
    TimelineRow row;
    row.kind = RowKind::Summary;
    row.laneHeight = row.height = scaledHeight(summaryHeight, choices);
    for (const auto& [role, track] : sorted.streams)
        row.tracks.push_back(track);
    row.note = row.tracks.size() == 1 ? LayoutText::tr("1 stream")
                                      : LayoutText::tr("%1 streams").arg(row.tracks.size());
    row.toolTip = LayoutText::tr("Darker where more streams are busy. Click to expand.");
    row.toggle = RowToggle::Rank;
    row.key.name = QStringLiteral("streams");
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
    row.note = toText(model.text(track.name));
    row.key.name = row.note;
    return row;
}

/// Language-independent key, because sessions are independent of the language.
QString keyOf(ParallelismKind parallelismKind)
{
    return toText(parallelismKindName(parallelismKind));
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
    row.shorterNotes = row.note.split(QStringLiteral(", ")) << QString(); // the tool tip has the full text
    row.toolTip = laneToolTip(lane, group);
    row.key.name = keyOf(lane.parallelismKind);
    for (const std::int32_t rank : lane.ranks)
        row.key.name += QStringLiteral(" %1").arg(rank);
    return row;
}

/// One row for all groups of one kind of parallelism.
TimelineRow purposeRow(ParallelismKind parallelismKind, std::vector<std::size_t> lanes,
                       const LayoutChoices& choices)
{
    TimelineRow row;
    row.kind = RowKind::GroupSummary;
    row.laneHeight = row.height = scaledHeight(summaryHeight, choices);
    row.title = parallelismTitle(parallelismKind);
    row.note = lanes.size() == 1 ? LayoutText::tr("1 group") : LayoutText::tr("%1 groups").arg(lanes.size());
    row.toolTip = LayoutText::tr(
        "Darker where more of these groups communicate. Expand the process groups to see each group.");
    row.lanes = std::move(lanes);
    row.key.name = keyOf(parallelismKind);
    return row;
}

/// Whether any rank of a group is shown.
bool isShown(const GroupLane& lane, const LayoutChoices& choices)
{
    return std::any_of(lane.loaded.begin(), lane.loaded.end(),
                       [&](std::int32_t rank) { return !choices.hiddenRanks.contains(rank); });
}

/// Replaces the stream's name next to the rank's title with the rank's place in the mesh, which is more
/// informative. The tool tip keeps the name.
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

/// Builds all visible rows in their natural order; positions are assigned later.
class TimelineLayout::Builder
{
public:
    Builder(const TraceModel& model, const LayoutChoices& choices)
        : m_model(model)
        , m_choices(choices)
    { }

    void addGroups(const GroupLanes& groups, const std::vector<ProcessGroup>& named);
    void addTimeline(TimelineId id);
    std::vector<TimelineRow> takeRows() { return std::move(m_rows); }

private:
    bool isPinned(const RowKey& row) const
    {
        return std::find(m_choices.pins.begin(), m_choices.pins.end(), row) != m_choices.pins.end();
    }
    std::vector<TimelineRow> rowsOf(TimelineId id) const;

    const TraceModel& m_model;
    const LayoutChoices& m_choices;
    std::vector<TimelineRow> m_rows;
};

void TimelineLayout::Builder::addGroups(const GroupLanes& groups, const std::vector<ProcessGroup>& named)
{
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < groups.lanes().size(); ++i) {
        if (isShown(groups.lanes()[i], m_choices))
            shown.push_back(i);
    }
    if (shown.empty())
        return;
    const bool open = m_choices.openGroups.value_or(shown.size() <= manyGroups);
    std::vector<TimelineRow> rows;
    const auto addWanted = [&](TimelineRow row) {
        row.isPinned = isPinned(row.key);
        if (row.isPinned || m_choices.filter.matches(row.title + QLatin1Char(' ') + row.note))
            rows.push_back(std::move(row));
    };
    for (std::size_t i = 0; i < shown.size();) {
        const GroupLane& lane = groups.lanes()[shown[i]];
        if (open) {
            addWanted(groupRow(lane, shown[i], named[lane.group], m_choices));
            ++i;
            continue;
        }
        const std::size_t first = i;
        while (i < shown.size() && groups.lanes()[shown[i]].parallelismKind == lane.parallelismKind)
            ++i;
        const auto at = [&](std::size_t index) { return shown.begin() + static_cast<std::ptrdiff_t>(index); };
        addWanted(purposeRow(lane.parallelismKind, {at(first), at(i)}, m_choices));
    }
    if (rows.empty())
        return;
    TimelineRow header;
    header.kind = RowKind::GroupHeader;
    header.laneHeight = header.height = scaledHeight(flameHeight, m_choices);
    header.title = LayoutText::tr("process groups");
    header.note = QString::number(shown.size());
    header.toolTip = open ? LayoutText::tr("Click to show one row per kind of parallelism")
                          : LayoutText::tr("Click to show one lane per process group");
    header.toggle = RowToggle::Groups;
    header.isExpanded = open;
    header.key = {-1, QStringLiteral("groups")};
    m_rows.push_back(std::move(header));
    std::move(rows.begin(), rows.end(), std::back_inserter(m_rows));
}

/// Returns the rows of a timeline that are open or pinned.
std::vector<TimelineRow> TimelineLayout::Builder::rowsOf(TimelineId id) const
{
    const Timeline& timeline = m_model.timeline(id);
    const SortedTracks sorted = sortedTracks(m_model, timeline);
    const QString source = timeline.kind == SourceKind::Nsys ? QStringLiteral("nsys ") : QString();
    std::vector<TimelineRow> rows;
    const auto put = [&](TimelineRow row, bool isOpen) {
        row.timeline = id;
        row.key = {timeline.rank, source + row.key.name};
        row.isPinned = isPinned(row.key);
        if (isOpen || row.isPinned)
            rows.push_back(std::move(row));
    };
    const bool isCollapsed = m_choices.collapsedRanks.contains(timeline.rank) && !sorted.streams.empty();
    if (isCollapsed)
        put(collapsedRow(sorted, m_choices), true);
    for (const auto& [role, track] : sorted.streams)
        put(streamRow(m_model, role, track, m_choices), !isCollapsed);
    const bool isOpen = m_choices.openThreads.contains(id.value);
    if (!sorted.threads.empty() || !sorted.annotations.empty())
        put(summaryRow(sorted, isOpen, m_choices), !isCollapsed);
    // GPU annotations repeat those of the CPU threads and therefore open with them.
    for (const auto* group : {&sorted.annotations, &sorted.threads}) {
        for (const TrackId track : *group) {
            const QString name = toText(m_model.text(m_model.track(track).name));
            // Filtering for a thread by name shows it without opening the other threads.
            const bool isAsked = !m_choices.filter.isEmpty() && m_choices.filter.matches(name);
            const bool isShown = !isCollapsed && (isOpen || isAsked);
            if (isShown || isPinned({timeline.rank, source + name}))
                put(stackRow(m_model, track, m_choices), isShown);
        }
    }
    return rows;
}

void TimelineLayout::Builder::addTimeline(TimelineId id)
{
    const std::int32_t rank = m_model.timeline(id).rank;
    const bool isNsys = m_model.timeline(id).kind == SourceKind::Nsys;
    const auto note = m_choices.rankNotes.find(rank);
    const QString place = note != m_choices.rankNotes.end() ? note->second : QString();
    const QString title = LayoutText::tr("rank %1").arg(rank);
    bool isFirst = true;
    for (TimelineRow& row : rowsOf(id)) {
        if (m_choices.showsGhost && row.kind == RowKind::Stream)
            row.ghostHeight = ghostLaneHeight;
        if (row.isPinned) {
            row.title = title;
            if (row.kind == RowKind::Stack && row.levels > pinnedLevels) {
                row.levels = pinnedLevels;
                row.height = row.offsetOfLevel(pinnedLevels);
            }
            row.toolTip
                = QStringLiteral("<p><b>%1</b> %2</p><p>%3 %4</p>")
                      .arg(title, place.toHtmlEscaped(), row.label.toHtmlEscaped(), row.note.toHtmlEscaped());
            row.shorterNotes = {row.note, row.label};
            row.note = (row.label + QLatin1Char(' ') + row.note).trimmed();
        } else if (!m_choices.filter.matches(
                       QStringList{title, place, row.label, row.note}.join(QLatin1Char(' ')))) {
            continue;
        } else if (std::exchange(isFirst, false)) {
            row.firstOfTimeline = true;
            if (row.kind == RowKind::Stream || row.toggle == RowToggle::Rank)
                row.gapHeight = gapLaneHeight;
            row.title = title;
            if (row.kind == RowKind::Stream) {
                row.toggle = RowToggle::Rank;
                row.isExpanded = true;
            }
            if (!place.isEmpty())
                placeRank(row, place);
            else if (isNsys && row.kind == RowKind::Stream)
                row.note = LayoutText::tr("nsys, ") + row.note;
        }
        m_rows.push_back(std::move(row));
    }
}

TimelineLayout::TimelineLayout(const TraceModel& model, const LayoutChoices& choices,
                               const GroupLanes& groups, const std::vector<ProcessGroup>& named)
{
    Builder builder(model, choices);
    builder.addGroups(groups, named);
    std::vector<TimelineId> timelines;
    for (std::uint32_t i = 0; i < model.timelines.size(); ++i)
        timelines.push_back(TimelineId{i});
    RankOrder(choices.firstRanks).sort(timelines, [&](TimelineId id) { return model.timeline(id).rank; });
    for (const TimelineId id : timelines) {
        if (!choices.hiddenRanks.contains(model.timeline(id).rank))
            builder.addTimeline(id);
    }
    std::vector<TimelineRow> rows = builder.takeRows();
    const auto orderOf = [&](const TimelineRow& row) {
        return row.isPinned ? std::find(choices.pins.begin(), choices.pins.end(), row.key)
                            : choices.pins.end();
    };
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const TimelineRow& a, const TimelineRow& b) { return orderOf(a) < orderOf(b); });
    arrange(std::move(rows));
}

/// Assigns positions; pinned rows come first.
void TimelineLayout::arrange(std::vector<TimelineRow> rows)
{
    const auto firstScrolled
        = std::find_if(rows.begin(), rows.end(), [](const TimelineRow& row) { return !row.isPinned; });
    const auto endPins = [this] { m_pinnedHeight = m_height += pinnedGap; };
    int groupsEnd = 0;
    for (auto row = rows.begin(); row != rows.end(); ++row) {
        if (row == firstScrolled && row != rows.begin())
            endPins();
        const bool beginsSection
            = row->firstOfTimeline || row->kind == RowKind::GroupHeader || row == rows.begin();
        const int laneAbove = row == rows.begin() ? 0 : std::prev(row)->gapHeight;
        row->y = m_height + (beginsSection ? timelineGap : rowGap + laneAbove) + row->ghostHeight;
        m_height = row->y + row->height;
        if (row >= firstScrolled && (row->kind == RowKind::GroupHeader || row->showsGroups()))
            groupsEnd = m_height;
    }
    if (firstScrolled == rows.end() && !rows.empty())
        endPins();
    m_groupsHeight = std::max(0, groupsEnd - m_pinnedHeight);
    m_height += timelineGap;
    m_rows = std::move(rows);
}

const TimelineRow* TimelineLayout::rowAt(int y) const
{
    const auto after = std::upper_bound(m_rows.begin(), m_rows.end(), y,
                                        [](int at, const TimelineRow& row) { return at < row.y; });
    if (after == m_rows.begin())
        return nullptr;
    const TimelineRow& row = *(after - 1);
    return y < row.y + row.height + row.gapHeight ? &row : nullptr;
}

const TimelineRow* TimelineLayout::rowOf(TrackId track) const
{
    for (const TimelineRow& row : m_rows) {
        if (row.showsTrack() && row.tracks.front() == track)
            return &row;
    }
    return nullptr;
}

const TimelineRow* TimelineLayout::rowOfKey(const RowKey& key) const
{
    const auto found
        = std::find_if(m_rows.begin(), m_rows.end(), [&](const TimelineRow& row) { return row.key == key; });
    return found == m_rows.end() ? nullptr : &*found;
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
