// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/minimap.h"

#include "model/queries/slice_query.h"
#include "views/common/format.h"
#include "views/common/mark_painter.h"
#include "views/common/palette.h"
#include "views/common/theme.h"
#include "views/common/time_axis.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace collscope {

Minimap::Minimap(ViewState* state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
{
    setObjectName(QStringLiteral("minimap"));
    setAccessibleName(tr("Run overview"));
    setFixedHeight(44);
    const auto renew = [this] {
        m_strip = {};
        update();
    };
    connect(&state->run(), &RunContext::modelChanged, this, [this] { setFindings(nullptr); });
    connect(&state->run(), &RunContext::clocksChanged, this, renew);
    connect(&state->viewport(), &Viewport::visibleRangeChanged, this, qOverload<>(&QWidget::update));
    connect(state->run().edits(), &RunEdits::changed, this, qOverload<>(&QWidget::update));
}

void Minimap::setFindings(FindingsPtr findings)
{
    m_unknown = findings && *findings ? unknownParts(**findings) : PartSet();
    m_composition.setFindings(std::move(findings));
    m_strip = {};
    update();
}

QRect Minimap::plotRect() const
{
    return rect().adjusted(timelineHeaderWidth, 6, -8, -6);
}

std::vector<double> Minimap::density(int columns) const
{
    const TraceModel& model = *m_state->run().model();
    std::vector<double> busy(static_cast<std::size_t>(columns), 0.0);
    // A run on CPUs does not have streams; the number of busy threads is shown instead.
    const bool hasStreams = std::any_of(model.tracks.begin(), model.tracks.end(), [](const Track& track) {
        return track.kind == TrackKind::GpuStream;
    });
    for (const Track& track : model.tracks) {
        if (track.kind != (hasStreams ? TrackKind::GpuStream : TrackKind::CpuThread))
            continue;
        const TimeAxis axis(m_state->run().clocks().fromAxis(track.timeline.value, m_state->run().range()),
                            columns);
        std::size_t row = 0;
        std::int64_t before = 0;
        for (std::size_t column = 0; column < busy.size(); ++column) {
            const std::int64_t end = axis.timeAt(static_cast<double>(column + 1));
            row = firstStartingAt(track.slices, end, row);
            const std::int64_t upTo = outermostNsBefore(track.slices, end, row);
            busy[column] += static_cast<double>(upTo - before);
            before = upTo;
        }
    }
    const double most = busy.empty() ? 0 : *std::max_element(busy.begin(), busy.end());
    for (double& value : busy)
        value = most > 0 ? value / most : 0;
    return busy;
}

void Minimap::renderStrip()
{
    const QRect plot = plotRect();
    const qreal ratio = devicePixelRatioF();
    m_strip = QPixmap(plot.size() * ratio);
    m_strip.setDevicePixelRatio(ratio);
    m_strip.fill(Qt::transparent);
    const std::vector<double> busy = density(plot.width());
    QPainter painter(&m_strip);
    QColor color = kernelColor(KernelClass::Elementwise, palette());
    color.setAlpha(150);
    for (int x = 0; x < plot.width(); ++x) {
        const int height
            = static_cast<int>(std::lround(busy[static_cast<std::size_t>(x)] * (plot.height() - 2)));
        painter.fillRect(x, plot.height() - height, 1, height, color);
    }
    m_composition.paint(painter, {QPoint(), plot.size()}, TimeAxis(m_state->run().range(), plot.width()),
                        palette());
}

void Minimap::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Surfaces colors = surfaces(palette());
    painter.fillRect(rect(), colors.base);
    painter.fillRect(0, height() - 1, width(), 1, colors.line);
    painter.fillRect(timelineHeaderWidth - 1, 0, 1, height(), colors.line);
    if (!m_state->run().model() || plotRect().width() < 10)
        return;
    if (m_strip.isNull())
        renderStrip();
    const QRect plot = plotRect();
    painter.drawPixmap(plot.topLeft(), m_strip);
    painter.setPen(colors.dimText);
    painter.drawText(QRect(10, 0, timelineHeaderWidth - 14, height()), Qt::AlignLeft | Qt::AlignVCenter,
                     m_state->run().model()->timelines.empty()
                         ? tr("no timeline")
                         : tr("run, %1").arg(formatDuration(m_state->run().range().lengthNs())));

    const TimeAxis axis(m_state->run().range(), plot.width());
    const TimeRange visible = m_state->viewport().visibleRange();
    const double left = std::clamp(axis.xOf(visible.beginNs), 0.0, axis.width());
    const double right = std::clamp(axis.xOf(visible.endNs), 0.0, axis.width());
    const QRectF window(plot.left() + left, plot.top() - 2, std::max(3.0, right - left), plot.height() + 4);
    QColor fill = colors.accent;
    fill.setAlpha(36);
    painter.fillRect(window, fill);
    painter.setPen(QPen(colors.accent, 1));
    painter.drawRect(window.adjusted(0.5, 0.5, -0.5, -0.5));
    paintMarkLines(painter, plot, axis, *m_state->run().edits(), palette());
}

