// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/plots/category_plot.h"

#include "views/common/palette.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr double titleHeight = 30;
constexpr double lineHeight = 16;
constexpr double groupShare = 0.78; ///< share of a category's width that its bars fill

struct Range
{
    double low = 0, high = 0; ///< always includes 0
};

Range rangeOf(const Plot& plot)
{
    Range range;
    for (const PlotSeries& series : plot.series) {
        for (const QPointF& point : series.points) {
            range.low = std::min(range.low, point.y());
            range.high = std::max(range.high, point.y());
        }
    }
    if (range.low == range.high)
        range.high = 1;
    return range;
}

QColor barColor(const PlotCanvas& canvas, const Plot& plot, const PlotSeries& series, double value)
{
    if (!plot.judged)
        return series.color;
    return value > 0 ? canvas.colors.better : value < 0 ? canvas.colors.worse : canvas.colors.dimText;
}

QString valueText(const Plot& plot, double value)
{
    if (!plot.judged)
        return QLocale::c().toString(value, 'g', 4);
    return (value > 0 ? QStringLiteral("+") : QString()) + QLocale::c().toString(value, 'f', 1);
}

double labelWidth(const PlotCanvas& canvas, const QString& label)
{
    double width = 0;
    for (const QString& line : label.split(u'\n'))
        width = std::max(width, canvas.textWidth(canvas.small, line));
    return width;
}

/// Paints a label of several lines, each elided to fit.
void paintLabel(const PlotCanvas& canvas, const QRectF& box, int flags, const QString& label)
{
    const QStringList lines = label.split(u'\n');
    QRectF line(box.left(), box.top(), box.width(), lineHeight);
    if ((flags & Qt::AlignVCenter) != 0)
        line.moveTop(box.center().y() - lineHeight * static_cast<double>(lines.size()) / 2);
    for (const QString& text : lines) {
        canvas.text(line, (flags & ~Qt::AlignTop) | Qt::AlignVCenter, canvas.small, canvas.colors.text,
                    QFontMetricsF(canvas.small).elidedText(text, Qt::ElideMiddle, box.width()));
        line.translate(0, lineHeight);
    }
}

void paintBars(const PlotCanvas& canvas, const Plot& plot, const QRectF& cell)
{
    const Range range = rangeOf(plot);
    const std::vector<double> ticks = niceTicks(range.low, range.high, 6);
    const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
    const double low = std::floor(range.low / step) * step;
    const double high = std::ceil(range.high / step + 0.1) * step; // space for the numbers above
    double axis = 0;
    std::vector<double> lines;
    for (int i = 0; low + i * step <= high + step / 2; ++i)
        lines.push_back(low + i * step);
    for (const double tick : lines)
        axis = std::max(axis, canvas.textWidth(canvas.small, tickText(tick, step)));
    qsizetype labelLines = 1;
    for (const QString& category : plot.categories)
        labelLines = std::max(labelLines, category.count(u'\n') + 1);
    const double labels = lineHeight * static_cast<double>(labelLines) + (plot.xTitle.isEmpty() ? 8 : 30);
    const QRectF area = cell.adjusted(axis + 8 + (plot.yTitle.isEmpty() ? 0 : 24), titleHeight, -14, -labels);
    const auto y = [&](double value) { return area.bottom() - (value - low) / (high - low) * area.height(); };
    for (const double tick : lines) {
        canvas.painter->setPen(
            QPen(std::abs(tick) < step / 2 ? canvas.colors.dimText : canvas.colors.line, 1));
        canvas.painter->drawLine(QPointF(area.left(), y(tick)), QPointF(area.right(), y(tick)));
        canvas.text({area.left() - 206, y(tick) - 10, 200, 20}, Qt::AlignRight | Qt::AlignVCenter,
                    canvas.small, canvas.colors.dimText.darker(125), tickText(tick, step));
    }
    const double room = area.width() / static_cast<double>(std::max<qsizetype>(1, plot.categories.size()));
    const double width
        = room * groupShare / static_cast<double>(std::max<std::size_t>(1, plot.series.size()));
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
        for (const QPointF& point : plot.series[s].points) {
            const double left
                = area.left() + room * (point.x() + (1 - groupShare) / 2) + width * static_cast<double>(s);
            const double top = std::min(y(point.y()), y(0));
            const double bottom = std::max(y(point.y()), y(0));
            canvas.painter->fillRect(QRectF(left + 1, top, std::max(1.0, width - 2), bottom - top),
                                     barColor(canvas, plot, plot.series[s], point.y()));
            const QString text = valueText(plot, point.y());
            if (canvas.textWidth(canvas.small, text) <= width + 6)
                canvas.text({left - 20, point.y() < 0 ? bottom : top - 18, width + 40, 18}, Qt::AlignCenter,
                            canvas.small, canvas.colors.text, text);
        }
    }
    for (qsizetype i = 0; i < plot.categories.size(); ++i)
        paintLabel(canvas,
                   {area.left() + room * static_cast<double>(i) + 2, area.bottom() + 4, room - 4, labels},
                   Qt::AlignHCenter, plot.categories[i]);
    canvas.text({area.left(), cell.bottom() - 22, area.width(), 20}, Qt::AlignCenter, canvas.normal,
                canvas.colors.text, plot.xTitle);
    canvas.painter->save();
    canvas.painter->translate(cell.left(), area.center().y());
    canvas.painter->rotate(-90);
    canvas.text({-area.height() / 2 - 20, 0, area.height() + 40, 20}, Qt::AlignCenter, canvas.normal,
                canvas.colors.text, plot.yTitle);
    canvas.painter->restore();
}

