// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Selection and position of the timeline's rows: tracks -> rows with y and height. Does not paint.

#include "model/trace_model.h"
#include "views/common/name_filter.h"
#include "views/rows/timeline_row.h"
#include "views/state/run_edits.h"

#include <QString>

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace collscope {

class GroupLanes;
struct ProcessGroup;

/// Limits of the row height factor.
constexpr double smallestRowScale = 0.5, largestRowScale = 3;

/// The user's choices of open, collapsed, hidden and pinned rows.
struct LayoutChoices
{
    std::set<std::int32_t> hiddenRanks;
    std::set<std::int32_t> collapsedRanks; ///< shown as one row
    std::set<std::uint32_t> openThreads; ///< timelines whose CPU threads and annotations have separate rows
    std::vector<std::int32_t> firstRanks; ///< above the others, in this order
    NameFilter filter; ///< filters rows by rank, place, label and track
    std::vector<RowKey> pins;
    /// Whether each process group has a lane; nullopt: only if there are at most manyGroups.
    std::optional<bool> openGroups;
    std::map<std::int32_t, QString> rankNotes; ///< text next to a rank's title
    double scale = 1.0; ///< row height
    bool showsGhost = false; ///< streams have a lane for the work of a scenario
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
