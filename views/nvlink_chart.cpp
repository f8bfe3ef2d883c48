// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/nvlink_chart.h"

#include "views/format.h"
#include "views/mark_painter.h"
#include "views/palette.h"
#include "views/theme.h"

#include <QChart>
#include <QComboBox>
#include <QGraphicsLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr int topMargin = 18; ///< room for the markers
constexpr int bottomMargin = 10; ///< room for the lower half of the axis' 0
constexpr int nearPeak = 14; ///< px
constexpr int markerSpacing
    = 12; ///< px; a less prominent peak closer than this to another has no marker of its own
constexpr double wheelZoom = 1.25;

QValueAxis* makeAxis(QChart* chart, Qt::Alignment side)
{
    auto* axis = new QValueAxis(chart);
    chart->addAxis(axis, side);
    return axis;
}

} // namespace

NvlinkChart::NvlinkChart(ViewState* state, QWidget* parent)
    : QChartView(new QChart, parent)
    , m_state(state)
    , m_tx(new QLineSeries(this))
    , m_rx(new QLineSeries(this))
    , m_title(new QLabel(this))
    , m_chooser(new QComboBox(this))
    , m_empty(new QLabel(this))
{
    setObjectName(QStringLiteral("nvlinkChart"));
    setAccessibleName(tr("NVLink throughput"));
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setMinimumHeight(110);
    QChart* plotted = chart();
    plotted->legend()->hide();
    plotted->setBackgroundRoundness(0);
    plotted->setMargins({});
    plotted->addSeries(m_rx);
    plotted->addSeries(m_tx);
    QValueAxis* time = makeAxis(plotted, Qt::AlignBottom);
    QValueAxis* rate = makeAxis(plotted, Qt::AlignLeft);
    time->setVisible(false);
    rate->setTickCount(4);
    rate->setLabelFormat(QStringLiteral("%.0f"));
    for (QLineSeries* series : {m_tx, m_rx}) {
        series->attachAxis(time);
        series->attachAxis(rate);
    }
    m_title->setTextFormat(Qt::RichText);
    m_title->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_chooser->setAccessibleName(tr("GPU whose NVLink throughput is shown"));
    m_chooser->setFocusPolicy(Qt::TabFocus);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setAttribute(Qt::WA_TransparentForMouseEvents);
    connect(m_chooser, &QComboBox::currentIndexChanged, this, [this] {
        m_deviceChosen = true;
        showDevice();
    });
    const auto repaint = [this] { viewport()->update(); };
    connect(state, &ViewState::modelChanged, this, &NvlinkChart::onModelChanged);
    connect(state, &ViewState::clocksChanged, this, &NvlinkChart::showDevice);
    connect(state, &ViewState::visibleRangeChanged, this, &NvlinkChart::updateSeries);
    connect(state, &ViewState::hoverTimeChanged, this, repaint);
    connect(state, &ViewState::selectedRangeChanged, this, repaint);
    connect(state->edits(), &RunEdits::changed, this, repaint);
    connect(state, &ViewState::peakChanged, this, [this] {
        if (const auto peak = m_state->peak())
            setDevice(peak->nvlinkDevice);
        viewport()->update();
    });
    updateColors();
    onModelChanged();
}

QString NvlinkChart::deviceName(std::size_t device) const
{
    const std::optional<int> gpu = m_state->model()->nvlink[device].gpu;
    return gpu ? tr("GPU %1").arg(*gpu) : tr("GPU ?");
}

void NvlinkChart::onModelChanged()
{
    const TraceModelPtr& model = m_state->model();
    m_curves.reset();
    m_deviceChosen = false;
    {
        const QSignalBlocker quiet(m_chooser);
        m_chooser->clear();
        for (std::size_t i = 0; model && i < model->nvlink.size(); ++i)
            m_chooser->addItem(deviceName(i));
    }
    showState();
    showDevice();
}

void NvlinkChart::setCurves(std::shared_ptr<const NvlinkCurves> curves)
{
    if (!m_state->model() || !curves || curves->devices.size() != m_state->model()->nvlink.size())
        return;
    m_curves = std::move(curves);
    const auto& peaks = m_curves->peaks;
    if (!peaks.empty() && !m_deviceChosen) {
        // The GPU with the highest peak is the one people ask about.
        const auto highest = std::max_element(peaks.begin(), peaks.end(), [](const auto& a, const auto& b) {
            return a.gigabytesPerSecond < b.gigabytesPerSecond;
        });
        const QSignalBlocker quiet(m_chooser);
        m_chooser->setCurrentIndex(static_cast<int>(highest->device));
    }
    showState();
    showDevice();
}

