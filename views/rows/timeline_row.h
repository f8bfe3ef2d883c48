// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A row of the timeline: what it shows, and where.

#include "model/trace_model.h"
#include "views/state/run_edits.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace collscope {

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
    int ghostHeight = 0; ///< height of the lane above the row for another scenario, px; 0 without one
    int gapHeight = 0; ///< height of the lane of idle times below the levels, px; 0 without one
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
    /// Whether it shows slices (row_picture.h), of one track or of several.
    bool hasSlices() const { return showsTrack() || kind == RowKind::Summary; }
    bool showsGroups() const { return kind == RowKind::Group || kind == RowKind::GroupSummary; }
    /// The level on which a depth is drawn.
    int levelOf(int depth) const { return depth < levels ? depth : levels - 1; }
    bool sharesLastLevel() const { return deepest >= levels; }
    /// Top of a level, in px from the top of the row.
    int offsetOfLevel(int level) const { return instantHeight + level * laneHeight; }
    int yOfLevel(int level) const { return y + offsetOfLevel(level); }
    /// Height of the slices of a level, px. A line separates the levels of nested slices.
    int sliceHeight() const
    {
        return kind == RowKind::Stream || kind == RowKind::Summary ? laneHeight : laneHeight - 1;
    }
    /// The header of process groups only opens and collapses other rows, so it cannot be pinned.
    bool canBePinned() const { return kind != RowKind::GroupHeader; }
};

} // namespace collscope
