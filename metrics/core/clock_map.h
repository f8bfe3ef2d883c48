// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Conversion between each timeline's own time and the axis that all ranks share.

#include "model/units.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace collscope {

/// One timeline's clock relative to that of the lowest rank it shares collectives with.
struct ClockFit
{
    std::int64_t offsetNs = 0; ///< lead at the pivot
    double drift = 0; ///< additional lead per ns
    std::int64_t pivotNs = 0;
    std::int64_t collectives = 0; ///< number of collectives used for the fit
    std::int64_t residualNs = 0; ///< p95 of the distances of its ends from the others' after alignment
    std::int32_t component
        = -1; ///< set of timelines connected by collectives; -1: none, the clock is unknown

    /// Lead of the clock at a time of this clock.
    std::int64_t aheadNs(std::int64_t ns) const;
};

/// Converts between each timeline's own time and the common axis. Monotonic; a round trip is accurate to 1
/// ns.
class ClockMap
{
public:
    ClockMap() = default; ///< all clocks as recorded
    explicit ClockMap(std::vector<ClockFit> fits)
        : m_fits(std::move(fits))
    { }

    bool isIdentity() const { return m_fits.empty(); }
    std::int64_t toAxis(std::size_t timeline, std::int64_t ns) const
    {
        return timeline < m_fits.size() ? ns - m_fits[timeline].aheadNs(ns) : ns;
    }
    std::int64_t fromAxis(std::size_t timeline, std::int64_t axisNs) const;
    TimeRange toAxis(std::size_t timeline, TimeRange range) const
    {
        return {toAxis(timeline, range.beginNs), toAxis(timeline, range.endNs)};
    }
    TimeRange fromAxis(std::size_t timeline, TimeRange range) const
    {
        return {fromAxis(timeline, range.beginNs), fromAxis(timeline, range.endNs)};
    }

private:
    std::vector<ClockFit> m_fits;
};

} // namespace collscope
