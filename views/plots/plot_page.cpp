// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/plots/plot_page.h"

#include "views/common/palette.h"
#include "views/plots/category_plot.h"
#include "views/plots/plot_canvas.h"

#include <QFontDatabase>
#include <QLocale>
#include <QRawFont>

#include <algorithm>
#include <array>
#include <cmath>

namespace collscope {

namespace {

constexpr double pointsPerInch = 100;
constexpr double pixelsPerPoint = 2;
constexpr double plotMargin = 22;
constexpr double plotGap = 10;
constexpr double plotBarWidth = 0.66; ///< of the distance between two integers

QString decadeText(double value)
{
    if (value >= 1e-4 && value < 1e5)
        return QLocale::c().toString(value, 'g', 3);
    return QLocale::c().toString(value, 'e', 0);
}

/// Maps values to points of a plot.
class Scale
{
public:
    explicit Scale(const Plot& plot)
        : m_plot(plot)
    {
        bool any = false;
        for (const PlotSeries& series : plot.series) {
            for (const QPointF& point : series.points) {
                const double half = series.kind == PlotSeries::Kind::Bars ? 0.5 : 0.0;
                m_left = any ? std::min(m_left, point.x() - half) : point.x() - half;
                m_right = any ? std::max(m_right, point.x() + half) : point.x() + half;
                m_low = any ? std::min(m_low, point.y()) : point.y();
                m_high = any ? std::max(m_high, point.y()) : point.y();
                any = true;
            }
        }
        for (const PlotReference& reference : plot.references) {
            m_low = std::min(m_low, reference.value);
            m_high = std::max(m_high, reference.value);
        }
        if (std::any_of(plot.series.begin(), plot.series.end(),
                        [](const PlotSeries& series) { return series.kind == PlotSeries::Kind::Steps; })) {
            const double room = 0.03 * (m_right - m_left); // for the markers of the first and last value
            m_left -= room;
            m_right += room;
        }
        if (plot.logarithmic)
            fitDecades();
        else
            fitTicks();
        if (m_right <= m_left) {
            m_left -= 0.5;
            m_right += 0.5;
        }
    }

    double x(double value, const QRectF& area) const
    {
        return area.left() + (value - m_left) / (m_right - m_left) * area.width();
    }
    double y(double value, const QRectF& area) const
    {
        const auto level = [&](double v) { return m_plot.logarithmic ? std::log10(std::max(v, m_low)) : v; };
        return area.bottom() - (level(value) - level(m_low)) / (level(m_high) - level(m_low)) * area.height();
    }
    const std::vector<double>& yTicks() const { return m_ticks; }
    QString yText(double tick) const
    {
        if (m_plot.logarithmic && m_cut && tick == m_ticks.front())
            return QStringLiteral("\u2264\u2009") + decadeText(tick);
        return m_plot.logarithmic ? decadeText(tick)
                                  : tickText(tick, m_ticks.size() > 1 ? m_ticks[1] - m_ticks[0] : 1);
    }
    double left() const { return m_left; }
    double right() const { return m_right; }

private:
    void fitDecades()
    {
        m_cut = m_low < m_plot.floor;
        const int lowest = static_cast<int>(std::floor(std::log10(std::max(m_low, m_plot.floor)) + 1e-9));
        const int highest = std::max(
            lowest + 1, static_cast<int>(std::ceil(std::log10(std::max(m_high, m_plot.floor)) - 1e-9)));
        m_low = std::pow(10.0, lowest);
        m_high = std::pow(10.0, highest);
        for (int power = lowest; power <= highest; ++power)
            m_ticks.push_back(std::pow(10.0, power));
    }
    void fitTicks()
    {
        if (m_plot.fromZero) {
            m_low = std::min(m_low, 0.0);
            m_high = std::max(m_high, 0.0);
        }
        if (m_high <= m_low)
            m_high = m_low + (m_low == 0 ? 1.0 : std::abs(m_low) * 0.1);
        // Add a tick above the highest value, so that nothing touches the frame.
        const std::vector<double> inner = niceTicks(m_low, m_high, 6);
        const double step = inner.size() > 1 ? inner[1] - inner[0] : m_high - m_low;
        const double low = std::floor(m_low / step + 1e-9) * step;
        const double high = std::ceil(m_high / step + 0.02) * step;
        m_low = low;
        m_high = high;
        for (int i = 0; low + i * step <= high + 0.001 * step; ++i)
            m_ticks.push_back(low + i * step);
    }

