// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/charts/timeline_chart.h"

#include "views/charts/curve_pieces.h"
#include "views/common/format.h"
#include "views/common/mark_painter.h"
#include "views/common/theme.h"

#include <QChart>
#include <QGraphicsLayout>
#include <QLabel>
#include <QLogValueAxis>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr int legendHeight = 16;
constexpr int leftMargin = 10;
constexpr int emptyHeight = 30;
constexpr int leastHeight = 110;
constexpr int mostDecades = 5; ///< on a logarithmic axis; smaller fractions of the maximum are negligible

} // namespace

TimelineChart::TimelineChart(ViewState* state, QWidget* parent)
    : QChartView(new QChart, parent)
    , m_state(state)
    , m_time(new QValueAxis(chart()))
    , m_linear(new QValueAxis(chart()))
    , m_logarithmic(new QLogValueAxis(chart()))
    , m_header(new QWidget(this))
    , m_controls(new QWidget(m_header))
    , m_controlsLayout(new QVBoxLayout(m_controls))
    , m_title(new QLabel(m_header))
    , m_log(new QToolButton(m_controls))
    , m_message(new QLabel(this))
{
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    QChart* plotted = chart();
    plotted->legend()->hide();
    plotted->setBackgroundRoundness(0);
    plotted->setMargins({});
    plotted->addAxis(m_time, Qt::AlignBottom);
    plotted->addAxis(m_linear, Qt::AlignLeft);
    plotted->addAxis(m_logarithmic, Qt::AlignLeft);
    m_time->setVisible(false);
    m_linear->setTickCount(4);
    m_logarithmic->setBase(10);
    m_logarithmic->setLabelFormat(QStringLiteral("%g"));
    m_logarithmic->setVisible(false);

    m_header->setObjectName(QStringLiteral("chartHeader"));
    auto* column = new QVBoxLayout(m_header);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_title);
    column->addWidget(m_controls);
    m_controlsLayout->setContentsMargins(0, 0, 0, 0);
    m_controlsLayout->setSpacing(4);
    m_title->setTextFormat(Qt::RichText);
    m_log->setText(tr("log"));
    m_log->setCheckable(true);
    m_log->setFocusPolicy(Qt::TabFocus); // a click does not move the keyboard focus
    m_log->setObjectName(QStringLiteral("logarithmic"));
    m_log->setAccessibleName(tr("Logarithmic scale"));
    m_log->setToolTip(tr("Logarithmic scale: powers of ten are evenly spaced"));
    m_message->setAlignment(Qt::AlignCenter);
    m_message->setWordWrap(true);
    m_message->setAttribute(Qt::WA_TransparentForMouseEvents);

    connect(m_log, &QToolButton::toggled, this, &TimelineChart::setLogarithmic);
    const auto repaint = [this] { viewport()->update(); };
    connect(&state->viewport(), &Viewport::visibleRangeChanged, this, &TimelineChart::updateSeries);
    connect(&state->selection(), &ViewSelection::hoverTimeChanged, this, repaint);
    connect(&state->selection(), &ViewSelection::rangeChanged, this, repaint);
    connect(&state->preferences(), &ViewPreferences::timeFormatChanged, this, repaint);
    connect(state->run().edits(), &RunEdits::changed, this, repaint);
    connect(&state->run(), &RunContext::modelChanged, this, [this] {
        m_gesture.become(DragKind::None); // it started on another axis
        m_zoomRange.reset();
    });
}

void TimelineChart::setTitle(const QString& title, const QString& subtitle)
{
    QFont bold = font();
    bold.setBold(true);
    const QString shown = QFontMetrics(bold).elidedText(title, Qt::ElideRight, headerWidth());
    m_title->setToolTip(shown == title ? QString() : plainToolTip(title));
    QString text = QStringLiteral("<b>%1</b>").arg(shown.toHtmlEscaped());
    if (!subtitle.isEmpty())
        text += QStringLiteral("<br><span style='color:%1'>%2</span>")
                    .arg(surfaces(palette()).dimText.name(), subtitle.toHtmlEscaped());
    m_title->setText(text);
}

