// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/collectives/lateness_image.h"

#include "views/common/palette.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr double gapFrom = 4; ///< px; columns of at least this width are separated by gaps
constexpr std::uint32_t gapPixel = 0xffffffffu;

} // namespace

LatenessScale::LatenessScale(const LatenessCells& cells, const QPalette& palette)
    : m_range(cells)
    , m_perOctave(static_cast<float>(255.0 / std::log2(m_range.mostNs / m_range.leastNs)))
    , m_onTime(onTimeColor(palette).rgb())
{
    for (std::size_t i = 0; i < m_colors.size(); ++i)
        m_colors[i] = latenessColor(LatenessRange::shareAt(static_cast<double>(i) / 255.0), palette).rgb();
}

QRgb LatenessScale::colorOf(float latenessNs) const
{
    if (latenessNs < 0)
        return 0;
    if (latenessNs <= 0)
        return m_onTime;
    const float at = m_perOctave * std::log2(latenessNs / static_cast<float>(m_range.leastNs));
    return m_colors[static_cast<std::size_t>(std::clamp(at, 0.0F, 255.0F))];
}

QImage paintLateness(const LatenessCells& cells, const LatenessScale& scale, const LatenessView& view)
{
    QImage image(view.width, static_cast<int>(view.rankCount), QImage::Format_ARGB32_Premultiplied);
    image.fill(0);
    const auto columns = static_cast<double>(cells.columnCount());
    // If a pixel covers many columns, its bounds are rounded to blocks precomputed by the grid, by less than
    // a quarter of a pixel. Each column still belongs to exactly one pixel.
    const double block = std::exp2(std::max(0.0, std::floor(std::log2(0.25 / view.pixelsPerColumn))));
    // The columns of each pixel, identical for all ranks; empty beyond the last column and in gaps.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ofPixel;
    for (int x = 0; x < view.width; ++x) {
        const double begin = std::floor((view.firstColumn + x / view.pixelsPerColumn) / block) * block;
        const double next = std::floor((view.firstColumn + (x + 1) / view.pixelsPerColumn) / block) * block;
        const bool isGap = view.pixelsPerColumn >= gapFrom && next > begin;
        if (begin < 0 || begin >= columns)
            ofPixel.emplace_back(0, 0);
        else if (isGap)
            ofPixel.emplace_back(gapPixel, gapPixel);
        else
            ofPixel.emplace_back(static_cast<std::uint32_t>(begin),
                                 static_cast<std::uint32_t>(std::min(columns, std::max(next, begin + 1))));
    }
    for (std::size_t i = 0; i < view.rankCount; ++i) {
        auto* const line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(i)));
        for (std::size_t x = 0; x < ofPixel.size(); ++x) {
            const auto [begin, end] = ofPixel[x];
            if (begin == gapPixel) {
                line[x] = view.gap;
                continue;
            }
            if (x > 0 && begin == ofPixel[x - 1].first && end == ofPixel[x - 1].second)
                line[x] = line[x - 1];
            else if (begin < end)
                line[x] = scale.colorOf(cells.largestIn(view.firstRank + i, begin, end));
        }
    }
    return image;
}

} // namespace collscope
