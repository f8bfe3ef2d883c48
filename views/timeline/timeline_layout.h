// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Which rows the timeline shows and where: tracks -> rows with y and height. No painting.

#include "model/trace_model.h"
#include "views/name_filter.h"
#include "views/run_edits.h"

#include <QString>
#include <QStringList>

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace collscope {

class GroupLanes;
struct ProcessGroup;

/// A stack is drawn level by level down to here: two screens full. Everything deeper shares the last level.
constexpr int maxStackLevels = 128;

enum class RowKind
{
    Stream, ///< one lane of a GPU stream
    Summary, ///< collapsed CPU threads (or annotations) of a rank, as density
    Stack, ///< one CPU thread or annotation track as flame stack
    GroupHeader, ///< name of the section of process groups; opens and collapses it
    Group, ///< the collectives of one process group
    GroupSummary, ///< all process groups of one purpose, as density
};

/// What a click on the name of a row opens or collapses.
enum class RowToggle
{
    None,
    Groups, ///< a lane for each process group
    Rank, ///< all rows of a rank
    Threads ///< CPU threads and annotations of a rank
};

struct TimelineRow
{
    RowKind kind = RowKind::Stream;
    TimelineId timeline;
    std::vector<TrackId> tracks; ///< one, or all that a summary stands for; none in rows of process groups
    std::vector<std::size_t> lanes; ///< of process groups: one, or all that a summary stands for
    RowKey key; ///< stays the same when the run is loaded again
    bool isPinned = false; ///< stays in sight however far the others are scrolled
    int y = 0; ///< top, in px from the first row
    int height = 0;
    int laneHeight = 0; ///< of one level
    int levels = 1; ///< how many depths have a level of their own; the last one takes all deeper slices too
    int deepest = 0; ///< depth of the track; >= levels: the last level is shared
    int instantHeight = 0; ///< strip above the levels for events without a duration; 0 if there are none
    QString title; ///< bold: "rank 3", on the first row of a timeline
    QString label; ///< "comm", "CPU"
    QString note; ///< dim, right: "stream 7", "14 threads"
    QStringList shorterNotes; ///< one of them stands for the note where that does not fit; longest first
    QString toolTip; ///< what does not fit into the column of names; rich text
    RowToggle toggle = RowToggle::None;
    bool isExpanded = false;
    bool firstOfTimeline = false;

    /// True if the row shows slices of one track.
    bool showsTrack() const { return kind == RowKind::Stream || kind == RowKind::Stack; }
    bool showsGroups() const { return kind == RowKind::Group || kind == RowKind::GroupSummary; }
    /// The level that a depth is drawn on.
    int levelOf(int depth) const { return depth < levels ? depth : levels - 1; }
    bool sharesLastLevel() const { return deepest >= levels; }
    /// Top of a level, in px from the top of the row.
    int offsetOfLevel(int level) const { return instantHeight + level * laneHeight; }
    int yOfLevel(int level) const { return y + offsetOfLevel(level); }
    /// Rows of process groups open and collapse together: there is nothing to pin in their header.
    bool canBePinned() const { return kind != RowKind::GroupHeader; }
};

/// How much taller or lower rows can be made.
constexpr double smallestRowScale = 0.5, largestRowScale = 3;

/// What a person has opened or hidden.
struct LayoutChoices
{
    std::set<std::int32_t> hiddenRanks;
    std::set<std::int32_t> collapsedRanks; ///< shown as one row
    std::set<std::uint32_t> openThreads; ///< timelines whose CPU threads and annotations are shown one by one
    NameFilter filter; ///< of rows by their rank, place, label and track
    std::vector<RowKey> pins;
    /// Whether each process group has a lane; nullopt: unless they are too many.
    std::optional<bool> openGroups;
    std::map<std::int32_t, QString> rankNotes; ///< what to write beside a rank's title
    double scale = 1.0; ///< row height
};

/// More process groups than these start collapsed.
constexpr std::size_t manyGroups = 12;

class TimelineLayout
{
public:
    TimelineLayout() = default;
    /// `groups`: the lanes of the run's process groups, which are named in `named`; empty if there are none.
    TimelineLayout(const TraceModel& model, const LayoutChoices& choices, const GroupLanes& groups,
                   const std::vector<ProcessGroup>& named);

    const std::vector<TimelineRow>& rows() const { return m_rows; }
    int height() const { return m_height; }
    /// Height of the rows that do not scroll: the first in rows(), from y = 0.
    int pinnedHeight() const { return m_pinnedHeight; }
    /// Height of the process groups that scroll: they come before the first rank.
    int groupsHeight() const { return m_groupsHeight; }
    /// The row at a y, nullptr between and beyond rows. O(log rows).
    const TimelineRow* rowAt(int y) const;
    /// The row that shows a track, nullptr if it is hidden or collapsed.
    const TimelineRow* rowOf(TrackId track) const;
    /// The row that shows the lane of one process group, nullptr if it is hidden or collapsed.
    const TimelineRow* rowOfLane(std::size_t lane) const;
    const TimelineRow* rowOfKey(const RowKey& key) const;

private:
    class Builder;
    void arrange(std::vector<TimelineRow> rows);

    std::vector<TimelineRow> m_rows;
    int m_height = 0;
    int m_pinnedHeight = 0;
    int m_groupsHeight = 0;
};

} // namespace collscope
