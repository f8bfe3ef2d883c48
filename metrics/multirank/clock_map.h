// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// From each timeline's own time to the axis that all ranks share, and back.

#include "model/units.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace collscope {

/// One timeline's clock against that of the lowest rank it shares collectives with.
struct ClockFit
{
    std::int64_t offsetNs = 0; ///< how far ahead it is at the pivot
    double drift = 0; ///< and how much further ahead per ns
    std::int64_t pivotNs = 0;
    std::int64_t collectives = 0; ///< that the fit rests on
    std::int64_t residualNs = 0; ///< p95 of how far its ends lie from the others' after alignment
    std::int32_t component = -1; ///< timelines that collectives connect; -1: none, nothing is known

    /// How far the clock is ahead at a time of its own.
    std::int64_t aheadNs(std::int64_t ns) const;
};

/// From each timeline's own time to the common axis and back. Monotonous; the way there and back is within
/// 1 ns.
class ClockMap
{
public:
    ClockMap() = default; ///< every clock as it is
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
