// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/findings/cpu_before_calls.h"

#include <algorithm>

namespace collscope {

CpuTimes CpuBeforeCalls::lookAt(const Timeline& timeline, TrackId thread, TimeRange range)
{
    const ThreadLook look = readerOf(timeline).look(thread, range);
    CpuTimes times{};
    std::copy(look.causeNs.begin(), look.causeNs.end(), times.begin());
    const auto set = [&](IdleCause cause, std::int64_t ns) {
        times[static_cast<std::size_t>(cause)] = std::max<std::int64_t>(ns, 0);
    };
    set(IdleCause::Waits, look.waitedNs);
    set(IdleCause::CpuBound, look.recordedNs - look.namedNs - look.waitedNs);
    set(IdleCause::Outside, range.lengthNs() - std::max(look.recordedNs, look.namedNs));
    return times;
}

/// One track of each thread that launches work.
const std::vector<TrackId>& CpuBeforeCalls::launchingThreads(const Timeline& timeline)
{
    const auto [known, isNew] = m_launching.try_emplace(&timeline);
    if (!isNew)
        return known->second;
    TrackId before;
    for (const LaunchLink& work : timeline.launches) {
        if (work.slice.track == before)
            continue;
        before = work.slice.track;
        if (std::none_of(known->second.begin(), known->second.end(),
                         [&](TrackId thread) { return readerOf(timeline).isSameThread(thread, before); }))
            known->second.push_back(before);
    }
    return known->second;
}

std::optional<CpuTimes> CpuBeforeCalls::of(std::uint32_t instance)
{
    const RankBetweenCalls::Matched* const own = m_rank.find(instance);
    if (!own)
        return std::nullopt;
    const Call& call = m_rank.callOf(*own);
    const StepShare* const step = m_rank.stepOf(call);
    const SliceRef launch = m_rank.launchOf(call);
    const std::optional<std::size_t> before = own->last;
    const SliceRef last = before ? m_rank.launchOf(m_rank.callOf(m_rank.matched()[*before])) : SliceRef();
    if (!step || !launch || (before && !last))
        return std::nullopt;
    const TimeRange range{last ? m_model.rangeOf(last).endNs : step->step.range.beginNs,
                          m_model.rangeOf(launch).beginNs};
    if (range.isEmpty())
        return CpuTimes{};
    // One thread hands over to another one, as autograd does: what any of them does may delay the launch.
    CpuTimes times = lookAt(*call.timeline, launch.track, range);
    constexpr auto outside = static_cast<std::size_t>(IdleCause::Outside);
    for (const TrackId thread : launchingThreads(*call.timeline)) {
        if (readerOf(*call.timeline).isSameThread(thread, launch.track))
            continue;
        const CpuTimes others = lookAt(*call.timeline, thread, range);
        for (std::size_t cause = 0; cause < times.size(); ++cause)
            times[cause] = cause == outside ? std::min(times[cause], others[cause])
                                            : std::max(times[cause], others[cause]);
    }
    return times;
}

} // namespace collscope
