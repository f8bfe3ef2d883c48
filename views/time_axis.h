// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Nanoseconds <-> pixels, and where ticks go. No widget.

#include "model/units.h"

#include <QString>

#include <vector>

namespace collscope {

/// Width in px of the column of names left of every lane. Timeline, minimap and NVLink chart share it, and so
/// their pixels.
constexpr int timelineHeaderWidth = 148;

class TimeAxis
{
public:
    /// `width` is in px of whatever the caller draws in; both must be positive.
    TimeAxis(TimeRange range, double width);

    double xOf(std::int64_t timeNs) const
    {
        return static_cast<double>(timeNs - m_range.beginNs) * m_pixelsPerNs;
    }
    std::int64_t timeAt(double x) const;
    /// Rounded up, at least 1.
    std::int64_t nsPerPixel() const;
    TimeRange range() const { return m_range; }
    double width() const { return m_width; }

    struct Tick
    {
        std::int64_t timeNs = 0;
        double x = 0;
        bool major = false;
        QString label; ///< of major ticks
    };
    /// Ticks at 1, 2 or 5 times a power of ten, major ones at least minSpacing px apart.
    std::vector<Tick> ticks(double minSpacing) const;

private:
    TimeRange m_range;
    double m_width;
    double m_pixelsPerNs;
};

} // namespace collscope
