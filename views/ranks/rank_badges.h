// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the findings say about single ranks, in two words for the list of ranks.

#include "metrics/findings/finding.h"

#include <QString>

#include <map>

namespace collscope {

struct RankBadge
{
    QString text; ///< "late, costs 422 us", "late", "40 % idle"
    QString toolTip; ///< the whole sentence
    double cost = 0; ///< orders ranks: ns per step for late ranks, which come first; else the idle share
};

/// By rank; only ranks that stand out: a rank that the others wait for, for smallShare of a step or more (of
/// summaries: the straggler), and a rank whose GPU is idle clearly longer than that of the median rank.
std::map<std::int32_t, RankBadge> rankBadges(const Findings& findings);

} // namespace collscope