bool NvlinkChart::isComputing() const
{
    return m_chooser->count() > 0 && !m_curves;
}

/// Without counters, still computing, or a chart: only the last has something to plot.
void NvlinkChart::showState()
{
    const bool any = m_chooser->count() > 0;
    m_empty->setText(
        any ? tr("Adding up the NVLink counters\u2026")
            : tr("No NVLink counters in this run. Sample them with NVML while the job runs (NVF1 "
                 ".bin files, one per GPU) and put them into the run directory."));
    m_empty->setVisible(!m_curves || !any);
    chart()->setVisible(m_curves && any);
    m_chooser->setVisible(m_chooser->count() > 1);
    setMinimumHeight(any ? 110 : 56);
    setMaximumHeight(any ? QWIDGETSIZE_MAX : 56); // an empty chart leaves its room to the timeline
}

std::optional<std::size_t> NvlinkChart::device() const
{
    return m_chooser->currentIndex() < 0 ? std::nullopt
                                         : std::optional(static_cast<std::size_t>(m_chooser->currentIndex()));
}

void NvlinkChart::setDevice(std::size_t device)
{
    m_chooser->setCurrentIndex(static_cast<int>(device));
}

void NvlinkChart::showDevice()
{
    m_peaks.clear();
    m_clock.reset();
    double highest = 0;
    if (const auto shown = device(); shown && m_curves) {
        m_clock = m_state->clockOf(*shown);
        highest = m_curves->devices[*shown].highest;
        std::copy_if(m_curves->peaks.begin(), m_curves->peaks.end(), std::back_inserter(m_peaks),
                     [&](const NvlinkPeak& peak) { return peak.device == *shown; });
        for (NvlinkPeak& peak : m_peaks) {
            if (m_clock)
                peak.range = m_state->clocks().toAxis(*m_clock, peak.range);
        }
    }
    auto* rateAxis = qobject_cast<QValueAxis*>(chart()->axes(Qt::Vertical).first());
    rateAxis->setRange(0, highest > 0 ? highest * 1.05 : 1);
    rateAxis->applyNiceNumbers();
    rateAxis->setLabelFormat(rateAxis->max() < 5 ? QStringLiteral("%.1f") : QStringLiteral("%.0f"));
    updateTitle();
    updateSeries();
}

void NvlinkChart::updateTitle()
{
    const QString name = m_chooser->count() == 1 ? deviceName(0) : QString();
    m_title->setText(QStringLiteral("<b>%1</b><br><span style='color:%2'>%3</span>")
                         .arg(tr("NVLink GB/s"), surfaces(palette()).dimText.name(), name));
}

QRectF NvlinkChart::plot() const
{
    return {static_cast<double>(timelineHeaderWidth), topMargin,
            std::max(10.0, static_cast<double>(width() - timelineHeaderWidth - m_rightMargin)),
            std::max(10.0, static_cast<double>(height() - topMargin - bottomMargin))};
}

TimeAxis NvlinkChart::axis() const
{
    return {m_state->visibleRange(), plot().width()};
}

QList<QPointF> NvlinkChart::points(const StepFunction& throughput) const
{
    // x is in pixels of the plot: nanoseconds of a long run would not fit the chart's float paths.
    const TimeRange visible
        = m_clock ? m_state->clocks().fromAxis(*m_clock, m_state->visibleRange()) : m_state->visibleRange();
    const TimeAxis time(visible, plot().width());
    const auto& times = throughput.timeNs;
    QList<QPointF> result;
    if (times.empty())
        return result;
    const auto after = [&](std::int64_t t) {
        return static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), t) - times.begin());
    };
    const std::size_t first = std::max<std::size_t>(after(visible.beginNs), 1) - 1;
    const std::size_t last = after(visible.endNs);
    const auto columns = static_cast<std::size_t>(std::ceil(time.width()));
    if (last - first <= 2 * columns) {
        double previous = first > 0 ? throughput.value[first - 1] : 0;
        for (std::size_t i = first; i < last; ++i) {
            const double x = std::clamp(time.xOf(times[i]), 0.0, time.width());
            result << QPointF(x, previous) << QPointF(x, throughput.value[i]);
            previous = throughput.value[i];
        }
        result << QPointF(time.width(), last == times.size() ? 0.0 : previous);
        return result;
    }
    // More samples than pixels: the lowest and highest of each column, so that no peak is lost.
    std::size_t i = first;
    for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t end = std::max(after(time.timeAt(static_cast<double>(column + 1))), i + 1);
        double low = throughput.value[std::min(i, times.size() - 1)];
        double high = low;
        for (; i < end && i < last; ++i) {
            low = std::min(low, throughput.value[i]);
            high = std::max(high, throughput.value[i]);
        }
        result << QPointF(static_cast<double>(column), low) << QPointF(static_cast<double>(column), high);
        i = i > first ? i - 1 : i; // the value that holds at the next column's left edge
    }
    return result;
}

