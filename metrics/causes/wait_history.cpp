// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/wait_history.h"

#include <algorithm>
#include <optional>

namespace collscope {

/// Goes back through the collectives of one rank and adds up what it waited.
class WaitHistory::Walk
{
public:
    Walk(const WaitHistory& history, Place from)
        : m_entries(history.m_entries[from.rank])
        , m_next(m_entries.size())
        , m_beginNs(from.beginNs)
        , m_chainNs(from.beginNs)
    {
        m_first = std::max(m_next - std::min(m_next, mostRead), history.m_steps[from.rank].before);
    }

    bool isAtEnd() const { return m_next == m_first; }
    /// The collective that is read next.
    const Entry& next() const { return m_entries[m_next - 1]; }
    /// Whether what comes next in the chain started when that collective ended.
    bool isNextInChain() const
    {
        constexpr std::int64_t longestPauseNs = 5'000;
        const std::int64_t pauseNs = m_chainNs - next().call.endNs;
        return pauseNs >= 0 && pauseNs <= longestPauseNs;
    }
    void goBack()
    {
        const Entry& entry = next();
        const bool isInChain = isNextInChain();
        --m_next;
        if (!isInChain && entry.call.endNs > m_beginNs)
            return; // what ends later did not delay the call
        std::int64_t waitNs = entry.waitNs;
        if (isInChain) {
            m_chainWaitNs += waitNs;
            m_exposedInChainNs += entry.exposedNs;
            m_chainNs = entry.call.beginNs;
        } else {
            waitNs = std::max<std::int64_t>(entry.exposedNs - countedNs(entry), 0);
            m_exposedNs += waitNs;
            m_sinceReadyNs = std::min(m_sinceReadyNs, m_beginNs - entry.call.endNs);
        }
        if (entry.waitNs > 0)
            m_countedFromNs = std::min(m_countedFromNs, entry.call.beginNs);
        if (waitNs > 0)
            m_waits.emplace_back(waitNs, entry.origin == noOrigin ? nobody : std::size_t{entry.origin});
    }
    /// The call may also have waited for one beside the chain: then the chain delays it from there on only.
    std::int64_t sumNs() const
    {
        return m_exposedNs + std::max(m_exposedInChainNs, std::min(m_chainWaitNs, m_sinceReadyNs));
    }
    /// See Since::origin.
    std::size_t origin(std::int64_t significantNs) const
    {
        std::size_t origin = nobody;
        std::int64_t rememberedNs = significantNs;
        for (auto wait = m_waits.rbegin(); wait != m_waits.rend(); ++wait) {
            if (wait->first <= significantNs || 2 * wait->first < rememberedNs)
                continue;
            rememberedNs = wait->first;
            origin = wait->second;
        }
        return origin;
    }

private:
    /// How much of a wait lies beside later ones, on other streams. These end later.
    std::int64_t countedNs(const Entry& entry) const
    {
        const std::int64_t fromNs = std::max(m_countedFromNs, entry.call.beginNs);
        return std::max<std::int64_t>(entry.call.beginNs + entry.waitNs - fromNs, 0);
    }

    const std::vector<Entry>& m_entries;
    std::size_t m_first = 0;
    std::size_t m_next;
    std::int64_t m_beginNs; ///< of the call that the walk starts from
    std::int64_t m_chainNs; ///< begin of the first call of the chain
    std::int64_t m_countedFromNs = std::numeric_limits<std::int64_t>::max();
    std::int64_t m_chainWaitNs = 0;
    std::int64_t m_exposedInChainNs = 0;
    std::int64_t m_exposedNs = 0; ///< of the other calls
    /// From the last end of another call to the begin.
    std::int64_t m_sinceReadyNs = std::numeric_limits<std::int64_t>::max();
    std::vector<std::pair<std::int64_t, std::size_t>> m_waits; ///< and their origins, the last one first
};

void WaitHistory::add(const std::vector<Member>& members, Collective collective)
{
    ++m_collectives;
    const std::uint32_t origin
        = collective.origin == nobody ? noOrigin : static_cast<std::uint32_t>(collective.origin);
    for (const Member& member : members) {
        std::vector<Entry>& entries = m_entries[member.rank];
        entries.push_back({m_collectives, origin & noOrigin, collective.endsTogether, collective.isMeeting,
                           member.call, member.waitNs, member.exposedNs});
        if (entries.size() > 2 * mostRead)
            forget(member.rank, entries.size() - mostRead);
    }
}

/// Drops the first entries of a rank, which are not read any more.
void WaitHistory::forget(std::size_t rank, std::size_t count)
{
    std::vector<Entry>& entries = m_entries[rank];
    entries.erase(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(count));
    Steps& steps = m_steps[rank];
    steps.before -= std::min(steps.before, count);
    steps.current -= std::min(steps.current, count);
}

WaitHistory::Since WaitHistory::sinceMeeting(Place rank, Place other, std::int64_t significantNs) const
{
    Walk own(*this, rank);
    Walk others(*this, other);
    while (!own.isAtEnd() || !others.isAtEnd()) {
        const std::uint32_t a = own.isAtEnd() ? 0 : own.next().number;
        const std::uint32_t b = others.isAtEnd() ? 0 : others.next().number;
        if (a == b) {
            const Entry& both = own.next();
            if (both.isMeeting || (both.endsTogether && own.isNextInChain() && others.isNextInChain()))
                break;
        }
        if (a >= b)
            own.goBack();
        if (b >= a)
            others.goBack();
    }
    return {own.sumNs() - others.sumNs(), own.origin(significantNs)};
}

} // namespace collscope
