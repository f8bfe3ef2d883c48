// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/ranks/rank_folds.h"

#include <algorithm>
#include <cstdlib>

namespace collscope {

namespace {

constexpr std::int64_t alikePercent = 1;

bool areAlike(const RankParts& a, const RankParts& b)
{
    const std::int64_t wholeNs = std::max(a.parts.total(), b.parts.total());
    const auto isNear
        = [&](std::int64_t x, std::int64_t y) { return 100 * std::abs(x - y) <= alikePercent * wholeNs; };
    for (std::size_t part = 0; part < partCount; ++part) {
        if (!isNear(a.parts.of(static_cast<Part>(part)), b.parts.of(static_cast<Part>(part))))
            return false;
    }
    return isNear(a.parts.total(), b.parts.total());
}

} // namespace

RankFolds foldAlike(const Findings& findings, const std::map<std::int32_t, RankBadge>& badges)
{
    // With more kinds of ranks than this, the ranks that follow stand alone.
    constexpr std::size_t mostKinds = 64;
    std::vector<const RankParts*> kinds;
    RankFolds folds;
    for (const RankParts& rank : findings.ranks) {
        if (badges.contains(rank.rank))
            continue;
        const auto like = std::find_if(kinds.begin(), kinds.end(),
                                       [&](const RankParts* kind) { return areAlike(*kind, rank); });
        if (like != kinds.end())
            folds[(*like)->rank].insert(rank.rank);
        else if (kinds.size() < mostKinds)
            kinds.push_back(&rank);
    }
    return folds;
}

} // namespace collscope
