// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One order of ranks for all lists: some ranks first, the others as they are.

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace collscope {

class RankOrder
{
public:
    explicit RankOrder(const std::vector<std::int32_t>& first)
        : m_others(first.size())
    {
        for (std::size_t place = 0; place < first.size(); ++place)
            m_places.emplace(first[place], place);
    }

    /// Sorts anything that belongs to ranks: rankOf(entry) is its rank. Entries of one rank, and those of all
    /// ranks that are not named, keep their order. O(n log n).
    template<typename Entries, typename RankOf>
    void sort(Entries& entries, const RankOf& rankOf) const
    {
        if (m_places.empty())
            return;
        std::stable_sort(entries.begin(), entries.end(), [&](const auto& a, const auto& b) {
            return placeOf(rankOf(a)) < placeOf(rankOf(b));
        });
    }

private:
    std::size_t placeOf(std::int32_t rank) const
    {
        const auto place = m_places.find(rank);
        return place != m_places.end() ? place->second : m_others;
    }

    std::unordered_map<std::int32_t, std::size_t> m_places;
    std::size_t m_others; ///< the place of all ranks that are not named
};

} // namespace collscope
