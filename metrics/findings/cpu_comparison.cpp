// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/findings/cpu_comparison.h"

#include "metrics/core/interval_profile.h"

#include <algorithm>
#include <cmath>

namespace collscope {

std::optional<CpuTimes> CpuComparison::moreBefore(std::uint32_t instance, const CpuTimes& own)
{
    std::array<std::vector<double>, idleCauseCount> usual;
    for (RankBetweenCalls& other : m_others) {
        if (m_late.handsWorkTo(other.rank()))
            continue;
        const std::optional<CpuTimes> times = other.cpuBefore(instance);
        for (std::size_t cause = 0; times && cause < idleCauseCount; ++cause)
            usual[cause].push_back(static_cast<double>((*times)[cause]));
    }
    if (usual.front().empty())
        return std::nullopt;
    CpuTimes more = own;
    for (std::size_t cause = 0; cause < idleCauseCount; ++cause)
        more[cause] -= std::llround(middleOf(std::move(usual[cause])));
    return more;
}

CpuComparison::Compared CpuComparison::compare(std::vector<Delay> delays)
{
    constexpr std::size_t enough = 32;
    std::sort(delays.rbegin(), delays.rend());
    delays.resize(std::min(delays.size(), enough));
    Compared all;
    for (const auto& [delayNs, instance] : delays) {
        const std::optional<CpuTimes> own = m_late.cpuBefore(instance);
        const std::optional<CpuTimes> more = own ? moreBefore(instance, *own) : std::nullopt;
        if (!more)
            continue;
        all.delayNs += delayNs;
        for (std::size_t cause = 0; cause < idleCauseCount; ++cause) {
            all.ownNs[cause] += (*own)[cause];
            all.moreNs[cause] += (*more)[cause];
        }
    }
    return all;
}

} // namespace collscope
