// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// LatenessCells as pixels. The work depends on the number of pixels, not of collectives.

#include "metrics/looks/lateness_range.h"

#include <QImage>
#include <QPalette>

#include <array>

namespace collscope {

/// Maps lateness to colour, logarithmically from the clock uncertainty to the largest value.
class LatenessScale
{
public:
    LatenessScale() = default;
    LatenessScale(const LatenessCells& cells, const QPalette& palette);

    double leastNs() const { return m_range.leastNs; }
    double mostNs() const { return m_range.mostNs; }
    /// Colour of a lateness; 0 = on time. Transparent if the rank is not a member.
    QRgb colorOf(float latenessNs) const;
    /// Colour at a position on the scale: 0 = least, 1 = most, logarithmic in between.
    QRgb colorAt(double share) const { return m_colors[static_cast<std::size_t>(share * 255)]; }

private:
    LatenessRange m_range;
    float m_perOctave = 0;
    QRgb m_onTime = 0;
    std::array<QRgb, 256> m_colors{};
};

/// Visible cells and their size. Columns may be narrower than a pixel.
struct LatenessView
{
    double firstColumn = 0;
    double pixelsPerColumn = 1; ///< image pixels per column
    int width = 0; ///< pixels
    std::size_t firstRank = 0, rankCount = 0;
    QRgb gap = 0; ///< colour between columns that are wide enough for gaps
    friend bool operator==(const LatenessView&, const LatenessView&) = default;
};

/// Paints one row of pixels per rank, transparent where cells are missing. A pixel shows the largest lateness
/// of its columns. O(pixels x log columns).
QImage paintLateness(const LatenessCells& cells, const LatenessScale& scale, const LatenessView& view);

} // namespace collscope
