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

namespace { } // namespace

void TimelineChart::mousePressEvent(QMouseEvent* event)
{
    const double x = event->position().x() - plot().left();
    if (!m_isActive || !m_state->run().model() || x < 0)
        return;
    m_drag = Drag::Pending;
    m_dragButton = event->button();
    m_pressX = m_lastX = x;
    m_pressTime = axis().timeAt(x);
}

void TimelineChart::mouseMoveEvent(QMouseEvent* event)
{
    const double x = event->position().x() - plot().left();
    if (m_state->run().model())
        m_state->selection().setHoverTime(x >= 0 ? std::optional(axis().timeAt(x)) : std::nullopt);
    setCursor(isClickable(event->position().toPoint()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (m_drag == Drag::Pending && std::abs(x - m_pressX) >= dragThreshold) {
        const bool pan = m_dragButton == Qt::MiddleButton || event->modifiers().testFlag(Qt::ShiftModifier);
        const bool zoom = m_dragButton == Qt::RightButton || event->modifiers().testFlag(Qt::ControlModifier);
        m_drag = pan ? Drag::Pan : zoom ? Drag::ZoomRange : Drag::SelectRange;
    }
    drag(x);
    m_lastX = x;
}

void TimelineChart::drag(double x)
{
    const TimeAxis time = axis();
    const std::int64_t now = time.timeAt(x);
    const TimeRange dragged{std::min(now, m_pressTime), std::max(now, m_pressTime)};
    switch (m_drag) {
    case Drag::None:
    case Drag::Pending:
        break;
    case Drag::SelectRange:
        m_state->selection().setRange(dragged);
        break;
    case Drag::Pan:
        m_state->viewport().panBy(time.timeAt(m_lastX) - now);
        break;
    case Drag::ZoomRange:
        m_zoomRange = dragged;
        viewport()->update();
        break;
    }
}

void TimelineChart::mouseReleaseEvent(QMouseEvent* event)
{
    const Drag drag = std::exchange(m_drag, Drag::None);
    if (const auto range = std::exchange(m_zoomRange, std::nullopt); range && drag == Drag::ZoomRange)
        m_state->viewport().showRange(*range);
    if (drag == Drag::Pending && event->button() == Qt::LeftButton)
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
