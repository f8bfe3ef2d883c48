// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Mouse and keyboard input of maps of lateness: the gestures of the timeline, on columns instead of time.

#include "views/collectives/lateness_cell_canvas.h"
#include "views/common/axis_gestures.h"
#include "views/common/drag_gesture.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr double wheelZoom = 1.25;

} // namespace

void LatenessCellCanvas::wheelEvent(QWheelEvent* event)
{
    const QPoint steps = event->angleDelta();
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        zoomAround(event->position().x(), std::pow(wheelZoom, steps.y() / 120.0));
    } else if (event->modifiers().testFlag(Qt::ShiftModifier) || std::abs(steps.x()) > std::abs(steps.y())
               || verticalScrollBar()->maximum() == 0) {
        const int delta = steps.x() != 0 ? steps.x() : steps.y();
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - delta);
    } else {
        verticalScrollBar()->setValue(verticalScrollBar()->value() - steps.y() / 2);
    }
    event->accept();
}

void LatenessCellCanvas::mousePressEvent(QMouseEvent* event)
{
    m_gesture.press(*event);
    if (!m_cells || m_gesture.pressed().x() < cellsRect().left())
        m_gesture.become(DragKind::None);
}

void LatenessCellCanvas::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint position = event->position().toPoint();
    switch (m_gesture.move(*event)) {
    case DragKind::None:
        return hover(position, event->globalPosition().toPoint());
    case DragKind::Pending:
        break;
    case DragKind::Pan:
        viewport()->setCursor(Qt::ClosedHandCursor);
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - m_gesture.step().x());
        verticalScrollBar()->setValue(verticalScrollBar()->value() - m_gesture.step().y());
        break;
    case DragKind::SelectRange:
    case DragKind::ZoomRange: { // both show the time of the columns
        viewport()->setCursor(Qt::SizeHorCursor);
        const double from = columnAt(m_gesture.pressed().x());
        const double to = columnAt(position.x());
        m_dragged = {std::min(from, to), std::max(from, to)};
        viewport()->update();
        break;
    }
    }
}

void LatenessCellCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    const DragKind drag = m_gesture.release();
    const auto dragged = std::exchange(m_dragged, std::nullopt);
    viewport()->unsetCursor();
    viewport()->update();
    if (dragged)
        chooseColumns(dragged->first, dragged->second);
    if (drag != DragKind::Pending || event->button() != Qt::LeftButton)
        return;
    if (const auto cell = cellAt(event->position().toPoint())) {
        m_cursor = cell;
        choose(*cell);
    }
}

void LatenessCellCanvas::hover(QPoint position, QPoint global)
{
    const auto cell = cellAt(position);
    viewport()->setCursor(cell && m_cells->at(cell->rank, cell->column) >= 0 ? Qt::PointingHandCursor
                                                                             : Qt::ArrowCursor);
    hoverCell(cell);
    if (cell)
        QToolTip::showText(global, cellText(cell->rank, cell->column), viewport());
    else if (m_cells && position.y() < cellsRect().top())
        QToolTip::showText(global, gesturesText(), viewport());
    else
        QToolTip::hideText();
}

void LatenessCellCanvas::leaveEvent(QEvent* event)
{
    hoverCell(std::nullopt);
    QAbstractScrollArea::leaveEvent(event);
}

void LatenessCellCanvas::moveCursor(int ranks, int columns)
{
    const auto moved = [](std::size_t at, int by, std::size_t count) {
        const auto wanted = static_cast<std::ptrdiff_t>(at) + by;
        return static_cast<std::size_t>(
            std::clamp<std::ptrdiff_t>(wanted, 0, static_cast<std::ptrdiff_t>(count) - 1));
    };
    const Cell before = m_cursor.value_or(Cell());
    m_cursor = m_cursor ? Cell{moved(before.rank, ranks, m_cells->ranks.size()),
                               moved(before.column, columns, m_cells->columnCount())}
                        : before;
    // Zoom in, because a cell narrower than a few pixels is hard to see.
    constexpr double visibleWidth = 4;
    if (m_pixelsPerColumn < visibleWidth)
        zoomAround(xOf(static_cast<double>(m_cursor->column)), visibleWidth / m_pixelsPerColumn);
    const QRect cells = cellsRect();
    const QRect cell = cellRect(m_cursor->rank, m_cursor->column);
    if (cell.left() < cells.left() || cell.right() > cells.right())
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() + cell.center().x()
                                        - cells.center().x());
    if (cell.top() < cells.top() || cell.bottom() > cells.bottom())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + cell.center().y() - cells.center().y());
    viewport()->update();
    const QRect now = cellRect(m_cursor->rank, m_cursor->column);
    QToolTip::showText(viewport()->mapToGlobal(now.bottomRight()), cellText(m_cursor->rank, m_cursor->column),
                       viewport());
}

void LatenessCellCanvas::keyPressEvent(QKeyEvent* event)
{
    if (isEmpty()) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    const double middle = cellsRect().center().x();
    switch (event->key()) {
    case Qt::Key_Left:
        return moveCursor(0, -1);
    case Qt::Key_Right:
        return moveCursor(0, 1);
    case Qt::Key_Up:
        return moveCursor(-1, 0);
    case Qt::Key_Down:
        return moveCursor(1, 0);
    case Qt::Key_Home:
        return moveCursor(0, -static_cast<int>(m_cells->columnCount()));
    case Qt::Key_End:
        return moveCursor(0, static_cast<int>(m_cells->columnCount()));
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return m_cursor ? choose(*m_cursor) : void();
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_W:
        return zoomAround(middle, wheelZoom);
    case Qt::Key_Minus:
    case Qt::Key_S:
        return zoomAround(middle, 1 / wheelZoom);
    case Qt::Key_0:
    case Qt::Key_F:
        return fitAll();
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

} // namespace collscope
