// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/timeline_view.h"

#include "model/queries/slice_query.h"
#include "views/axis_gestures.h"
#include "views/format.h"
#include "views/mark_painter.h"
#include "views/moment.h"
#include "views/theme.h"
#include "views/timeline/hit_test.h"
#include "views/timeline/timeline_ruler.h"

#include <QHelpEvent>
#include <QLineEdit>
#include <QPaintEvent>
#include <QScrollBar>
#include <QShortcut>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {
constexpr double instantTolerance = 4; ///< px: half a diamond
} // namespace

TimelineView::TimelineView(ViewState* state, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_state(state)
    , m_filter(new QLineEdit(this))
    , m_note(new QLineEdit(viewport()))
{
    setObjectName(QStringLiteral("timeline"));
    setAccessibleName(tr("Timeline"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent); // every pixel is painted, so erasing is wasted
    const auto repaint = [this] { viewport()->update(); };
    connect(state, &ViewState::modelChanged, this, &TimelineView::onModelChanged);
    connect(state, &ViewState::visibleRangeChanged, this, repaint);
    connect(state, &ViewState::selectedRangeChanged, this, repaint);
    connect(state, &ViewState::hoverTimeChanged, this, repaint);
    connect(state, &ViewState::rangeSummaryChanged, this, [this] {
        if (m_state->selectedRange())
            viewport()->update(); // its label can now show more
    });
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
    connect(state, &ViewState::otherSlicesChanged, this, repaint);
    connect(state, &ViewState::timeFormatChanged, this, repaint);
    connect(state, &ViewState::hiddenRanksChanged, this, &TimelineView::rebuildLayout);
    connect(state, &ViewState::revealRequested, this, &TimelineView::reveal);
    connect(state->edits(), &RunEdits::changed, this, &TimelineView::onEdited);
    connect(state, &ViewState::rowFilterChanged, this, &TimelineView::onFilterChanged);
    m_note->hide();
    m_note->setPlaceholderText(tr("Note"));
    m_note->setObjectName(QStringLiteral("markNote"));
    m_note->setAccessibleName(tr("Mark note"));
    connect(m_note, &QLineEdit::editingFinished, this, [this] { closeNote(true); });
    const auto* cancel = new QShortcut(Qt::Key_Escape, m_note, nullptr, nullptr, Qt::WidgetShortcut);
    connect(cancel, &QShortcut::activated, this, [this] { closeNote(false); });
    buildFilter();
}

void TimelineView::onModelChanged()
{
    m_painter.clear();
    m_groupPainter.clear();
    m_groups = {};
    m_groupEvidence.clear();
    m_choices = {};
    openRanksWithoutStreams();
    showFilter();
    m_choices.pins = m_state->edits()->pins();
    m_focus.reset();
    m_filter->setVisible(m_state->model() && !m_state->model()->timelines.empty());
    m_note->hide();
    m_drag = Drag::None; // it started on another axis
    m_zoomRange.reset();
    verticalScrollBar()->setValue(0);
    rebuildLayout();
}

/// Opens ranks without GPU streams, of which the threads are the only content.
void TimelineView::openRanksWithoutStreams()
{
    const TraceModelPtr& model = m_state->model();
    for (std::uint32_t i = 0; model && i < model->timelines.size(); ++i) {
        const std::vector<TrackId>& tracks = model->timelines[i].tracks;
        if (std::none_of(tracks.begin(), tracks.end(),
                         [&](TrackId id) { return model->track(id).kind == TrackKind::GpuStream; }))
            m_choices.openThreads.insert(i);
    }
}

/// Recomputes the positions of the collectives on the axis after a change of the collectives or the clocks.
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
            continue; // most matches are not collectives
        for (const std::uint32_t row : found.rows)
            add({found.track, row});
    }
}

QRect TimelineView::lanesRect() const
{
    return {timelineHeaderWidth, timelineTopHeight, std::max(1, viewport()->width() - timelineHeaderWidth),
            std::max(0, viewport()->height() - timelineTopHeight)};
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

QRectF TimelineView::rectOf(SliceRef slice) const
{
    const TimelineRow* row = slice ? m_layout.rowOf(slice.track) : nullptr;
    if (!row)
        return {};
    const int level = row->levelOf(m_state->model()->track(slice.track).slices.depth[slice.row]);
    return boxInSight(m_state->rangeOf(slice), *row, level);
}

QRectF TimelineView::rectOfCollective(std::uint32_t instance) const
{
    const CollectiveSpan* span = m_groups.span(instance);
    const TimelineRow* row = span ? m_layout.rowOfLane(span->lane) : nullptr;
    return row ? boxInSight({span->beginNs, span->endNs}, *row, span->level) : QRectF();
}

bool TimelineView::isEvidenceInSight() const
{
    const TimeRange visible = m_state->visibleRange();
    const RunCollectivesPtr& run = m_state->collectives();
    const auto isSeen = [&](SliceRef slice) {
        if (!m_state->rangeOf(slice).overlaps(visible))
            return false;
        const auto instance = run ? run->instanceOf(slice) : std::nullopt;
        return !rectOf(slice).isEmpty() || (instance && !rectOfCollective(*instance).isEmpty());
    };
    const auto& slices = m_state->evidence();
    const auto& ranges = m_state->evidenceRanges();
    return std::any_of(slices.begin(), slices.end(), isSeen)
        || std::any_of(ranges.begin(), ranges.end(),
                       [&](TimeRange range) { return range.overlaps(visible); });
}

/// The painted box of an axis range on a level; empty if it is not visible.
QRectF TimelineView::boxInSight(TimeRange range, const TimelineRow& row, int level) const
{
    const QRect lanes = lanesRect();
    const TimeAxis time = axis();
    const double left = std::max(time.xOf(range.beginNs), 0.0);
    const double right = std::min(std::max(time.xOf(range.endNs), time.xOf(range.beginNs) + 1), time.width());
    const QRectF rect(lanes.left() + std::floor(left), topOf(row) + row.offsetOfLevel(level),
                      std::max(1.0, std::floor(right) - std::floor(left)), row.laneHeight);
    return right > 0 && left < time.width() && areaOf(row).intersects(rect.toAlignedRect()) ? rect : QRectF();
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
    const int inLevels = position.y() - topOf(*row) - row->offsetOfLevel(0);
    if (inLevels < 0)
        return std::nullopt; // in the strip of instants
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
        (position.y() - topOf(*row) - row->offsetOfLevel(0)) / std::max(row->laneHeight, 1),
        2 * time.nsPerPixel());
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
    const QRectF rect(lanes.left() + x, topOf(*row), 1, row->instantHeight);
    return areaOf(*row).intersects(rect.toAlignedRect()) ? rect : QRectF();
}