void TimelineChart::setActive(bool active)
{
    m_isActive = active;
    m_controls->setVisible(active);
    layoutPlot();
}

void TimelineChart::setMessage(const QString& message)
{
    m_message->setText(message);
    m_message->setVisible(!message.isEmpty());
    chart()->setVisible(message.isEmpty());
}

bool TimelineChart::isLogarithmic() const
{
    return m_log->isChecked();
}

void TimelineChart::setLogarithmic(bool logarithmic)
{
    m_log->setChecked(logarithmic); // calls this function again if the state changes
    if (m_logarithmic->isVisible() == logarithmic)
        return;
    m_linear->setVisible(!logarithmic);
    m_logarithmic->setVisible(logarithmic);
    QAbstractAxis* before = logarithmic ? static_cast<QAbstractAxis*>(m_linear) : m_logarithmic;
    QAbstractAxis* now = logarithmic ? static_cast<QAbstractAxis*>(m_logarithmic) : m_linear;
    for (const auto& pieces : m_pieces) {
        for (QLineSeries* piece : pieces) {
            piece->clear(); // a logarithmic axis cannot show zeros
            piece->detachAxis(before);
            piece->attachAxis(now);
        }
    }
    updateSeries();
}

void TimelineChart::showCurves(std::vector<SampledCurve> curves, std::optional<std::size_t> timeline)
{
    m_curves = std::move(curves);
    m_clock = timeline;
    for (std::size_t i = m_curves.size(); i < m_pieces.size(); ++i)
        setPieces(i, {});
    fitValueAxes();
    updateSeries();
    updateColors();
}

/// Fits the axes to the values of the entire run, because a scale that changes with each zoom is hard to
/// read.
void TimelineChart::fitValueAxes()
{
    double highest = 0;
    std::optional<double> lowest;
    for (const SampledCurve& curve : m_curves) {
        highest = std::max(highest, curve.highest());
        if (const auto low = curve.lowestPositive(); low && (!lowest || *low < *lowest))
            lowest = low;
    }
    m_linear->setRange(0, highest > 0 ? highest * 1.05 : 1);
    m_linear->applyNiceNumbers();
    m_linear->setLabelFormat(m_linear->max() < 5 ? QStringLiteral("%.1f") : QStringLiteral("%.0f"));
    const double top = std::ceil(std::log10(highest > 0 ? highest : 1));
    const double bottom = std::floor(std::log10(lowest.value_or(0.1)));
    m_lowest = std::pow(10, std::clamp(bottom, top - mostDecades, top - 1));
    m_logarithmic->setRange(m_lowest, std::pow(10, top));
}

QRectF TimelineChart::plot() const
{
    const int below = bottomMargin() + (hasLegend() ? legendHeight : 0);
    return {static_cast<double>(timelineHeaderWidth), topMargin,
            std::max(10.0, static_cast<double>(width() - timelineHeaderWidth - m_rightMargin)),
            std::max(10.0, static_cast<double>(height() - topMargin - below))};
}

TimeAxis TimelineChart::axis() const
{
    return {m_state->viewport().visibleRange(), plot().width()};
}

TimeRange TimelineChart::toAxis(TimeRange range) const
{
    return m_clock ? m_state->run().clocks().toAxis(*m_clock, range) : range;
}

void TimelineChart::updateSeries()
{
    layoutPlot();
    const TimeRange visible = m_clock
        ? m_state->run().clocks().fromAxis(*m_clock, m_state->viewport().visibleRange())
        : m_state->viewport().visibleRange();
    const TimeAxis time(visible, plot().width());
    for (std::size_t i = 0; i < m_curves.size(); ++i)
        setPieces(i, curvePieces(m_curves[i], time));
    viewport()->update();
}

