// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which ranks hand work to each other: the stages of a pipeline do different work, and the one whose turn
// comes last is last at what they do together, also where every stage is as fast as the others.

#include "metrics/analysis.h"

namespace collscope {

class HandedWork
{
public:
    /// By the sends and receives whose two ends are known. O(instances).
    HandedWork(const TraceModel& model, const std::vector<RankCalls>& ranks, const Matching& matching);
    /// Whether two of the members are connected by such transfers, directly or through other ranks.
    /// O(members).
    bool handWorkOn(std::span<const CallRef> members) const;

private:
    std::vector<std::uint32_t> m_setOf; ///< by index into `ranks`: the lowest index that it is connected with
    std::vector<std::uint32_t> m_sizes; ///< ranks of the set, by its lowest index
};

} // namespace collscope
