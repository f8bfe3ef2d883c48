// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/timeline_input.h"

#include "views/common/axis_gestures.h"
#include "views/common/drag_gesture.h"
#include "views/common/format.h"
#include "views/common/mark_painter.h"
#include "views/timeline/mark_note.h"
#include "views/timeline/timeline_geometry.h"
#include "views/timeline/timeline_navigator.h"
#include "views/timeline/timeline_painter.h"
#include "views/timeline/timeline_rows.h"
#include "views/timeline/timeline_ruler.h"

#include <QAbstractScrollArea>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace collscope {

namespace {

constexpr int edgeTolerance = 4; ///< px on each side of an edge of the selected range

} // namespace

TimelineInput::TimelineInput(const TimelineGeometry& geometry, TimelineRows& rows,
                             TimelineNavigator& navigator, MarkNote& note, QObject* parent)
    : QObject(parent)
    , m_geometry(geometry)
    , m_rows(rows)
    , m_navigator(navigator)
    , m_note(note)
    , m_state(geometry.state())
{ }

void TimelineInput::reset()
{
    m_drag.become(DragKind::None);
    m_target = Target::Lanes;
    m_gesture.zoomRange.reset();
}

void TimelineInput::turnWheel(QWheelEvent& event)
{
    const QPoint steps = event.angleDelta();
    QScrollBar& bar = *m_geometry.area().verticalScrollBar();
    if (event.modifiers().testFlag(Qt::ControlModifier) && event.modifiers().testFlag(Qt::ShiftModifier))
        m_rows.scaleBy(steps.y() + steps.x() > 0 ? 1.1 : 1 / 1.1);
    else if (!collscope::turnWheel(m_state, event, m_geometry.lanesRect()))
        bar.setValue(bar.value() - steps.y() / 2);
    event.accept();
}

bool TimelineInput::isOnRangeButton(QPoint position) const
{
    return m_geometry.rangeLabel().button.box.contains(position);
}

void TimelineInput::press(const QMouseEvent& event)
{
    if (!m_state.run().model())
        return;
    m_geometry.area().setFocus();
    m_drag.press(event);
    m_target = Target::Lanes;
    const QPoint pressed = m_gesture.position = m_drag.pressed();
    const QRect lanes = m_geometry.lanesRect();
    m_pressTime = m_geometry.axis().timeAt(pressed.x() - lanes.left());
    const bool isLeft = event.button() == Qt::LeftButton;
    if (pressed.x() < lanes.left()) {
        if (isLeft) { // the right button opens the row's menu
            pressName(pressed);
            m_drag.become(DragKind::None);
        }
    } else if (isLeft && pressRuler(pressed)) {
        m_target = Target::Ruler;
        m_rulerBegin = m_state.viewport().visibleRange().beginNs;
    } else if (isLeft && isOnRangeButton(pressed)) {
        m_target = Target::RangeButton;
    } else if (const auto opposite = edgeOppositeOf(pressed); isLeft && opposite) {
        m_drag.become(DragKind::SelectRange);
        m_pressTime = *opposite;
    }
}

/// Focuses a row, and opens or collapses what it stands for.
void TimelineInput::pressName(QPoint position)
{
    const TimelineRow* row = m_geometry.rowAt(position.y());
    if (!row)
        return;
    m_rows.focus(*row);
    // The right half describes the row; a click there only selects it.
    if (row->toggle != RowToggle::Rank || position.x() < timelineHeaderWidth / 2)
        m_rows.toggle(TimelineRow(*row));
}

/// Selects a flag; elsewhere on the ruler, a drag can start.
bool TimelineInput::pressRuler(QPoint position)
{
    if (position.y() >= rulerHeight)
        return false;
    const int x = position.x() - m_geometry.lanesRect().left();
    if (const auto mark = markFlagAt(m_geometry.axis(), *m_state.run().edits(), x))
        m_state.run().edits()->setCurrentMark(*mark);
    return true;
}

std::optional<std::int64_t> TimelineInput::edgeOppositeOf(QPoint position) const
{
    const auto range = m_state.selection().range();
    const QRect lanes = m_geometry.lanesRect();
    if (!range || position.x() < lanes.left() || position.y() < rulerHeight)
        return std::nullopt;
    const TimeAxis time = m_geometry.axis();
    const double toBegin = std::abs(time.xOf(range->beginNs) - (position.x() - lanes.left()));
    const double toEnd = std::abs(time.xOf(range->endNs) - (position.x() - lanes.left()));
    if (std::min(toBegin, toEnd) > edgeTolerance)
        return std::nullopt;
    return toBegin < toEnd ? range->endNs : range->beginNs;
}

