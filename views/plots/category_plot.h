// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Plots over names instead of numbers: bars side by side, bars from left to right, coloured cells; and the
// style that they share with the plots over numbers.

#include "views/plots/plot_page.h"
#include "views/theme.h"

#include <QFont>
#include <QFontMetricsF>
#include <QPainter>

namespace collscope {

/// The colours of the light window, whatever the desktop says.
QPalette lightPalette();
QFont textFont(double pointSize, QFont::Weight weight = QFont::Normal);
/// As many digits as two neighbouring ticks need to differ; thin spaces between thousands.
QString tickText(double value, double step);

/// Painter and style of one page.
struct PlotCanvas
{
    QPainter* painter;
    Surfaces colors;
    QFont small = textFont(12);
    QFont normal = textFont(13);
    QFont bold = textFont(14, QFont::DemiBold);
    QFont title = textFont(19, QFont::DemiBold);

    double textWidth(const QFont& font, const QString& text) const
    {
        return QFontMetricsF(font).horizontalAdvance(text);
    }
    void text(const QRectF& box, int flags, const QFont& font, const QColor& color,
              const QString& content) const
    {
        painter->setFont(font);
        painter->setPen(color);
        painter->drawText(box, flags | Qt::TextSingleLine, content);
    }
};

/// A plot whose form is not Axes.
void paintCategoryPlot(const PlotCanvas& canvas, const Plot& plot, const QRectF& cell);

} // namespace collscope
