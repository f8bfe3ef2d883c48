// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/wait_history.h"

#include <algorithm>

namespace collscope {

void WaitHistory::add(std::span<const CallRef> members, const std::vector<std::int64_t>& waits,
                      bool isMeeting, std::size_t origin, std::int64_t significantNs)
{
    ++m_collectives;
    for (std::size_t i = 0; i < members.size(); ++i) {
        std::vector<Entry>& own = m_entries[members[i].rank];
        const std::int64_t beforeNs = own.empty() ? 0 : own.back().sumNs;
        const bool isRemembered = waits[i] > significantNs;
        own.push_back({m_collectives, isMeeting, beforeNs + waits[i], isRemembered ? waits[i] : 0,
                       isRemembered ? origin : nobody});
    }
}

WaitHistory::Since WaitHistory::sinceMeeting(std::size_t rank, std::size_t other) const
{
    const std::vector<Entry>& own = m_entries[rank];
    const std::vector<Entry>& others = m_entries[other];
    // Entries before these indices are those up to the last meeting.
    std::size_t ownBegin = own.size();
    std::size_t otherBegin = others.size();
    constexpr std::size_t most = 4096;
    const std::size_t ownFirst = std::max(own.size() - std::min(own.size(), most), m_steps[rank].before);
    const std::size_t otherFirst
        = std::max(others.size() - std::min(others.size(), most), m_steps[other].before);
    while (ownBegin > ownFirst && otherBegin > otherFirst) {
        const Entry& a = own[ownBegin - 1];
        const Entry& b = others[otherBegin - 1];
        if (a.collective == b.collective && a.isMeeting)
            break;
        ownBegin -= a.collective >= b.collective ? 1U : 0U;
        otherBegin -= b.collective >= a.collective ? 1U : 0U;
    }
    if (ownBegin == ownFirst || otherBegin == otherFirst) { // they have not met yet
        ownBegin = ownFirst;
        otherBegin = otherFirst;
    }
    const auto sumSince = [](const std::vector<Entry>& entries, std::size_t begin) {
        return (entries.empty() ? 0 : entries.back().sumNs) - (begin > 0 ? entries[begin - 1].sumNs : 0);
    };
    Since since{sumSince(own, ownBegin) - sumSince(others, otherBegin), nobody};
    std::int64_t rememberedNs = 0;
    for (std::size_t i = ownBegin; i < own.size(); ++i) {
        if (own[i].rememberedNs == 0 || 2 * own[i].rememberedNs < rememberedNs)
            continue;
        since.origin = own[i].origin;
        rememberedNs = own[i].rememberedNs;
    }
    return since;
}

} // namespace collscope
