// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/summary/parts_bar.h"

#include "views/common/format.h"
#include "views/common/theme.h"

#include <QPainter>

#include <algorithm>

namespace collscope {

namespace {

constexpr int partsBarHeight = 14;
constexpr int partSwatch = 10;
constexpr int partSwatchGap = 7;
constexpr int lineGap = 2;
constexpr int columnGap = 14;

Part partAt(std::size_t index)
{
    return static_cast<Part>(index);
}

} // namespace

PartsBar::PartsBar(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("partsBar"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void PartsBar::setParts(const PartTimes& parts, PartSet unknown)
{
    m_parts = parts;
    m_unknown = unknown;
    setAccessibleName(text());
    update();
}

QString PartsBar::text() const
{
    return partsText(m_parts, m_unknown);
}

QSize PartsBar::sizeHint() const
{
    int width = 0;
    for (std::size_t i = 0; i < partCount; ++i)
        width = std::max(width, fontMetrics().horizontalAdvance(partLabel(partAt(i))));
    const int numbers = fontMetrics().horizontalAdvance(QStringLiteral("999.99 ms")) + columnGap
        + fontMetrics().horizontalAdvance(QStringLiteral("99.9 %"));
    const int line = fontMetrics().height() + lineGap;
    return {partSwatch + partSwatchGap + width + columnGap + numbers,
            partsBarHeight + 2 * lineGap + static_cast<int>(partCount) * line};
}

void PartsBar::paintEvent(QPaintEvent*)
{
    const std::int64_t whole = m_parts.total();
    if (whole <= 0)
        return;
    QPainter painter(this);
    const Surfaces colors = surfaces(palette());
    m_fill.paintStack(painter, {0, 0, width(), partsBarHeight}, m_parts, palette());
    const int height = fontMetrics().height();
    const int percentWidth = fontMetrics().horizontalAdvance(QStringLiteral("99.9 %"));
    int top = partsBarHeight + 2 * lineGap;
    for (std::size_t i = 0; i < partCount; ++i, top += height + lineGap) {
        const std::int64_t ns = m_parts.of(partAt(i));
        m_fill.paint(painter, {0, top + (height - partSwatch) / 2, partSwatch, partSwatch}, partAt(i),
                     palette());
        const int left = partSwatch + partSwatchGap;
        painter.setPen(colors.text);
        painter.drawText(QRect(left, top, width() - left, height), Qt::AlignLeft, partLabel(partAt(i)));
        if (m_unknown[i]) {
            painter.setPen(colors.dimText);
            painter.drawText(QRect(0, top, width(), height), Qt::AlignRight, tr("unknown"));
            continue;
        }
        painter.drawText(QRect(left, top, width() - left - percentWidth - columnGap, height), Qt::AlignRight,
                         formatDuration(ns));
        painter.setPen(colors.dimText);
        painter.drawText(QRect(0, top, width(), height), Qt::AlignRight, partShareText(ns, whole));
    }
}

} // namespace collscope
