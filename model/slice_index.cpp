// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/slice_index.h"

#include <algorithm>

namespace collscope {

std::size_t SliceIndex::nextBlock(std::size_t row, std::size_t to, std::int64_t Block::*maximum,
                                  std::int64_t least) const
{
    while (row < to) {
        // The largest block that begins here and holds nothing of interest is skipped at once.
        std::size_t skipped = 0;
        std::size_t rows = fanOut;
        for (const std::vector<Block>& level : m_levels) {
            if (row % rows != 0 || level[row / rows].*maximum >= least)
                break;
            skipped = rows;
            rows *= fanOut;
        }
        if (skipped == 0 && (row % fanOut != 0 || m_levels.empty())) {
            // Inside a block: its maximum tells whether to look at the rest of it.
            if (m_levels.empty() || m_levels.front()[row / fanOut].*maximum >= least)
                return row;
            skipped = fanOut - row % fanOut;
        }
        if (skipped == 0)
            return row;
        row += skipped;
    }
    return to;
}

} // namespace collscope
