// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Finds and sums slices without visiting each of them, by summaries of blocks of 16 rows, and of blocks of
// blocks.

#include "model/containers/compact_column.h"
#include "model/kernels/kernel_class.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace collscope {

/// Index of the sorted rows of one track; 3 bytes per slice. Latest ends and longest durations are stored for
/// each 16 rows, each 16 x 16, and so on, so that queries take O(results x 16 x levels).
class SliceIndex
{
public:
    static constexpr std::size_t blockRows = 16;

    /// The columns that the index is built from, all of one length.
    struct Rows
    {
        const std::vector<std::int64_t>& startNs;
        const MostlySmallColumn<std::int64_t>& durationNs;
        const OptionalColumn<KernelClass, KernelClass::None>& kernelClass;
        const std::vector<std::uint8_t>& depth;
    };
    void build(const Rows& rows);
    bool isEmpty() const { return m_levels.empty(); }

    /// The first row in [from, to) whose block may contain a row that ends after `timeNs`; `to` if there is
    /// none. The caller checks the row itself. Skips blocks that end earlier.
    std::size_t nextReaching(std::size_t from, std::size_t to, std::int64_t timeNs) const
    {
        return nextBlock(from, to, &Extent::latestEndNs, timeNs + 1);
    }
    /// Like nextReaching(), for rows that last at least `durationNs`.
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

    /// Summary for a block of 16 rows.
    struct Summary
    {
        std::int64_t outermostNs = 0; ///< durations of the outermost slices (depth 0) in all rows before it
        std::int64_t outermostEndNs = std::numeric_limits<std::int64_t>::min(); ///< end of the last of these
        std::uint32_t longest = 0; ///< the row with the longest duration
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