std::optional<DrawInstant> TimelineView::instantAt(const TimelineRow& row, QPoint position) const
{
    if (row.instantHeight == 0 || position.y() >= topOf(row) + row.offsetOfLevel(0))
        return std::nullopt;
    return collscope::instantAt(m_state->model()->track(row.tracks.front()).instants, axisOf(row.timeline),
                                position.x() - lanesRect().left() + 0.5, instantTolerance);
}

void TimelineView::setGridShown(bool shown)
{
    m_showGrid = shown;
    viewport()->update();
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

void TimelineView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    const Surfaces colors = surfaces(palette());
    painter.fillRect(viewport()->rect(), colors.base);
    if (!m_state->model() || m_state->model()->timelines.empty())
        return paintEmpty(painter);
    const QRect lanes = lanesRect();
    const TimeAxis time = axis();
    if (m_showGrid)
        paintGrid(painter, lanes, time, MomentText(*m_state), palette());
    paintRows(painter, lanes);

    const QRect ruler(lanes.left(), 0, lanes.width(), rulerHeight);
    paintRuler(painter, ruler, time, MomentText(*m_state), palette());
    paintMarkFlags(painter, ruler, time, *m_state->edits(), palette());
    paintSteps(painter, QRect(lanes.left(), rulerHeight, lanes.width(), stepsHeight), time, *m_state->model(),
               m_state->clocks(), palette());
    painter.setPen(colors.dimText);
    painter.drawText(QRect(10, rulerHeight, timelineHeaderWidth - 16, stepsHeight),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("steps"));
    painter.fillRect(0, timelineTopHeight - 1, viewport()->width(), 1, colors.line);
    painter.fillRect(timelineHeaderWidth - 1, 0, 1, viewport()->height(), colors.line);
    paintOverlays(painter, lanes);
}

void TimelineView::paintRows(QPainter& painter, const QRect& lanes)
{
    const Surfaces colors = surfaces(palette());
    const TimelineRow* const focused = focusedRow();
    painter.save();
    for (const TimelineRow& row : m_layout.rows()) {
        const int top = topOf(row);
        const QRect area = areaOf(row);
        if (top + row.height < area.top() || top > area.bottom())
            continue;
        painter.setClipRect(0, area.top(), viewport()->width(), area.height());
        const QRect header(0, top, timelineHeaderWidth, row.height);
        if (row.firstOfTimeline && &row != &m_layout.rows().front())
            painter.fillRect(0, top - 5, viewport()->width(), 1, colors.line);
        if (&row == focused)
            paintFocus(painter, header);
        TimelinePainter::paintHeader(painter, header, row, palette());
        paintRow(painter, lanes.translated(0, top - row.y - timelineTopHeight), row);
    }
    painter.setClipping(false);
    if (const int pinned = pinnedInSight(); pinned > 0)
        painter.fillRect(0, timelineTopHeight + pinned - 2, viewport()->width(), 2, colors.line);
    const std::vector<TimelineRow>& rows = m_layout.rows();
    if (std::all_of(rows.begin(), rows.end(), [](const TimelineRow& row) { return row.isPinned; }))
        paintNoRows(painter, lanes.adjusted(0, pinnedInSight(), 0, 0));
    painter.restore();
}

/// Paints a bar at the edge of the row that has the keyboard focus.
void TimelineView::paintFocus(QPainter& painter, const QRect& header)
{
    const Surfaces colors = surfaces(palette());
    if (hasFocus())
        painter.fillRect(header.adjusted(0, 0, -1, 0), colors.selection);
    painter.fillRect(header.left(), header.top(), 3, header.height(), colors.accent);
}

void TimelineView::paintNoRows(QPainter& painter, const QRect& lanes)
{
    painter.setPen(surfaces(palette()).dimText);
    painter.drawText(
        lanes.adjusted(24, 0, -24, 0), Qt::AlignCenter | Qt::TextWordWrap,
        m_choices.filter.isEmpty()
            ? tr("All ranks are hidden. Tick them in the Ranks panel.")
            : tr("No row matches \u201c%1\u201d. Clear the filter at the top left to show all rows.")
                  .arg(m_state->rowFilter()));
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
        QToolTip::showText(help->globalPos(), toolTipAt(help->pos()),
                           viewport()); // an empty text hides the tool tip
        return true;
    }
    if (event->type() == QEvent::Leave)
        m_state->setHoverTime(std::nullopt);
    return pinch(*m_state, *event, lanesRect()) || QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::resizeEvent(QResizeEvent*)
{
    m_filter->setGeometry(4, 2, timelineHeaderWidth - 9, rulerHeight - 3);
    updateScrollBar();
}

} // namespace collscope
