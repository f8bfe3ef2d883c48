// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Mouse and keyboard of the timeline (ui.md 3a and 3b).

#include "model/slice_query.h"
#include "views/timeline/group_text.h"
#include "views/timeline/timeline_view.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {
constexpr int dragThreshold = 4;
constexpr double wheelZoom = 1.25;
constexpr double panShare = 0.12; ///< of the visible range, per key press
} // namespace

void TimelineView::zoomAtCursor(double factor)
{
    const QPoint cursor = viewport()->mapFromGlobal(QCursor::pos());
    const QRect lanes = lanesRect();
    const bool inside = lanes.contains(cursor) && viewport()->underMouse();
    const TimeRange visible = m_state->visibleRange();
    m_state->zoomAround(
        inside ? axis().timeAt(cursor.x() - lanes.left()) : visible.beginNs + visible.lengthNs() / 2, factor);
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    const QRect lanes = lanesRect();
    const QPoint steps = event->angleDelta();
    if (event->modifiers().testFlag(Qt::ControlModifier) && event->modifiers().testFlag(Qt::ShiftModifier)) {
        m_choices.scale = std::clamp(m_choices.scale * (steps.y() + steps.x() > 0 ? 1.1 : 1 / 1.1), 0.5, 3.0);
        rebuildLayout();
    } else if (event->modifiers().testFlag(Qt::ControlModifier)) {
        const auto time = axis().timeAt(event->position().x() - lanes.left());
        m_state->zoomAround(time, std::pow(wheelZoom, steps.y() / 120.0));
    } else if (event->modifiers().testFlag(Qt::ShiftModifier) || std::abs(steps.x()) > std::abs(steps.y())) {
        const int delta = steps.x() != 0 ? steps.x() : steps.y();
        m_state->panBy(-static_cast<std::int64_t>(static_cast<double>(m_state->visibleRange().lengthNs())
                                                  * panShare * delta / 120.0));
    } else {
        verticalScrollBar()->setValue(verticalScrollBar()->value() - steps.y() / 2);
    }
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    if (!m_state->model())
        return;
    setFocus();
    m_pressPosition = m_lastPosition = event->position().toPoint();
    m_dragButton = event->button();
    const QRect lanes = lanesRect();
    if (m_pressPosition.x() < lanes.left()) {
        const TimelineRow* row = rowAtViewport(m_pressPosition.y());
        if (row && row->expandable && event->button() == Qt::LeftButton)
            toggleRow(*row);
        m_drag = Drag::None;
        return;
    }
    m_pressTime = axis().timeAt(m_pressPosition.x() - lanes.left());
    m_drag = Drag::Pending;
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint position = event->position().toPoint();
    const QRect lanes = lanesRect();
    const TimeAxis time = axis();
    if (!m_state->model())
        return;
    if (m_drag == Drag::None) {
        const TimelineRow* row = position.x() < lanes.left() ? rowAtViewport(position.y()) : nullptr;
        viewport()->setCursor(row && row->expandable ? Qt::PointingHandCursor : Qt::ArrowCursor);
    }
    m_state->setHoverTime(position.x() >= lanes.left()
                              ? std::optional(time.timeAt(position.x() - lanes.left()))
                              : std::nullopt);
    if (m_drag == Drag::Pending && (position - m_pressPosition).manhattanLength() >= dragThreshold) {
        const bool pan = m_dragButton == Qt::MiddleButton || event->modifiers().testFlag(Qt::ShiftModifier);
        const bool zoom = m_dragButton == Qt::RightButton || event->modifiers().testFlag(Qt::ControlModifier);
        m_drag = pan ? Drag::Pan : zoom ? Drag::ZoomRange : Drag::SelectRange;
    }
    const std::int64_t now = time.timeAt(position.x() - lanes.left());
    const TimeRange dragged{std::min(now, m_pressTime), std::max(now, m_pressTime)};
    if (m_drag == Drag::SelectRange) {
        m_state->setSelectedRange(dragged);
    } else if (m_drag == Drag::ZoomRange) {
        m_zoomRange = dragged;
        viewport()->update();
    } else if (m_drag == Drag::Pan) {
        m_state->panBy(time.timeAt(m_lastPosition.x()) - time.timeAt(position.x()));
        verticalScrollBar()->setValue(verticalScrollBar()->value() + m_lastPosition.y() - position.y());
    }
    m_lastPosition = position;
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    const Drag drag = m_drag;
    m_drag = Drag::None;
    if (drag == Drag::ZoomRange && m_zoomRange) {
        const TimeRange range = *m_zoomRange;
        m_zoomRange.reset();
        m_state->showRange(range);
    }
    if (drag != Drag::Pending || event->button() != Qt::LeftButton)
        return;
    const auto slice = sliceAt(event->position().toPoint());
    if (event->modifiers().testFlag(Qt::ShiftModifier) && m_state->selectedRange()) {
        const TimeRange range = *m_state->selectedRange();
        m_state->setSelectedRange(
            TimeRange{std::min(range.beginNs, m_pressTime), std::max(range.endNs, m_pressTime)});
    } else if (slice) {
        m_state->setSelectedSlice(*slice);
    } else {
        m_state->clearSelection();
    }
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (!m_state->model())
        return;
    const QPoint position = event->position().toPoint();
    if (const auto slice = sliceAt(position)) {
        m_state->setSelectedSlice(*slice);
        const auto instance = collectiveAt(position);
        const CollectiveSpan* span = instance ? m_groups.span(*instance) : nullptr;
        m_state->showRange(span ? TimeRange{span->beginNs, span->endNs} : m_state->rangeOf(*slice));
    } else if (position.y() < lanesRect().top()) {
        fitAll();
    }
}

