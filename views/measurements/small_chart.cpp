// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/measurements/small_chart.h"

#include "views/common/theme.h"

#include <QAreaSeries>
#include <QGraphicsLayout>
#include <QLineSeries>
#include <QMouseEvent>
#include <QToolTip>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr int ticks = 4;
constexpr double labelGap = 6; ///< px between labels of marks in a line

/// Outline of adjacent bars.
QList<QPointF> outline(const std::vector<QPointF>& bars)
{
    QList<QPointF> corners;
    for (std::size_t i = 0; i + 1 < bars.size(); ++i)
        corners << QPointF(bars[i].x(), bars[i].y()) << QPointF(bars[i + 1].x(), bars[i].y());
    return corners;
}

} // namespace

SmallChart::SmallChart(QWidget* parent)
    : QChartView(parent)
{
    setFrameShape(QFrame::NoFrame);
    setRenderHint(QPainter::Antialiasing);
    setMouseTracking(true);
    chart()->legend()->hide();
    chart()->setMargins({4, 0, 8, 0});
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    chart()->setBackgroundRoundness(0);
    chart()->setAnimationOptions(QChart::NoAnimation);
}

void SmallChart::setContent(SmallChartContent content)
{
    m_content = std::move(content);
    setAccessibleName(m_content.title);
    showContent();
}

void SmallChart::showContent()
{
    chart()->removeAllSeries();
    for (QAbstractAxis* axis : chart()->axes()) {
        chart()->removeAxis(axis); // transfers ownership to us
        delete axis;
    }
    const Surfaces colors = surfaces(palette());
    chart()->setBackgroundBrush(colors.base);
    chart()->setTitle(m_content.title);
    chart()->setTitleBrush(colors.text);
    QFont bold = font();
    bold.setBold(true);
    chart()->setTitleFont(bold);
    if (m_content.points.empty())
        return;
    auto* line = new QLineSeries; // owned by the chart, or by the area series that the chart owns
    QAbstractSeries* series = line;
    if (m_content.isBars) {
        line->replace(outline(m_content.points));
        auto* area = new QAreaSeries(line);
        line->setParent(area);
        area->setPen(Qt::NoPen);
        area->setBrush(m_content.color);
        series = area;
    } else {
        line->replace(QList<QPointF>(m_content.points.begin(), m_content.points.end()));
        line->setPen(QPen(m_content.color, 1.5));
        line->setPointsVisible(m_content.points.size() == 1);
    }
    chart()->addSeries(series);
    auto* x = new QValueAxis;
    auto* y = new QValueAxis;
    chart()->addAxis(x, Qt::AlignBottom);
    chart()->addAxis(y, Qt::AlignLeft);
    series->attachAxis(x);
    series->attachAxis(y);
    styleAxes(x, y);
    viewport()->update();
}

void SmallChart::styleAxes(QValueAxis* x, QValueAxis* y) const
{
    const Surfaces colors = surfaces(palette());
    const auto [low, high] = std::minmax_element(m_content.points.begin(), m_content.points.end(),
                                                 [](QPointF a, QPointF b) { return a.y() < b.y(); });
    const double margin = std::max((high->y() - low->y()) * 0.08, std::abs(high->y()) * 1e-6);
    y->setRange(m_content.isBars ? 0 : low->y() - margin, high->y() + std::max(margin, 1e-12));
    const double first = m_content.points.front().x();
    const double last = m_content.points.back().x();
    x->setRange(first, last > first ? last : first + 1);
    for (QValueAxis* axis : {x, y}) {
        axis->setTickCount(ticks);
        axis->setLabelFormat(QStringLiteral("%.4g"));
        axis->setLabelsColor(colors.dimText);
        axis->setLinePen(QPen(colors.line));
        axis->setGridLinePen(QPen(colors.grid));
        axis->setLabelsFont(font());
    }
    x->setGridLineVisible(false);
    x->applyNiceNumbers();
    y->applyNiceNumbers();
}

QPointF SmallChart::positionOf(QPointF value) const
{
    return chart()->series().empty() ? QPointF() : chart()->mapToPosition(value, chart()->series().front());
}

std::optional<std::size_t> SmallChart::pointAt(QPoint position) const
{
    if (chart()->series().empty() || !chart()->plotArea().contains(position))
        return std::nullopt;
    const double x = chart()->mapToValue(position, chart()->series().front()).x();
    const std::vector<QPointF>& points = m_content.points;
    auto after = std::upper_bound(points.begin(), points.end(), x,
                                  [](double value, QPointF point) { return value < point.x(); });
    if (after == points.begin())
        return 0;
    const bool isNearer = !m_content.isBars && after != points.end() && after->x() - x < x - after[-1].x();
    const auto place = static_cast<std::size_t>(after - points.begin()) - (isNearer ? 0 : 1);
    return std::min(place, points.size() - (m_content.isBars && points.size() > 1 ? 2 : 1));
}

void SmallChart::mouseMoveEvent(QMouseEvent* event)
{
    const auto point = pointAt(event->position().toPoint());
    QToolTip::showText(event->globalPosition().toPoint(),
                       point && m_content.describe ? m_content.describe(*point) : QString(), this);
    QChartView::mouseMoveEvent(event);
}

/// Paints marks with their names, on as many lines as needed.
void SmallChart::drawForeground(QPainter* painter, const QRectF&)
{
    if (chart()->series().empty())
        return;
    const Surfaces colors = surfaces(palette());
    const QRectF plot = chart()->plotArea();
    const QFontMetricsF metrics(font());
    painter->setFont(font());
    std::vector<double> ends; // end of the last label in each line
    for (const SmallChartContent::Mark& mark : m_content.marks) {
        const double x = positionOf({mark.x, 0}).x();
        if (x < plot.left() - 0.5 || x > plot.right() + 0.5)
            continue;
        painter->setPen(QPen(colors.dimText, 1, Qt::DashLine));
        painter->drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        const double width = metrics.horizontalAdvance(mark.label);
        const double left = x + 3 + width <= plot.right() ? x + 3 : std::max(plot.left(), x - 3 - width);
        auto row = std::find_if(ends.begin(), ends.end(), [&](double end) { return end + labelGap <= left; });
        if (row == ends.end())
            row = ends.insert(ends.end(), 0);
        *row = left + width;
        const double top = plot.top() + static_cast<double>(row - ends.begin()) * metrics.height();
        QColor behind = colors.base;
        behind.setAlphaF(0.8F);
        painter->fillRect(QRectF(left - 1, top, width + 2, metrics.height()), behind);
        painter->setPen(colors.text);
        painter->drawText(QPointF(left, top + metrics.ascent()), mark.label);
    }
}

void SmallChart::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        showContent();
    QChartView::changeEvent(event);
}

} // namespace collscope
