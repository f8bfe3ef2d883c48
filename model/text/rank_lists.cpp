// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/text/rank_lists.h"

#include <charconv>

namespace collscope {

std::vector<std::int32_t> parseRankList(std::string_view text)
{
    std::vector<std::int32_t> ranks;
    if (text.find("...") != std::string_view::npos)
        return ranks;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at < end) {
        std::int32_t rank = 0;
        const auto [next, error] = std::from_chars(at, end, rank);
        if (error == std::errc())
            ranks.push_back(rank);
        at = error == std::errc() ? next : at + 1;
    }
    return ranks;
}

} // namespace collscope
