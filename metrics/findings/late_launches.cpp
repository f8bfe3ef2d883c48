// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/findings/late_launches.h"

#include "metrics/core/interval_profile.h"

#include <algorithm>
#include <cmath>

namespace collscope {

SliceRef LateLaunches::launchOf(const Call& call) const
{
    const Track& track = m_analysis.model().track(call.slice.track);
    const std::uint32_t correlation = track.slices.correlation[call.slice.row];
    return correlation != 0 ? call.timeline->launchOf(correlation) : SliceRef();
}

/// What the launching thread did before the launch of a call; nullopt without a launch.
std::optional<LateLaunches::CpuTimes>
LateLaunches::beforeLaunch(RankBetweenCalls& rank, std::uint32_t instance, std::int64_t lengthNs) const
{
    const auto own = rank.matched().find(instance);
    if (own == rank.matched().end())
        return std::nullopt;
    const Call& call = m_analysis.callOf(own->second);
    const SliceRef launch = launchOf(call);
    if (!launch)
        return std::nullopt;
    const std::int64_t launchedNs = m_analysis.model().rangeOf(launch).beginNs;
    const ThreadLook look
        = rank.readerOf(*call.timeline).look(launch.track, {launchedNs - lengthNs, launchedNs});
    CpuTimes times{};
    std::copy(look.causeNs.begin(), look.causeNs.end(), times.begin());
    times[static_cast<std::size_t>(IdleCause::Waits)] = look.waitedNs;
    times[static_cast<std::size_t>(IdleCause::CpuBound)]
        = std::max<std::int64_t>(look.recordedNs - look.namedNs - look.waitedNs, 0);
    return times;
}

void LateLaunches::add(std::uint32_t instance, std::int64_t waitsNs, std::int64_t longestNs)
{
    constexpr std::int64_t promptNs = 100'000;
    const Call& call = m_analysis.callOf(m_late.matched().at(instance));
    const SliceRef launch = launchOf(call);
    if (!launch || longestNs < promptNs
        || m_late.arrivalNs(call) - m_analysis.model().rangeOf(launch).endNs > promptNs)
        return;
    std::array<std::vector<double>, idleCauseCount> usual;
    for (RankBetweenCalls& other : m_others) {
        const std::optional<CpuTimes> times = beforeLaunch(other, instance, longestNs);
        for (std::size_t cause = 0; times && cause < idleCauseCount; ++cause)
            usual[cause].push_back(static_cast<double>((*times)[cause]));
    }
    m_waitedNs += waitsNs;
    m_beforeNs += longestNs;
    const CpuTimes late = beforeLaunch(m_late, instance, longestNs).value_or(CpuTimes{});
    for (std::size_t cause = 0; cause < idleCauseCount; ++cause)
        m_moreNs[cause] += late[cause] - std::llround(middleOf(std::move(usual[cause])));
}

std::optional<IdleCause> LateLaunches::cause() const
{
    const auto most = std::max_element(m_moreNs.begin(), m_moreNs.end());
    if (2 * *most <= m_beforeNs)
        return std::nullopt;
    return static_cast<IdleCause>(most - m_moreNs.begin());
}

} // namespace collscope
