// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/timeline_view.h"

#include "model/slice_query.h"
#include "views/format.h"
#include "views/theme.h"
#include "views/timeline/hit_test.h"
#include "views/timeline/timeline_ruler.h"

#include <QHelpEvent>
#include <QPaintEvent>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {
constexpr int rulerHeight = 24;
constexpr int stepsHeight = 24;
constexpr int topHeight = rulerHeight + stepsHeight;
constexpr double instantTolerance = 4; ///< px: half a diamond
} // namespace

TimelineView::TimelineView(ViewState* state, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_state(state)
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
    connect(state, &ViewState::evidenceChanged, this, repaint);
    connect(state, &ViewState::selectedSliceChanged, this, [this] {
        m_centredOnly = false;
        viewport()->update();
    });
    connect(state, &ViewState::hiddenRanksChanged, this, &TimelineView::rebuildLayout);
    connect(state, &ViewState::collectivesChanged, this, &TimelineView::rebuildLayout);
    connect(state, &ViewState::revealRequested, this, &TimelineView::reveal);
}

void TimelineView::onModelChanged()
{
    m_painter.clear();
    m_choices = {};
    m_mark.reset();
    m_zoomRange.reset();
    verticalScrollBar()->setValue(0);
    rebuildLayout();
}

void TimelineView::rebuildLayout()
{
    m_choices.hiddenRanks.clear();
    m_choices.rankNotes.clear();
    m_layout = {};
    if (const TraceModelPtr& model = m_state->model()) {
        for (const std::int32_t rank : model->ranks()) {
            if (m_state->isRankHidden(rank))
                m_choices.hiddenRanks.insert(rank);
            if (const std::string label = m_state->mesh().labelOf(rank); !label.empty())
                m_choices.rankNotes[rank] = toText(label);
        }
        m_layout = TimelineLayout(*model, m_choices);
    }
    updateScrollBar();
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
    const TimeRange range = m_state->rangeOf(slice);
    const QRect lanes = lanesRect();
    const TimeAxis time = axis();
    const double left = std::max(time.xOf(range.beginNs), 0.0);
    const double right = std::min(std::max(time.xOf(range.endNs), time.xOf(range.beginNs) + 1), time.width());
    const int level = row->levelOf(m_state->model()->track(slice.track).slices.depth[slice.row]);
    const int y = rowsTop() + row->yOfLevel(level);
    const QRectF rect(lanes.left() + std::floor(left), y, std::max(1.0, std::floor(right) - std::floor(left)),
                      row->laneHeight);
    const bool inSight
        = right > 0 && left < time.width() && rect.bottom() > topHeight && rect.top() < viewport()->height();
    return inSight ? rect : QRectF();
}

std::optional<SliceRef> TimelineView::sliceAt(QPoint position) const
{
    const QRect lanes = lanesRect();
    const TimelineRow* row = position.x() < lanes.left() ? nullptr : rowAtViewport(position.y());
    if (!row)
        return std::nullopt;
    const int inLevels = position.y() - rowsTop() - row->yOfLevel(0);
    if (inLevels < 0)
        return std::nullopt; // the strip of the instants
    const TimeAxis time = axis();
    return sliceAtLevel(*m_state->model(), *row, time.timeAt(position.x() - lanes.left()),
                        inLevels / std::max(row->laneHeight, 1), 2 * time.nsPerPixel());
}

QRectF TimelineView::rectOfInstant(TrackId track, std::size_t instant) const
{
    const TimelineRow* row = m_layout.rowOf(track);
    const TimeAxis time = axis();
    const QRect lanes = lanesRect();
    const double x = std::floor(time.xOf(m_state->model()->track(track).instants.timeNs[instant]));
    if (!row || row->instantHeight == 0 || x < 0 || x >= time.width())
        return {};
    const QRectF rect(lanes.left() + x, rowsTop() + row->y, 1, row->instantHeight);
    return rect.bottom() > topHeight && rect.top() < viewport()->height() ? rect : QRectF();
}