void NvlinkChart::updateSeries()
{
    layoutPlot();
    if (const auto shown = device(); shown && m_curves) {
        m_tx->replace(points(m_curves->devices[*shown].tx));
        m_rx->replace(points(m_curves->devices[*shown].rx));
    }
    viewport()->update();
}

void NvlinkChart::layoutPlot()
{
    chart()->setPlotArea(plot());
    // Qt Charts places the axes of a fixed plot area with its next layout; until then labels and curve
    // disagree.
    chart()->layout()->invalidate();
    chart()->layout()->activate();
    auto* time = qobject_cast<QValueAxis*>(chart()->axes(Qt::Horizontal).first());
    time->setRange(0, plot().width());
    m_title->setGeometry(10, topMargin - 14, timelineHeaderWidth - 34, 36);
    m_chooser->setGeometry(10, topMargin + 12, 84, 24);
    m_empty->setGeometry(rect().adjusted(timelineHeaderWidth, 0, -m_rightMargin, 0));
}

void NvlinkChart::setRightMargin(int pixels)
{
    m_rightMargin = pixels;
    updateSeries();
}

void NvlinkChart::updateColors()
{
    const Surfaces colors = surfaces(palette());
    chart()->setBackgroundBrush(colors.base);
    setBackgroundBrush(colors.base);
    for (QAbstractAxis* any : chart()->axes()) {
        any->setLabelsColor(colors.dimText);
        any->setGridLineColor(colors.grid);
        any->setLinePen(QPen(colors.line));
        any->setLabelsFont(font());
    }
    QPen tx(txColor(palette()), 1.4);
    QPen rx(rxColor(palette()), 1.4);
    tx.setCosmetic(true);
    rx.setCosmetic(true);
    m_tx->setPen(tx);
    m_rx->setPen(rx);
    QPalette dim = m_empty->palette();
    dim.setColor(QPalette::WindowText, colors.dimText);
    m_empty->setPalette(dim);
}

std::optional<QPoint> NvlinkChart::peakPosition(std::size_t index) const
{
    const TimeRange range = m_peaks[index].range;
    const double x = axis().xOf(range.beginNs + range.lengthNs() / 2);
    if (x < 0 || x > plot().width())
        return std::nullopt;
    return QPoint(static_cast<int>(plot().left() + x), topMargin - 7);
}

std::optional<std::size_t> NvlinkChart::peakNear(QPoint position) const
{
    std::optional<std::size_t> nearest;
    int best = nearPeak + 1;
    for (std::size_t i = 0; i < m_peaks.size(); ++i) {
        const auto marker = peakPosition(i);
        const int distance = marker ? std::abs(marker->x() - position.x()) : best;
        if (distance < best) {
            best = distance;
            nearest = i;
        }
    }
    return nearest;
}

