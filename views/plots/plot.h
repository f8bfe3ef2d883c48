// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A plot as data.

#include <QColor>
#include <QPointF>
#include <QString>
#include <QStringList>

#include <vector>

namespace collscope {

struct PlotSeries
{
    enum class Kind
    {
        Line,
        Steps, ///< a line with a marker on each point: a few values at integers
        Bars
    } kind
        = Kind::Line;
    QString name; ///< legend text
    QColor color;
    Qt::PenStyle pen = Qt::SolidLine;
    double width = 1.4; ///< of the line, in points
    std::vector<QPointF> points; ///< sorted by x; bars are at integers
};

/// A horizontal reference line at a target value.
struct PlotReference
{
    double value = 0;
    QString label;
};

struct Plot
{
    enum class Form
    {
        Axes, ///< over a numeric axis
        Bars, ///< over categories: vertical bars, one per series
        Rows, ///< over categories: horizontal bars
        Cells ///< a row of coloured cells for each series
    } form
        = Form::Axes;
    QStringList categories; ///< labels of x = 0, 1, ...; may have several lines
    bool judged = false; ///< values are changes in percent, coloured as better if positive
    QString title, xTitle, yTitle; ///< axis titles with their units
    bool logarithmic = false;
    double floor = 1e-4; ///< logarithmic: lower values are drawn here
    bool wholeNumbers = false; ///< x is a count: ticks at integers only
    bool fromZero = true; ///< linear: the y axis starts at 0
    std::vector<PlotSeries> series;
    std::vector<PlotReference> references;
};

} // namespace collscope
