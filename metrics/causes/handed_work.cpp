// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/handed_work.h"

#include <algorithm>
#include <numeric>

namespace collscope {

HandedWork::HandedWork(const TraceModel& model, const std::vector<RankCalls>& ranks, const Matching& matching)
{
    m_setOf.resize(ranks.size());
    std::iota(m_setOf.begin(), m_setOf.end(), 0U);
    const auto rootOf = [this](std::uint32_t rank) {
        while (m_setOf[rank] != rank)
            rank = m_setOf[rank] = m_setOf[m_setOf[rank]];
        return rank;
    };
    for (const CollectiveInstance& instance : matching.instances) {
        const auto members = matching.membersOf(instance);
        const CallRef first = members.front();
        if (members.size() != 2 || !isPointToPoint(model, ranks[first.rank].calls[first.call]))
            continue;
        const std::uint32_t a = rootOf(members.front().rank);
        const std::uint32_t b = rootOf(members.back().rank);
        m_setOf[std::max(a, b)] = std::min(a, b);
    }
    m_sizes.assign(m_setOf.size(), 0);
    for (std::uint32_t rank = 0; rank < m_setOf.size(); ++rank) {
        m_setOf[rank] = rootOf(rank);
        ++m_sizes[m_setOf[rank]];
    }
}

bool HandedWork::handWorkOn(std::span<const CallRef> members) const
{
    std::vector<std::uint32_t> sets;
    for (const CallRef member : members) {
        if (const std::uint32_t set = m_setOf[member.rank]; m_sizes[set] > 1)
            sets.push_back(set);
    }
    std::sort(sets.begin(), sets.end());
    return std::adjacent_find(sets.begin(), sets.end()) != sets.end();
}

} // namespace collscope
