// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/charts/chart_legend.h"

#include "views/common/theme.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr int swatchWidth = 12;
constexpr int swatchSpace = 4;
constexpr int entrySpace = 14;

/// A row of swatches and texts. Without a painter, it only measures.
class Row
{
public:
    Row(QPainter* painter, const QRectF& row, const QFontMetrics& metrics, const Surfaces& colors)
        : m_painter(painter)
        , m_row(row)
        , m_metrics(metrics)
        , m_colors(colors)
        , m_x(row.left())
    { }

    void text(const QString& text, const QColor& color)
    {
        if (text.isEmpty())
            return;
        const int width = m_metrics.horizontalAdvance(text);
        if (m_painter) {
            m_painter->setPen(color);
            m_painter->drawText(QRectF(m_x, m_row.top(), width + 2, m_row.height()),
                                Qt::AlignLeft | Qt::AlignVCenter, text);
        }
        m_x += width + swatchSpace;
    }
    void swatch(const QColor& color)
    {
        if (m_painter)
            m_painter->fillRect(QRectF(m_x, m_row.center().y() - 1, swatchWidth, 3), color);
        m_x += swatchWidth + swatchSpace;
    }
    void endEntry() { m_x += entrySpace - swatchSpace; }
    double width() const { return m_x - m_row.left(); }

    void inFull(const ChartLegend& legend)
    {
        for (const ChartLegend::Entry& entry : legend.entries) {
            text(entry.name, m_colors.dimText);
            for (const ChartLegend::Line& line : entry.lines) {
                swatch(line.color);
                text(line.name, m_colors.text);
            }
            endEntry();
        }
    }
    void shortened(const ChartLegend& legend)
    {
        text(legend.shortTitle, m_colors.dimText);
        const double share = (m_row.width() - width()) / static_cast<double>(legend.entries.size());
        for (const ChartLegend::Entry& entry : legend.entries) {
            for (const ChartLegend::Line& line : entry.lines)
                swatch(line.color);
            const QString name = entry.shortName.isEmpty() ? entry.lines.front().name : entry.shortName;
            const int room = static_cast<int>(share) - swatchWidth - swatchSpace - entrySpace;
            text(entry.shortName.isEmpty() ? m_metrics.elidedText(name, Qt::ElideRight, std::max(room, 0))
                                           : name,
                 m_colors.text);
            endEntry();
        }
    }

private:
    QPainter* m_painter;
    QRectF m_row;
    QFontMetrics m_metrics;
    Surfaces m_colors;
    double m_x;
};

} // namespace

void paintLegend(QPainter& painter, const QRectF& row, const ChartLegend& legend, const QPalette& palette)
{
    if (legend.entries.empty())
        return;
    const QFontMetrics metrics = painter.fontMetrics();
    const Surfaces colors = surfaces(palette);
    Row measured(nullptr, row, metrics, colors);
    measured.inFull(legend);
    Row painted(&painter, row, metrics, colors);
    if (measured.width() - entrySpace <= row.width())
        painted.inFull(legend);
    else
        painted.shortened(legend);
}

} // namespace collscope
