// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Style of waiting times: hatching in the hue of the collective over a tint of it.

#include <QHash>
#include <QPainter>
#include <QPalette>
#include <QPixmap>

namespace collscope {

/// 16 % of a hue over the background of lists and lanes.
QColor waitingTint(const QColor& hue, const QPalette& palette);

/// Paints hatched boxes; caches one tile per hue.
class Hatch
{
public:
    /// Stripes are positioned relative to the left edge of the box.
    void paint(QPainter& painter, const QRect& box, const QColor& hue, const QPalette& palette);

private:
    QHash<quint64, QPixmap> m_tiles; ///< by hue and tint
    qreal m_ratio = 0; ///< device pixel ratio of m_tiles
};

} // namespace collscope
