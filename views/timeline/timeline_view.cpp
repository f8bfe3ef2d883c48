// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/timeline_view.h"

#include "views/common/axis_gestures.h"
#include "views/common/mark_painter.h"
#include "views/common/moment.h"
#include "views/common/theme.h"
#include "views/timeline/gap_lane.h"
#include "views/timeline/ghost_lane.h"
#include "views/timeline/timeline_ruler.h"
#include "views/timeline/timeline_tool_tips.h"

#include <QHelpEvent>
#include <QMenu>
#include <QPaintEvent>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace collscope {

TimelineView::TimelineView(ViewState* state, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_state(state)
    , m_rows(state)
    , m_geometry(*state, m_rows, *this)
    , m_navigator(m_geometry, m_rows)
    , m_filter(new RowFilterLine(state, this))
    , m_note(new MarkNote(m_geometry))
    , m_input(m_geometry, m_rows, m_navigator, *m_note)
    , m_keys(m_geometry, m_rows, m_navigator)
{
    setObjectName(QStringLiteral("timeline"));
    setAccessibleName(tr("Timeline"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent); // every pixel is painted, so erasing is wasted
    connectState();
    connectParts();
}

void TimelineView::connectState()
{
    const auto repaint = [this] { viewport()->update(); };
    connect(&m_state->run(), &RunContext::modelChanged, this, &TimelineView::onModelChanged);
    connect(&m_state->run(), &RunContext::gapsChanged, this, repaint);
    connect(&m_state->viewport(), &Viewport::visibleRangeChanged, this, repaint);
    connect(&m_state->selection(), &ViewSelection::rangeChanged, this, repaint);
    connect(&m_state->selection(), &ViewSelection::hoverTimeChanged, this, repaint);
    connect(&m_state->selection(), &ViewSelection::summaryChanged, this, [this] {
        if (m_state->selection().range())
            viewport()->update(); // its label can now show more
    });
    connect(&m_state->selection(), &ViewSelection::sliceChanged, this, repaint);
    connect(&m_state->selection(), &ViewSelection::otherSlicesChanged, this, repaint);
    connect(&m_state->preferences(), &ViewPreferences::timeFormatChanged, this, repaint);
    connect(m_state, &ViewState::revealRequested, &m_navigator, &TimelineNavigator::reveal);
}

void TimelineView::connectParts()
{
    connect(&m_rows, &TimelineRows::rebuilt, this, &TimelineView::onRowsRebuilt);
    connect(&m_rows, &TimelineRows::changed, this, [this] { viewport()->update(); });
    connect(&m_rows, &TimelineRows::noticed, this, &TimelineView::noticed);
    connect(&m_navigator, &TimelineNavigator::noticed, this, &TimelineView::noticed);
    connect(m_note, &MarkNote::noticed, this, &TimelineView::noticed);
    connect(m_filter, &RowFilterLine::noticed, this, &TimelineView::noticed);
    connect(m_filter, &RowFilterLine::left, this, qOverload<>(&QWidget::setFocus));
    connect(&m_input, &TimelineInput::rangeMetricsWanted, this, &TimelineView::rangeMetricsWanted);
    connect(&m_input, &TimelineInput::wholeTraceWanted, this, &TimelineView::wholeTraceWanted);
    connect(&m_input, &TimelineInput::menuOpening, this, &TimelineView::menuOpening);
}

void TimelineView::onModelChanged()
{
    m_painter.clear();
    m_groupPainter.clear();
    m_rows.reset();
    m_filter->refresh();
    m_note->hide();
    m_input.reset();
    verticalScrollBar()->setValue(0);
    m_rows.rebuild();
    const std::size_t ranks = m_state->run().model() ? m_state->run().model()->ranks().size() : 0;
    // Ranks that do not fit are compared better with one row each; a single one has room for its threads.
    if (ranks == 1)
        m_rows.setThreadsOpen(true);
    else if (ranks > 1 && m_rows.layout().height() > viewport()->height() - timelineTopHeight)
        m_rows.collapseToFit(viewport()->height() - timelineTopHeight);
}

void TimelineView::onRowsRebuilt(int groupsHeightBefore)
{
    m_geometry.updateScrollBar();
    // Adding or removing lanes above the visible rows must not move the visible rows.
    QScrollBar& bar = *verticalScrollBar();
    if (bar.value() > groupsHeightBefore)
        bar.setValue(bar.value() + m_rows.layout().groupsHeight() - groupsHeightBefore);
    viewport()->update();
    emit rowsChanged();
}

void TimelineView::setGridShown(bool shown)
{
    m_showGrid = shown;
    viewport()->update();
}

void TimelineView::editFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void TimelineView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), surfaces(palette()).base);
    if (!m_state->run().model() || m_state->run().model()->timelines.empty())
        return paintEmpty(painter);
    const QRect lanes = m_geometry.lanesRect();
    if (m_showGrid)
        paintGrid(painter, lanes, m_geometry.axis(), MomentText(*m_state), palette());
    paintRows(painter, lanes);
    paintFrame(painter, lanes);
    paintOverlays(painter, m_geometry, m_input.gesture(), palette());
}

