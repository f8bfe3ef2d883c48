// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Mouse input of a chart: the same gestures as on the timeline, whose axis it shares.

#include "views/charts/timeline_chart.h"
#include "views/common/axis_gestures.h"
#include "views/common/drag_gesture.h"

#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace collscope {

void TimelineChart::mousePressEvent(QMouseEvent* event)
{
    const double x = event->position().x() - plot().left();
    if (!m_isActive || !m_state->run().model() || x < 0)
        return;
    m_gesture.press(*event);
    m_pressTime = axis().timeAt(x);
}

void TimelineChart::mouseMoveEvent(QMouseEvent* event)
{
    const double x = event->position().x() - plot().left();
    if (m_state->run().model())
        m_state->selection().setHoverTime(x >= 0 ? std::optional(axis().timeAt(x)) : std::nullopt);
    setCursor(isClickable(event->position().toPoint()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    drag(m_gesture.move(*event), x);
}

void TimelineChart::drag(DragKind kind, double x)
{
    const TimeAxis time = axis();
    const std::int64_t now = time.timeAt(x);
    const TimeRange dragged{std::min(now, m_pressTime), std::max(now, m_pressTime)};
    switch (kind) {
    case DragKind::None:
    case DragKind::Pending:
        break;
    case DragKind::SelectRange:
        m_state->selection().setRange(dragged);
        break;
    case DragKind::Pan:
        m_state->viewport().panBy(time.timeAt(x - m_gesture.step().x()) - now);
        break;
    case DragKind::ZoomRange:
        m_zoomRange = dragged;
        viewport()->update();
        break;
    }
}

void TimelineChart::mouseReleaseEvent(QMouseEvent* event)
{
    const DragKind drag = m_gesture.release();
    if (const auto range = std::exchange(m_zoomRange, std::nullopt); range && drag == DragKind::ZoomRange)
        m_state->viewport().showRange(*range);
    if (drag == DragKind::Pending && event->button() == Qt::LeftButton)
        click(*event);
}

void TimelineChart::click(const QMouseEvent& event)
{
    const QPoint position = event.position().toPoint();
    const auto range = m_state->selection().range();
    if (isClickable(position))
        clickAt(position);
    else if (range && event.modifiers().testFlag(Qt::ShiftModifier))
        m_state->selection().setRange(
            TimeRange{std::min(range->beginNs, m_pressTime), std::max(range->endNs, m_pressTime)});
    else
        m_state->clearSelection();
}

void TimelineChart::wheelEvent(QWheelEvent* event)
{
    turnWheel(*m_state, *event, plot());
    event->accept();
}

bool TimelineChart::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave) // also into the header
        m_state->selection().setHoverTime(std::nullopt);
    return pinch(*m_state, *event, plot()) || QChartView::viewportEvent(event);
}

} // namespace collscope
