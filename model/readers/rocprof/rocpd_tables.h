// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What rows of rocpd's tables refer to: strings, tracks, times and the events behind kernels and calls.

#include "model/readers/nsys/nsys_database.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace collscope {

/// Values by id. Ids are added in ascending order in a sound file, and mostly asked for in that order.
template<typename Value>
class RocpdColumn
{
public:
    void add(std::int64_t id, const Value& value)
    {
        m_isSorted = m_isSorted && (m_rows.empty() || m_rows.back().first < id);
        m_rows.emplace_back(id, value);
    }
    /// Call it once after the last add().
    void settle()
    {
        if (!m_isSorted)
            std::stable_sort(m_rows.begin(), m_rows.end(),
                             [](const auto& a, const auto& b) { return a.first < b.first; });
    }
    const Value* find(std::int64_t id)
    {
        if (m_next < m_rows.size() && m_rows[m_next].first == id)
            return &m_rows[m_next++].second;
        const auto found
            = std::lower_bound(m_rows.begin(), m_rows.end(), id,
                               [](const auto& row, std::int64_t wanted) { return row.first < wanted; });
        if (found == m_rows.end() || found->first != id)
            return nullptr;
        m_next = static_cast<std::size_t>(found - m_rows.begin()) + 1;
        return &found->second;
    }
    bool isEmpty() const { return m_rows.empty(); }

private:
    std::vector<std::pair<std::int64_t, Value>> m_rows;
    std::size_t m_next = 0; ///< after the row that was found last
    bool m_isSorted = true;
};

/// Where something happened (rocpd_track).
struct RocpdTrack
{
    std::int64_t process = 0, thread = 0;
    std::int64_t agent = -1, queue = -1, stream = -1;
};

/// What kernels, copies and calls have in common (rocpd_event).
struct RocpdEvent
{
    std::uint64_t correlation = 0; ///< stack_id: the call that it is, or that launched it
    std::int64_t category = -1; ///< the id of its name
};

} // namespace collscope
