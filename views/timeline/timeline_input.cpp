// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Mouse input of the timeline.

#include "views/axis_gestures.h"
#include "views/format.h"
#include "views/mark_painter.h"
#include "views/timeline/timeline_layout.h"
#include "views/timeline/timeline_ruler.h"
#include "views/timeline/timeline_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr int edgeTolerance = 4; ///< px on each side of an edge of the selected range
constexpr int noteWidth = 220;

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
    const QPoint steps = event->angleDelta();
    if (event->modifiers().testFlag(Qt::ControlModifier) && event->modifiers().testFlag(Qt::ShiftModifier)) {
        m_choices.scale = std::clamp(m_choices.scale * (steps.y() + steps.x() > 0 ? 1.1 : 1 / 1.1),
                                     smallestRowScale, largestRowScale);
        rebuildLayout();
    } else if (!turnWheel(*m_state, *event, lanesRect())) {
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
    m_drag = Drag::Pending;
    const QRect lanes = lanesRect();
    m_pressTime = axis().timeAt(m_pressPosition.x() - lanes.left());
    const bool isLeft = event->button() == Qt::LeftButton;
    if (m_pressPosition.x() < lanes.left()) {
        const TimelineRow* row = rowAtViewport(m_pressPosition.y());
        if (isLeft && row) {
            focusRow(*row);
            // The right half describes the row; a click there only selects it.
            if (row->toggle != RowToggle::Rank || m_pressPosition.x() < timelineHeaderWidth / 2)
                toggleRow(TimelineRow(*row));
        }
        m_drag = isLeft ? Drag::None : Drag::Pending; // the right button opens the row's menu
    } else if (isLeft && pressRuler(m_pressPosition)) {
        m_drag = Drag::Ruler;
        m_rulerBegin = m_state->visibleRange().beginNs;
    } else if (isLeft && rangeLabel().button.box.contains(m_pressPosition)) {
        m_drag = Drag::RangeButton;
    } else if (const auto opposite = edgeOppositeOf(m_pressPosition); isLeft && opposite) {
        m_drag = Drag::SelectRange;
        m_pressTime = *opposite;
    }
}

/// Selects a flag; elsewhere on the ruler, a drag can start.
bool TimelineView::pressRuler(QPoint position)
{
    if (position.y() >= rulerHeight)
        return false;
    if (const auto mark = markFlagAt(axis(), *m_state->edits(), position.x() - lanesRect().left()))
        m_state->edits()->setCurrentMark(*mark);
    return true;
}

std::optional<std::int64_t> TimelineView::edgeOppositeOf(QPoint position) const
{
    const auto range = m_state->selectedRange();
    const QRect lanes = lanesRect();
    if (!range || position.x() < lanes.left() || position.y() < rulerHeight)
        return std::nullopt;
    const TimeAxis time = axis();
    const double toBegin = std::abs(time.xOf(range->beginNs) - (position.x() - lanes.left()));
    const double toEnd = std::abs(time.xOf(range->endNs) - (position.x() - lanes.left()));
    if (std::min(toBegin, toEnd) > edgeTolerance)
        return std::nullopt;
    return toBegin < toEnd ? range->endNs : range->beginNs;
}

void TimelineView::updateCursor(QPoint position)
{
    Qt::CursorShape shape = Qt::ArrowCursor;
    const TimelineRow* row = position.x() < lanesRect().left() ? rowAtViewport(position.y()) : nullptr;
    if ((row && row->toggle != RowToggle::None) || rangeLabel().button.box.contains(position))
        shape = Qt::PointingHandCursor;
    else if (edgeOppositeOf(position))
        shape = Qt::SizeHorCursor;
    viewport()->setCursor(shape);
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_state->model())
        return;
    const QPoint position = event->position().toPoint();
    const QRect lanes = lanesRect();
    if (m_drag == Drag::None)
        updateCursor(position);
    m_state->setHoverTime(position.x() >= lanes.left()
                              ? std::optional(axis().timeAt(position.x() - lanes.left()))
                              : std::nullopt);
    const bool isFar = (position - m_pressPosition).manhattanLength() >= dragThreshold;
    if (m_drag == Drag::Pending && isFar && m_pressPosition.x() >= lanes.left()) {
        const bool pan = m_dragButton == Qt::MiddleButton || event->modifiers().testFlag(Qt::ShiftModifier);
        const bool zoom = m_dragButton == Qt::RightButton || event->modifiers().testFlag(Qt::ControlModifier);
        m_drag = pan ? Drag::Pan : zoom ? Drag::ZoomRange : Drag::SelectRange;
    }
    drag(position);
    m_lastPosition = position;
}

