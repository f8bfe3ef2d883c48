// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the summaries of one rank have of its windows besides their parts.

#include "metrics/core/step_summaries.h"
#include "metrics/partition/partition.h"

namespace collscope {

/// The sums of ten thousand ranks do not fit into memory: they are read again, for one rank at a time, and
/// are in memory as long as this.
class RankSums
{
public:
    /// The rank must outlive this. Throws LostBytes.
    explicit RankSums(const RankShare& rank);

    /// nullptr: the window has events.
    const PartitionSummary* of(const StepShare& step) const;
    /// Idle time of a window by cause. It adds up to the idle part. O(gaps).
    IdleTimes idleOf(const StepShare& step) const;

private:
    const RankShare& m_rank;
    std::vector<StepSummaries> m_timelines; ///< by StepShare::part
};

} // namespace collscope
