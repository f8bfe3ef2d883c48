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
    /// The collectives on the lanes of their process groups. Empty while these are laid out again for other
    /// clocks: the rows stay, so that they do not jump, and show nothing.
    const GroupLanes& groups() const;
    /// Which collectives are emphasised, by instance; empty: nothing is emphasised.
    const std::vector<bool>& groupEvidence() const { return m_groupEvidence; }
    /// The activity in a row of kind GroupSummary; nullptr while groups() is empty.
    const GroupDensity* densityOf(const TimelineRow& row) const;

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
    void onCollectivesChanged();
    void onGroupsChanged();
    void updateDensities();
    void updateGroupEvidence();
    void onEdited();

    ViewState* m_state;
    TimelineLayout m_layout;
    LayoutChoices m_choices;
    bool m_isCollapsedToFit = false;
    int m_heightToFit = 0;
    LaidOutGroupsPtr m_groups; ///< those of the rows; nullptr: none
    std::vector<bool> m_groupEvidence;
    /// Of rows without the groups of hidden ranks, which m_groups does not have. Keyed by their lanes.
    std::map<std::vector<std::size_t>, GroupDensity> m_densities;
    std::optional<RowKey> m_focus;
};

} // namespace collscope
