// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/slice_index.h"

#include <algorithm>

namespace collscope {

void SliceIndex::build(const Rows& rows)
{
    *this = {};
    const std::size_t count = (rows.startNs.size() + blockRows - 1) / blockRows;
    std::vector<Extent> extents(count);
    m_startNs.reserve(count);
    m_summaries.reserve(count);
    Summary summary;
    for (std::size_t block = 0; block < count; ++block) {
        const std::size_t begin = block * blockRows;
        const std::size_t end = std::min(begin + blockRows, rows.startNs.size());
        Summary next = summary;
        Extent& extent = extents[block];
        extent = {rows.startNs[begin] + rows.durationNs[begin], -1};
        for (std::size_t row = begin; row < end; ++row) {
            const std::int64_t duration = rows.durationNs[row];
            extent.latestEndNs = std::max(extent.latestEndNs, rows.startNs[row] + duration);
            if (duration > extent.longestNs) {
                extent.longestNs = duration;
                summary.longest = static_cast<std::uint32_t>(row);
            }
            if (rows.depth[row] == 0) {
                next.outermostNs += duration;
                next.outermostEndNs = rows.startNs[row] + duration;
            }
        }
        summary.longestClass = rows.kernelClass[summary.longest];
        m_startNs.push_back(rows.startNs[begin]);
        m_summaries.push_back(summary);
        summary = next;
    }
    while (!extents.empty()) {
        std::vector<Extent> above((extents.size() + blockRows - 1) / blockRows);
        for (std::size_t i = 0; i < extents.size(); ++i) {
            Extent& extent = above[i / blockRows];
            const bool first = i % blockRows == 0;
            extent.latestEndNs
                = first ? extents[i].latestEndNs : std::max(extent.latestEndNs, extents[i].latestEndNs);
            extent.longestNs
                = first ? extents[i].longestNs : std::max(extent.longestNs, extents[i].longestNs);
        }
        const bool top = extents.size() == 1;
        m_levels.push_back(std::move(extents));
        extents = top ? std::vector<Extent>() : std::move(above);
    }
}

std::size_t SliceIndex::blockStartingAt(std::int64_t timeNs, std::size_t hint) const
{
    std::size_t low = hint;
    std::size_t step = 1;
    while (low + step < m_startNs.size() && m_startNs[low + step] < timeNs) {
        low += step;
        step *= 2;
    }
    const auto begin = m_startNs.begin() + static_cast<std::ptrdiff_t>(std::min(low, m_startNs.size()));
    const auto end
        = m_startNs.begin() + static_cast<std::ptrdiff_t>(std::min(low + step + 1, m_startNs.size()));
    return static_cast<std::size_t>(std::lower_bound(begin, end, timeNs) - m_startNs.begin());
}

void SliceIndex::shift(std::int64_t ns)
{
    for (std::vector<Extent>& level : m_levels) {
        for (Extent& extent : level)
            extent.latestEndNs += ns;
    }
    for (std::int64_t& start : m_startNs)
        start += ns;
    for (Summary& summary : m_summaries) {
        if (summary.outermostEndNs != Summary().outermostEndNs)
            summary.outermostEndNs += ns;
    }
}

std::size_t SliceIndex::nextBlock(std::size_t row, std::size_t to, std::int64_t Extent::*maximum,
                                  std::int64_t least) const
{
    while (row < to) {
        // Skip the largest block that starts here and contains nothing of interest.
        std::size_t skipped = 0;
        std::size_t rows = blockRows;
        for (const std::vector<Extent>& level : m_levels) {
            if (row % rows != 0 || level[row / rows].*maximum >= least)
                break;
            skipped = rows;
            rows *= blockRows;
        }
        if (skipped == 0 && (row % blockRows != 0 || m_levels.empty())) {
            // Inside a block, its maximum decides whether to search the rest of it.
            if (m_levels.empty() || m_levels.front()[row / blockRows].*maximum >= least)
                return row;
            skipped = blockRows - row % blockRows;
        }
        if (skipped == 0)
            return row;
        row += skipped;
    }
    return to;
}

} // namespace collscope