    const Plot& m_plot;
    double m_left = 0, m_right = 1, m_low = 0, m_high = 1;
    std::vector<double> m_ticks;
    bool m_cut = false; ///< logarithmic: some values are below the lowest tick
};

/// Keeps at most two points per image column, the lowest and the highest, so that no peak is lost.
std::vector<QPointF> thinned(const std::vector<QPointF>& points, const Scale& scale, const QRectF& area)
{
    std::vector<QPointF> result;
    const auto columns = static_cast<std::size_t>(area.width() * pixelsPerPoint);
    const bool isDense = points.size() > 4 * columns;
    std::size_t i = 0;
    while (i < points.size()) {
        const auto column
            = [&](std::size_t k) { return std::floor(scale.x(points[k].x(), area) * pixelsPerPoint); };
        std::size_t end = i + 1;
        std::size_t low = i;
        std::size_t high = i;
        for (; isDense && end < points.size() && column(end) == column(i); ++end) {
            low = points[end].y() < points[low].y() ? end : low;
            high = points[end].y() > points[high].y() ? end : high;
        }
        result.emplace_back(scale.x(points[std::min(low, high)].x(), area),
                            scale.y(points[std::min(low, high)].y(), area));
        if (low != high)
            result.emplace_back(scale.x(points[std::max(low, high)].x(), area),
                                scale.y(points[std::max(low, high)].y(), area));
        i = end;
    }
    return result;
}

/// Draws a line in pieces. Qt's rasterizer searches all edges of a row for each new one, so the time for a
/// line that goes up and down grows with the square of its points (10 s for 12 links of 260 samples). Pieces
/// overlap by a segment, which preserves their joins.
void strokeLine(QPainter& painter, QPen pen, const std::vector<QPointF>& points)
{
    constexpr std::size_t piece = 4;
    double length = 0; // dashes continue from the previous piece
    for (std::size_t begin = 0; begin + 1 < points.size() || begin == 0; begin += piece) {
        const std::size_t count = std::min(piece + 2, points.size() - begin);
        if (pen.style() != Qt::SolidLine)
            pen.setDashOffset(length / pen.widthF());
        painter.setPen(pen);
        painter.drawPolyline(points.data() + begin, static_cast<int>(count));
        for (std::size_t i = begin; i + 1 < std::min(begin + piece + 1, points.size()); ++i)
            length += QLineF(points[i], points[i + 1]).length();
    }
}

void paintSeries(const PlotCanvas& canvas, const PlotSeries& series, const Scale& scale, const QRectF& area)
{
    QPainter& painter = *canvas.painter;
    if (series.kind == PlotSeries::Kind::Bars) {
        const double width = (scale.x(plotBarWidth, area) - scale.x(0, area));
        const bool labelled = width > 44;
        for (const QPointF& point : series.points) {
            const double x = scale.x(point.x(), area);
            const double y = scale.y(point.y(), area);
            const double base = scale.y(0, area);
            painter.fillRect(
                QRectF(QPointF(x - width / 2, std::min(y, base)), QPointF(x + width / 2, std::max(y, base))),
                series.color);
            if (labelled) // inside the bar, where no line crosses it; above if the bar is too low
                canvas.text({x - width, base - y > 30 ? y + 4 : y - 20, 2 * width, 18},
                            Qt::AlignHCenter | Qt::AlignVCenter, canvas.small,
                            base - y > 30 ? textOn(series.color) : canvas.colors.text,
                            QLocale::c().toString(point.y(), 'g', 4));
        }
        return;
    }
    QPen pen(series.color, series.width, series.pen);
    pen.setJoinStyle(Qt::RoundJoin);
    const std::vector<QPointF> points = thinned(series.points, scale, area);
    strokeLine(painter, pen, points);
    if (series.kind != PlotSeries::Kind::Steps || series.points.size() > 120)
        return;
    painter.setBrush(series.color);
    painter.setPen(QPen(canvas.colors.base, 1.2));
    for (const QPointF& point : points)
        painter.drawEllipse(point, 4.2, 4.2);
    painter.setBrush(Qt::NoBrush);
}

/// Space at the left of the frame for the numbers and the title of the y axis.
double axisWidth(const PlotCanvas& canvas, const Plot& plot, const Scale& scale)
{
    double widest = 0;
    for (const double tick : scale.yTicks())
        widest = std::max(widest, canvas.textWidth(canvas.small, scale.yText(tick)));
    return widest + 8 + (plot.yTitle.isEmpty() ? 0 : 24);
}

double referenceWidth(const PlotCanvas& canvas, const Plot& plot)
{
    double widest = 0;
    for (const PlotReference& reference : plot.references)
        widest = std::max(widest, canvas.textWidth(canvas.small, reference.label) + 8);
    return widest;
}

void paintAxes(const PlotCanvas& canvas, const Plot& plot, const Scale& scale, const QRectF& area)
{
    QPainter& painter = *canvas.painter;
    const QColor dim = canvas.colors.dimText.darker(125);
    for (const double tick : scale.yTicks()) {
        const double y = scale.y(tick, area);
        painter.setPen(QPen(canvas.colors.line, 1));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        canvas.text({area.left() - 200, y - 10, 194, 20}, Qt::AlignRight | Qt::AlignVCenter, canvas.small,
                    dim, scale.yText(tick));
    }
    const int most = static_cast<int>(std::clamp(area.width() / 80, 2.0, 14.0));
    const std::vector<double> ticks = niceTicks(scale.left(), scale.right(), most, plot.wholeNumbers);
    const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
    for (const double tick : ticks) {
        const double x = scale.x(tick, area);
        painter.setPen(QPen(canvas.colors.dimText, 1));
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 4));
        canvas.text({x - 60, area.bottom() + 6, 120, 18}, Qt::AlignHCenter | Qt::AlignTop, canvas.small, dim,
                    tickText(tick, step));
    }
    painter.setPen(QPen(canvas.colors.dimText, 1.2));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    painter.drawLine(area.bottomLeft(), area.topLeft());
    canvas.text({area.left(), area.bottom() + 24, area.width(), 22}, Qt::AlignCenter, canvas.normal,
                canvas.colors.text, plot.xTitle);
    painter.save();
    painter.translate(area.left() - axisWidth(canvas, plot, scale), area.center().y());
    painter.rotate(-90);
    canvas.text({-area.height() / 2 - 20, 0, area.height() + 40, 20}, Qt::AlignCenter, canvas.normal,
                canvas.colors.text, plot.yTitle);
    painter.restore();
}

