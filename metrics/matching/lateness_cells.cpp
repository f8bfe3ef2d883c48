// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/matching/lateness_cells.h"

#include <algorithm>
#include <utility>

namespace collscope {

float LatenessCells::largestIn(std::size_t rank, std::size_t begin, std::size_t end) const
{
    float most = absent;
    for (const Level& level : m_levels) {
        if (begin >= end)
            break;
        const float* const cells = level.cells.data() + rank * level.width;
        if (begin % 2 == 1)
            most = std::max(most, cells[begin++]);
        if (end % 2 == 1)
            most = std::max(most, cells[--end]);
        begin /= 2;
        end /= 2;
    }
    return most;
}

void LatenessCells::setCells(std::size_t columns, std::vector<float> cells)
{
    m_levels.clear();
    m_levels.push_back({columns, std::move(cells)});
    while (m_levels.back().width > 1) {
        const Level& fine = m_levels.back();
        Level coarse;
        coarse.width = (fine.width + 1) / 2;
        coarse.cells.resize(ranks.size() * coarse.width);
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            const float* const from = fine.cells.data() + rank * fine.width;
            float* const to = coarse.cells.data() + rank * coarse.width;
            for (std::size_t i = 0; i < coarse.width; ++i)
                to[i] = 2 * i + 1 < fine.width ? std::max(from[2 * i], from[2 * i + 1]) : from[2 * i];
        }
        m_levels.push_back(std::move(coarse));
    }
    largest = 0;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        largest = std::max(largest, largestIn(rank, 0, columns));
}

} // namespace collscope
