// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A map of lateness: one row per rank, one column per collective or step, as coloured cells.

#include "views/collectives/lateness_image.h"
#include "views/common/drag_gesture.h"

#include <QAbstractScrollArea>

#include <memory>
#include <optional>

namespace collscope {

/// The wheel scrolls, Ctrl+wheel zooms at the cursor, Shift or middle drag pans, a drag selects columns, a
/// click chooses a cell. Arrow keys and Enter move between cells and choose them. What cells say, and what
/// choosing does, is decided by the map.
class LatenessCellCanvas : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit LatenessCellCanvas(QWidget* parent = nullptr);

    const LatenessScale& scale() const { return m_scale; }
    void fitAll();
    void zoomAround(double viewportX, double factor);
    /// The rectangle of a cell in viewport coordinates; may lie outside of the viewport.
    QRect cellRect(std::size_t rank, std::size_t column) const;
    /// The row at a height of the viewport; nullopt above and below all.
    std::optional<std::size_t> rowAt(int viewportY) const;
    /// The tool tip text of a cell.
    virtual QString cellText(std::size_t rank, std::size_t column) const = 0;

protected:
    static constexpr int markHeight = 3; ///< px between heading and cells
    struct Cell
    {
        std::size_t rank = 0, column = 0;
        friend bool operator==(const Cell&, const Cell&) = default;
    };

    /// nullptr: nothing to show.
    void setCells(std::shared_ptr<const LatenessCells> cells);
    const LatenessCells* cells() const { return m_cells.get(); }
    const std::optional<Cell>& cursor() const { return m_cursor; }
    QRect cellsRect() const; ///< area of the cells in the viewport, without labels and heading
    int rowHeight() const;
    double xOf(double column) const;
    void frameColumns(QPainter& painter, const QRect& cells, double from, double to, bool isFilled) const;

    /// A click on a cell, or Enter.
    virtual void choose(const Cell& cell) = 0;
    /// A drag over columns [from, to), which may lie outside.
    virtual void chooseColumns(double from, double to) = 0;
    /// The mouse is over a cell, or over none.
    virtual void hoverCell(const std::optional<Cell>& cell) = 0;
    /// What mouse and keys do, shown over the heading.
    virtual QString gesturesText() const = 0;
    /// Above all rows where the steps are not known.
    virtual QString headingText() const = 0;
    virtual QString labelsText() const { return {}; } ///< above the labels
    virtual int labelWidth() const; ///< px
    virtual void paintLabel(QPainter& painter, const QRect& box, std::size_t rank) const;
    virtual void paintMarks(QPainter& painter, const QRect& cells) const;
    /// On top of a cell that is wide enough for words; nothing by default.
    virtual void paintOnCell(QPainter& painter, const QRect& box, const Cell& cell) const;
    virtual int lowestRow() const { return 5; } ///< px
    virtual double widestColumn() const { return 48; } ///< px

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
    /// The cell under a point. If several columns share the pixel, the one in which the rank was latest.
    std::optional<Cell> cellAt(QPoint point) const;

private:
    bool isEmpty() const { return !m_cells || m_cells->columnCount() == 0; }
    double columnAt(double viewportX) const;
    /// Columns [first, second) under a pixel column of the viewport.
    std::pair<std::size_t, std::size_t> columnsAt(int viewportX) const;
    double pixelsToFit() const; ///< per column, if all are shown
    void updateScrollBars();
    void paintHeading(QPainter& painter, const QRect& cells) const;
    void paintLabels(QPainter& painter, const QRect& cells) const;
    void paintCells(QPainter& painter, const QRect& cells);
    void paintWords(QPainter& painter, const QRect& cells, std::size_t firstRank, std::size_t endRank) const;
    void moveCursor(int ranks, int columns);
    void hover(QPoint position, QPoint global);

    std::shared_ptr<const LatenessCells> m_cells;
    LatenessScale m_scale;
    double m_pixelsPerColumn = 1;
    bool m_isFit = true; ///< all columns are shown, also after a change of the width
    /// Measured once for cells and font: each position asks for it, thousands of times a frame.
    mutable std::optional<int> m_labelWidth;
    QImage m_image;
    LatenessView m_imageView; ///< view shown in m_image
    std::optional<Cell> m_cursor;
    DragGesture m_gesture;
    std::optional<std::pair<double, double>> m_dragged; ///< columns
};

} // namespace collscope
