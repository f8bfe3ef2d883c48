// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Calls that start as soon as they are launched: the CPU of a rank launches them late, and why.

#include "metrics/findings/rank_between_calls.h"

#include <array>
#include <optional>
#include <vector>

namespace collscope {

/// Adds up what the CPU of a late rank does before it launches the calls that others wait at, beyond what the
/// CPUs of these do.
class LateLaunches
{
public:
    /// The ranks must outlive this.
    LateLaunches(Analysis& analysis, RankBetweenCalls& late, std::vector<RankBetweenCalls>& others)
        : m_analysis(analysis)
        , m_late(late)
        , m_others(others)
    { }

    /// Adds a call of the late rank, if it starts as soon as it is launched. `waitsNs`: of all ranks in it.
    /// `longestNs`: the longest one. It looks that far back. O(log n + CPU events in that time).
    void add(std::uint32_t instance, std::int64_t waitsNs, std::int64_t longestNs);
    /// The waits in the calls that were added.
    std::int64_t waitedNs() const { return m_waitedNs; }
    /// What took most of the time before the launches.
    std::optional<IdleCause> cause() const;

private:
    using CpuTimes = std::array<std::int64_t, idleCauseCount>; ///< ns
    SliceRef launchOf(const Call& call) const;
    std::optional<CpuTimes> beforeLaunch(RankBetweenCalls& rank, std::uint32_t instance,
                                         std::int64_t lengthNs) const;

    Analysis& m_analysis;
    RankBetweenCalls& m_late;
    std::vector<RankBetweenCalls>& m_others;
    std::int64_t m_waitedNs = 0;
    std::int64_t m_beforeNs = 0; ///< the time before the launches
    CpuTimes m_moreNs{}; ///< what the launching thread did then, beyond the others
};

} // namespace collscope
