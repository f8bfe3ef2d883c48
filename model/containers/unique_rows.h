// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A table that stores equal rows once: launch geometries, places of flows.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace collscope {

/// Finds a row's number in one or two cache misses (open addressing; std::unordered_map takes four). Rows
/// keep their insertion order. T needs ==, and Hash must return well-mixed bits.
template<typename T, typename Hash>
class UniqueRows
{
public:
    const std::vector<T>& rows() const { return m_rows; }
    std::size_t size() const { return m_rows.size(); }
    const T& operator[](std::size_t row) const { return m_rows[row]; }

    /// The row that equals this value; added if missing.
    std::uint32_t rowOf(const T& value)
    {
        const auto hash = static_cast<std::uint32_t>(Hash()(value));
        if (m_rows.size() * 2 >= m_slots.size())
            grow();
        std::size_t i = hash & (m_slots.size() - 1);
        for (; m_slots[i].row != noRow; i = (i + 1) & (m_slots.size() - 1)) {
            if (m_slots[i].hash == hash && m_rows[m_slots[i].row] == value)
                return m_slots[i].row;
        }
        const auto row = static_cast<std::uint32_t>(m_rows.size());
        m_slots[i] = {hash, row};
        m_rows.push_back(value);
        return row;
    }

    /// Returns the rows and leaves the table empty.
    std::vector<T> take()
    {
        m_slots.clear();
        return std::exchange(m_rows, {});
    }

private:
    static constexpr std::uint32_t noRow = 0xffff'ffffu;
    struct Slot
    {
        std::uint32_t hash = 0;
        std::uint32_t row = noRow;
    };

    void grow()
    {
        const std::vector<Slot> before
            = std::exchange(m_slots, std::vector<Slot>(m_slots.empty() ? 64 : m_slots.size() * 2));
        for (const Slot& slot : before) {
            if (slot.row == noRow)
                continue;
            std::size_t i = slot.hash & (m_slots.size() - 1);
            while (m_slots[i].row != noRow)
                i = (i + 1) & (m_slots.size() - 1);
            m_slots[i] = slot;
        }
    }

    std::vector<Slot> m_slots;
    std::vector<T> m_rows;
};

} // namespace collscope