void TimelineView::drag(QPoint position)
{
    const TimeAxis time = axis();
    const QRect lanes = lanesRect();
    const std::int64_t now = time.timeAt(position.x() - lanes.left());
    const TimeRange dragged{std::min(now, m_pressTime), std::max(now, m_pressTime)};
    switch (m_drag) {
    case Drag::None:
    case Drag::Pending:
    case Drag::RangeButton:
        break;
    case Drag::SelectRange:
        m_state->setSelectedRange(dragged);
        break;
    case Drag::ZoomRange:
        m_zoomRange = dragged;
        viewport()->update();
        break;
    case Drag::Pan:
        m_state->panBy(time.timeAt(m_lastPosition.x()) - time.timeAt(position.x()));
        verticalScrollBar()->setValue(verticalScrollBar()->value() + m_lastPosition.y() - position.y());
        break;
    case Drag::Ruler: {
        const int x = std::max(1, position.x() - lanes.left());
        const bool isClick = std::abs(position.x() - m_pressPosition.x()) < dragThreshold;
        if (isClick || m_pressPosition.x() - lanes.left() < 2 * dragThreshold)
            break; // too close to the fixed edge to stretch
        const double nsPerPixel = static_cast<double>(m_pressTime - m_rulerBegin) / x;
        m_state->setVisibleRange({m_rulerBegin, m_rulerBegin + std::llround(nsPerPixel * time.width())});
        break;
    }
    }
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
    if (drag == Drag::RangeButton && rangeLabel().button.box.contains(event->position().toPoint()))
        emit rangeMetricsWanted();
    if (drag != Drag::Pending)
        return;
    if (event->button() == Qt::LeftButton)
        click(*event);
    else if (event->button() == Qt::RightButton)
        openMenu(event->position().toPoint(), event->globalPosition().toPoint());
}

