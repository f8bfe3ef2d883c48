// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/summary/parts_bar.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/theme.h"

#include <QLocale>
#include <QPainter>

#include <array>
#include <cmath>

namespace collscope {

namespace {

constexpr int barHeight = 14;
constexpr int swatch = 10;
constexpr int swatchGap = 7;
constexpr int lineGap = 2;
constexpr int columnGap = 14;

/// In the order of Part.
const std::array<const char*, partCount> partTexts{
    QT_TRANSLATE_NOOP("collscope::PartsBar", "computing"),
    QT_TRANSLATE_NOOP("collscope::PartsBar", "exposed communication"),
    QT_TRANSLATE_NOOP("collscope::PartsBar", "waiting for other ranks"),
    QT_TRANSLATE_NOOP("collscope::PartsBar", "exposed copies"),
    QT_TRANSLATE_NOOP("collscope::PartsBar", "idle")};

Part partAt(std::size_t index)
{
    return static_cast<Part>(index);
}

QString shareText(std::int64_t ns, std::int64_t whole)
{
    const double percent = whole > 0 ? 100.0 * static_cast<double>(ns) / static_cast<double>(whole) : 0;
    return QLocale().toString(percent, 'f', percent < 10 && ns > 0 ? 1 : 0) + QStringLiteral(" %");
}

} // namespace

PartsBar::PartsBar(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("partsBar"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void PartsBar::setParts(const PartTimes& parts)
{
    m_parts = parts;
    setAccessibleName(text());
    update();
}

QString PartsBar::text() const
{
    QStringList lines;
    for (std::size_t i = 0; i < partCount; ++i) {
        const std::int64_t ns = m_parts.of(partAt(i));
        lines << tr("%1 %2, %3").arg(tr(partTexts[i]), formatDuration(ns), shareText(ns, m_parts.total()));
    }
    return lines.join(QStringLiteral("; "));
}

QSize PartsBar::sizeHint() const
{
    int width = 0;
    for (const char* text : partTexts)
        width = std::max(width, fontMetrics().horizontalAdvance(tr(text)));
    const int numbers = fontMetrics().horizontalAdvance(QStringLiteral("999.99 ms")) + columnGap
        + fontMetrics().horizontalAdvance(QStringLiteral("99.9 %"));
    const int line = fontMetrics().height() + lineGap;
    return {swatch + swatchGap + width + columnGap + numbers,
            barHeight + 2 * lineGap + static_cast<int>(partCount) * line};
}

void PartsBar::paintFill(QPainter& painter, const QRect& box, Part part)
{
    const Surfaces colors = surfaces(palette());
    switch (part) {
    case Part::Compute:
        return painter.fillRect(box, kernelColor(KernelClass::Gemm, palette()));
    case Part::Communication:
        return painter.fillRect(box, kernelColor(KernelClass::AllGather, palette()));
    case Part::Waiting:
        return m_hatch.paint(painter, box, kernelColor(KernelClass::AllReduce, palette()), palette());
    case Part::Copy:
        return painter.fillRect(box, kernelColor(KernelClass::Copy, palette()));
    case Part::Idle:
        return painter.fillRect(box, colors.line);
    }
}

void PartsBar::paintEvent(QPaintEvent*)
{
    const std::int64_t whole = m_parts.total();
    if (whole <= 0)
        return;
    QPainter painter(this);
    const Surfaces colors = surfaces(palette());
    std::int64_t before = 0;
    const auto x = [&](std::int64_t ns) {
        return static_cast<int>(std::lround(static_cast<double>(ns) / static_cast<double>(whole) * width()));
    };
    for (std::size_t i = 0; i < partCount; ++i) {
        const std::int64_t ns = m_parts.of(partAt(i));
        if (x(before + ns) > x(before))
            paintFill(painter, {x(before), 0, x(before + ns) - x(before), barHeight}, partAt(i));
        before += ns;
    }
    const int height = fontMetrics().height();
    const int percentWidth = fontMetrics().horizontalAdvance(QStringLiteral("99.9 %"));
    int top = barHeight + 2 * lineGap;
    for (std::size_t i = 0; i < partCount; ++i, top += height + lineGap) {
        const std::int64_t ns = m_parts.of(partAt(i));
        paintFill(painter, {0, top + (height - swatch) / 2, swatch, swatch}, partAt(i));
        const int left = swatch + swatchGap;
        painter.setPen(colors.text);
        painter.drawText(QRect(left, top, width() - left, height), Qt::AlignLeft, tr(partTexts[i]));
        painter.drawText(QRect(left, top, width() - left - percentWidth - columnGap, height), Qt::AlignRight,
                         formatDuration(ns));
        painter.setPen(colors.dimText);
        painter.drawText(QRect(0, top, width(), height), Qt::AlignRight, shareText(ns, whole));
    }
}

} // namespace collscope
