// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/ranks/rank_badges.h"

#include "views/common/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

namespace collscope {

namespace {

struct RankBadges
{
    Q_DECLARE_TR_FUNCTIONS(RankBadges)
};

double idleShareOf(const RankParts& rank)
{
    const auto wholeNs = static_cast<double>(rank.parts.total());
    return wholeNs > 0 ? static_cast<double>(rank.parts.of(Part::Idle)) / wholeNs : 0;
}

} // namespace

std::map<std::int32_t, RankBadge> rankBadges(const Findings& findings)
{
    std::map<std::int32_t, RankBadge> badges;
    if (findings.ranks.size() < 2)
        return badges;
    for (const Finding& finding : findings.all) {
        // Its cost is not known, and it comes first.
        if (finding.kind == FindingKind::Straggler)
            badges[finding.ranks.front()]
                = {RankBadges::tr("late"), sentenceText(finding.title), std::numeric_limits<double>::max()};
        if (finding.kind == FindingKind::LateRank && finding.ranks.size() == 1
            && shareOf(findings, finding) >= smallShare)
            badges[finding.ranks.front()]
                = {RankBadges::tr("late, costs %1").arg(formatDuration(finding.costNs)),
                   sentenceText(finding.title), static_cast<double>(finding.costNs)};
    }
    std::vector<double> shares;
    shares.reserve(findings.ranks.size());
    for (const RankParts& rank : findings.ranks)
        shares.push_back(idleShareOf(rank));
    const auto middle = shares.begin() + static_cast<std::ptrdiff_t>(shares.size() / 2);
    std::nth_element(shares.begin(), middle, shares.end());
    constexpr double clearlyMore = 0.05;
    for (const RankParts& rank : findings.ranks) {
        const double share = idleShareOf(rank);
        if (share < *middle + clearlyMore || badges.contains(rank.rank))
            continue;
        const auto percent = std::lround(100 * share);
        badges[rank.rank]
            = {RankBadges::tr("%1 % idle").arg(percent),
               RankBadges::tr("The GPU is idle %1 % of the counted time, that of the median rank %2 %.")
                   .arg(percent)
                   .arg(std::lround(100 * *middle)),
               share};
    }
    return badges;
}

} // namespace collscope
