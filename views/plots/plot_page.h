// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// A page of plots as data, and the painter that makes an image of it: for slides and papers, on a light
// background. QPainter alone, so that batch needs neither a display nor Qt Charts.

#include <QColor>
#include <QImage>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace collscope {

struct PlotSeries
{
    enum class Kind
    {
        Line,
        Steps, ///< a line with a mark on each point: few values that belong to whole numbers
        Bars
    } kind
        = Kind::Line;
    QString name; ///< for the legend
    QColor color;
    Qt::PenStyle pen = Qt::SolidLine;
    double width = 1.4; ///< of the line, in points
    std::vector<QPointF> points; ///< by rising x; bars stand at whole numbers
};

/// A horizontal line that says what a value should reach.
struct PlotReference
{
    double value = 0;
    QString label;
};

struct Plot
{
    enum class Form
    {
        Axes, ///< over numbers
        Bars, ///< over categories: a bar of each series, side by side
        Rows, ///< the same from left to right
        Cells ///< a row of coloured cells for each series
    } form
        = Form::Axes;
    QStringList categories; ///< what x = 0, 1, ... stands for; may have several lines
    bool judged = false; ///< values are changes in percent: more than 0 is better, and coloured so
    QString title, xTitle, yTitle; ///< axis titles with their units
    bool logarithmic = false;
    double floor = 1e-4; ///< logarithmic: what is lower is drawn here
    bool wholeNumbers = false; ///< x counts something: ticks at whole numbers only
    bool fromZero = true; ///< linear: the y axis begins at 0
    std::vector<PlotSeries> series;
    std::vector<PlotReference> references;
};

/// Plots in a grid below a title, a legend beside each that has several named series, once where the next
/// ones have the same.
struct PlotPage
{
    QString title, subtitle;
    std::vector<Plot> plots;
    int columns = 1;
    double widthInches = 14, heightInches = 6; ///< 100 points each
};

/// False where no font is installed: text could not be painted.
bool hasFonts();
/// Two pixels a point. Needs a QGuiApplication and a font.
QImage paintPlots(const PlotPage& page);

/// Where the ticks of a linear axis lie: 1, 2 or 5 times a power of ten apart, at most `most` of them in
/// [low, high].
std::vector<double> niceTicks(double low, double high, int most, bool wholeNumbers = false);
/// The colour of the n-th of several series, from the palette of the kernel classes.
QColor seriesColor(std::size_t index);

} // namespace collscope
