// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/findings/late_launches.h"

#include "metrics/core/interval_profile.h"

#include <algorithm>
#include <cmath>

namespace collscope {

std::optional<CpuTimes> LateLaunches::moreBefore(std::uint32_t instance)
{
    std::optional<CpuTimes> more = m_late.cpuBefore(instance);
    std::array<std::vector<double>, idleCauseCount> usual;
    for (RankBetweenCalls& other : m_others) {
        const std::optional<CpuTimes> times = other.cpuBefore(instance);
        for (std::size_t cause = 0; times && cause < idleCauseCount; ++cause)
            usual[cause].push_back(static_cast<double>((*times)[cause]));
    }
    if (!more || usual.front().empty())
        return std::nullopt;
    for (std::size_t cause = 0; cause < idleCauseCount; ++cause)
        (*more)[cause] -= std::llround(middleOf(std::move(usual[cause])));
    return more;
}

void LateLaunches::add(std::uint32_t instance, std::int64_t waitsNs, std::int64_t longestNs)
{
    constexpr std::int64_t promptNs = 100'000;
    const Call& call = m_analysis.run().callOf(m_late.matched().at(instance));
    const SliceRef launch = m_late.launchOf(call);
    if (!launch || longestNs < promptNs
        || m_late.arrivalNs(call) - m_analysis.model().rangeOf(launch).endNs > promptNs)
        return;
    const CpuTimes more = moreBefore(instance).value_or(CpuTimes{});
    m_waitedNs += waitsNs;
    m_longestNs += longestNs;
    for (std::size_t cause = 0; cause < idleCauseCount; ++cause)
        m_moreNs[cause] += more[cause];
}

std::optional<IdleCause> LateLaunches::cause() const
{
    const auto most = std::max_element(m_moreNs.begin(), m_moreNs.end());
    if (2 * *most <= m_longestNs)
        return std::nullopt;
    return static_cast<IdleCause>(most - m_moreNs.begin());
}

} // namespace collscope
