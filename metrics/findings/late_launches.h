// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the CPU of a late rank does before it launches the calls that others wait at, beyond what their CPUs
// do.

#include "metrics/findings/rank_between_calls.h"

#include <optional>
#include <vector>

namespace collscope {

/// What all CPUs do alike does not make a rank late, whether a GPU waits for it or not.
class LateLaunches
{
public:
    /// The ranks must outlive this.
    LateLaunches(Analysis& analysis, RankBetweenCalls& late, std::vector<RankBetweenCalls>& others)
        : m_analysis(analysis)
        , m_late(late)
        , m_others(others)
    { }

    /// What the late rank's CPU does more than the median of the others before it launches a call, in ns;
    /// nullopt where launches are missing.
    std::optional<CpuTimes> moreBefore(std::uint32_t instance);
    /// Adds a call of the late rank, if it starts as soon as it is launched. `waitsNs`: of all ranks in it.
    /// `longestNs`: the longest one.
    void add(std::uint32_t instance, std::int64_t waitsNs, std::int64_t longestNs);
    /// The waits in the calls that were added.
    std::int64_t waitedNs() const { return m_waitedNs; }
    /// What explains most of the longest waits in these calls.
    std::optional<IdleCause> cause() const;

private:
    Analysis& m_analysis;
    RankBetweenCalls& m_late;
    std::vector<RankBetweenCalls>& m_others;
    std::int64_t m_waitedNs = 0;
    std::int64_t m_longestNs = 0; ///< sum of the longest waits
    CpuTimes m_moreNs{};
};

} // namespace collscope
