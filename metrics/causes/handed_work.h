// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Ranks that pass work to each other: the stages of a pipeline do different work, and the stage whose turn is
// last is also last at their common collectives, even if all stages are equally fast.

#include "metrics/analysis/analysis.h"

namespace collscope {

class HandedWork
{
public:
    /// Uses the sends and receives of which both sides are known. O(instances).
    HandedWork(const TraceModel& model, const std::vector<RankCalls>& ranks, const Matching& matching);
    /// Whether two of the members are connected by these transfers, directly or through other ranks.
    /// O(members).
    bool handWorkOn(std::span<const CallRef> members) const;

private:
    std::vector<std::uint32_t> m_setOf; ///< by index into `ranks`: the lowest index connected with it
    std::vector<std::uint32_t> m_sizes; ///< number of ranks in the set, by its lowest index
};

} // namespace collscope