int TimelineView::physicalKey(const QKeyEvent& event)
{
    // WASD by position, as on other layouts the hand finds other letters there (X11 and Wayland: evdev code +
    // 8).
    switch (event.nativeScanCode()) {
    case 25:
        return Qt::Key_W;
    case 38:
        return Qt::Key_A;
    case 39:
        return Qt::Key_S;
    case 40:
        return Qt::Key_D;
    default:
        return event.key();
    }
}

bool TimelineView::handleNavigationKey(int key, bool shift)
{
    const auto pan
        = static_cast<std::int64_t>(static_cast<double>(m_state->visibleRange().lengthNs()) * panShare);
    const TimeRange run = m_state->runRange();
    const std::int64_t length = m_state->visibleRange().lengthNs();
    const bool hasSlice = static_cast<bool>(m_state->selectedSlice());
    switch (key) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomIn();
        return true;
    case Qt::Key_S:
    case Qt::Key_Minus:
        zoomOut();
        return true;
    case Qt::Key_A:
        m_state->panBy(-pan);
        return true;
    case Qt::Key_D:
        m_state->panBy(pan);
        return true;
    case Qt::Key_0:
        fitAll();
        return true;
    case Qt::Key_F:
        fitSelection();
        return true;
    case Qt::Key_Z:
        if (m_state->selectedRange())
            m_state->showRange(*m_state->selectedRange());
        return true;
    case Qt::Key_Home:
        m_state->setVisibleRange({run.beginNs, run.beginNs + length});
        return true;
    case Qt::Key_End:
        m_state->setVisibleRange({run.endNs - length, run.endNs});
        return true;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        verticalScrollBar()->triggerAction(key == Qt::Key_PageUp ? QAbstractSlider::SliderPageStepSub
                                                                 : QAbstractSlider::SliderPageStepAdd);
        return true;
    case Qt::Key_Left:
    case Qt::Key_Comma:
        hasSlice ? selectNeighbour(-1) : m_state->panBy(-pan);
        return true;
    case Qt::Key_Right:
    case Qt::Key_Period:
        hasSlice ? selectNeighbour(1) : m_state->panBy(pan);
        return true;
    case Qt::Key_BracketLeft:
    case Qt::Key_BracketRight:
        followLink();
        return true;
    case Qt::Key_C:
        walkCollective(shift ? -1 : 1);
        return true;
    case Qt::Key_M:
        if (!shift)
            m_mark = m_state->hoverTime().value_or(m_state->visibleRange().beginNs + length / 2);
        viewport()->update();
        return true;
    case Qt::Key_Delete:
        m_mark.reset();
        viewport()->update();
        return true;
    case Qt::Key_R:
        if (hasSlice)
            m_state->setSelectedRange(m_state->rangeOf(m_state->selectedSlice()));
        return true;
    default:
        return false;
    }
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (plain && m_state->model()
        && handleNavigationKey(physicalKey(*event), event->modifiers().testFlag(Qt::ShiftModifier)))
        event->accept();
    else
        QAbstractScrollArea::keyPressEvent(event); // Esc too: the window knows what it ends first
}

void TimelineView::selectNeighbour(int direction)
{
    const SliceRef selected = m_state->selectedSlice();
    const SliceColumns& slices = m_state->model()->track(selected.track).slices;
    // The neighbour on the same level: children of a CPU slice are not what comes after it.
    auto row = static_cast<std::int64_t>(selected.row) + direction;
    while (row >= 0 && row < static_cast<std::int64_t>(slices.size())
           && slices.depth[static_cast<std::size_t>(row)] != slices.depth[selected.row])
        row += direction;
    if (row < 0 || row >= static_cast<std::int64_t>(slices.size()))
        return;
    const SliceRef next{selected.track, static_cast<std::uint32_t>(row)};
    m_state->setSelectedSlice(next);
    const TimeRange range = m_state->rangeOf(next);
    if (!m_state->visibleRange().contains(range.beginNs))
        m_state->showRange(range, true);
}

void TimelineView::walkCollective(int direction)
{
    if (!m_state->model())
        return;
    const auto instance = m_state->selectedInstance();
    const RunCollectivesPtr& run = m_state->collectives();
    if (!instance) {
        emit noticed(m_state->selectedSlice() ? tr(
                         "The selected slice is part of no collective that was found on other ranks, too")
                                              : tr("Select a collective first, then walk over its ranks"));
        return;
    }
    const auto members = run->matching.membersOf(run->matching.instances[*instance]);
    const auto selected = std::find_if(members.begin(), members.end(), [&](CallRef member) {
        return run->callOf(member).slice == m_state->selectedSlice();
    });
    const auto count = static_cast<std::ptrdiff_t>(members.size());
    const std::ptrdiff_t next = (selected - members.begin() + direction + count) % count;
    const CallRef member = members[static_cast<std::size_t>(next)];
    m_state->revealSlice(run->callOf(member).slice, true);
    emit noticed(tr("%1 on rank %2 (%3 of %4)")
                     .arg(collectiveTitle(*run, *instance))
                     .arg(run->ranks[member.rank].rank)
                     .arg(next + 1)
                     .arg(count));
}

void TimelineView::followLink()
{
    if (!m_state->selectedSlice())
        return;
    if (const auto linked = linkedSlice(*m_state->model(), m_state->selectedSlice()))
        m_state->revealSlice(*linked);
}

} // namespace collscope