void TimelineInput::updateCursor(QPoint position)
{
    Qt::CursorShape shape = Qt::ArrowCursor;
    const bool isName = position.x() < m_geometry.lanesRect().left();
    const TimelineRow* row = isName ? m_geometry.rowAt(position.y()) : nullptr;
    if ((row && row->toggle != RowToggle::None) || isOnRangeButton(position))
        shape = Qt::PointingHandCursor;
    else if (edgeOppositeOf(position))
        shape = Qt::SizeHorCursor;
    m_geometry.area().viewport()->setCursor(shape);
}

void TimelineInput::move(const QMouseEvent& event)
{
    if (!m_state.run().model())
        return;
    const QPoint position = event.position().toPoint();
    const QRect lanes = m_geometry.lanesRect();
    if (m_drag.kind() == DragKind::None)
        updateCursor(position);
    m_state.selection().setHoverTime(
        position.x() >= lanes.left() ? std::optional(m_geometry.axis().timeAt(position.x() - lanes.left()))
                                     : std::nullopt);
    const bool isOnNames = m_drag.pressed().x() < lanes.left();
    const DragKind kind = isOnNames ? DragKind::Pending : m_drag.move(event);
    if (m_target == Target::Ruler && kind != DragKind::None)
        dragRuler(position);
    else if (m_target == Target::Lanes)
        drag(kind, position);
    m_gesture.position = position;
}

void TimelineInput::drag(DragKind kind, QPoint position)
{
    const TimeAxis time = m_geometry.axis();
    const std::int64_t now = time.timeAt(position.x() - m_geometry.lanesRect().left());
    const TimeRange dragged{std::min(now, m_pressTime), std::max(now, m_pressTime)};
    switch (kind) {
    case DragKind::None:
    case DragKind::Pending:
        break;
    case DragKind::SelectRange:
        m_state.selection().setRange(dragged);
        break;
    case DragKind::ZoomRange:
        m_gesture.zoomRange = dragged;
        m_geometry.area().viewport()->update();
        break;
    case DragKind::Pan: {
        const QPoint last = position - m_drag.step();
        QScrollBar& bar = *m_geometry.area().verticalScrollBar();
        m_state.viewport().panBy(time.timeAt(last.x()) - time.timeAt(position.x()));
        bar.setValue(bar.value() - m_drag.step().y());
        break;
    }
    }
}

void TimelineInput::dragRuler(QPoint position)
{
    const QRect lanes = m_geometry.lanesRect();
    const int x = std::max(1, position.x() - lanes.left());
    const int pressedX = m_drag.pressed().x();
    const bool isClick = std::abs(position.x() - pressedX) < dragThreshold;
    if (isClick || pressedX - lanes.left() < 2 * dragThreshold)
        return; // too close to the fixed edge to stretch
    const double nsPerPixel = static_cast<double>(m_pressTime - m_rulerBegin) / x;
    m_state.viewport().setVisibleRange(
        {m_rulerBegin, m_rulerBegin + std::llround(nsPerPixel * m_geometry.axis().width())});
}

void TimelineInput::release(const QMouseEvent& event)
{
    const DragKind drag = m_drag.release();
    const Target target = std::exchange(m_target, Target::Lanes);
    if (target == Target::RangeButton && isOnRangeButton(event.position().toPoint()))
        emit rangeMetricsWanted();
    if (target != Target::Lanes)
        return;
    if (drag == DragKind::ZoomRange && m_gesture.zoomRange) {
        const TimeRange range = *m_gesture.zoomRange;
        m_gesture.zoomRange.reset();
        m_state.viewport().showRange(range);
    }
    if (drag != DragKind::Pending)
        return;
    if (event.button() == Qt::LeftButton)
        click(event);
    else if (event.button() == Qt::RightButton)
        openMenu(event.position().toPoint(), event.globalPosition().toPoint());
}

void TimelineInput::click(const QMouseEvent& event)
{
    const auto slice = m_geometry.sliceAt(event.position().toPoint());
    if (event.modifiers().testFlag(Qt::ShiftModifier) && m_state.selection().range()) {
        const TimeRange range = *m_state.selection().range();
        m_state.selection().setRange(
            TimeRange{std::min(range.beginNs, m_pressTime), std::max(range.endNs, m_pressTime)});
    } else if (event.modifiers().testFlag(Qt::ControlModifier)) {
        if (slice)
            m_state.selection().toggleSlice(*slice);
    } else if (slice) {
        m_state.selection().setSlice(*slice);
    } else if (const auto gap = m_geometry.gapAt(event.position().toPoint())) {
        const TimelineRow* const row = m_geometry.rowAt(event.position().toPoint().y());
        m_state.selection().setRange(m_state.run().clocks().toAxis(row->timeline.value, gap->range));
    } else {
        m_state.clearSelection();
    }
}

