// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Lists of ranks as people write them: "5, 17-31".

#include <cstdint>
#include <string>
#include <vector>

namespace collscope {

/// First and last rank.
struct RankRange
{
    std::int32_t first = 0, last = 0;
    std::int64_t count() const { return std::int64_t{last} - first + 1; }
};

/// Neighbours joined; `ranks` are sorted and each is there once.
std::vector<RankRange> rankRanges(const std::vector<std::int32_t>& ranks);
/// "rank 5", "ranks 5, 17-31"; of very many ranges the first, and how many ranks more.
std::string rankRangesText(const std::vector<RankRange>& ranges);
std::string rankRangesText(const std::vector<std::int32_t>& ranks);

} // namespace collscope