void TimelineChart::setPieces(std::size_t curve, const QList<QList<QPointF>>& pieces)
{
    m_pieces.resize(std::max(m_pieces.size(), curve + 1));
    std::vector<QLineSeries*>& lines = m_pieces[curve];
    // At least one line always exists; it keeps the colour and the position in the drawing order.
    while (lines.size() < std::max<std::size_t>(static_cast<std::size_t>(pieces.size()), 1))
        lines.push_back(addPiece(curve));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        QList<QPointF> points = pieces.value(static_cast<qsizetype>(i));
        if (points.isEmpty() && lines[i]->count() == 0)
            continue;
        if (isLogarithmic()) {
            for (QPointF& point : points)
                point.setY(std::max(point.y(), m_lowest));
        }
        lines[i]->replace(points);
    }
}

QLineSeries* TimelineChart::addPiece(std::size_t curve)
{
    auto* line = new QLineSeries(this);
    const std::vector<QLineSeries*>& others = m_pieces[curve];
    if (!others.empty())
        line->setPen(others.front()->pen());
    chart()->addSeries(line);
    line->attachAxis(m_time);
    line->attachAxis(isLogarithmic() ? static_cast<QAbstractAxis*>(m_logarithmic) : m_linear);
    return line;
}

/// Space for the lower half of the lowest label.
int TimelineChart::bottomMargin() const
{
    return std::max(10, QFontMetrics(font()).height() / 2 + 4);
}

/// Width that the axis labels leave free in the column of names.
int TimelineChart::headerWidth() const
{
    const int labels = QFontMetrics(font()).horizontalAdvance(QStringLiteral("0.01")) + 10;
    return timelineHeaderWidth - leftMargin - labels;
}

void TimelineChart::layoutPlot()
{
    chart()->setPlotArea(plot());
    // Qt Charts places the axes of a fixed plot area with its next layout; until then labels and curve
    // disagree.
    chart()->layout()->invalidate();
    chart()->layout()->activate();
    m_time->setRange(0, plot().width());
    const int room = m_header->layout()->minimumSize().height();
    m_header->setGeometry(leftMargin, 3, headerWidth(), room);
    m_message->setGeometry(rect().adjusted(timelineHeaderWidth, 0, -m_rightMargin, 0));
    // An empty chart leaves its space to the timeline.
    setMinimumHeight(m_isActive ? std::max(leastHeight, room + legendHeight + bottomMargin()) : emptyHeight);
    setMaximumHeight(m_isActive ? QWIDGETSIZE_MAX : emptyHeight);
}

void TimelineChart::setRightMargin(int pixels)
{
    m_rightMargin = pixels;
    updateSeries();
}

void TimelineChart::updateColors()
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
    const std::vector<QColor> lines = curveColors();
    for (std::size_t i = 0; i < std::min(lines.size(), m_pieces.size()); ++i) {
        QPen pen(lines[i], widthOfCurve(i));
        for (QLineSeries* piece : m_pieces[i])
            piece->setPen(pen);
    }
    QPalette dim = m_message->palette();
    dim.setColor(QPalette::WindowText, colors.dimText);
    m_message->setPalette(dim);
}

double TimelineChart::columnOf(std::int64_t axisNs) const
{
    const TimeAxis time = axis();
    return plot().left() + std::floor(std::clamp(time.xOf(axisNs), -1.0, time.width() + 1));
}

std::optional<TimelineChart::Reading> TimelineChart::hoverReading() const
{
    const auto hover = m_state->selection().hoverTime();
    if (!hover || m_curves.empty())
        return std::nullopt;
    return readingAt(m_clock ? m_state->run().clocks().fromAxis(*m_clock, *hover) : *hover);
}

std::optional<TimeRange> TimelineChart::hoveredSample() const
{
    const auto reading = hoverReading();
    return reading ? std::optional(toAxis(reading->range)) : std::nullopt;
}

QString TimelineChart::hoverText() const
{
    if (!m_state->selection().hoverTime() || m_curves.empty())
        return {};
    const auto reading = hoverReading();
    return reading ? tr("sample %1: %2").arg(formatDuration(reading->range.lengthNs()), reading->text)
                   : tr("no sample");
}

