// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/density_index.h"

#include <algorithm>

namespace collscope {

DensityIndex::DensityIndex(const SliceColumns& slices)
{
    std::int64_t sum = 0;
    for (std::size_t row = 0; row < slices.size(); ++row) {
        if (slices.depth[row] > 0)
            continue;
        m_startNs.push_back(slices.startNs[row]);
        m_lengthNs.push_back(slices.durationNs[row]);
        m_sumNs.push_back(sum);
        sum += slices.durationNs[row];
    }
}

std::int64_t DensityIndex::busyBefore(std::int64_t timeNs) const
{
    const auto after = std::upper_bound(m_startNs.begin(), m_startNs.end(), timeNs);
    if (after == m_startNs.begin())
        return 0;
    const auto last = static_cast<std::size_t>(after - m_startNs.begin()) - 1;
    return m_sumNs[last] + std::min(m_lengthNs[last], timeNs - m_startNs[last]);
}

std::int64_t DensityIndex::busyNs(std::int64_t beginNs, std::int64_t endNs) const
{
    return busyBefore(endNs) - busyBefore(beginNs);
}

} // namespace collscope
