// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Selection and position of the timeline's rows: tracks -> rows with y and height. Does not paint.

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

/// Maximum number of levels in a stack: about two screens. Deeper slices share the last level.
constexpr int maxStackLevels = 128;

enum class RowKind
{
    Stream, ///< one lane of a GPU stream
    Summary, ///< collapsed CPU threads (or annotations) of a rank, as density
    Stack, ///< one CPU thread or annotation track as a flame stack
    GroupHeader, ///< title of the process group section; opens and collapses it
    Group, ///< the collectives of one process group
    GroupSummary, ///< all process groups of one kind of parallelism, as density
};

/// The rows that a click on a row's name opens or collapses.
enum class RowToggle
{
    None,
    Groups, ///< one lane per process group
    Rank, ///< all rows of a rank
    Threads ///< CPU threads and annotations of a rank
};

struct TimelineRow
{
    RowKind kind = RowKind::Stream;
    TimelineId timeline;
    std::vector<TrackId> tracks; ///< one track, or all tracks of a summary; empty in rows of process groups
    std::vector<std::size_t> lanes; ///< lanes of process groups: one, or all lanes of a summary
    RowKey key; ///< unchanged when the run is reloaded
    bool isPinned = false; ///< stays visible while other rows scroll
    int y = 0; ///< top, in px from the first row
    int height = 0;
    int laneHeight = 0; ///< height of one level
    int levels = 1; ///< number of levels; the last one includes all deeper slices
    int deepest = 0; ///< maximum depth of the track; >= levels: the last level is shared
    int instantHeight = 0; ///< height of the strip for instants above the levels; 0 without instants
    QString title; ///< bold: "rank 3", on the first row of a timeline
    QString label; ///< "comm", "CPU"
    QString note; ///< dim, right: "stream 7", "14 threads"
    QStringList shorterNotes; ///< alternatives if the note does not fit, longest first
    QString toolTip; ///< details that do not fit into the column of names; rich text
    RowToggle toggle = RowToggle::None;
    bool isExpanded = false;
    bool firstOfTimeline = false;

    /// True if the row shows slices of one track.
    bool showsTrack() const { return kind == RowKind::Stream || kind == RowKind::Stack; }
    bool showsGroups() const { return kind == RowKind::Group || kind == RowKind::GroupSummary; }
    /// The level on which a depth is drawn.
    int levelOf(int depth) const { return depth < levels ? depth : levels - 1; }
    bool sharesLastLevel() const { return deepest >= levels; }
    /// Top of a level, in px from the top of the row.
    int offsetOfLevel(int level) const { return instantHeight + level * laneHeight; }
    int yOfLevel(int level) const { return y + offsetOfLevel(level); }
    /// The header of process groups only opens and collapses other rows, so it cannot be pinned.
    bool canBePinned() const { return kind != RowKind::GroupHeader; }
};

/// Limits of the row height factor factor.
constexpr double smallestRowScale = 0.5, largestRowScale = 3;

/// The user's choices of open, collapsed, hidden and pinned rows.
struct LayoutChoices
{
    std::set<std::int32_t> hiddenRanks;
    std::set<std::int32_t> collapsedRanks; ///< shown as one row
    std::set<std::uint32_t> openThreads; ///< timelines whose CPU threads and annotations have separate rows
    NameFilter filter; ///< filters rows by rank, place, label and track
    std::vector<RowKey> pins;
    /// Whether each process group has a lane; nullopt: only if there are at most manyGroups.
    std::optional<bool> openGroups;
    std::map<std::int32_t, QString> rankNotes; ///< text next to a rank's title
    double scale = 1.0; ///< row height
};

/// More process groups than this start collapsed.
constexpr std::size_t manyGroups = 12;

class TimelineLayout
{
public:
    TimelineLayout() = default;
    /// `groups`: the lanes of the run's process groups, empty without process groups. `named`: the process
    /// groups with their names.
    TimelineLayout(const TraceModel& model, const LayoutChoices& choices, const GroupLanes& groups,
                   const std::vector<ProcessGroup>& named);

    const std::vector<TimelineRow>& rows() const { return m_rows; }
    int height() const { return m_height; }
    /// Height of the rows that do not scroll. They are first in rows(), starting at y = 0.
    int pinnedHeight() const { return m_pinnedHeight; }
    /// Height of the scrolling rows of process groups, which come before the first rank.
    int groupsHeight() const { return m_groupsHeight; }
    /// The row at `y`; nullptr between and beyond rows. O(log rows).
    const TimelineRow* rowAt(int y) const;
    /// The row that shows a track; nullptr if it is hidden or collapsed.
    const TimelineRow* rowOf(TrackId track) const;
    /// The row that shows the lane of one process group; nullptr if it is hidden or collapsed.
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
