// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/matching/collective_times.h"

#include "metrics/matching/clock_alignment.h"
#include "metrics/matching/wait_rule.h"

#include <algorithm>
#include <cassert>

namespace collscope {

CollectiveTimes CollectiveTimer::of(const CollectiveInstance& instance)
{
    CollectiveTimes times = withoutWaits(instance);
    measureWaits(instance, times);
    return times;
}

CollectiveTimes CollectiveTimer::withoutWaits(const CollectiveInstance& instance)
{
    assert(!m_matching.membersOf(instance).empty());
    CollectiveTimes times;
    m_members.clear();
    m_waits.clear();
    m_lateness.clear();
    times.transferNs = std::numeric_limits<std::int64_t>::max();
    for (const CallRef member : m_matching.membersOf(instance)) {
        const Call& call = m_ranks[member.rank].calls[member.call];
        m_members.push_back(m_clocks.toAxis(m_model.indexOf(*call.timeline), call.range));
        times.transferNs = std::min(times.transferNs, call.durationNs());
    }
    if (m_byDuration) {
        const CallRef first = m_matching.membersOf(instance).front();
        if (synchronises(m_ranks[first.rank].calls[first.call].kind))
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
        if (i != times.last)
            times.aheadOfLastNs = std::min(times.aheadOfLastNs, times.arrivals.endNs - m_members[i].beginNs);
    }
    return times;
}

void CollectiveTimer::measureWaits(const CollectiveInstance& instance, CollectiveTimes& times)
{
    m_waits.assign(m_members.size(), 0);
    m_lateness.assign(m_members.size(), 0);
    times.awaited = times.last;
    times.longest = times.first;
    const CallRef first = m_matching.membersOf(instance).front();
    const WaitRule rule = waitRuleOf(m_model, m_ranks[first.rank].calls[first.call]);
    times.tellsTransfer = !hasRoot(rule);
    if (m_members.size() < 2 || instance.confidence == MatchConfidence::OrderAlone)
        return;
    if (rule == WaitRule::AllForAll) {
        waitForAll(times);
    } else if (rule != WaitRule::Unknown) {
        const std::optional<std::uint32_t> root = rootIn(instance);
        if (!root)
            return;
        if (rule == WaitRule::AllForRoot)
            waitForRoot(*root, times);
        else
            waitAsRoot(*root, times);
    } else {
        return;
    }
    times.tellsWaits = true;
    summarizeWaits(times);
}

void CollectiveTimer::summarizeWaits(CollectiveTimes& times) const
{
    std::int64_t nextNs = 0; // lateness of the rank before the awaited one
    for (std::uint32_t i = 0; i < m_waits.size(); ++i) {
        times.waitNs += m_waits[i];
        if (m_waits[i] > times.heldNs) {
            times.heldNs = m_waits[i];
            times.longest = i;
        }
        if (i != times.awaited)
            nextNs = std::max(nextNs, m_lateness[i]);
    }
    times.leadNs = m_lateness[times.awaited] - nextNs;
    const std::int64_t awaitedNs = m_members[times.awaited].beginNs;
    const auto together = std::count_if(m_members.begin(), m_members.end(), [&](const TimeRange member) {
        return 10 * (awaitedNs - member.beginNs) <= times.heldNs;
    });
    times.isMostTogether
        = times.heldNs > 0 && together > 1 && 2 * together > static_cast<std::int64_t>(m_members.size());
}

/// The time from a member's start to a moment, at most to its end.
std::int64_t CollectiveTimer::waitUntil(std::uint32_t member, std::int64_t ns) const
{
    const TimeRange own = m_members[member];
    return std::max<std::int64_t>(0, std::min(ns, own.endNs) - own.beginNs);
}

void CollectiveTimer::waitForAll(CollectiveTimes& times)
{
    for (std::uint32_t i = 0; i < m_members.size(); ++i) {
        m_waits[i] = waitUntil(i, times.arrivals.endNs);
        m_lateness[i] = m_members[i].beginNs - times.arrivals.beginNs;
    }
}

/// The others wait for the root, which does not wait and may have ended long before.
void CollectiveTimer::waitForRoot(std::uint32_t root, CollectiveTimes& times)
{
    times.awaited = root;
    for (std::uint32_t i = 0; i < m_members.size(); ++i) {
        m_waits[i] = i == root ? 0 : waitUntil(i, m_members[root].beginNs);
        m_lateness[root] = std::max(m_lateness[root], m_waits[i]);
    }
}

/// The root waits for the last of the others, which may end early.
void CollectiveTimer::waitAsRoot(std::uint32_t root, CollectiveTimes& times)
{
    std::optional<std::uint32_t> last;
    for (std::uint32_t i = 0; i < m_members.size(); ++i) {
        if (i == root)
            continue;
        if (!last || m_members[i].beginNs > m_members[*last].beginNs)
            last = i;
        m_lateness[i] = waitUntil(root, m_members[i].beginNs);
    }
    times.awaited = *last;
    m_waits[root] = m_lateness[*last];
}

/// The member that is the root; nullopt if the trace does not state it, or its rank is not a member.
std::optional<std::uint32_t> CollectiveTimer::rootIn(const CollectiveInstance& instance) const
{
    const auto members = m_matching.membersOf(instance);
    std::optional<std::int64_t> root;
    for (const CallRef member : members) {
        const auto own = rootOf(m_ranks[member.rank].calls[member.call]);
        if (own && root && *own != *root)
            return std::nullopt;
        root = own ? own : root;
    }
    for (std::uint32_t i = 0; root && i < members.size(); ++i) {
        if (m_ranks[members[i].rank].rank != *root)
            continue;
        // NCCL numbers the root within the communicator, other profilers within the job. If the two
        // numberings could mean different ranks, the root is unknown.
        const auto size = std::max<std::int64_t>(m_matching.groupOf(instance).size,
                                                 static_cast<std::int64_t>(members.size()));
        const bool isFirstRanks = m_ranks[members[i].rank].rank == static_cast<std::int32_t>(i);
        return isFirstRanks || *root >= size ? std::optional(i) : std::nullopt;
    }
    return std::nullopt;
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