void TimelineView::click(const QMouseEvent& event)
{
    const auto slice = sliceAt(event.position().toPoint());
    if (event.modifiers().testFlag(Qt::ShiftModifier) && m_state->selectedRange()) {
        const TimeRange range = *m_state->selectedRange();
        m_state->setSelectedRange(
            TimeRange{std::min(range.beginNs, m_pressTime), std::max(range.endNs, m_pressTime)});
    } else if (event.modifiers().testFlag(Qt::ControlModifier)) {
        if (slice)
            m_state->toggleSlice(*slice);
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
    if (rangeLabel().button.box.contains(position))
        return; // two clicks on a button are not a double click
    const QRect lanes = lanesRect();
    const auto mark = position.y() < rulerHeight
        ? markFlagAt(axis(), *m_state->edits(), position.x() - lanes.left())
        : std::nullopt;
    if (mark) {
        m_state->edits()->setCurrentMark(*mark);
        editNote();
    } else if (const auto slice = sliceAt(position)) {
        m_state->setSelectedSlice(*slice);
        const auto instance = collectiveAt(position);
        const CollectiveSpan* span = instance ? m_groups.span(*instance) : nullptr;
        m_state->showRange(span ? TimeRange{span->beginNs, span->endNs} : m_state->rangeOf(*slice));
    } else if (position.y() < lanes.top()) {
        fitAll();
    }
}

void TimelineView::openMenu(QPoint position, QPoint globalPosition)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_state, &ViewState::modelChanged, menu, &QWidget::close); // its slices no longer exist
    const TimelineRow* row = rowAtViewport(position.y());
    const bool isName = position.x() < lanesRect().left();
    if (const auto slice = isName ? std::nullopt : sliceAt(position)) {
        m_state->setSelectedSlice(*slice);
        const QString name = toText(m_state->model()->nameOf(*slice));
        menu->addAction(tr("Zoom to slice"), this,
                        [this, slice] { m_state->showRange(m_state->rangeOf(*slice)); })
            ->setObjectName(QStringLiteral("sliceZoom"));
        menu->addAction(tr("Select its time range\tR"), this,
                        [this, slice] { m_state->setSelectedRange(m_state->rangeOf(*slice)); })
            ->setObjectName(QStringLiteral("sliceRange"));
        const bool onGpu = m_state->model()->track(slice->track).kind == TrackKind::GpuStream;
        menu->addAction(onGpu ? tr("Go to launch call\t[") : tr("Go to launched GPU work\t]"), this,
                        [this, onGpu] { followLink(onGpu ? -1 : 1); })
            ->setObjectName(QStringLiteral("sliceLink"));
        menu->addAction(tr("Copy name"), this, [name] { QGuiApplication::clipboard()->setText(name); })
            ->setObjectName(QStringLiteral("sliceCopyName"));
        menu->addSeparator();
    }
    if (row && row->toggle != RowToggle::None)
        menu->addAction(row->isExpanded ? tr("Collapse") : tr("Expand"), this,
                        [this, copy = *row] { toggleRow(copy); })
            ->setObjectName(QStringLiteral("rowToggle"));
    if (row && row->canBePinned()) {
        const bool isPinned = row->isPinned;
        menu->addAction(isPinned ? tr("Unpin row\tP") : tr("Pin row to the top\tP"), this,
                        [this, key = row->key, isPinned] { m_state->edits()->setPinned(key, !isPinned); })
            ->setObjectName(QStringLiteral("rowPin"));
    }
    const bool isOfRank = row && row->kind != RowKind::GroupHeader && !row->showsGroups();
    if (isOfRank) {
        const std::int32_t rank = m_state->model()->timeline(row->timeline).rank;
        menu->addAction(tr("Hide rank %1").arg(rank), this,
                        [this, rank] { m_state->setRankHidden(rank, true); })
            ->setObjectName(QStringLiteral("rankHide"));
        const SourceId source = m_state->model()->timeline(row->timeline).source;
        if (const SourceInfo& own = m_state->model()->sources[source.value]; own.isReduced)
            menu->addAction(tr("Open the full trace of rank %1").arg(rank), this,
                            [this, path = own.path] { emit wholeTraceWanted(path); })
                ->setObjectName(QStringLiteral("rankWholeTrace"));
    }
    if (!isName) {
        const std::int64_t time = m_pressTime;
        menu->addAction(tr("Mark this time\tShift+M"), this,
                        [this, time] { m_state->edits()->keepMark(time); })
            ->setObjectName(QStringLiteral("timeMark"));
    }
    emit menuOpening(menu);
    if (menu->isEmpty())
        delete menu;
    else
        menu->popup(globalPosition);
}

void TimelineView::editNote()
{
    const auto current = m_state->edits()->currentMark();
    if (!current) {
        emit noticed(tr("No marks yet. Press Shift+M to set one at the cursor"));
        return;
    }
    m_noteTime = *current;
    m_state->edits()->keepMark(m_noteTime);
    if (!m_state->visibleRange().contains(m_noteTime))
        m_state->showRange({m_noteTime, m_noteTime}, true);
    const QRect lanes = lanesRect();
    const int x = lanes.left() + static_cast<int>(axis().xOf(m_noteTime));
    m_note->setGeometry(std::clamp(x, lanes.left(), std::max(lanes.left(), lanes.right() - noteWidth)), 0,
                        noteWidth, rulerHeight);
    m_note->setText(m_state->edits()->noteOf(m_noteTime));
    m_note->selectAll();
    m_note->show();
    m_note->setFocus();
}

void TimelineView::closeNote(bool keep)
{
    if (m_note->isHidden())
        return;
    m_note->hide(); // hide before the focus moves, which would finish editing again
    if (keep)
        m_state->edits()->setNote(m_noteTime, m_note->text());
    setFocus();
}

} // namespace collscope