void NvlinkChart::drawForeground(QPainter* painter, const QRectF&)
{
    const Surfaces colors = surfaces(palette());
    painter->fillRect(QRectF(0, 0, width(), 1), colors.line);
    if (!device())
        return;
    const QRectF area = plot();
    const TimeAxis time = axis();
    const auto x = [&](std::int64_t ns) {
        return area.left() + std::floor(std::clamp(time.xOf(ns), -1.0, time.width() + 1));
    };
    if (const auto range = m_state->selectedRange()) {
        QColor fill = m_state->peak() && m_state->peak()->range == *range ? colors.worse : colors.accent;
        fill.setAlpha(38);
        painter->fillRect(QRectF(x(range->beginNs), topMargin,
                                 std::max(1.0, x(range->endNs) - x(range->beginNs)), area.height()),
                          fill);
    }
    std::optional<std::size_t> named;
    std::vector<int> taken;
    for (std::size_t i = 0; i < m_peaks.size(); ++i) {
        const auto position = peakPosition(i);
        const auto tooClose
            = [&](int other) { return position && std::abs(other - position->x()) < markerSpacing; };
        if (!position || std::any_of(taken.begin(), taken.end(), tooClose))
            continue;
        taken.push_back(position->x());
        const bool chosen = m_state->peak() && m_state->peak()->range == m_peaks[i].range;
        const bool best = !named || m_peaks[i].gigabytesPerSecond > m_peaks[*named].gigabytesPerSecond;
        named = chosen || (best && !m_state->peak()) || !named ? std::optional(i) : named;
        painter->setPen(Qt::NoPen);
        painter->setBrush(chosen ? colors.worse : colors.dimText);
        painter->setRenderHint(QPainter::Antialiasing);
        const QPointF tip(position->x() + 0.5, topMargin - 2);
        painter->drawPolygon(QPolygonF({tip, tip + QPointF(-5, -8), tip + QPointF(5, -8)}));
    }
    if (named) {
        const auto position = peakPosition(*named);
        const NvlinkPeak& peak = m_peaks[*named];
        const QString text = formatRate(peak.gigabytesPerSecond) + QStringLiteral(" \u00b7 ")
            + (peak.direction == LinkDirection::Tx ? tr("TX") : tr("RX")) + QStringLiteral(" \u00b7 ")
            + formatTime(peak.range.beginNs, std::max<std::int64_t>(peak.range.lengthNs(), 1));
        const int textWidth = QFontMetrics(font()).horizontalAdvance(text);
        const double left = position->x() + 10 + textWidth < width() - m_rightMargin
            ? position->x() + 10
            : position->x() - 10 - textWidth;
        painter->setPen(colors.text);
        painter->fillRect(QRectF(left - 3, 1, textWidth + 6, topMargin - 3), colors.base);
        painter->drawText(QRectF(left, 0, textWidth + 2, topMargin - 2), Qt::AlignVCenter | Qt::AlignLeft,
                          text);
    }
    painter->setRenderHint(QPainter::Antialiasing, false);
    // What the two lines are, where no marker is in the way.
    if (m_curves) {
        painter->setPen(m_tx->pen());
        painter->drawText(QRectF(10, height() - 26, 30, 20), Qt::AlignLeft | Qt::AlignVCenter, tr("TX"));
        painter->setPen(m_rx->pen());
        painter->drawText(QRectF(34, height() - 26, 30, 20), Qt::AlignLeft | Qt::AlignVCenter, tr("RX"));
    }
    paintMarkLines(*painter, area.toRect(), time, *m_state->edits(), palette());
    if (const auto hover = m_state->hoverTime()) {
        QPen pen(colors.dimText, 1, Qt::DashLine);
        pen.setCosmetic(true);
        painter->setPen(pen);
        painter->drawLine(QPointF(x(*hover) + 0.5, 0), QPointF(x(*hover) + 0.5, height()));
    }
}

void NvlinkChart::resizeEvent(QResizeEvent* event)
{
    QChartView::resizeEvent(event);
    updateSeries();
}

void NvlinkChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !device() || event->position().x() < plot().left())
        return;
    m_pressTime = axis().timeAt(event->position().x() - plot().left());
    m_dragging = false;
}

void NvlinkChart::mouseMoveEvent(QMouseEvent* event)
{
    const double x = event->position().x() - plot().left();
    const std::int64_t now = axis().timeAt(x);
    if (m_state->model())
        m_state->setHoverTime(x >= 0 ? std::optional(now) : std::nullopt);
    setCursor(peakNear(event->position().toPoint()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (!m_pressTime)
        return;
    m_dragging = m_dragging || std::abs(axis().xOf(*m_pressTime) - x) >= 4;
    if (m_dragging)
        m_state->setSelectedRange(TimeRange{std::min(now, *m_pressTime), std::max(now, *m_pressTime)});
}

void NvlinkChart::mouseReleaseEvent(QMouseEvent* event)
{
    const bool clicked = m_pressTime && !m_dragging;
    m_pressTime.reset();
    m_dragging = false;
    if (!clicked)
        return;
    if (const auto index = peakNear(event->position().toPoint()))
        m_state->setPeak(ViewState::Peak{m_peaks[*index].device, m_peaks[*index].range});
    else
        m_state->clearSelection();
}

void NvlinkChart::wheelEvent(QWheelEvent* event)
{
    if (event->modifiers().testFlag(Qt::ControlModifier))
        m_state->zoomAround(axis().timeAt(event->position().x() - plot().left()),
                            std::pow(wheelZoom, event->angleDelta().y() / 120.0));
    event->accept();
}

void NvlinkChart::leaveEvent(QEvent*)
{
    m_state->setHoverTime(std::nullopt);
}

void NvlinkChart::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        updateColors();
        updateTitle();
    }
    if (event->type() == QEvent::FontChange)
        layoutPlot(); // the labels of the axes have another width
    QChartView::changeEvent(event);
}

} // namespace collscope
