// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Finds the few slices that matter among many without looking at each: maxima over blocks of rows.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace collscope {

/// Latest end and longest duration of each 64 rows, of each 64 x 64, and so on: a quarter byte per slice.
/// Questions are answered in O(answers x 64 x levels).
class SliceIndex
{
public:
    /// Of the sorted columns of one track.
    template<typename Starts, typename Durations>
    void build(const Starts& starts, const Durations& durations);

    bool isEmpty() const { return m_levels.empty(); }
    /// The first row in [from, to) that ends behind `timeNs`, among those whose block may hold one: the
    /// caller looks at the row itself; `to` if there is none. Skips whole blocks that end before.
    std::size_t nextReaching(std::size_t from, std::size_t to, std::int64_t timeNs) const
    {
        return nextBlock(from, to, &Block::latestEndNs, timeNs + 1);
    }
    /// The same for rows that last at least `durationNs`.
    std::size_t nextLasting(std::size_t from, std::size_t to, std::int64_t durationNs) const
    {
        return nextBlock(from, to, &Block::longestNs, durationNs);
    }
    void shift(std::int64_t ns)
    {
        for (std::vector<Block>& level : m_levels) {
            for (Block& block : level)
                block.latestEndNs += ns;
        }
    }

private:
    static constexpr std::size_t fanOut = 64;
    struct Block
    {
        std::int64_t latestEndNs = 0, longestNs = 0;
    };
    std::size_t nextBlock(std::size_t row, std::size_t to, std::int64_t Block::*maximum,
                          std::int64_t least) const;

    std::vector<std::vector<Block>> m_levels; ///< [0] = blocks of 64 rows
};

template<typename Starts, typename Durations>
void SliceIndex::build(const Starts& starts, const Durations& durations)
{
    m_levels.clear();
    const auto merge = [](Block& into, const Block& block, bool first) {
        into.latestEndNs
            = first || block.latestEndNs > into.latestEndNs ? block.latestEndNs : into.latestEndNs;
        into.longestNs = first || block.longestNs > into.longestNs ? block.longestNs : into.longestNs;
    };
    std::vector<Block> blocks((starts.size() + fanOut - 1) / fanOut);
    for (std::size_t row = 0; row < starts.size(); ++row)
        merge(blocks[row / fanOut], {starts[row] + durations[row], durations[row]}, row % fanOut == 0);
    while (!blocks.empty()) {
        std::vector<Block> above((blocks.size() + fanOut - 1) / fanOut);
        for (std::size_t i = 0; i < blocks.size(); ++i)
            merge(above[i / fanOut], blocks[i], i % fanOut == 0);
        const bool top = blocks.size() == 1;
        m_levels.push_back(std::move(blocks));
        blocks = top ? std::vector<Block>() : std::move(above);
    }
}

} // namespace collscope
