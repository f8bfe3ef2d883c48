// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the CPU of a late rank does before it launches its collectives, beyond what the CPUs of the ranks do
// that wait for it: what all do alike does not make it late, whether its GPU waits for that or not.

#include "metrics/findings/cpu_before_calls.h"
#include "metrics/findings/way_spending.h"

#include <optional>
#include <utility>
#include <vector>

namespace collscope {

class CpuComparison
{
public:
    /// Model and ranks must outlive this.
    CpuComparison(const TraceModel& model, const ComparedWays& ways);

    /// A delay of the late rank in ns, and the call before which it has it.
    using Delay = std::pair<std::int64_t, std::uint32_t>;
    struct Compared
    {
        std::int64_t delayNs = 0; ///< sum of the delays that could be compared; 0: not most of them
        CpuTimes ownNs{}; ///< what the late rank's CPU does
        CpuTimes moreNs{}; ///< beyond the median of the others
    };
    /// Since the launch of the last call of each group. Without the calls of which launches are missing, and
    /// without the rank's neighbours in a pipeline, whose CPUs do something else. Of many delays a sample,
    /// weighted so that the sums are those of all.
    Compared compare(std::vector<Delay> delays);

private:
    struct Sample
    {
        std::uint32_t instance = 0;
        std::int64_t delayNs = 0;
        double weight = 1; ///< how many delays like this one it counts for
    };
    static std::vector<Sample> samplesOf(std::vector<Delay> delays);
    std::optional<CpuTimes> moreBefore(std::uint32_t instance, const CpuTimes& own);

    CpuBeforeCalls m_late;
    std::vector<CpuBeforeCalls> m_others;
};

} // namespace collscope
