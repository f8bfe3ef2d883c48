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

std::int64_t DensityIndex::busyOf(std::size_t next, std::int64_t timeNs) const
{
    return next == 0 ? 0 : m_sumNs[next - 1] + std::min(m_lengthNs[next - 1], timeNs - m_startNs[next - 1]);
}

std::int64_t DensityIndex::Cursor::busyBefore(std::int64_t timeNs)
{
    const std::vector<std::int64_t>& starts = m_index.m_startNs;
    while (m_at > 0 && starts[m_at - 1] > timeNs)
        --m_at; // rounding to pixels may step back a little
    std::size_t step = 1;
    while (m_at + step < starts.size() && starts[m_at + step] <= timeNs) {
        m_at += step;
        step *= 2;
    }
    const auto begin = starts.begin() + static_cast<std::ptrdiff_t>(m_at);
    const auto end = starts.begin() + static_cast<std::ptrdiff_t>(std::min(m_at + step, starts.size()));
    m_at = static_cast<std::size_t>(std::upper_bound(begin, end, timeNs) - starts.begin());
    return m_index.busyOf(m_at, timeNs);
}

} // namespace collscope
