// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/text/rank_ranges.h"

namespace collscope {

std::vector<RankRange> rankRanges(const std::vector<std::int32_t>& ranks)
{
    std::vector<RankRange> ranges;
    for (const std::int32_t rank : ranks) {
        if (!ranges.empty() && std::int64_t{ranges.back().last} + 1 == rank)
            ranges.back().last = rank;
        else
            ranges.push_back({rank, rank});
    }
    return ranges;
}

std::string rankRangesText(const std::vector<RankRange>& ranges)
{
    constexpr std::size_t mostRanges = 12;
    const bool isOne = ranges.size() == 1 && ranges.front().count() == 1;
    std::string text = isOne ? "rank" : "ranks";
    std::int64_t more = 0;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (i >= mostRanges) {
            more += ranges[i].count();
            continue;
        }
        text += (i == 0 ? " " : ", ") + std::to_string(ranges[i].first);
        if (ranges[i].count() > 1)
            text += (ranges[i].count() == 2 ? ", " : "-") + std::to_string(ranges[i].last);
    }
    return more > 0 ? text + " and " + std::to_string(more) + " more" : text;
}

std::string rankRangesText(const std::vector<std::int32_t>& ranks)
{
    return rankRangesText(rankRanges(ranks));
}

} // namespace collscope
