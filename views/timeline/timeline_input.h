// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/trace_model.h"
#include "views/common/drag_gesture.h"
#include "views/timeline/timeline_overlays.h"

#include <QObject>

#include <string>

class QMenu;
class QMouseEvent;
class QWheelEvent;

namespace collscope {

class MarkNote;
class TimelineGeometry;
class TimelineNavigator;
class TimelineRows;
class ViewState;
struct TimelineRow;

/// Wheel, mouse and context menu of the timeline. resources/help/views.md lists all gestures.
class TimelineInput : public QObject
{
    Q_OBJECT

public:
    TimelineInput(const TimelineGeometry& geometry, TimelineRows& rows, TimelineNavigator& navigator,
                  MarkNote& note, QObject* parent = nullptr);

    const TimelineGesture& gesture() const { return m_gesture; }
    /// Ends a drag, because it started on another axis.
    void reset();
    void turnWheel(QWheelEvent& event);
    void press(const QMouseEvent& event);
    void move(const QMouseEvent& event);
    void release(const QMouseEvent& event);
    void doubleClick(const QMouseEvent& event);

signals:
    /// The button on the label of the selected range was clicked.
    void rangeMetricsWanted();
    /// Request to open the original trace file of a rank of a reduced run.
    void wholeTraceWanted(const std::string& path);
    /// A context menu is about to open; receivers may add actions.
    void menuOpening(QMenu* menu);

private:
    /// What was pressed, where that is not a drag over the lanes.
    enum class Target
    {
        Lanes,
        Ruler, ///< the start of the visible range is fixed, the time under the mouse follows the mouse
        RangeButton
    };

    bool isOnRangeButton(QPoint position) const;
    /// The opposite edge of the selected range if the position is on one of its edges.
    std::optional<std::int64_t> edgeOppositeOf(QPoint position) const;
    bool pressRuler(QPoint position);
    void pressName(QPoint position);
    void drag(DragKind kind, QPoint position);
    void dragRuler(QPoint position);
    void updateCursor(QPoint position);
    void click(const QMouseEvent& event);
    void openMenu(QPoint position, QPoint globalPosition);
    void addSliceEntries(QMenu& menu, SliceRef slice);
    void addRowEntries(QMenu& menu, const TimelineRow& row);

    const TimelineGeometry& m_geometry;
    TimelineRows& m_rows;
    TimelineNavigator& m_navigator;
    MarkNote& m_note;
    ViewState& m_state;
    TimelineGesture m_gesture;
    DragGesture m_drag;
    Target m_target = Target::Lanes;
    std::int64_t m_pressTime = 0;
    std::int64_t m_rulerBegin = 0; ///< start of the visible range when the ruler was pressed
};

} // namespace collscope
