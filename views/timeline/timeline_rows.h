// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The rows of the timeline and their state: open, collapsed, pinned, filtered, focused. Without pixels of the
// viewport, which are TimelineGeometry's.

#include "views/rows/timeline_layout.h"
#include "views/state/view_state.h"
#include "views/timeline/group_painter.h"

#include <map>
#include <optional>

namespace collscope {

class TimelineRows : public QObject
{
    Q_OBJECT

public:
    explicit TimelineRows(ViewState* state, QObject* parent = nullptr);

    /// The rows and their positions; y = 0 is at the top of the lanes while nothing is scrolled.
    const TimelineLayout& layout() const { return m_layout; }
    const LayoutChoices& choices() const { return m_choices; }
    /// The collectives on the lanes of their process groups.
    const GroupLanes& groups() const { return m_groups; }
    /// Which collectives are emphasised, by instance; empty: nothing is emphasised.
    const std::vector<bool>& groupEvidence() const { return m_groupEvidence; }
    /// Precondition: a row of kind GroupSummary.
    const GroupDensity& densityOf(const TimelineRow& row) const { return m_densities.at(row.lanes.front()); }

    /// Forgets the state, for another run. The rows are made by rebuild().
    void reset();
    void rebuild();
    /// Opens or collapses the CPU threads and annotations of every rank.
    void setThreadsOpen(bool open);
    bool areThreadsOpen() const; ///< whether the threads of every rank are open
    /// Shows one lane per process group, or one row per kind of parallelism.
    void setGroupsOpen(bool open);
    /// Collapses each rank that matches the row filter to one row, or expands it again.
    void setRanksCollapsed(bool collapsed);
    /// Collapses all ranks of a new run, until the user expands them or filters the rows; process groups,
    /// too, if their lanes would take more than half of `height` px.
    void collapseToFit(int height);
    /// Sets the open and collapsed rows and the row height factor.
    void setOpen(const std::set<std::int32_t>& collapsedRanks, const std::set<std::uint32_t>& openThreads,
                 std::optional<bool> openGroups, double scale);
    void scaleBy(double factor); ///< the height of the rows
    void toggle(const TimelineRow& row);
    /// Expands the rows that hide a track, also if the row filter does. Returns its row; nullptr if it has
    /// none.
    const TimelineRow* rowShowing(TrackId track);

    /// The row with the keyboard focus: the row of the selected slice, otherwise the row that was last
    /// clicked or reached by keys; nullptr without one. Valid until the rows change.
    const TimelineRow* focused() const;
    /// Focuses a row, and clears the selection on other rows, which would otherwise keep the keyboard focus.
    void focus(const TimelineRow& row);
    /// Focuses a row while no slice is selected.
    void moveFocus(const TimelineRow& row);
    void toggleFocused();
    void toggleRankOfFocus();
    /// Pins the focused row to the top, or unpins it. Emits noticed() without a focused row.
    void togglePin();

signals:
    void rebuilt(int groupsHeightBefore); ///< px
    void changed(); ///< of the same rows: focus, or what is emphasised
    void noticed(const QString& text);

private:
    void openRanksWithoutStreams();
    void rebuildGroups();
    void updateGroupEvidence();
    void onEdited();

    ViewState* m_state;
    TimelineLayout m_layout;
    LayoutChoices m_choices;
    bool m_isCollapsedToFit = false;
    int m_heightToFit = 0;
    GroupLanes m_groups;
    std::vector<bool> m_groupEvidence;
    std::map<std::size_t, GroupDensity> m_densities; ///< keyed by the first lane of the row
    std::optional<RowKey> m_focus;
};

} // namespace collscope
