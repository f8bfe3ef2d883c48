// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Finds and sums up slices without looking at each: what blocks of 16 rows hold, and blocks of blocks.

#include "model/kernel_class.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace collscope {

struct SliceColumns;

/// About the sorted rows of one track; 3 bytes per slice. Latest ends and longest durations are known for
/// each 16 rows, each 16 x 16, and so on, so that questions are answered in O(answers x 16 x levels).
class SliceIndex
{
public:
    static constexpr std::size_t blockRows = 16;

    void build(const SliceColumns& slices);
    bool isEmpty() const { return m_levels.empty(); }

    /// The first row in [from, to) that ends behind `timeNs`, among those whose block may hold one: the
    /// caller looks at the row itself; `to` if there is none. Skips whole blocks that end before.
    std::size_t nextReaching(std::size_t from, std::size_t to, std::int64_t timeNs) const
    {
        return nextBlock(from, to, &Extent::latestEndNs, timeNs + 1);
    }
    /// The same for rows that last at least `durationNs`.
    std::size_t nextLasting(std::size_t from, std::size_t to, std::int64_t durationNs) const
    {
        return nextBlock(from, to, &Extent::longestNs, durationNs);
    }

    std::size_t blocks() const { return m_startNs.size(); }
    /// Start of the block's first row.
    std::int64_t startNs(std::size_t block) const { return m_startNs[block]; }
    std::int64_t latestEndNs(std::size_t block) const { return m_levels.front()[block].latestEndNs; }
    std::int64_t longestNs(std::size_t block) const { return m_levels.front()[block].longestNs; }
    /// The first block from `hint` on that starts at or after timeNs; blocks() if there is none.
    /// O(log(answer - hint)).
    std::size_t blockStartingAt(std::int64_t timeNs, std::size_t hint) const;

    /// What a block of 16 rows adds up to.
    struct Summary
    {
        std::int64_t outermostNs = 0; ///< durations of the outermost slices (depth 0) of all rows before it
        std::int64_t outermostEndNs = std::numeric_limits<std::int64_t>::min(); ///< of the last of these
        std::uint32_t longest = 0; ///< the row that lasts longest
        KernelClass longestClass = KernelClass::None;
        friend bool operator==(const Summary&, const Summary&) = default;
    };
    const Summary& summary(std::size_t block) const { return m_summaries[block]; }

    void shift(std::int64_t ns);
    friend bool operator==(const SliceIndex&, const SliceIndex&) = default;

private:
    struct Extent
    {
        std::int64_t latestEndNs = 0, longestNs = 0;
        friend bool operator==(const Extent&, const Extent&) = default;
    };
    std::size_t nextBlock(std::size_t row, std::size_t to, std::int64_t Extent::*maximum,
                          std::int64_t least) const;

    std::vector<std::vector<Extent>> m_levels; ///< [0] = blocks of 16 rows
    std::vector<std::int64_t> m_startNs;
    std::vector<Summary> m_summaries;
};

} // namespace collscope
