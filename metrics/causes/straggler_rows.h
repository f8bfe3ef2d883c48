// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The rows of the metric `straggler`, whether its collectives lie in memory or were folded from summaries.

#include "metrics/core/selection.h"

#include <map>

namespace collscope {

/// Sums of the slowest process group, in ns.
struct StragglerSums
{
    std::map<std::int32_t, std::int64_t> behindNs; ///< by rank: its lateness after the first rank
    std::map<std::int64_t, std::int64_t> skewOfStep; ///< by number of the step
};

/// Rows as shares of the window (`windowNs`, the mean over ranks): by rank its lateness, then by step the
/// skew as a share of the step's mean length. `windows`: whose steps; empty for a range, which has none.
std::vector<MetricRow> stragglerRows(const StragglerSums& sums, const std::vector<RankWindows>& windows,
                                     double windowNs);

} // namespace collscope
