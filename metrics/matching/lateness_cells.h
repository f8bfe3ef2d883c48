// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How late each rank was, by rank and column: what a map of lateness paints, whatever its columns are.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace collscope {

/// Cells are floats in ns, accurate enough for colours.
class LatenessCells
{
public:
    static constexpr float absent = -1; ///< the rank is not in the column
    /// A column in which another step begins.
    struct StepStart
    {
        std::size_t column = 0;
        std::int64_t step = 0; ///< number
    };

    std::vector<std::int32_t> ranks; ///< one row each
    std::vector<StepStart> stepStarts; ///< by column
    float largest = 0; ///< of all cells
    /// Smaller values are not significant (sums: times their count); these cells are 0.
    std::int64_t significantNs = 0;

    std::size_t columnCount() const { return m_levels.empty() ? 0 : m_levels.front().width; }
    float at(std::size_t rank, std::size_t column) const
    {
        return m_levels.front().cells[rank * columnCount() + column];
    }
    /// The largest cell of a rank in columns [begin, end); absent if the rank is in none. O(log columns).
    float largestIn(std::size_t rank, std::size_t begin, std::size_t end) const;

protected:
    /// Sets the cells of `ranks`, row by row, with `columns` in each. O(cells).
    void setCells(std::size_t columns, std::vector<float> cells);

private:
    /// Each level contains the larger of two neighbouring cells of the previous level.
    struct Level
    {
        std::size_t width = 0;
        std::vector<float> cells; ///< rank by rank
    };

    std::vector<Level> m_levels;
};

} // namespace collscope