/// Paints the ruler, the steps and the lines between them and the rows.
void TimelineView::paintFrame(QPainter& painter, const QRect& lanes)
{
    const Surfaces colors = surfaces(palette());
    const TimeAxis time = m_geometry.axis();
    const QRect ruler(lanes.left(), 0, lanes.width(), rulerHeight);
    paintRuler(painter, ruler, time, MomentText(*m_state), palette());
    paintMarkFlags(painter, ruler, time, *m_state->run().edits(), palette());
    paintSteps(painter, QRect(lanes.left(), rulerHeight, lanes.width(), stepsHeight), time,
               *m_state->run().model(), m_state->run().clocks(), palette());
    painter.setPen(colors.dimText);
    painter.drawText(QRect(10, rulerHeight, timelineHeaderWidth - 16, stepsHeight),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("steps"));
    painter.fillRect(0, timelineTopHeight - 1, viewport()->width(), 1, colors.line);
    painter.fillRect(timelineHeaderWidth - 1, 0, 1, viewport()->height(), colors.line);
}

/// The rows in sight, and what their slices look like; the pictures of rows without slices are
/// empty.
std::vector<std::pair<const TimelineRow*, RowPicture>>
TimelineView::picturesInSight(const SliceColors& colors, int width) const
{
    std::vector<std::pair<const TimelineRow*, RowPicture>> pictures;
    for (const TimelineRow& row : m_rows.layout().rows()) {
        const int top = m_geometry.topOf(row);
        const QRect area = m_geometry.areaOf(row);
        if (top + row.height >= area.top() && top <= area.bottom())
            pictures.emplace_back(&row, RowPicture());
    }
    m_parallel.forEach(pictures.size(), [&](std::size_t i) {
        const TimelineRow& row = *pictures[i].first;
        if (row.hasSlices())
            pictures[i].second
                = pictureOf(row, m_geometry.axisOf(row.timeline), width, *m_state, m_rows.groups(), colors);
    });
    return pictures;
}

void TimelineView::paintRows(QPainter& painter, const QRect& lanes)
{
    const Surfaces colors = surfaces(palette());
    const TimelineRow* const focused = m_rows.focused();
    const std::vector<TimelineRow>& rows = m_rows.layout().rows();
    const int pinned = m_geometry.pinnedInSight();
    const SliceColors slices(palette());
    bool isUppermost = true; // of the rows that scroll
    painter.save();
    for (const auto& [shown, picture] : picturesInSight(slices, lanes.width())) {
        const TimelineRow& row = *shown;
        const int top = m_geometry.topOf(row);
        const QRect area = m_geometry.areaOf(row);
        painter.setClipRect(0, area.top(), viewport()->width(), area.height());
        const QRect header(0, top, timelineHeaderWidth, row.height);
        if (row.firstOfTimeline && &row != &rows.front())
            painter.fillRect(0, top - 5, viewport()->width(), 1, colors.line);
        if (&row == focused)
            paintFocus(painter, header);
        if (std::exchange(isUppermost, isUppermost && row.isPinned) && !row.isPinned)
            paintStickyHeader(painter, header, area, row);
        else
            TimelinePainter::paintHeader(painter, header, row, palette());
        paintRow(painter, lanes.translated(0, top - row.y - timelineTopHeight), row, picture, slices);
    }
    painter.setClipping(false);
    if (pinned > 0)
        painter.fillRect(0, timelineTopHeight + pinned - 2, viewport()->width(), 2, colors.line);
    if (std::all_of(rows.begin(), rows.end(), [](const TimelineRow& row) { return row.isPinned; }))
        paintNoRows(painter, lanes.adjusted(0, pinned, 0, 0));
    painter.restore();
}

