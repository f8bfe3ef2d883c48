// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/rows/pixel_lines.h"

#include <QPaintEngine>

#include <algorithm>
#include <cstring>

namespace collscope {

namespace {

/// Paints a line of pixels as rectangles, for vector output. Each rectangle extends under its right
/// neighbour, which prevents visible seams.
void paintLine(QPainter& painter, QPoint top, int height, const std::vector<QRgb>& line)
{
    for (auto begin = line.begin(); begin != line.end();) {
        const auto end = std::find(begin, line.end(), QRgb{0});
        while (begin != end) {
            const QRgb colour = *begin;
            painter.fillRect(top.x() + static_cast<int>(begin - line.begin()), top.y(),
                             static_cast<int>(end - begin), height, QColor::fromRgb(colour));
            begin = std::find_if(begin, end, [colour](QRgb other) { return other != colour; });
        }
        begin = std::find_if(end, line.end(), [](QRgb colour) { return colour != 0; });
    }
}

} // namespace

QRgb blended(QRgb over, QRgb under, float share)
{
    const auto mix = [share](int a, int b) {
        return static_cast<int>(static_cast<float>(a) * share + static_cast<float>(b) * (1 - share));
    };
    return qRgb(mix(qRed(over), qRed(under)), mix(qGreen(over), qGreen(under)),
                mix(qBlue(over), qBlue(under)));
}

void PixelLines::fill(int level, int left, int right, QRgb colour)
{
    const auto index = static_cast<std::size_t>(level);
    if (m_lines.size() <= index)
        m_lines.resize(index + 1);
    std::vector<QRgb>& line = m_lines[index];
    if (line.empty())
        line.resize(static_cast<std::size_t>(m_width), 0);
    left = std::clamp(left, 0, m_width);
    right = std::clamp(right, left, m_width);
    std::fill(line.begin() + left, line.begin() + right, colour);
}

void PixelLines::paint(QPainter& painter, QPoint top, int laneHeight, int height, QImage& stripe) const
{
    if (stripe.width() != m_width || stripe.height() < height)
        stripe = QImage(m_width, height, QImage::Format_ARGB32_Premultiplied);
    for (std::size_t level = 0; level < m_lines.size() && !stripe.isNull(); ++level) {
        if (m_lines[level].empty())
            continue;
        const QPoint at = top + QPoint(0, static_cast<int>(level) * laneHeight);
        if (painter.paintEngine()->type() != QPaintEngine::Raster) {
            paintLine(painter, at, height, m_lines[level]);
            continue;
        }
        for (int y = 0; y < height; ++y)
            std::memcpy(stripe.scanLine(y), m_lines[level].data(), m_lines[level].size() * sizeof(QRgb));
        painter.drawImage(at, stripe, QRect(0, 0, m_width, height));
    }
}

} // namespace collscope
