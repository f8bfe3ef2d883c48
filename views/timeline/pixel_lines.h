// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Boxes of a few pixels, by the ten thousand.

#include <QImage>
#include <QPainter>

#include <vector>

namespace collscope {

/// A share of one colour over another, both opaque.
QRgb blended(QRgb over, QRgb under, float share);

/// Written into one line of pixels per level, which is then repeated over the level's height. A tenth of the
/// time of as many fillRect() calls.
class PixelLines
{
public:
    explicit PixelLines(int width)
        : m_width(width)
    { }
    /// Columns [left, right) of a level, in px from the left of the lanes.
    void fill(int level, int left, int right, QRgb colour);
    /// With the first level at `top` and one each laneHeight below, of which `height` px are filled. `stripe`
    /// is memory to use, so that it need not be asked for each time.
    void paint(QPainter& painter, QPoint top, int laneHeight, int height, QImage& stripe) const;

private:
    int m_width;
    std::vector<std::vector<QRgb>> m_lines; ///< by level; transparent where nothing is
};

} // namespace collscope
