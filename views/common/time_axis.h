// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Conversion between nanoseconds and pixels, and placement of ticks. Independent of any widget.

#include "model/units.h"

#include <QString>

#include <vector>

namespace collscope {

/// Width in px of the name column left of every lane. Timeline, minimap and NVLink chart share it, so that
/// their pixels line up.
constexpr int timelineHeaderWidth = 148;

class TimeAxis
{
public:
    /// `width` is in px of the target that the caller draws in; range and width must be positive.
    TimeAxis(TimeRange range, double width);

    double xOf(std::int64_t timeNs) const
    {
        return static_cast<double>(timeNs - m_range.beginNs) * m_pixelsPerNs;
    }
    std::int64_t timeAt(double x) const;
    /// Duration of one pixel in ns, rounded up, at least 1.
    std::int64_t nsPerPixel() const;
    TimeRange range() const { return m_range; }
    double width() const { return m_width; }

    struct Tick
    {
        std::int64_t timeNs = 0;
        double x = 0;
        bool major = false;
    };
    /// Distance of major ticks in ns: 1, 2 or 5 times a power of ten, at least minSpacing px.
    std::int64_t tickStep(double minSpacing) const;
    /// Ticks at multiples of a step (major) and of a fifth of it (minor), counted from -originNs.
    std::vector<Tick> ticks(std::int64_t stepNs, std::int64_t originNs = 0) const;

private:
    TimeRange m_range;
    double m_width;
    double m_pixelsPerNs;
};

} // namespace collscope
