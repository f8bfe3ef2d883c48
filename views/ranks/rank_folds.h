// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Ranks that are alike, so that one of them can stand for all.

#include "metrics/findings/finding.h"
#include "views/ranks/rank_badges.h"
#include "views/state/view_preferences.h"

namespace collscope {

/// Ranks whose counted time is divided alike: each part (computing, communication, waiting, copies, idle
/// time) is within 1 % of the time that of the lowest rank of the fold. Ranks with a badge stand out and are
/// in no fold. O(ranks x different ranks).
RankFolds foldAlike(const Findings& findings, const std::map<std::int32_t, RankBadge>& badges);

} // namespace collscope