void TimelineChart::paintHighlights(QPainter& painter) const
{
    QColor color = surfaces(palette()).worse;
    const TimeRange visible = m_state->viewport().visibleRange();
    const QRectF area = plot();
    for (const Highlight& highlight : highlights()) {
        if (highlight.range.endNs < visible.beginNs || highlight.range.beginNs >= visible.endNs)
            continue;
        const double left = columnOf(highlight.range.beginNs);
        const double width = std::max(1.0, columnOf(highlight.range.endNs) - left);
        constexpr int shadeAlpha = 34;
        color.setAlpha(highlight.isMoment ? 255 : shadeAlpha);
        if (highlight.isMoment)
            painter.fillRect(QRectF(left + std::floor(width / 2), topMargin, 2, area.height()), color);
        else
            painter.fillRect(QRectF(left, topMargin, width, area.height()), color);
    }
}

void TimelineChart::drawForeground(QPainter* painter, const QRectF&)
{
    const Surfaces colors = surfaces(palette());
    painter->fillRect(QRectF(0, 0, width(), 1), colors.line);
    if (!m_isActive)
        return;
    const QRectF area = plot();
    const auto shade = [&](TimeRange range, QColor color, int alpha) {
        color.setAlpha(alpha);
        const double left = columnOf(range.beginNs);
        painter->fillRect(QRectF(left, topMargin, std::max(1.0, columnOf(range.endNs) - left), area.height()),
                          color);
    };
    paintHighlights(*painter);
    if (const auto range = m_state->selection().range())
        shade(*range,
              m_state->selection().peak() && m_state->selection().peak()->range == *range ? colors.worse
                                                                                          : colors.accent,
              38);
    if (m_zoomRange)
        shade(*m_zoomRange, colors.dimText, 38);
    // A value applies to its entire interval, not only to the time under the cursor.
    if (const auto sample = hoveredSample())
        shade(*sample, colors.text, 22);
    const QRectF taken = paintStrip(*painter);
    painter->setRenderHint(QPainter::Antialiasing, false);
    paintHeader(*painter);
    paintLegend(*painter, QRectF(area.left() + 4, area.bottom() + 5, area.width() - 8, legendHeight),
                legend(), palette());
    paintMarkLines(*painter, area.toRect(), axis(), *m_state->run().edits(), palette());
    if (const auto hover = m_state->selection().hoverTime()) {
        QPen pen(colors.dimText, 1, Qt::DashLine);
        pen.setCosmetic(true);
        painter->setPen(pen);
        const double x = columnOf(*hover) + 0.5;
        painter->drawLine(QPointF(x, 0), QPointF(x, height()));
    }
    paintHoverText(*painter, taken);
}

/// Paints the text at the end of the strip away from the cursor, or at the other end if a peak is labelled
/// there.
void TimelineChart::paintHoverText(QPainter& painter, const QRectF& taken) const
{
    const QString text = hoverText();
    if (text.isEmpty())
        return;
    const Surfaces colors = surfaces(palette());
    const QRectF area = plot();
    const double textWidth = QFontMetrics(font()).horizontalAdvance(text) + 12;
    const QRectF left(area.left(), 1, textWidth, topMargin - 2);
    const QRectF right(area.right() - textWidth, 1, textWidth, topMargin - 2);
    const bool isRight = columnOf(m_state->selection().hoverTime().value_or(0)) < area.center().x();
    const QRectF& wanted = isRight ? right : left;
    const QRectF& other = isRight ? left : right;
    const QRectF& box = wanted.intersects(taken) && !other.intersects(taken) ? other : wanted;
    painter.fillRect(box, colors.base);
    if (box.intersects(taken)) // hides the peak's label rather than cut it off
        painter.fillRect(taken, colors.base);
    painter.setPen(colors.text);
    painter.drawText(box.adjusted(6, 0, 0, -1), Qt::AlignVCenter | Qt::AlignLeft, text);
}

void TimelineChart::resizeEvent(QResizeEvent* event)
{
    QChartView::resizeEvent(event);
    updateSeries();
}

void TimelineChart::leaveEvent(QEvent*)
{
    m_state->selection().setHoverTime(std::nullopt);
}

void TimelineChart::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        updateColors();
    if (event->type() == QEvent::FontChange)
        layoutPlot(); // the width of the axis labels has changed
    QChartView::changeEvent(event);
}

} // namespace collscope
