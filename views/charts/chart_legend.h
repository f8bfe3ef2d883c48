// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the lines of a chart are, in one row of text.

#include <QColor>
#include <QPainter>
#include <QPalette>
#include <QString>

#include <vector>

namespace collscope {

struct ChartLegend
{
    struct Line
    {
        QColor color;
        QString name; ///< "TX"; left out where there is no room
    };
    struct Entry
    {
        QString name; ///< "Link 3"; may be empty
        QString shortName; ///< "3"
        std::vector<Line> lines;
    };
    QString shortTitle; ///< before the short names: what they and their lines are
    std::vector<Entry> entries;
};

/// Names all lines where the row is wide enough, else shorter: each entry under its short name, or elided.
void paintLegend(QPainter& painter, const QRectF& row, const ChartLegend& legend, const QPalette& palette);

} // namespace collscope
