// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The scale of lateness: logarithmic from the clock uncertainty to the largest value, with an emphasis on the
// largest.

#include "metrics/matching/lateness_cells.h"

#include <algorithm>
#include <cmath>

namespace collscope {

struct LatenessRange
{
    LatenessRange() = default;
    explicit LatenessRange(const LatenessCells& cells)
        : leastNs(static_cast<double>(std::max<std::int64_t>(cells.significantNs, 1)))
        , mostNs(std::max(static_cast<double>(cells.largest), 10 * leastNs)) // keeps small lateness pale
    { }

    double leastNs = 1, mostNs = 10;

    /// Where a lateness above 0 is on the scale: 0 = least, 1 = most.
    double positionOf(double latenessNs) const
    {
        return std::clamp(std::log2(latenessNs / leastNs) / std::log2(mostNs / leastNs), 0.0, 1.0);
    }
    /// The share for latenessShade() at a position. The largest lateness stands out.
    static double shareAt(double position) { return std::pow(position, 2.5); }
};

} // namespace collscope
