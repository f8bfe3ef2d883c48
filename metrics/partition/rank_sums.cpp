// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/partition/rank_sums.h"

namespace collscope {

RankSums::RankSums(const RankShare& rank)
    : m_rank(rank)
{
    m_timelines.reserve(rank.timelines.size());
    for (const Timeline* const timeline : rank.timelines)
        m_timelines.emplace_back(*timeline);
}

const PartitionSummary* RankSums::of(const StepShare& step) const
{
    return step.isSummarized ? &m_timelines[step.part].of(step.step).partition : nullptr;
}

IdleTimes RankSums::idleOf(const StepShare& step) const
{
    IdleTimes idle{};
    if (const PartitionSummary* const summary = of(step)) {
        for (const IdleSummary& own : summary->idle)
            idle[static_cast<std::size_t>(own.cause)] += own.ns;
        return idle;
    }
    m_rank.gaps[step.part].forEachIn(step.step.range, [&](const GpuGap& gap, TimeRange inside) {
        idle[static_cast<std::size_t>(gap.cause)] += inside.lengthNs();
    });
    return idle;
}

} // namespace collscope
