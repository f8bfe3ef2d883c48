// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/core/clock_map.h"

#include <cmath>

namespace collscope {

std::int64_t ClockFit::aheadNs(std::int64_t ns) const
{
    return drift == 0 ? offsetNs : offsetNs + std::llround(drift * static_cast<double>(ns - pivotNs));
}

std::int64_t ClockMap::fromAxis(std::size_t timeline, std::int64_t axisNs) const
{
    if (timeline >= m_fits.size())
        return axisNs;
    const ClockFit& fit = m_fits[timeline];
    if (fit.drift == 0)
        return axisNs + fit.offsetNs;
    const auto behind = static_cast<double>(axisNs + fit.offsetNs - fit.pivotNs);
    return axisNs + fit.offsetNs + std::llround(behind * fit.drift / (1.0 - fit.drift));
}

} // namespace collscope
