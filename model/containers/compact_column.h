// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Columns that are read like a vector but need less memory if the values allow it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace collscope {

/// Frees memory if a fifth or more of it would stay unused. Less does not justify a copy: memory that was
/// never written does not occupy RAM.
template<typename T>
void trim(std::vector<T>& column)
{
    if (column.capacity() > column.size() + column.size() / 4)
        column.shrink_to_fit();
}

/// A new order for the rows of columns: row i receives the former row order[i]. Events are almost in order,
/// so rows move in place, within the blocks that their moves span. Other rows are not touched.
class Rearrangement
{
public:
    explicit Rearrangement(std::vector<std::uint32_t> order)
        : m_order(std::move(order))
    {
        std::size_t begin = 0;
        std::uint32_t furthest = 0;
        for (std::size_t i = 0; i < m_order.size(); ++i) {
            furthest = std::max(furthest, m_order[i]);
            if (furthest > i)
                continue;
            if (i > begin) {
                m_blocks.emplace_back(begin, i + 1);
                m_longest = std::max(m_longest, i + 1 - begin);
            }
            begin = i + 1;
        }
    }

    std::size_t before(std::size_t row) const { return m_order[row]; }

    template<typename T>
    void apply(std::vector<T>& column) const
    {
        std::vector<T> moved(m_longest);
        for (const auto& [begin, end] : m_blocks) {
            for (std::size_t i = begin; i < end; ++i)
                moved[i - begin] = column[m_order[i]];
            std::copy_n(moved.begin(), end - begin, column.begin() + static_cast<std::ptrdiff_t>(begin));
        }
    }

private:
    std::vector<std::uint32_t> m_order;
    std::vector<std::pair<std::size_t, std::size_t>> m_blocks; ///< begin, end
    std::size_t m_longest = 0;
};

template<typename T>
void rearrange(std::vector<T>& column, const Rearrangement& order)
{
    order.apply(column);
}

/// 64-bit values, almost all of which fit in 32 bits (durations up to 4.29 s, ids). These take 4 bytes each;
/// the few others are in a separate table. Reading a value is O(1), or O(log others) for a value in that
/// table.
template<typename T>
class MostlySmallColumn
{
public:
    std::size_t size() const { return m_small.size(); }
    bool empty() const { return m_small.empty(); }
    void reserve(std::size_t count) { m_small.reserve(count); }
    friend void trim(MostlySmallColumn& column)
    {
        trim(column.m_small);
        trim(column.m_large);
    }
    friend void rearrange(MostlySmallColumn& column, const Rearrangement& order)
    {
        order.apply(column.m_small);
        std::vector<std::pair<std::size_t, T>> large;
        for (std::size_t row = 0; !column.m_large.empty() && row < column.size(); ++row) {
            if (column.m_small[row] == inTable)
                large.emplace_back(row, column.large(order.before(row)));
        }
        column.m_large = std::move(large);
    }
    void clear()
    {
        m_small.clear();
        m_large.clear();
    }
    void push_back(T value) // NOLINT(readability-identifier-naming): as std::vector
    {
        const bool fits = static_cast<std::uint64_t>(value) < inTable;
        if (!fits)
            m_large.emplace_back(m_small.size(), value);
        m_small.push_back(fits ? static_cast<std::uint32_t>(value) : inTable);
    }
    T operator[](std::size_t row) const
    {
        const std::uint32_t value = m_small[row];
        return value != inTable ? T{value} : large(row);
    }
    void append(const MostlySmallColumn& other)
    {
        for (const auto& [row, value] : other.m_large)
            m_large.emplace_back(m_small.size() + row, value);
        m_small.insert(m_small.end(), other.m_small.begin(), other.m_small.end());
    }

    friend bool operator==(const MostlySmallColumn&, const MostlySmallColumn&) = default;

private:
    static constexpr std::uint32_t inTable = std::numeric_limits<std::uint32_t>::max();
    T large(std::size_t row) const
    {
        return std::lower_bound(m_large.begin(), m_large.end(), row,
                                [](const auto& entry, std::size_t wanted) { return entry.first < wanted; })
            ->second;
    }

    std::vector<std::uint32_t> m_small;
    std::vector<std::pair<std::size_t, T>> m_large; ///< by row
};

/// Values that are the default on most tracks. Needs memory only from the first other value on.
template<typename T, T fallback>
class OptionalColumn
{
public:
    std::size_t size() const { return m_size; }
    bool isAllDefault() const { return m_values.empty(); }
    void reserve(std::size_t count)
    {
        if (!m_values.empty())
            m_values.reserve(count);
    }
    friend void trim(OptionalColumn& column) { trim(column.m_values); }
    friend void rearrange(OptionalColumn& column, const Rearrangement& order)
    {
        if (!column.m_values.empty())
            order.apply(column.m_values);
    }
    void clear()
    {
        m_values.clear();
        m_size = 0;
    }
    void push_back(T value) // NOLINT(readability-identifier-naming): as std::vector
    {
        if (value != fallback && m_values.empty())
            m_values.assign(m_size, fallback);
        if (value != fallback || !m_values.empty())
            m_values.push_back(value);
        ++m_size;
    }
    T operator[](std::size_t row) const { return m_values.empty() ? fallback : m_values[row]; }
    void set(std::size_t row, T value)
    {
        if (m_values.empty())
            m_values.assign(m_size, fallback);
        m_values[row] = value;
    }
    void append(const OptionalColumn& other)
    {
        if (!m_values.empty() || !other.m_values.empty()) {
            m_values.resize(m_size, fallback);
            m_values.insert(m_values.end(), other.m_values.begin(), other.m_values.end());
            m_values.resize(m_size + other.m_size, fallback);
        }
        m_size += other.m_size;
    }

    friend bool operator==(const OptionalColumn& a, const OptionalColumn& b)
    {
        if (a.m_size != b.m_size)
            return false;
        for (std::size_t row = 0; row < a.m_size; ++row) {
            if (a[row] != b[row])
                return false;
        }
        return true;
    }

private:
    std::vector<T> m_values; ///< empty while all values are the default, else m_size long
    std::size_t m_size = 0;
};

/// Offsets in a file of up to 1 TB, 5 bytes each. Larger offsets become 0, "unknown".
class OffsetColumn
{
public:
    std::size_t size() const { return m_low.size(); }
    void reserve(std::size_t count)
    {
        m_low.reserve(count);
        m_high.reserve(count);
    }
    friend void rearrange(OffsetColumn& column, const Rearrangement& order)
    {
        order.apply(column.m_low);
        order.apply(column.m_high);
    }
    friend void trim(OffsetColumn& column)
    {
        trim(column.m_low);
        trim(column.m_high);
    }
    void clear()
    {
        m_low.clear();
        m_high.clear();
    }
    void push_back(std::uint64_t offset) // NOLINT(readability-identifier-naming): as std::vector
    {
        if (offset >> 40 != 0)
            offset = 0;
        m_low.push_back(static_cast<std::uint32_t>(offset));
        m_high.push_back(static_cast<std::uint8_t>(offset >> 32));
    }
    std::uint64_t operator[](std::size_t row) const { return std::uint64_t{m_high[row]} << 32 | m_low[row]; }
    void append(const OffsetColumn& other)
    {
        m_low.insert(m_low.end(), other.m_low.begin(), other.m_low.end());
        m_high.insert(m_high.end(), other.m_high.begin(), other.m_high.end());
    }

    friend bool operator==(const OffsetColumn&, const OffsetColumn&) = default;

private:
    std::vector<std::uint32_t> m_low;
    std::vector<std::uint8_t> m_high;
};

} // namespace collscope