void Minimap::centreOn(double x)
{
    if (!m_state->run().model())
        return;
    const QRect plot = plotRect();
    const std::int64_t centre = TimeAxis(m_state->run().range(), plot.width()).timeAt(x - plot.left());
    const std::int64_t half = m_state->viewport().visibleRange().lengthNs() / 2;
    m_state->viewport().setVisibleRange(
        {centre - half, centre - half + m_state->viewport().visibleRange().lengthNs()});
}

void Minimap::mousePressEvent(QMouseEvent* event)
{
    m_pressed = event->position().toPoint();
    m_isDragging = !stepAt(m_pressed);
    if (m_isDragging)
        centreOn(event->position().x());
}

void Minimap::mouseMoveEvent(QMouseEvent* event)
{
    if (!event->buttons().testFlag(Qt::LeftButton))
        return;
    m_isDragging
        |= (event->position().toPoint() - m_pressed).manhattanLength() >= QApplication::startDragDistance();
    if (m_isDragging)
        centreOn(event->position().x());
}

void Minimap::mouseReleaseEvent(QMouseEvent* event)
{
    const StepParts* const step = m_isDragging ? nullptr : stepAt(event->position().toPoint());
    m_isDragging = false;
    if (step)
        show(*step);
}

const StepParts* Minimap::stepAt(QPoint point) const
{
    const QRect plot = plotRect();
    return m_state->run().model()
        ? m_composition.stepAt(point, plot, TimeAxis(m_state->run().range(), plot.width()))
        : nullptr;
}

void Minimap::show(const StepParts& step)
{
    m_state->preferences().setRankHidden(step.rank, false);
    m_state->viewport().showRange(step.range);
    m_state->selection().setRange(step.range);
    m_state->selection().setStep(step.number);
    const TraceModel& model = *m_state->run().model();
    for (std::size_t i = 0; i < model.timelines.size(); ++i) {
        const Timeline& timeline = model.timelines[i];
        if (timeline.rank != step.rank)
            continue;
        const TimeRange own = m_state->run().clocks().fromAxis(i, step.range);
        for (const TrackId track : timeline.tracks) {
            const SliceColumns& slices = model.track(track).slices;
            const std::size_t row = firstReaching(slices, own.beginNs);
            if (model.track(track).kind == TrackKind::GpuStream && row < slices.size())
                return m_state->scrollTo({track, static_cast<std::uint32_t>(row)});
        }
    }
}

void Minimap::mouseDoubleClickEvent(QMouseEvent*)
{
    if (m_state->run().model())
        m_state->viewport().showRange(m_state->run().range());
}

bool Minimap::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || !m_state->run().model())
        return QWidget::event(event);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    const StepParts* const step = stepAt(help.pos());
    if (step)
        QToolTip::showText(
            help.globalPos(),
            tr("Rank %1, step %2").arg(step->rank).arg(step->number) + QLatin1Char('\n')
                + partsText(step->parts, m_unknown).replace(QStringLiteral("; "), QStringLiteral("\n")));
    else
        QToolTip::hideText();
    return true;
}

void Minimap::resizeEvent(QResizeEvent*)
{
    m_strip = {};
}

void Minimap::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        m_strip = {};
    QWidget::changeEvent(event);
}

} // namespace collscope
