// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Mouse and keyboard input of the Lateness tab: the gestures of the timeline, on columns instead of time.

#include "views/collectives/lateness_canvas.h"
#include "views/common/axis_gestures.h"
#include "views/common/drag_gesture.h"
#include "views/common/format.h"

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

/// Arrival of a rank in a collective; nullopt if the rank is not a member.
std::optional<MemberArrival> arrivalOf(const CollectiveRows& table, std::uint32_t row, std::int32_t rank)
{
    for (const MemberArrival& arrival : table.arrivalsOf(table.rows[row])) {
        if (arrival.rank == rank)
            return arrival;
    }
    return std::nullopt;
}

} // namespace

QString LatenessCanvas::cellText(std::size_t rank, std::size_t column) const
{
    const CollectiveRows& table = *m_grid->collectives;
    const LatenessGrid::Column& info = m_grid->columns[column];
    const std::int32_t number = m_grid->ranks[rank];
    const auto index = m_grid->collectiveAt(rank, column);
    QStringList lines{tr("rank %1").arg(number)};
    if (!index) {
        lines << tr("not a member of this collective");
        return lines.join(QLatin1Char('\n'));
    }
    const CollectiveRow& row = table.rows[*index];
    const MemberArrival arrival = arrivalOf(table, *index, number).value_or(MemberArrival());
    if (m_grid->request.columns != LatenessColumns::Collectives) {
        const float value = m_grid->at(rank, column);
        const QString what = value <= 0 ? tr("on time, within the clock uncertainty")
            : m_grid->request.columns == LatenessColumns::StepMean
            ? tr("late by %1 on average").arg(formatDuration(std::llround(value)))
            : tr("late by %1 in total").arg(formatDuration(std::llround(value)));
        lines << tr("step %1, %2 collectives: %3")
                     .arg(info.step.value_or(0))
                     .arg(info.endRow - info.firstRow)
                     .arg(what);
        lines << tr("latest in:");
    }
    const QString group = toText(table.groupOf(row).text);
    lines << (group.isEmpty() ? toText(table.nameOf(row))
                              : tr("%1 in group %2").arg(toText(table.nameOf(row)), group));
    lines << tr("late by %1, then waited %2")
                 .arg(formatDurationExact(arrival.latenessNs), formatDurationExact(arrival.waitNs));
    lines << (row.isLate
                  ? tr("rank %1 arrived last, skew %2")
                        .arg(table.lastRank(row))
                        .arg(formatDurationExact(row.times.skewNs()))
                  : tr("skew %1: within the clock uncertainty").arg(formatDurationExact(row.times.skewNs())));
    if (row.step && m_grid->request.columns == LatenessColumns::Collectives)
        lines << tr("step %1").arg(*row.step);
    return lines.join(QLatin1Char('\n'));
}

void LatenessCanvas::wheelEvent(QWheelEvent* event)
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

void LatenessCanvas::mousePressEvent(QMouseEvent* event)
{
    m_gesture.press(*event);
    if (!m_grid || m_gesture.pressed().x() < cellsRect().left())
        m_gesture.become(DragKind::None);
}

void LatenessCanvas::mouseMoveEvent(QMouseEvent* event)
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

void LatenessCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    const DragKind drag = m_gesture.release();
    const auto dragged = std::exchange(m_dragged, std::nullopt);
    viewport()->unsetCursor();
    viewport()->update();
    if (dragged)
        showColumns(dragged->first, dragged->second);
    if (drag != DragKind::Pending || event->button() != Qt::LeftButton)
        return;
    if (const auto cell = cellAt(event->position().toPoint())) {
        m_cursor = cell;
        reveal(*cell);
    }
}

/// Moves the cross-hair of the other views to the rank's arrival.
void LatenessCanvas::hover(QPoint position, QPoint global)
{
    const auto cell = cellAt(position);
    viewport()->setCursor(cell && m_grid->at(cell->rank, cell->column) >= 0 ? Qt::PointingHandCursor
                                                                            : Qt::ArrowCursor);
    if (!cell) {
        m_state->selection().setHoverTime(std::nullopt);
        if (m_grid && position.y() < cellsRect().top())
            QToolTip::showText(
                global,
                tr("Click a cell: show the rank's kernel on the timeline\nDrag over columns: show their time "
                   "range on the timeline\nCtrl+wheel: zoom; Shift+drag or middle button: pan\nArrow keys: "
                   "move between cells; Enter: show the kernel; 0: show everything\nThe line below marks the "
                   "timeline's visible range"),
                viewport());
        else
            QToolTip::hideText();
        return;
    }
    const auto row = m_grid->collectiveAt(cell->rank, cell->column);
    const auto arrival
        = row ? arrivalOf(*m_grid->collectives, *row, m_grid->ranks[cell->rank]) : std::nullopt;
    m_state->selection().setHoverTime(arrival ? std::optional(arrival->range.beginNs) : std::nullopt);
    QToolTip::showText(global, cellText(cell->rank, cell->column), viewport());
}

void LatenessCanvas::leaveEvent(QEvent* event)
{
    m_state->selection().setHoverTime(std::nullopt);
    QAbstractScrollArea::leaveEvent(event);
}

void LatenessCanvas::reveal(const Cell& cell)
{
    const auto row = m_grid->collectiveAt(cell.rank, cell.column);
    const auto arrival = row ? arrivalOf(*m_grid->collectives, *row, m_grid->ranks[cell.rank]) : std::nullopt;
    if (arrival)
        m_state->revealSlice(arrival->slice);
}

/// Shows the time range of these columns on the timeline, from the first start to the last end.
void LatenessCanvas::showColumns(double from, double to)
{
    const auto count = static_cast<double>(m_grid->columns.size());
    if (to <= 0 || from >= count)
        return;
    const auto first = static_cast<std::size_t>(std::max(0.0, std::floor(from)));
    const auto end = static_cast<std::size_t>(std::min(count, std::ceil(to)));
    TimeRange range = m_grid->columns[first].range;
    for (std::size_t column = first + 1; column < end; ++column)
        range = range.united(m_grid->columns[column].range);
    m_state->viewport().showRange(range);
}

void LatenessCanvas::moveCursor(int ranks, int columns)
{
    const auto moved = [](std::size_t at, int by, std::size_t count) {
        const auto wanted = static_cast<std::ptrdiff_t>(at) + by;
        return static_cast<std::size_t>(
            std::clamp<std::ptrdiff_t>(wanted, 0, static_cast<std::ptrdiff_t>(count) - 1));
    };
    const Cell before = m_cursor.value_or(Cell());
    m_cursor = m_cursor ? Cell{moved(before.rank, ranks, m_grid->ranks.size()),
                               moved(before.column, columns, m_grid->columns.size())}
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

void LatenessCanvas::keyPressEvent(QKeyEvent* event)
{
    if (!m_grid || m_grid->columns.empty()) {
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
        return moveCursor(0, -static_cast<int>(m_grid->columns.size()));
    case Qt::Key_End:
        return moveCursor(0, static_cast<int>(m_grid->columns.size()));
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return m_cursor ? reveal(*m_cursor) : void();
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
