// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The timeline: ruler, steps and one group of rows per rank. Reads the model and writes only to ViewState.

#include "model/parallel.h"
#include "views/rows/timeline_layout.h"
#include "views/timeline/group_painter.h"
#include "views/timeline/mark_note.h"
#include "views/timeline/row_filter_line.h"
#include "views/timeline/timeline_geometry.h"
#include "views/timeline/timeline_input.h"
#include "views/timeline/timeline_keys.h"
#include "views/timeline/timeline_navigator.h"
#include "views/timeline/timeline_painter.h"
#include "views/timeline/timeline_rows.h"

#include <QAbstractScrollArea>

namespace collscope {

/// W/S zoom, A/D pan, Ctrl+wheel zooms at the cursor, dragging selects a range. resources/help/views.md lists
/// all keys and gestures. Paints what its parts say: rows, geometry, mouse.
class TimelineView : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit TimelineView(ViewState* state, QWidget* parent = nullptr);

    TimelineRows& rows() { return m_rows; }
    const TimelineRows& rows() const { return m_rows; }
    const TimelineGeometry& positions() const { return m_geometry; }
    TimelineNavigator& navigator() { return m_navigator; }
    const TimelineLayout& layout() const { return m_rows.layout(); }
    /// See TimelineGeometry.
    QRect lanesRect() const { return m_geometry.lanesRect(); }
    QRectF rectOf(SliceRef slice) const { return m_geometry.rectOf(slice); }
    std::optional<SliceRef> sliceAt(QPoint position) const { return m_geometry.sliceAt(position); }
    RangeLabel rangeLabel() const { return m_geometry.rangeLabel(); }
    void setGridShown(bool shown);
    /// Opens an editor over the ruler for the note of the current mark. This makes the mark permanent.
    void editNote() { m_note->edit(); }
    /// Moves the focus to the row filter.
    void editFilter();
    /// What makes the pictures of the rows in sight; by default the calling thread.
    void setParallel(const Parallel& parallel) { m_parallel = parallel; }

    QSize sizeHint() const override { return {900, 500}; }

signals:
    /// The visible rows or their positions have changed.
    void rowsChanged();
    /// A transient message for the status bar.
    void noticed(const QString& text);
    /// The button on the label of the selected range was clicked: use that range for the metrics.
    void rangeMetricsWanted();
    /// Request to open the original trace file of a rank of a reduced run in a new window.
    void wholeTraceWanted(const std::string& path);
    /// A context menu is about to open; receivers may add actions.
    void menuOpening(QMenu* menu);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void connectState();
    void connectParts();
    void onModelChanged();
    void onRowsRebuilt(int groupsHeightBefore);
    void paintFrame(QPainter& painter, const QRect& lanes);
    std::vector<std::pair<const TimelineRow*, RowPicture>> picturesInSight(const SliceColors& colors,
                                                                           int width) const;
    void paintRows(QPainter& painter, const QRect& lanes);
    void paintStickyHeader(QPainter& painter, QRect header, const QRect& area, const TimelineRow& row);
    void paintFocus(QPainter& painter, const QRect& header);
    void paintNoRows(QPainter& painter, const QRect& lanes);
    void paintRow(QPainter& painter, const QRect& lanes, const TimelineRow& row, const RowPicture& picture,
                  const SliceColors& colors);
    void paintEmpty(QPainter& painter);

    ViewState* m_state;
    TimelineRows m_rows;
    TimelineGeometry m_geometry;
    TimelineNavigator m_navigator;
    RowFilterLine* m_filter;
    MarkNote* m_note;
    TimelineInput m_input;
    TimelineKeys m_keys;
    TimelinePainter m_painter;
    GroupPainter m_groupPainter;
    Parallel m_parallel;
    bool m_showGrid = true;
};

} // namespace collscope
