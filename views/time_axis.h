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
    };
    /// Major ticks are this far apart: 1, 2 or 5 times a power of ten, at least minSpacing px.
    std::int64_t tickStep(double minSpacing) const;
    /// Ticks at multiples of a step (major ones) and of a fifth of it, counted from -originNs.
    std::vector<Tick> ticks(std::int64_t stepNs, std::int64_t originNs = 0) const;

private:
    TimeRange m_range;
    double m_width;
    double m_pixelsPerNs;
};

} // namespace collscope
