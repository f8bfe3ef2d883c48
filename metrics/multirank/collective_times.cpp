// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/multirank/collective_times.h"

#include "metrics/multirank/clock_alignment.h"

#include <algorithm>

namespace collscope {

CollectiveTimes CollectiveTimer::of(const Instance& instance)
{
    CollectiveTimes times;
    m_members.clear();
    times.transferNs = std::numeric_limits<std::int64_t>::max();
    for (const CallRef member : m_matching.membersOf(instance)) {
        const Call& call = m_ranks[member.rank].calls[member.call];
        m_members.push_back(m_clocks.toAxis(m_model.indexOf(*call.timeline), call.range));
        times.transferNs = std::min(times.transferNs, call.durationNs());
    }
    if (m_byDuration) {
        const CallRef first = m_matching.membersOf(instance).front();
        if (waitsForAll(m_ranks[first.rank].calls[first.call].kind))
            leaveTogether();
    }
    times.departures = {m_members.front().endNs, m_members.front().endNs};
    for (std::uint32_t i = 0; i < m_members.size(); ++i) {
        if (m_members[i].beginNs < m_members[times.first].beginNs)
            times.first = i;
        if (m_members[i].beginNs > m_members[times.last].beginNs)
            times.last = i;
        times.departures.beginNs = std::min(times.departures.beginNs, m_members[i].endNs);
        times.departures.endNs = std::max(times.departures.endNs, m_members[i].endNs);
    }
    times.arrivals = {m_members[times.first].beginNs, m_members[times.last].beginNs};
    times.aheadOfLastNs = times.skewNs();
    for (std::uint32_t i = 0; i < m_members.size(); ++i) {
        const std::int64_t aheadNs = times.arrivals.endNs - m_members[i].beginNs;
        times.waitNs += aheadNs;
        if (i != times.last)
            times.aheadOfLastNs = std::min(times.aheadOfLastNs, aheadNs);
    }
    return times;
}

void CollectiveTimer::leaveTogether()
{
    std::int64_t endNs = m_members.front().endNs;
    for (const TimeRange member : m_members)
        endNs = std::max(endNs, member.endNs);
    for (TimeRange& member : m_members)
        member = {endNs - member.lengthNs(), endNs};
}

} // namespace collscope
