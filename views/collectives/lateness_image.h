// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Cells of a LatenessGrid as pixels: never more work than there are pixels, however many collectives.

#include "metrics/multirank/lateness_grid.h"

#include <QImage>
#include <QPalette>

#include <array>

namespace collscope {

/// From lateness to colour: logarithmic from what the clocks can tell to the largest.
class LatenessScale
{
public:
    LatenessScale() = default;
    LatenessScale(const LatenessGrid& grid, const QPalette& palette);

    double leastNs() const { return m_least; }
    double mostNs() const { return m_most; }
    /// 0 = on time; transparent = the rank is not in it.
    QRgb colorOf(float latenessNs) const;
    /// 0 = least, 1 = most; in between logarithmic.
    QRgb colorAt(double share) const { return m_colors[static_cast<std::size_t>(share * 255)]; }

private:
    double m_least = 1, m_most = 10;
    float m_perOctave = 0;
    QRgb m_onTime = 0;
    std::array<QRgb, 256> m_colors{};
};

/// Which cells, and how large. Columns may be narrower than a pixel.
struct LatenessView
{
    double firstColumn = 0;
    double pixelsPerColumn = 1; ///< of the image
    int width = 0; ///< pixels
    std::size_t firstRank = 0, rankCount = 0;
    QRgb gap = 0; ///< between columns that are wide enough to stand apart
    friend bool operator==(const LatenessView&, const LatenessView&) = default;
};

/// One row of pixels per rank; what has no cell is transparent. A pixel shows the latest of its columns.
/// O(pixels x log columns).
QImage paintLateness(const LatenessGrid& grid, const LatenessScale& scale, const LatenessView& view);

} // namespace collscope
