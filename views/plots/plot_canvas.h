// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The style that all plots share: fonts, ticks and colours.

#include "views/common/theme.h"

#include <QColor>
#include <QFont>
#include <QFontMetricsF>
#include <QPainter>
#include <QString>

#include <vector>

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

/// Tick positions of a linear axis: 1, 2 or 5 times a power of ten apart, at most `most` ticks in [low,
/// high].
std::vector<double> niceTicks(double low, double high, int most, bool wholeNumbers = false);
/// The colour of the n-th series, from the palette of the kernel classes.
QColor seriesColor(std::size_t index);

} // namespace collscope