double widestCategory(const PlotCanvas& canvas, const Plot& plot, double most)
{
    double width = 0;
    for (const QString& category : plot.categories)
        width = std::max(width, labelWidth(canvas, category));
    return std::min(width, most);
}

void paintRows(const PlotCanvas& canvas, const Plot& plot, const QRectF& cell)
{
    const Range range = rangeOf(plot);
    const double labels = widestCategory(canvas, plot, cell.width() * 0.4) + 12;
    constexpr double numbers = 62; // space for numbers on both sides of the bars
    const QRectF area = cell.adjusted(labels, titleHeight, 0, plot.xTitle.isEmpty() ? -4 : -28);
    const double left = area.left() + (range.low < 0 ? numbers : 4);
    const double right = area.right() - numbers;
    const auto x = [&](double value) {
        return left + (value - range.low) / (range.high - range.low) * (right - left);
    };
    const double room = area.height() / static_cast<double>(std::max<qsizetype>(1, plot.categories.size()));
    const double height = std::min(26.0, room * groupShare / static_cast<double>(plot.series.size()));
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
        for (const QPointF& point : plot.series[s].points) {
            const double middle = area.top() + room * (point.x() + 0.5);
            const double top
                = middle + height * (static_cast<double>(s) - static_cast<double>(plot.series.size()) / 2);
            const double begin = std::min(x(0), x(point.y()));
            const double end = std::max(x(0), x(point.y()));
            canvas.painter->fillRect(QRectF(begin, top + 1, std::max(1.0, end - begin), height - 2),
                                     barColor(canvas, plot, plot.series[s], point.y()));
            const bool isLeft = point.y() < 0;
            canvas.text({isLeft ? begin - numbers - 4 : end + 5, top, numbers, height},
                        static_cast<int>(isLeft ? Qt::AlignRight : Qt::AlignLeft)
                            | static_cast<int>(Qt::AlignVCenter),
                        canvas.small, canvas.colors.text, valueText(plot, point.y()));
        }
    }
    canvas.painter->setPen(QPen(canvas.colors.dimText, 1));
    canvas.painter->drawLine(QPointF(x(0), area.top()), QPointF(x(0), area.bottom()));
    for (qsizetype i = 0; i < plot.categories.size(); ++i)
        paintLabel(canvas, {cell.left(), area.top() + room * static_cast<double>(i), labels - 12, room},
                   Qt::AlignRight | Qt::AlignVCenter, plot.categories[i]);
    canvas.text({area.left(), cell.bottom() - 22, area.width(), 20}, Qt::AlignCenter, canvas.normal,
                canvas.colors.text, plot.xTitle);
}

/// Paints a row of cells for each series.
void paintCells(const PlotCanvas& canvas, const Plot& plot, const QRectF& cell)
{
    const Range range = rangeOf(plot);
    const double farthest = std::max(range.high, -range.low);
    double labels = 0;
    for (const PlotSeries& series : plot.series)
        labels = std::max(labels, canvas.textWidth(canvas.small, series.name));
    const QRectF area
        = cell.adjusted(labels + 14, titleHeight, -4, -lineHeight - (plot.xTitle.isEmpty() ? 8 : 30));
    const double width = area.width() / static_cast<double>(std::max<qsizetype>(1, plot.categories.size()));
    const double height = area.height() / static_cast<double>(std::max<std::size_t>(1, plot.series.size()));
    for (std::size_t row = 0; row < plot.series.size(); ++row) {
        const double top = area.top() + height * static_cast<double>(row);
        canvas.text({cell.left(), top, labels + 4, height}, Qt::AlignRight | Qt::AlignVCenter, canvas.small,
                    canvas.colors.text, plot.series[row].name);
        for (const QPointF& point : plot.series[row].points) {
            const QColor full = point.y() >= 0 ? canvas.colors.better : canvas.colors.worse;
            const double share = std::abs(point.y()) / farthest;
            const auto mixed = [share](int strong) { return qRound(255 + (strong - 255) * share); };
            const QColor color(mixed(full.red()), mixed(full.green()), mixed(full.blue()));
            const QRectF box(area.left() + width * point.x(), top, width, height);
            canvas.painter->fillRect(box.adjusted(0.5, 0.5, -0.5, -0.5), color);
            const QString text = valueText(plot, point.y());
            if (canvas.textWidth(canvas.small, text) < width)
                canvas.text(box, Qt::AlignCenter, canvas.small, textOn(color), text);
        }
    }
    const double widest = widestCategory(canvas, plot, area.width()) + 8;
    const auto every = static_cast<qsizetype>(std::max(1.0, std::ceil(widest / width)));
    for (qsizetype i = 0; i < plot.categories.size(); i += every)
        canvas.text(
            {area.left() + width * (static_cast<double>(i) + 0.5) - 60, area.bottom() + 3, 120, lineHeight},
            Qt::AlignCenter, canvas.small, canvas.colors.text, plot.categories[i]);
    canvas.text({area.left(), cell.bottom() - 22, area.width(), 20}, Qt::AlignCenter, canvas.normal,
                canvas.colors.text, plot.xTitle);
}

} // namespace

void paintCategoryPlot(const PlotCanvas& canvas, const Plot& plot, const QRectF& cell)
{
    canvas.text({cell.left(), cell.top(), cell.width(), 24}, Qt::AlignLeft | Qt::AlignVCenter, canvas.bold,
                canvas.colors.text, plot.title);
    switch (plot.form) {
    case Plot::Form::Bars:
        return paintBars(canvas, plot, cell);
    case Plot::Form::Rows:
        return paintRows(canvas, plot, cell);
    case Plot::Form::Cells:
        return paintCells(canvas, plot, cell);
    case Plot::Form::Axes:
        break;
    }
}

} // namespace collscope