void TimelineInput::doubleClick(const QMouseEvent& event)
{
    if (!m_state.run().model())
        return;
    const QPoint position = event.position().toPoint();
    if (isOnRangeButton(position))
        return; // two clicks on a button are not a double click
    const QRect lanes = m_geometry.lanesRect();
    const auto mark = position.y() < rulerHeight
        ? markFlagAt(m_geometry.axis(), *m_state.run().edits(), position.x() - lanes.left())
        : std::nullopt;
    if (mark) {
        m_state.run().edits()->setCurrentMark(*mark);
        m_note.edit();
    } else if (const auto slice = m_geometry.sliceAt(position)) {
        m_state.selection().setSlice(*slice);
        const auto instance = m_geometry.collectiveAt(position);
        const CollectiveSpan* span = instance ? m_rows.groups().span(*instance) : nullptr;
        m_state.viewport().showRange(span ? TimeRange{span->beginNs, span->endNs}
                                          : m_state.run().rangeOf(*slice));
    } else if (position.y() < lanes.top()) {
        m_navigator.fitAll();
    }
}

void TimelineInput::openMenu(QPoint position, QPoint globalPosition)
{
    auto* menu = new QMenu(&m_geometry.area());
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(&m_state.run(), &RunContext::modelChanged, menu, &QWidget::close); // its slices no longer exist
    const TimelineRow* row = m_geometry.rowAt(position.y());
    const bool isName = position.x() < m_geometry.lanesRect().left();
    if (const auto slice = isName ? std::nullopt : m_geometry.sliceAt(position))
        addSliceEntries(*menu, *slice);
    if (row)
        addRowEntries(*menu, *row);
    if (!isName) {
        menu->addAction(tr("Mark this time\tShift+M"), this,
                        [this, time = m_pressTime] { m_state.run().edits()->keepMark(time); })
            ->setObjectName(QStringLiteral("timeMark"));
    }
    emit menuOpening(menu);
    if (menu->isEmpty())
        delete menu;
    else
        menu->popup(globalPosition);
}

/// Also selects the slice.
void TimelineInput::addSliceEntries(QMenu& menu, SliceRef slice)
{
    m_state.selection().setSlice(slice);
    const QString name = toText(m_state.run().model()->nameOf(slice));
    menu.addAction(tr("Zoom to slice"), this,
                   [this, slice] { m_state.viewport().showRange(m_state.run().rangeOf(slice)); })
        ->setObjectName(QStringLiteral("sliceZoom"));
    menu.addAction(tr("Select its time range\tR"), this,
                   [this, slice] { m_state.selection().setRange(m_state.run().rangeOf(slice)); })
        ->setObjectName(QStringLiteral("sliceRange"));
    const bool onGpu = m_state.run().model()->track(slice.track).kind == TrackKind::GpuStream;
    menu.addAction(onGpu ? tr("Go to launch call\t[") : tr("Go to launched GPU work\t]"), this,
                   [this, onGpu] { m_navigator.followLink(onGpu ? -1 : 1); })
        ->setObjectName(QStringLiteral("sliceLink"));
    menu.addAction(tr("Copy name"), this, [name] { QGuiApplication::clipboard()->setText(name); })
        ->setObjectName(QStringLiteral("sliceCopyName"));
    menu.addSeparator();
}

void TimelineInput::addRowEntries(QMenu& menu, const TimelineRow& row)
{
    if (row.toggle != RowToggle::None)
        menu.addAction(row.isExpanded ? tr("Collapse") : tr("Expand"), this,
                       [this, copy = row] { m_rows.toggle(copy); })
            ->setObjectName(QStringLiteral("rowToggle"));
    if (row.canBePinned()) {
        const bool isPinned = row.isPinned;
        menu.addAction(isPinned ? tr("Unpin row\tP") : tr("Pin row to the top\tP"), this,
                       [this, key = row.key, isPinned] { m_state.run().edits()->setPinned(key, !isPinned); })
            ->setObjectName(QStringLiteral("rowPin"));
    }
    if (row.kind == RowKind::GroupHeader || row.showsGroups())
        return;
    const std::int32_t rank = m_state.run().model()->timeline(row.timeline).rank;
    menu.addAction(tr("Hide rank %1").arg(rank), this,
                   [this, rank] { m_state.preferences().setRankHidden(rank, true); })
        ->setObjectName(QStringLiteral("rankHide"));
    const SourceId source = m_state.run().model()->timeline(row.timeline).source;
    if (const SourceInfo& own = m_state.run().model()->sources[source.value]; own.isReduced)
        menu.addAction(tr("Open the full trace of rank %1").arg(rank), this,
                       [this, path = own.path] { emit wholeTraceWanted(path); })
            ->setObjectName(QStringLiteral("rankWholeTrace"));
}

} // namespace collscope