std::optional<DrawInstant> TimelineView::instantAt(const TimelineRow& row, QPoint position) const
{
    if (row.instantHeight == 0 || position.y() >= rowsTop() + row.yOfLevel(0))
        return std::nullopt;
    return collscope::instantAt(m_state->model()->track(row.tracks.front()).instants, axis(),
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

void TimelineView::toggleRow(const TimelineRow& row)
{
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
        m_state->showRange(m_state->selectedRange().value_or(m_state->model()->initialView()));
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
    paintGrid(painter, lanes, time, palette());
    for (const TimelineRow& row : m_layout.rows()) {
        const int top = topHeight + row.y - scroll;
        if (top + row.height < topHeight || top > viewport()->height())
            continue;
        if (row.firstOfTimeline && &row != &m_layout.rows().front())
            painter.fillRect(0, top - 5, viewport()->width(), 1, colors.line);
        TimelinePainter::paintHeader(painter, QRect(0, top, timelineHeaderWidth, row.height), row, palette());
        m_painter.paintRow(painter, lanes.translated(0, -scroll), row, time, *m_state, palette());
    }
    painter.restore();

    paintRuler(painter, QRect(lanes.left(), 0, lanes.width(), rulerHeight), time, palette());
    paintSteps(painter, QRect(lanes.left(), rulerHeight, lanes.width(), stepsHeight), time, *m_state->model(),
               palette());
    painter.setPen(colors.dimText);
    painter.drawText(QRect(10, rulerHeight, timelineHeaderWidth - 16, stepsHeight),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("steps"));
    painter.fillRect(0, topHeight - 1, viewport()->width(), 1, colors.line);
    painter.fillRect(timelineHeaderWidth - 1, 0, 1, viewport()->height(), colors.line);
    paintOverlays(painter, lanes);
}

void TimelineView::paintOverlays(QPainter& painter, const QRect& lanes)
{
    const Surfaces colors = surfaces(palette());
    const TimeAxis time = axis();
    painter.save();
    painter.setClipRect(lanes.left(), 0, lanes.width(), viewport()->height());
    const auto x = [&](std::int64_t ns) { return lanes.left() + static_cast<int>(std::floor(time.xOf(ns))); };
    const auto shade = [&](TimeRange range, QColor color) {
        color.setAlpha(38);
        painter.fillRect(x(range.beginNs), rulerHeight, std::max(1, x(range.endNs) - x(range.beginNs)),
                         viewport()->height(), color);
        color.setAlpha(150);
        painter.fillRect(x(range.beginNs), rulerHeight, 1, viewport()->height(), color);
        painter.fillRect(x(range.endNs), rulerHeight, 1, viewport()->height(), color);
    };
    if (const auto range = m_state->selectedRange()) {
        shade(*range, colors.accent);
        paintRangeLabel(painter, lanes, *range);
    }
    if (m_zoomRange)
        shade(*m_zoomRange, colors.dimText);
    const SliceRef selected = m_state->selectedSlice();
    const QRectF box = rectOf(selected);
    if (!box.isEmpty()) {
        painter.save();
        painter.setClipRect(lanes);
        TimelinePainter::paintOutline(painter, box, palette());
        if (const auto linked = linkedSlice(*m_state->model(), selected)) {
            const QRectF other = rectOf(*linked);
            const bool onGpu = m_state->model()->track(selected.track).kind == TrackKind::GpuStream;
            const auto begin = [](const QRectF& r) { return QPointF(r.left(), r.center().y()); };
            if (!other.isEmpty())
                TimelinePainter::paintFlow(painter, begin(onGpu ? other : box), begin(onGpu ? box : other),
                                           palette());
        }
        painter.restore();
    }
    if (m_mark)
        painter.fillRect(x(*m_mark), 0, 1, viewport()->height(), colors.worse);
    if (const auto hover = m_state->hoverTime()) {
        QPen pen(colors.dimText, 1, Qt::DashLine);
        pen.setCosmetic(true);
        painter.setPen(pen);
        painter.drawLine(x(*hover), 0, x(*hover), viewport()->height());
    }
    painter.restore();
}

void TimelineView::paintRangeLabel(QPainter& painter, const QRect& lanes, TimeRange range)
{
    const Surfaces colors = surfaces(palette());
    const QString text = formatDuration(range.lengthNs()) + QStringLiteral("  \u00b7  ")
        + tr("%1 per s")
              .arg(formatCount(
                  static_cast<std::uint64_t>(std::llround(1e9 / static_cast<double>(range.lengthNs())))));
    const TimeAxis time = axis();
    const double centre
        = (std::max(time.xOf(range.beginNs), 0.0) + std::min(time.xOf(range.endNs), time.width())) / 2;
    const int width = painter.fontMetrics().horizontalAdvance(text) + 16;
    const int left = std::clamp(lanes.left() + static_cast<int>(centre) - width / 2, lanes.left(),
                                std::max(lanes.left(), lanes.right() - width));
    const QRect box(left, rulerHeight + 3, width, stepsHeight - 6);
    painter.fillRect(box, colors.accent);
    painter.setPen(isDark(palette()) ? Qt::black : Qt::white);
    painter.drawText(box, Qt::AlignCenter, text);
}

void TimelineView::paintEmpty(QPainter& painter)
{
    painter.setPen(surfaces(palette()).dimText);
    const QString text = m_state->model() ? tr("This run has no timeline.\nAdd PyTorch profiler traces "
                                               "(*.pt.trace.json) or an Nsight Systems export (*.sqlite).")
                                          : tr("Open a trace directory, or drop one here.");
    painter.drawText(viewport()->rect(), Qt::AlignCenter, text);
}

QString TimelineView::toolTipAt(QPoint position) const
{
    if (const auto slice = sliceAt(position))
        return sliceToolTip(*slice);
    const TimelineRow* row = position.x() < lanesRect().left() ? nullptr : rowAtViewport(position.y());
    const auto instant = row ? instantAt(*row, position) : std::nullopt;
    return instant ? instantToolTip(m_state->model()->track(row->tracks.front()), *instant) : QString();
}

QString TimelineView::instantToolTip(const Track& track, const DrawInstant& instant) const
{
    const TraceModel& model = *m_state->model();
    const QString more = instant.count > 1
        ? tr("<br>and %1 more in this pixel; zoom in to part them").arg(formatCount(instant.count - 1))
        : QString();
    return QStringLiteral("<p style='white-space:pre-wrap'><b>%1</b></p><p>%2<br>%3%4</p>")
        .arg(toText(model.text(track.instants.name[instant.first])).left(400).toHtmlEscaped(),
             tr("at %1, no duration").arg(formatTime(track.instants.timeNs[instant.first], 1)),
             tr("rank %1, %2")
                 .arg(model.timeline(track.timeline).rank)
                 .arg(toText(model.text(track.name)).toHtmlEscaped()),
             more);
}

QString TimelineView::sliceToolTip(SliceRef slice) const
{
    const TraceModel& model = *m_state->model();
    const TimeRange range = model.rangeOf(slice);
    const Track& track = model.track(slice.track);
    return QStringLiteral("<p style='white-space:pre-wrap'><b>%1</b></p><p>%2 \u00b7 %3<br>%4</p>")
        .arg(toText(model.nameOf(slice)).left(400).toHtmlEscaped(), formatDuration(range.lengthNs()),
             tr("at %1").arg(formatTime(range.beginNs, std::max<std::int64_t>(range.lengthNs() / 10, 1))),
             tr("rank %1, %2")
                 .arg(model.timelineOf(slice).rank)
                 .arg(toText(model.text(track.name)).toHtmlEscaped()));
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
    return QAbstractScrollArea::viewportEvent(event);
}

bool TimelineView::event(QEvent* event)
{
    // Single letters are commands here; a shortcut elsewhere must not take them.
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->modifiers() == Qt::NoModifier && key->key() >= Qt::Key_A && key->key() <= Qt::Key_Z)
            key->accept();
    }
    return QAbstractScrollArea::event(event);
}

void TimelineView::resizeEvent(QResizeEvent*)
{
    updateScrollBar();
}

} // namespace collscope
