// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The cells of the Lateness tab: one row per rank, one column per collective (or step) in time order.

#include "views/collectives/lateness_image.h"
#include "views/common/drag_gesture.h"
#include "views/state/view_state.h"

#include <QAbstractScrollArea>

namespace collscope {

/// The wheel scrolls, Ctrl+wheel zooms at the cursor, Shift or middle drag pans, a drag selects columns to
/// show on the timeline, a click goes to a rank's kernel. Arrow keys and Enter move between cells and go to
/// kernels.
class LatenessCanvas : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit LatenessCanvas(ViewState* state, QWidget* parent = nullptr);

    /// nullptr: nothing to show.
    void setGrid(LatenessGridPtr grid);
    const LatenessGridPtr& grid() const { return m_grid; }
    const LatenessScale& scale() const { return m_scale; }
    void fitAll();
    void zoomAround(double viewportX, double factor);
    /// The rectangle of a cell in viewport coordinates; may lie outside of the viewport.
    QRect cellRect(std::size_t rank, std::size_t column) const;
    /// The tool tip text of a cell.
    QString cellText(std::size_t rank, std::size_t column) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Cell
    {
        std::size_t rank = 0, column = 0;
        friend bool operator==(const Cell&, const Cell&) = default;
    };

    QRect cellsRect() const; ///< area of the cells in the viewport, without labels and heading
    int rowHeight() const;
    double columnAt(double viewportX) const;
    double xOf(double column) const;
    /// Columns [first, second) under a pixel column of the viewport.
    std::pair<std::size_t, std::size_t> columnsAt(int viewportX) const;
    /// The cell under a point. If several columns share the pixel, the one in which the rank was latest.
    std::optional<Cell> cellAt(QPoint point) const;
    void updateScrollBars();
    void paintHeading(QPainter& painter, const QRect& cells) const;
    void paintLabels(QPainter& painter, const QRect& cells) const;
    void paintCells(QPainter& painter, const QRect& cells);
    void paintMarks(QPainter& painter, const QRect& cells) const;
    void reveal(const Cell& cell);
    void showColumns(double from, double to);
    void moveCursor(int ranks, int columns);
    void hover(QPoint position, QPoint global);

    ViewState* m_state;
    LatenessGridPtr m_grid;
    LatenessScale m_scale;
    double m_pixelsPerColumn = 1;
    bool m_isFit = true; ///< all columns are shown, also after a change of the width
    std::vector<std::size_t> m_stepStarts; ///< columns in which a new step starts
    std::vector<std::uint32_t> m_columnOfRow; ///< indexed by row of CollectiveRows; noColumn = not shown
    QImage m_image;
    LatenessView m_imageView; ///< view shown in m_image
    std::optional<Cell> m_cursor;
    DragGesture m_gesture;
    std::optional<std::pair<double, double>> m_dragged; ///< columns
};

} // namespace collscope
