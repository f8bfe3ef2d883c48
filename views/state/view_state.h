// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// State shared by the linked views. Every view reads and writes it; views do not know each other.

#include "views/state/emphasis.h"
#include "views/state/run_context.h"
#include "views/state/view_preferences.h"
#include "views/state/view_selection.h"
#include "views/state/viewport.h"

#include <QObject>

namespace collscope {

/// One per open run. Each part emits its own signals. What changes several parts is done here, and announced
/// when all of them have changed.
class ViewState : public QObject
{
    Q_OBJECT

public:
    explicit ViewState(QObject* parent = nullptr);

    RunContext& run() { return m_run; }
    const RunContext& run() const { return m_run; }
    Viewport& viewport() { return m_viewport; }
    const Viewport& viewport() const { return m_viewport; }
    ViewSelection& selection() { return m_selection; }
    const ViewSelection& selection() const { return m_selection; }
    Emphasis& emphasis() { return m_emphasis; }
    const Emphasis& emphasis() const { return m_emphasis; }
    ViewPreferences& preferences() { return m_preferences; }
    const ViewPreferences& preferences() const { return m_preferences; }

    /// Resets the state for a run: visible range = its initial view, nothing selected.
    void setModel(TraceModelPtr model);
    /// `groups`: of these collectives on the chosen clocks; nullptr if they are not laid out yet.
    void setCollectives(RunCollectivesPtr collectives, LaidOutGroupsPtr groups = nullptr);
    /// Of the run's collectives, on its clocks.
    void setGroups(LaidOutGroupsPtr groups);
    void setExposure(ExposurePtr exposure);
    /// Of the ranks that were measured; those of others stay.
    void setGaps(const GapLanes& gaps);
    void setGhost(GhostLanesPtr ghost);
    void setClockChoice(ClockChoice choice);

    /// Selects a slice and makes it visible: centred, at a suitable zoom, with its rank shown. With keepView
    /// the visible range stays if it contains the slice.
    void revealSlice(SliceRef slice, bool keepView = false);
    /// Scrolls to the row of a slice, and selects nothing.
    void scrollTo(SliceRef slice) { emit revealRequested(slice); }
    /// Clears selection, range, peak and evidence.
    void clearSelection();

signals:
    /// Requests scrolling to this slice's row.
    void revealRequested(collscope::SliceRef slice);

private:
    /// `wasInitial`: the view had not moved since the run was opened.
    void updateClocks(bool wasInitial, LaidOutGroupsPtr groups);

    RunContext m_run;
    Viewport m_viewport;
    ViewSelection m_selection;
    Emphasis m_emphasis;
    ViewPreferences m_preferences;
};

} // namespace collscope
