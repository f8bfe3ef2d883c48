// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Mouse, keys and tool tips of the pipeline's lanes, which work like those of the timeline, and the legend.

#include "views/collectives/pipeline_lanes.h"
#include "views/common/axis_gestures.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace collscope {

namespace {

constexpr double keyZoom = 1.5;

QString workText(StageWork work)
{
    switch (work) {
    case StageWork::Idle:
        break;
    case StageWork::Waiting:
        return PipelineLanes::tr("waiting for a neighbour");
    case StageWork::Communication:
        return PipelineLanes::tr("other communication");
    case StageWork::Copy:
        return PipelineLanes::tr("copying");
    case StageWork::Compute:
        return PipelineLanes::tr("computing");
    }
    return PipelineLanes::tr("idle: nothing runs on this GPU");
}

} // namespace

QString PipelineLanes::toolTipAt(QPoint position) const
{
    const auto index = stageAt(position.y());
    if (!index || !m_state->run().model())
        return {};
    const PipelineStage& stage = m_stages[*index];
    if (!stage.rank)
        return tr("The trace of this stage's rank is not loaded.");
    QString text = QStringLiteral("<p><b>%1</b> \u00b7 %2</p>")
                       .arg(tr("stage %1").arg(stage.stage),
                            tr("rank %1").arg(*stage.rank) + QLatin1Char(' ')
                                + toText(m_state->run().mesh().labelOf(*stage.rank)));
    const RankBubble* const bubbles = bubblesOf(stage);
    const auto numbers = [](const QString& title, const Bubble& bubble) {
        return QStringLiteral("<p>%1<br>%2<br>%3</p>")
            .arg(title,
                 tr("busy %1, computing %2")
                     .arg(formatDuration(bubble.busyNs()), formatDuration(bubble.computeNs)),
                 tr("bubble %1 (%2 %): warm-up %3, interior %4, cool-down %5; %6 of it in sends and receives")
                     .arg(formatDuration(bubble.ns()),
                          QLocale().toString(bubble.share().value_or(0) * 100, 'f', 1),
                          formatDuration(bubble.warmUpNs), formatDuration(bubble.interiorNs),
                          formatDuration(bubble.coolDownNs), formatDuration(bubble.waitingNs)));
    };
    if (position.x() < timelineHeaderWidth)
        return bubbles ? text + numbers(tr("All steps included in the metrics"), bubbles->total) : text;
    const auto [work, slice] = workAt(position);
    QString line = workText(work);
    if (slice)
        line += QStringLiteral("<br>%1 \u00b7 %2")
                    .arg(shortName(m_state->run().model()->nameOf(slice)).left(200).toHtmlEscaped(),
                         formatDuration(m_state->run().model()->rangeOf(slice).lengthNs()));
    text += QStringLiteral("<p>%1</p>").arg(line);
    const TimeAxis axis(m_state->viewport().visibleRange(), static_cast<double>(lanesWidth()));
    const std::int64_t time = axis.timeAt(position.x() - timelineHeaderWidth);
    for (std::size_t i = 0; bubbles && i < bubbles->steps.size(); ++i) {
        const StepBubble& step = bubbles->steps[i];
        if (rangeOf(step).contains(time))
            text += numbers(tr("Step %1").arg(step.number), step.bubble);
    }
    return text;
}

bool PipelineLanes::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), viewport());
        return true;
    }
    if (event->type() == QEvent::Leave)
        m_state->selection().setHoverTime(std::nullopt);
    return pinch(*m_state, *event, QRectF(timelineHeaderWidth, 0, lanesWidth(), viewport()->height()))
        || QAbstractScrollArea::viewportEvent(event);
}

void PipelineLanes::resizeEvent(QResizeEvent*)
{
    updateScrollBar();
}

void PipelineLanes::wheelEvent(QWheelEvent* event)
{
    if (!turnWheel(*m_state, *event, QRectF(timelineHeaderWidth, 0, lanesWidth(), viewport()->height())))
        verticalScrollBar()->setValue(verticalScrollBar()->value() - event->angleDelta().y() / 2);
    event->accept();
}

void PipelineLanes::mouseMoveEvent(QMouseEvent* event)
{
    const TimeAxis axis(m_state->viewport().visibleRange(), static_cast<double>(lanesWidth()));
    const double x = event->position().x() - timelineHeaderWidth;
    m_state->selection().setHoverTime(x >= 0 ? std::optional(axis.timeAt(x)) : std::nullopt);
    drag(m_gesture.move(*event), axis.timeAt(x));
}

void PipelineLanes::mousePressEvent(QMouseEvent* event)
{
    setFocus();
    const double x = event->position().x() - timelineHeaderWidth;
    if (!m_state->run().model() || x < 0)
        return;
    m_gesture.press(*event);
    m_pressTime = TimeAxis(m_state->viewport().visibleRange(), static_cast<double>(lanesWidth())).timeAt(x);
}

