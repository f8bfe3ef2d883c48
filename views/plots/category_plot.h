// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Plots over categories: vertical bars, horizontal bars and coloured cells; and the style shared with plots
// over numbers.

#include "views/plots/plot_page.h"
#include "views/theme.h"

#include <QFont>
#include <QFontMetricsF>
#include <QPainter>

namespace collscope {

/// The colours of the light theme, regardless of the desktop.
QPalette lightPalette();
QFont textFont(double pointSize, QFont::Weight weight = QFont::Normal);
/// Formats a tick value with just enough digits to distinguish neighbours; thin spaces between thousands.
QString tickText(double value, double step);

/// Painter and style of a page.
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

/// Paints a plot whose form is not Axes.
void paintCategoryPlot(const PlotCanvas& canvas, const Plot& plot, const QRectF& cell);

} // namespace collscope
