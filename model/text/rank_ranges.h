// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Lists of ranks as short text: "5, 17-31".

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

/// Joins consecutive ranks. `ranks` must be sorted and unique.
std::vector<RankRange> rankRanges(const std::vector<std::int32_t>& ranks);
/// "rank 5", "ranks 5, 17-31"; if there are many ranges, the first ones and the number of remaining ranks.
std::string rankRangesText(const std::vector<RankRange>& ranges);
std::string rankRangesText(const std::vector<std::int32_t>& ranks);

} // namespace collscope