void PipelineLanes::drag(DragKind kind, std::int64_t nowNs)
{
    const TimeRange dragged{std::min(nowNs, m_pressTime), std::max(nowNs, m_pressTime)};
    switch (kind) {
    case DragKind::None:
    case DragKind::Pending:
        break;
    case DragKind::SelectRange:
        m_state->selection().setRange(dragged);
        break;
    case DragKind::ZoomRange:
        m_zoomRange = dragged;
        viewport()->update();
        break;
    case DragKind::Pan:
        m_state->viewport().panBy(m_pressTime - nowNs); // the pressed time stays under the mouse
        verticalScrollBar()->setValue(verticalScrollBar()->value() - m_gesture.step().y());
        break;
    }
}

void PipelineLanes::mouseReleaseEvent(QMouseEvent* event)
{
    const DragKind kind = m_gesture.release();
    if (const auto range = std::exchange(m_zoomRange, std::nullopt); range && kind == DragKind::ZoomRange)
        m_state->viewport().showRange(*range);
    if (kind != DragKind::Pending || event->button() != Qt::LeftButton)
        return;
    if (const SliceRef slice = workAt(event->position().toPoint()).second)
        m_state->selection().setSlice(slice);
    else
        m_state->clearSelection();
}

void PipelineLanes::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (!m_state->run().model())
        return;
    if (const SliceRef slice = workAt(event->position().toPoint()).second)
        m_state->revealSlice(slice);
}

void PipelineLanes::keyPressEvent(QKeyEvent* event)
{
    const TimeRange visible = m_state->viewport().visibleRange();
    const auto centre = visible.beginNs + visible.lengthNs() / 2;
    if (event->matches(QKeySequence::Copy))
        return emit copyRequested();
    if (event->modifiers() != Qt::NoModifier)
        return QAbstractScrollArea::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_W:
        return m_state->viewport().zoomAround(centre, keyZoom);
    case Qt::Key_S:
        return m_state->viewport().zoomAround(centre, 1 / keyZoom);
    case Qt::Key_A:
    case Qt::Key_Left:
        return panBySteps(*m_state, -1);
    case Qt::Key_D:
    case Qt::Key_Right:
        return panBySteps(*m_state, 1);
    default:
        return QAbstractScrollArea::keyPressEvent(event);
    }
}

namespace {

/// The entries of the legend, in display order.
const std::array<const char*, 4> legendTexts{QT_TRANSLATE_NOOP("collscope::PipelineLegend", "computing"),
                                             QT_TRANSLATE_NOOP("collscope::PipelineLegend", "waiting"),
                                             QT_TRANSLATE_NOOP("collscope::PipelineLegend", "communicating"),
                                             QT_TRANSLATE_NOOP("collscope::PipelineLegend", "idle")};
constexpr int keySwatch = 11;
constexpr int swatchGap = 5;
constexpr int entryGap = 14;

} // namespace

PipelineLegend::PipelineLegend(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Legend of the pipeline"));
    setToolTip(tr("The bubble is the time spent waiting for a neighbour (in a send or receive) plus the idle "
                  "time. Computing has the colours of the kernel classes, communication those of the "
                  "collectives; computing is drawn over communication."));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize PipelineLegend::sizeHint() const
{
    int width = 0;
    for (const char* text : legendTexts)
        width += keySwatch + swatchGap + fontMetrics().horizontalAdvance(tr(text)) + entryGap;
    return {width, fontMetrics().height() + 4};
}

void PipelineLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Surfaces colors = surfaces(palette());
    const std::array<QColor, 4> fills{kernelColor(KernelClass::Gemm, palette()),
                                      kernelColor(KernelClass::SendRecv, palette()),
                                      kernelColor(KernelClass::AllReduce, palette()), colors.grid};
    int x = 0;
    for (std::size_t i = 0; i < legendTexts.size(); ++i) {
        const QRect box(x, (height() - keySwatch) / 2, keySwatch, keySwatch);
        if (i == 1)
            paintWaiting(m_hatch, painter, box, palette());
        else
            painter.fillRect(box, fills[i]);
        if (i == 3) {
            painter.setPen(colors.line);
            painter.drawRect(box.adjusted(0, 0, -1, -1));
        }
        painter.setPen(colors.dimText);
        const QString text = tr(legendTexts[i]);
        const int width = fontMetrics().horizontalAdvance(text) + 1;
        painter.drawText(QRect(box.right() + 1 + swatchGap, 0, width, height()),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
        x += keySwatch + swatchGap + width - 1 + entryGap;
    }
}

} // namespace collscope