/// The names of the uppermost row and of its rank stay in sight while the row scrolls away.
void TimelineView::paintStickyHeader(QPainter& painter, QRect header, const QRect& area,
                                     const TimelineRow& row)
{
    const int lowest = std::max(header.top(), header.bottom() + 1 - row.laneHeight - row.instantHeight);
    header.setTop(std::clamp(area.top(), header.top(), lowest));
    if (row.firstOfTimeline || !row.title.isEmpty() || row.toggle != RowToggle::None || !row.timeline)
        return TimelinePainter::paintHeader(painter, header, row, palette());
    TimelineRow named = row;
    named.title = tr("rank %1").arg(m_state->run().model()->timeline(row.timeline).rank);
    if (!row.label.isEmpty())
        named.title += QStringLiteral(" \u00b7 ") + row.label;
    TimelinePainter::paintHeader(painter, header, named, palette());
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
        m_rows.choices().filter.isEmpty()
            ? tr("All ranks are hidden. Tick them in the Ranks panel.")
            : tr("No row matches \u201c%1\u201d. Clear the filter at the top left to show all rows.")
                  .arg(m_state->preferences().rowFilter()));
}

void TimelineView::paintRow(QPainter& painter, const QRect& lanes, const TimelineRow& row,
                            const RowPicture& picture, const SliceColors& colors)
{
    switch (row.kind) {
    case RowKind::GroupHeader:
        break; // names only
    case RowKind::Group:
        if (!m_rows.groups().lanes().empty())
            m_groupPainter.paintLane(painter, lanes, row, m_geometry.axis(),
                                     {*m_state, m_rows.groups(), m_rows.groupEvidence(), palette()});
        break;
    case RowKind::GroupSummary:
        if (const GroupDensity* density = m_rows.densityOf(row))
            m_groupPainter.paintDensity(painter, lanes, row, m_geometry.axis(), *density, palette());
        break;
    default:
        m_painter.paintRow(painter, lanes, row, picture, m_geometry.axisOf(row.timeline), *m_state,
                           m_rows.groups(), colors, palette());
        if (row.ghostHeight > 0 && m_state->run().ghost())
            paintGhost(painter, lanes, row, *m_state->run().model(), *m_state->run().ghost(),
                       m_geometry.axisOf(row.timeline), palette());
        if (row.gapHeight > 0)
            paintGaps(painter, lanes, row, m_state->run().gapsOf(row.timeline),
                      m_geometry.axisOf(row.timeline), palette());
    }
}

void TimelineView::paintEmpty(QPainter& painter)
{
    painter.setPen(surfaces(palette()).dimText);
    const QString text = m_state->run().model()
        ? tr("This run has no timeline.\nAdd PyTorch profiler traces "
             "(*.pt.trace.json) or an Nsight Systems export (*.sqlite).")
        : tr("Open a trace directory, or drop one here.");
    painter.drawText(viewport()->rect(), Qt::AlignCenter, text);
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    m_input.turnWheel(*event);
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    m_input.press(*event);
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    m_input.move(*event);
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    m_input.release(*event);
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event)
{
    m_input.doubleClick(*event);
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    if (m_keys.press(*event))
        event->accept();
    else
        QAbstractScrollArea::keyPressEvent(event); // Esc too: the window handles it
}

bool TimelineView::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && TimelineKeys::isCommand(*static_cast<QKeyEvent*>(event)))
        event->accept();
    return QAbstractScrollArea::event(event);
}

bool TimelineView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && m_state->run().model()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), timelineToolTip(m_geometry, help->pos()),
                           viewport()); // an empty text hides the tool tip
        return true;
    }
    if (event->type() == QEvent::Leave)
        m_state->selection().setHoverTime(std::nullopt);
    return pinch(*m_state, *event, m_geometry.lanesRect()) || QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::resizeEvent(QResizeEvent*)
{
    m_filter->setGeometry(4, 2, timelineHeaderWidth - 9, rulerHeight - 3);
    m_geometry.updateScrollBar();
}

} // namespace collscope
