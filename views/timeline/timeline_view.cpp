// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/timeline_view.h"

#include "model/slice_query.h"
#include "views/format.h"
#include "views/mark_painter.h"
#include "views/theme.h"
#include "views/timeline/hit_test.h"
#include "views/timeline/timeline_ruler.h"

#include <QHelpEvent>
#include <QLineEdit>
#include <QNativeGestureEvent>
#include <QPaintEvent>
#include <QScrollBar>
#include <QShortcut>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {
constexpr int topHeight = timelineTopHeight;
constexpr double instantTolerance = 4; ///< px: half a diamond
} // namespace

TimelineView::TimelineView(ViewState* state, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_state(state)
    , m_note(new QLineEdit(viewport()))
{
    setObjectName(QStringLiteral("timeline"));
    setAccessibleName(tr("Timeline"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent); // each pixel is painted: erasing before would be lost
    const auto repaint = [this] { viewport()->update(); };
    connect(state, &ViewState::modelChanged, this, &TimelineView::onModelChanged);
    connect(state, &ViewState::visibleRangeChanged, this, repaint);
    connect(state, &ViewState::selectedRangeChanged, this, repaint);
    connect(state, &ViewState::hoverTimeChanged, this, repaint);
    const auto emphasise = [this] {
        updateGroupEvidence();
        viewport()->update();
    };
    connect(state, &ViewState::evidenceChanged, this, emphasise);
    connect(state, &ViewState::matchesChanged, this, emphasise);
    connect(state, &ViewState::collectivesChanged, this, &TimelineView::rebuildGroups);
    connect(state, &ViewState::clocksChanged, this, &TimelineView::rebuildGroups);
    connect(state, &ViewState::selectedSliceChanged, this, [this] {
        m_centredOnly = false;
        viewport()->update();
    });
    connect(state, &ViewState::hiddenRanksChanged, this, &TimelineView::rebuildLayout);
    connect(state, &ViewState::revealRequested, this, &TimelineView::reveal);
    connect(state->edits(), &RunEdits::changed, this, repaint);
    m_note->hide();
    m_note->setPlaceholderText(tr("Note"));
    m_note->setAccessibleName(tr("Note of the mark"));
    connect(m_note, &QLineEdit::editingFinished, this, [this] { closeNote(true); });
    const auto* cancel = new QShortcut(Qt::Key_Escape, m_note, nullptr, nullptr, Qt::WidgetShortcut);
    connect(cancel, &QShortcut::activated, this, [this] { closeNote(false); });
}

void TimelineView::onModelChanged()
{
    m_painter.clear();
    m_groupPainter.clear();
    m_groups = {};
    m_groupEvidence.clear();
    m_choices = {};
    m_note->hide();
    m_drag = Drag::None; // it began on another axis
    m_zoomRange.reset();
    verticalScrollBar()->setValue(0);
    rebuildLayout();
}

/// Where the collectives lie on the axis: they, or the clocks, are others.
void TimelineView::rebuildGroups()
{
    m_groups = {};
    const RunCollectivesPtr& run = m_state->collectives();
    if (m_state->model() && run)
        m_groups = GroupLanes(*m_state->model(), *run, m_state->clocks(),
                              run->clocks.significantNs(m_state->clockChoice()));
    updateGroupEvidence();
    rebuildLayout();
}

void TimelineView::updateGroupEvidence()
{
    m_groupEvidence.clear();
    if (!m_state->collectives() || !m_state->isEmphasising())
        return;
    m_groupEvidence.resize(m_state->collectives()->matching.instances.size(), false);
    const auto add = [&](SliceRef slice) {
        if (const auto instance = m_state->collectives()->instanceOf(slice))
            m_groupEvidence[*instance] = true;
    };
    std::for_each(m_state->evidence().begin(), m_state->evidence().end(), add);
    if (!m_state->evidence().empty())
        return;
    for (const SliceMatches::InTrack& found : m_state->matches()->tracks) {
        if (!m_state->model()->track(found.track).communication)
            continue; // most of what is found is no collective
        for (const std::uint32_t row : found.rows)
            add({found.track, row});
    }
}

void TimelineView::rebuildLayout()
{
    m_choices.hiddenRanks.clear();
    const int groupsBefore = m_layout.groupsHeight();
    m_choices.rankNotes.clear();
    m_layout = {};
    m_densities.clear();
    if (const TraceModelPtr& model = m_state->model()) {
        for (const std::int32_t rank : model->ranks()) {
            if (m_state->isRankHidden(rank))
                m_choices.hiddenRanks.insert(rank);
            if (const std::string label = m_state->mesh().labelOf(rank); !label.empty())
                m_choices.rankNotes[rank] = toText(label);
        }
        const RunCollectivesPtr& run = m_state->collectives();
        m_layout = TimelineLayout(*model, m_choices, m_groups,
                                  run ? run->matching.groups : std::vector<ProcessGroup>());
        for (const TimelineRow& row : m_layout.rows()) {
            if (row.kind == RowKind::GroupSummary)
                m_densities.emplace(row.lanes.front(), GroupDensity(m_groups, row.lanes));
        }
    }
    updateScrollBar();
    // Lanes that come or go above what a person looks at must not move it.
    if (verticalScrollBar()->value() > groupsBefore)
        verticalScrollBar()->setValue(verticalScrollBar()->value() + m_layout.groupsHeight() - groupsBefore);
    viewport()->update();
}

void TimelineView::updateScrollBar()
{
    const int visible = viewport()->height() - topHeight;
    verticalScrollBar()->setRange(0, std::max(0, m_layout.height() - visible));
    verticalScrollBar()->setPageStep(std::max(visible, 1));
    verticalScrollBar()->setSingleStep(24);
}

QRect TimelineView::lanesRect() const
{
    return {timelineHeaderWidth, topHeight, std::max(1, viewport()->width() - timelineHeaderWidth),
            std::max(0, viewport()->height() - topHeight)};
}

TimeAxis TimelineView::axis() const
{
    return {m_state->visibleRange(), static_cast<double>(lanesRect().width())};
}

TimeAxis TimelineView::axisOf(TimelineId timeline) const
{
    return {m_state->clocks().fromAxis(timeline.value, m_state->visibleRange()),
            static_cast<double>(lanesRect().width())};
}

const TimelineRow* TimelineView::rowAtViewport(int y) const
{
    return y < topHeight ? nullptr : m_layout.rowAt(y - rowsTop());
}

/// Where the layout's y = 0 lies in the viewport.
int TimelineView::rowsTop() const
{
    return topHeight - verticalScrollBar()->value();
}

QRectF TimelineView::rectOf(SliceRef slice) const
{
    const TimelineRow* row = slice ? m_layout.rowOf(slice.track) : nullptr;
    if (!row)
        return {};
    const int level = row->levelOf(m_state->model()->track(slice.track).slices.depth[slice.row]);
    return boxInSight(m_state->rangeOf(slice), rowsTop() + row->yOfLevel(level), row->laneHeight);
}

QRectF TimelineView::rectOfCollective(std::uint32_t instance) const
{
    const CollectiveSpan* span = m_groups.span(instance);
    const TimelineRow* row = span ? m_layout.rowOfLane(span->lane) : nullptr;
    return row
        ? boxInSight({span->beginNs, span->endNs}, rowsTop() + row->yOfLevel(span->level), row->laneHeight)
        : QRectF();
}

/// A range of the axis on a level, as it is painted; empty if nothing of it can be seen.
QRectF TimelineView::boxInSight(TimeRange range, int y, int height) const
{
    const QRect lanes = lanesRect();
    const TimeAxis time = axis();
    const double left = std::max(time.xOf(range.beginNs), 0.0);
    const double right = std::min(std::max(time.xOf(range.endNs), time.xOf(range.beginNs) + 1), time.width());
    const QRectF rect(lanes.left() + std::floor(left), y, std::max(1.0, std::floor(right) - std::floor(left)),
                      height);
    const bool inSight
        = right > 0 && left < time.width() && rect.bottom() > topHeight && rect.top() < viewport()->height();
    return inSight ? rect : QRectF();
}

std::optional<SliceRef> TimelineView::sliceAt(QPoint position) const
{
    if (const auto instance = collectiveAt(position)) {
        const RunCollectives& run = *m_state->collectives();
        return run.callOf(lastArriver(*m_state->model(), run, m_state->clocks(), *instance)).slice;
    }
    const QRect lanes = lanesRect();
    const TimelineRow* row = position.x() < lanes.left() ? nullptr : rowAtViewport(position.y());
    if (!row || !row->showsTrack())
        return std::nullopt;
    const int inLevels = position.y() - rowsTop() - row->yOfLevel(0);
    if (inLevels < 0)
        return std::nullopt; // the strip of the instants
    constexpr int tolerance = 2;
    return sliceAtColumn(*m_state->model(), *row, axisOf(row->timeline), position.x() - lanes.left(),
                         inLevels / std::max(row->laneHeight, 1), tolerance);
}

std::optional<std::uint32_t> TimelineView::collectiveAt(QPoint position) const
{
    const QRect lanes = lanesRect();
    const TimelineRow* row = position.x() < lanes.left() ? nullptr : rowAtViewport(position.y());
    if (!row || row->kind != RowKind::Group)
        return std::nullopt;
    const TimeAxis time = axis();
    return collscope::collectiveAt(
        m_groups, m_groups.lanes()[row->lanes.front()], time.timeAt(position.x() - lanes.left()),
        (position.y() - rowsTop() - row->yOfLevel(0)) / std::max(row->laneHeight, 1), 2 * time.nsPerPixel());
}

QRectF TimelineView::rectOfInstant(TrackId track, std::size_t instant) const
{
    const TimelineRow* row = m_layout.rowOf(track);
    if (!row || row->instantHeight == 0)
        return {};
    const TimeAxis time = axisOf(row->timeline);
    const QRect lanes = lanesRect();
    const double x = std::floor(time.xOf(m_state->model()->track(track).instants.timeNs[instant]));
    if (x < 0 || x >= time.width())
        return {};
    const QRectF rect(lanes.left() + x, rowsTop() + row->y, 1, row->instantHeight);
    return rect.bottom() > topHeight && rect.top() < viewport()->height() ? rect : QRectF();
}

std::optional<DrawInstant> TimelineView::instantAt(const TimelineRow& row, QPoint position) const
{
    if (row.instantHeight == 0 || position.y() >= rowsTop() + row.yOfLevel(0))
        return std::nullopt;
    return collscope::instantAt(m_state->model()->track(row.tracks.front()).instants, axisOf(row.timeline),
                                position.x() - lanesRect().left() + 0.5, instantTolerance);
}

void TimelineView::setThreadsOpen(bool open)
{
    m_choices.openThreads.clear();
    if (open && m_state->model()) {
        for (std::uint32_t i = 0; i < m_state->model()->timelines.size(); ++i)
            m_choices.openThreads.insert(i);
    }
    rebuildLayout();
}

bool TimelineView::areThreadsOpen() const
{
    return m_state->model() && m_choices.openThreads.size() == m_state->model()->timelines.size();
}

void TimelineView::setGridShown(bool shown)
{
    m_showGrid = shown;
    viewport()->update();
}

void TimelineView::setGroupsOpen(bool open)
{
    m_choices.openGroups = open;
    rebuildLayout();
}

void TimelineView::toggleRow(const TimelineRow& row)
{
    if (row.kind == RowKind::GroupHeader)
        return setGroupsOpen(!row.expanded);
    if (!m_choices.openThreads.insert(row.timeline.value).second)
        m_choices.openThreads.erase(row.timeline.value);
    rebuildLayout();
}

void TimelineView::fitAll()
{
    if (m_state->model())
        m_state->showRange(m_state->runRange());
}

void TimelineView::fitSelection()
{
    if (!m_state->model())
        return;
    if (m_state->selectedSlice()) {
        const TimeRange range = m_state->rangeOf(m_state->selectedSlice());
        m_state->showRange(range, !m_centredOnly);
        m_centredOnly = !m_centredOnly;
    } else {
        m_state->showRange(m_state->selectedRange().value_or(m_state->initialView()));
    }
}

void TimelineView::reveal(SliceRef slice)
{
    const Track& track = m_state->model()->track(slice.track);
    if (!m_layout.rowOf(slice.track)) {
        m_choices.openThreads.insert(track.timeline.value);
        rebuildLayout();
    }
    if (const TimelineRow* row = m_layout.rowOf(slice.track)) {
        const int y = row->yOfLevel(row->levelOf(track.slices.depth[slice.row]));
        const int visible = lanesRect().height();
        const int top = verticalScrollBar()->value();
        if (y < top || y + row->laneHeight > top + visible)
            verticalScrollBar()->setValue(y - visible / 2);
    }
    viewport()->update();
}

void TimelineView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    const Surfaces colors = surfaces(palette());
    painter.fillRect(viewport()->rect(), colors.base);
    if (!m_state->model() || m_state->model()->timelines.empty())
        return paintEmpty(painter);
    const QRect lanes = lanesRect();
    const TimeAxis time = axis();
    const int scroll = verticalScrollBar()->value();
    painter.save();
    painter.setClipRect(0, topHeight, viewport()->width(), lanes.height());
    if (m_showGrid)
        paintGrid(painter, lanes, time, palette());
    for (const TimelineRow& row : m_layout.rows()) {
        const int top = topHeight + row.y - scroll;
        if (top + row.height < topHeight || top > viewport()->height())
            continue;
        if (row.firstOfTimeline && &row != &m_layout.rows().front())
            painter.fillRect(0, top - 5, viewport()->width(), 1, colors.line);
        TimelinePainter::paintHeader(painter, QRect(0, top, timelineHeaderWidth, row.height), row, palette());
        paintRow(painter, lanes.translated(0, -scroll), row);
    }
    painter.restore();

    const QRect ruler(lanes.left(), 0, lanes.width(), rulerHeight);
    paintRuler(painter, ruler, time, palette());
    paintMarkFlags(painter, ruler, time, *m_state->edits(), palette());
    paintSteps(painter, QRect(lanes.left(), rulerHeight, lanes.width(), stepsHeight), time, *m_state->model(),
               m_state->clocks(), palette());
    painter.setPen(colors.dimText);
    painter.drawText(QRect(10, rulerHeight, timelineHeaderWidth - 16, stepsHeight),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("steps"));
    painter.fillRect(0, topHeight - 1, viewport()->width(), 1, colors.line);
    painter.fillRect(timelineHeaderWidth - 1, 0, 1, viewport()->height(), colors.line);
    paintOverlays(painter, lanes);
}

void TimelineView::paintRow(QPainter& painter, const QRect& lanes, const TimelineRow& row)
{
    switch (row.kind) {
    case RowKind::GroupHeader:
        break; // names only
    case RowKind::Group:
        m_groupPainter.paintLane(painter, lanes, row, axis(),
                                 {*m_state, m_groups, m_groupEvidence, palette()});
        break;
    case RowKind::GroupSummary:
        m_groupPainter.paintDensity(painter, lanes, row, axis(), m_densities.at(row.lanes.front()),
                                    palette());
        break;
    default:
        m_painter.paintRow(painter, lanes, row, axisOf(row.timeline), *m_state, m_groups, palette());
    }
}

bool TimelineView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && m_state->model()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), viewport()); // no text hides it
        return true;
    }
    if (event->type() == QEvent::Leave)
        m_state->setHoverTime(std::nullopt);
    if (event->type() == QEvent::NativeGesture) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture)
            m_state->zoomAround(axis().timeAt(gesture->position().x() - lanesRect().left()),
                                1 + gesture->value());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::resizeEvent(QResizeEvent*)
{
    updateScrollBar();
}

} // namespace collscope
