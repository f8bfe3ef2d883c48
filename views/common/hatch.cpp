// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/common/hatch.h"

#include "views/common/theme.h"

#include <QPaintEngine>
#include <QPainterPath>

#include <cmath>

namespace collscope {

namespace {

constexpr int tileSize = 6;

constexpr double lineWidth = 1.5;

/// Paints the lines of the tile as vectors, for vector graphics: there a tile would become pixels, with one
/// image per box.
void paintLines(QPainter& painter, const QRect& box, const QColor& hue, const QColor& tint)
{
    QPainterPath lines;
    const double reach = box.height();
    const double half = lineWidth / std::sqrt(2.0); // half of a line's width along x
    const int count = static_cast<int>(std::ceil((box.width() + reach) / tileSize));
    for (int line = 0; line < count; ++line) {
        const double x = box.left() + line * tileSize;
        lines.addPolygon(
            QPolygonF({QPointF(x - half, box.top()), QPointF(x + half, box.top()),
                       QPointF(x + half - reach, box.top() + reach),
                       QPointF(x - half - reach, box.top() + reach), QPointF(x - half, box.top())}));
    }
    QPainterPath edges;
    edges.addRect(box);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(edges, tint);
    painter.fillPath(lines.intersected(edges), hue);
    painter.restore();
}

QPixmap makeTile(const QColor& hue, const QColor& tint, qreal ratio)
{
    QPixmap tile(QSize(tileSize, tileSize) * ratio);
    tile.setDevicePixelRatio(ratio);
    tile.fill(tint);
    QPainter painter(&tile);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(hue, lineWidth));
    // Draw three lines, so that the corners connect to those of the next tile.
    for (const int shift : {-tileSize, 0, tileSize})
        painter.drawLine(QPointF(shift - 1, tileSize + 1), QPointF(shift + tileSize + 1, -1));
    return tile;
}

} // namespace

QColor waitingTint(const QColor& hue, const QPalette& palette)
{
    constexpr double share = 0.16;
    const QColor base = surfaces(palette).base;
    const auto mix = [](double over, double under) { return share * over + (1 - share) * under; };
    return QColor::fromRgbF(static_cast<float>(mix(hue.redF(), base.redF())),
                            static_cast<float>(mix(hue.greenF(), base.greenF())),
                            static_cast<float>(mix(hue.blueF(), base.blueF())));
}

void Hatch::paint(QPainter& painter, const QRect& box, const QColor& hue, const QPalette& palette)
{
    if (painter.paintEngine()->type() != QPaintEngine::Raster)
        return paintLines(painter, box, hue, waitingTint(hue, palette));
    const qreal ratio = painter.device()->devicePixelRatioF();
    if (ratio != m_ratio) {
        m_tiles.clear();
        m_ratio = ratio;
    }
    const QColor tint = waitingTint(hue, palette);
    const quint64 key = static_cast<quint64>(hue.rgb()) << 32 | tint.rgb();
    auto tile = m_tiles.constFind(key);
    if (tile == m_tiles.constEnd())
        tile = m_tiles.insert(key, makeTile(hue, tint, ratio));
    painter.drawTiledPixmap(box, *tile);
}

} // namespace collscope
