// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Moving through a run on the timeline: in time, from slice to slice, along a collective, between marks.

#include "model/trace_model.h"

#include <QObject>

#include <optional>

namespace collscope {

class TimelineGeometry;
class TimelineRows;
class ViewState;
struct TimelineRow;

class TimelineNavigator : public QObject
{
    Q_OBJECT

public:
    TimelineNavigator(TimelineGeometry& geometry, TimelineRows& rows, QObject* parent = nullptr);

    void zoomIn() { zoomAtCursor(1.5); }
    void zoomOut() { zoomAtCursor(1 / 1.5); }
    void fitAll();
    /// Fits the selected slice or range, or the last full step without a selection.
    void fitSelection();

    /// Selects the previous (-1) or next (1) slice of the same level. Precondition: a slice is selected.
    void selectNeighbour(int direction);
    /// Selects a slice on the row above (-1) or below (1), or moves the focus to that row if no slice is
    /// selected.
    void selectOnNextRow(int direction);
    /// Selects the parent (-1) or the first child (1) of the selected slice.
    void selectInStack(int direction);
    /// Moves from a kernel to the call that launched it (-1), or from a call to the first kernel that it or a
    /// nested call launched (1). Emits noticed() with the reason if it cannot.
    void followLink(int direction);
    /// Selects and shows the kernel that the next (1) or previous (-1) rank runs for the selected collective;
    /// wraps around after the last rank. Emits noticed() with the reason if it cannot.
    void walkCollective(int direction);
    /// Copies the selected slices in the same format as the table of slices.
    void copySelection();
    /// Expands the rows that hide a track, scrolls to its row and focuses it.
    void goToTrack(TrackId track);
    /// Scrolls to the row of a slice and expands the rows that hide it.
    void reveal(SliceRef slice);

    /// Sets a temporary mark at the mouse position, in any view, otherwise in the middle of the view.
    void setTemporaryMark();
    void keepMark();
    /// Shows the next (1) or previous (-1) mark.
    void walkMarks(int direction);
    void removeMark(); ///< the current one

signals:
    /// A transient message for the status bar.
    void noticed(const QString& text);

private:
    void zoomAtCursor(double factor);
    void focusNextRow(int direction);
    std::optional<SliceRef> nearestOn(const TimelineRow& row, std::int64_t axisNs) const;

    TimelineGeometry& m_geometry;
    TimelineRows& m_rows;
    ViewState& m_state;
    bool m_centredOnly = false; ///< the first fit centres the slice, the second fits it
};

} // namespace collscope
