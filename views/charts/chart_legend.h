// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Legend of a chart's lines in one row of text.

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
        QString name; ///< "TX"; omitted if it does not fit
    };
    struct Entry
    {
        QString name; ///< "Link 3"; may be empty
        QString shortName; ///< "3"
        std::vector<Line> lines;
    };
    QString shortTitle; ///< text before the short names that describes them and their lines
    std::vector<Entry> entries;
};

/// Paints the names of all lines if the row is wide enough, otherwise each entry's short name, or elided
/// names.
void paintLegend(QPainter& painter, const QRectF& row, const ChartLegend& legend, const QPalette& palette);

} // namespace collscope