void paintPlot(const PlotCanvas& canvas, const Plot& plot, QRectF cell)
{
    const Scale scale(plot);
    QPainter& painter = *canvas.painter;
    const double top = plot.title.isEmpty() ? 8 : 30;
    const QRectF area = cell.adjusted(axisWidth(canvas, plot, scale), top,
                                      -std::max(14.0, referenceWidth(canvas, plot)), -48);
    canvas.text({area.left(), cell.top(), area.width(), 24}, Qt::AlignLeft | Qt::AlignVCenter, canvas.bold,
                canvas.colors.text, plot.title);
    paintAxes(canvas, plot, scale, area);
    // Draw references before the data, and their labels next to the frame.
    for (const PlotReference& reference : plot.references) {
        const double y = scale.y(reference.value, area);
        painter.setPen(QPen(canvas.colors.better, 1.4, Qt::DashLine));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        canvas.text({area.right() + 6, y - 10, 400, 20}, Qt::AlignLeft | Qt::AlignVCenter, canvas.small,
                    canvas.colors.better.darker(110), reference.label);
    }
    painter.save();
    painter.setClipRect(
        area.adjusted(-5, -24, 5, 1)); // keeps markers and labels of the outermost values complete
    for (const PlotSeries& series : plot.series)
        paintSeries(canvas, series, scale, area);
    painter.restore();
}

/// The series in the legend; a single series needs no legend.
std::vector<const PlotSeries*> legendOf(const Plot& plot)
{
    std::vector<const PlotSeries*> entries;
    if (plot.form == Plot::Form::Cells)
        return entries; // each row shows its name
    for (const PlotSeries& series : plot.series) {
        if (!series.name.isEmpty())
            entries.push_back(&series);
    }
    return entries.size() > 1 ? entries : std::vector<const PlotSeries*>();
}

bool sameNames(const std::vector<const PlotSeries*>& a, const std::vector<const PlotSeries*>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const PlotSeries* left, const PlotSeries* right) {
                          return left->name == right->name && left->color == right->color;
                      });
}

/// Layout of the legend entries.
struct LegendLayout
{
    static constexpr double line = 22, sample = 30;
    std::size_t rows = 1;
    double column = 0, width = 0;

    LegendLayout(const PlotCanvas& canvas, const std::vector<const PlotSeries*>& entries, const QSizeF& room)
    {
        if (entries.empty())
            return;
        rows = std::max<std::size_t>(1, static_cast<std::size_t>(room.height() / line));
        double widest = 0;
        for (const PlotSeries* entry : entries)
            widest = std::max(widest, canvas.textWidth(canvas.small, entry->name));
        column = sample + std::min(widest, room.width() * 0.25) + 16;
        const std::size_t columns = (entries.size() + rows - 1) / rows;
        width = column * static_cast<double>(columns) + plotGap;
    }
};

