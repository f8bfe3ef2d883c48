// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How far two pictures of the window differ. Antialiasing differs from machine to machine; words, rows and
// colours do not.

#include <QImage>

#include <algorithm>
#include <cstdlib>

namespace collscope {

inline constexpr int sameColor = 40; ///< of 255, per channel, after averaging blocks
inline constexpr double mostDiffering = 0.004; ///< share of blocks
inline constexpr int pictureBlock = 4; ///< px

/// Averages of blocks, so that a glyph that is half a pixel aside is the same picture.
inline QImage averaged(const QImage& image)
{
    return image.convertToFormat(QImage::Format_RGB32)
        .scaled(image.width() / pictureBlock, image.height() / pictureBlock, Qt::IgnoreAspectRatio,
                Qt::SmoothTransformation);
}

/// Of pictures of one size.
inline double differingShare(const QImage& a, const QImage& b)
{
    const QImage left = averaged(a);
    const QImage right = averaged(b);
    qint64 differing = 0;
    for (int y = 0; y < left.height(); ++y) {
        for (int x = 0; x < left.width(); ++x) {
            const QRgb p = left.pixel(x, y);
            const QRgb q = right.pixel(x, y);
            const int apart = std::max({std::abs(qRed(p) - qRed(q)), std::abs(qGreen(p) - qGreen(q)),
                                        std::abs(qBlue(p) - qBlue(q))});
            differing += apart > sameColor ? 1 : 0;
        }
    }
    return static_cast<double>(differing) / static_cast<double>(left.width() * left.height());
}

} // namespace collscope