void paintLegend(const PlotCanvas& canvas, const std::vector<const PlotSeries*>& entries,
                 const LegendLayout& layout, QPointF corner)
{
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const std::size_t column = i / layout.rows;
        const double x = corner.x() + plotGap + layout.column * static_cast<double>(column);
        const double y = corner.y() + LegendLayout::line * (static_cast<double>(i % layout.rows) + 0.5);
        const bool isBar = entries[i]->kind == PlotSeries::Kind::Bars;
        canvas.painter->setPen(QPen(entries[i]->color, isBar ? 10 : 2.6, entries[i]->pen, Qt::FlatCap));
        canvas.painter->drawLine(QPointF(x, y), QPointF(x + LegendLayout::sample - 8, y));
        const double width = layout.column - LegendLayout::sample - 14;
        canvas.text({x + LegendLayout::sample, y - 10, width + 4, 20}, Qt::AlignLeft | Qt::AlignVCenter,
                    canvas.small, canvas.colors.text,
                    QFontMetricsF(canvas.small).elidedText(entries[i]->name, Qt::ElideMiddle, width));
    }
}

/// Paints plots in a grid, with a legend next to the first plot that needs it.
void paintGrid(const PlotCanvas& canvas, const PlotPage& page, const QRectF& box)
{
    const auto columns = static_cast<std::size_t>(std::max(1, page.columns));
    const std::size_t rows = (page.plots.size() + columns - 1) / columns;
    const QSizeF cell((box.width() - plotGap * 2 * static_cast<double>(columns - 1))
                          / static_cast<double>(columns),
                      (box.height() - plotGap * static_cast<double>(rows - 1)) / static_cast<double>(rows));
    // In a single column, all plots reserve the same width, so that their x axes line up.
    double shared = 0;
    for (const Plot& plot : page.plots)
        shared = std::max(shared, LegendLayout(canvas, legendOf(plot), cell).width);
    std::vector<const PlotSeries*> painted;
    for (std::size_t i = 0; i < page.plots.size(); ++i) {
        const auto entries = legendOf(page.plots[i]);
        const LegendLayout layout(canvas, entries, cell);
        const double reserved = columns == 1 ? shared : layout.width;
        const std::size_t row = i / columns;
        const QRectF area(box.left() + (cell.width() + 2 * plotGap) * static_cast<double>(i % columns),
                          box.top() + (cell.height() + plotGap) * static_cast<double>(row),
                          cell.width() - reserved, cell.height());
        if (page.plots[i].form == Plot::Form::Axes)
            paintPlot(canvas, page.plots[i], area);
        else
            paintCategoryPlot(canvas, page.plots[i], area);
        if (columns > 1 || !sameNames(entries, painted))
            paintLegend(canvas, entries, layout, area.topRight() + QPointF(0, 8));
        painted = entries;
    }
}

} // namespace

/// As many digits as two neighbouring ticks need to differ; thin spaces between thousands.
bool hasFonts()
{
    // QFontDatabase lists "Sans Serif" even without a font file for it, and then paints boxes. Only a real
    // font file has tables.
    return !QRawFont::fromFont(textFont(12)).fontTable("head").isEmpty();
}

QImage paintPlots(const PlotPage& page)
{
    const QSizeF size(page.widthInches * pointsPerInch, page.heightInches * pointsPerInch);
    QImage image((size * pixelsPerPoint).toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.scale(pixelsPerPoint, pixelsPerPoint);
    const PlotCanvas canvas{&painter, surfaces(lightPalette())};
    QRectF box = QRectF(QPointF(), size).adjusted(plotMargin, plotMargin - 6, -plotMargin, -plotMargin + 6);
    canvas.text({box.left(), box.top(), box.width(), 28}, Qt::AlignLeft | Qt::AlignVCenter, canvas.title,
                canvas.colors.text,
                QFontMetricsF(canvas.title).elidedText(page.title, Qt::ElideRight, box.width()));
    box.setTop(box.top() + 30);
    if (!page.subtitle.isEmpty()) {
        canvas.text({box.left(), box.top(), box.width(), 20}, Qt::AlignLeft | Qt::AlignVCenter, canvas.normal,
                    canvas.colors.dimText,
                    QFontMetricsF(canvas.normal).elidedText(page.subtitle, Qt::ElideRight, box.width()));
        box.setTop(box.top() + 24);
    }
    box.setTop(box.top() + plotGap);
    paintGrid(canvas, page, box);
    return image;
}

} // namespace collscope
