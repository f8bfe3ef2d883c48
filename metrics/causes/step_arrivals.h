// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Late ranks of the collectives of one step, and the number of collectives for which they are known.

#include "metrics/causes/cause_parts.h"
#include "metrics/causes/explained_step.h"
#include "metrics/causes/handed_work.h"
#include "metrics/matching/match_gaps.h"

namespace collscope {

/// Waits of one rank that arrived early at collectives of the step.
struct EarlyWaits
{
    std::int32_t rank = -1;
    std::int64_t ns = 0;
    std::int64_t times = 0;
    std::vector<SliceRef> slices; ///< its first calls
};

class StepArrivals
{
public:
    /// Measures the collectives whose first rank arrived in the step; with a chosen rank
    /// (MetricOptions::rank) those of that rank. `durationNs`: duration of the step on its slowest rank.
    StepArrivals(Analysis& analysis, const std::vector<RankStep>& ranks, std::int64_t durationNs);

    /// Late arrivals that matter to the step, largest imposed wait first: a rank was late by 1 % of the step
    /// in one collective, or in total and clearly more than any other rank.
    const std::vector<LateArrival>& late() const { return m_late; }
    /// Ranks that waited 1 % of the step or more for the others, most of which arrived together: longest wait
    /// first, at most three. Empty if half of the ranks or more did so, which is scatter.
    std::vector<EarlyWaits> early() const;
    /// Number of collectives of several ranks with known arrivals.
    std::int64_t collectives() const { return m_collectives; }
    /// Whether the step has collectives of several ranks.
    bool hasAny() const { return m_collectives + m_untold + m_staged > 0; }
    /// Whether the late rank is unknown for too many collectives, so that the step has no verdict.
    bool isDoubtful() const;
    /// Text for a step without a known late rank, without a full stop. `saidWhoWasEarly`: early ranks were
    /// mentioned before.
    std::string nobodyText(bool saidWhoWasEarly) const;

private:
    std::vector<std::uint32_t> instances();
    void countUnmatched();
    void measure(std::uint32_t instance);
    void keepWhatMatters();
    bool isOfSeveral(const CollectiveInstance& of, const Call& call) const;
    bool isInStep(CallRef ref) const;

    Analysis& m_analysis;
    const RunCollectives& m_run;
    const std::vector<RankStep>& m_steps; ///< by rank
    std::int64_t m_durationNs; ///< duration of the step
    HandedWork m_stages;
    std::vector<LateArrival> m_late;
    SharedCalls m_shared; ///< calls of the step that are expected on several ranks
    std::int64_t m_collectives = 0;
    std::int64_t m_untold = 0; ///< collectives with an unknown late rank
    std::int64_t m_staged = 0; ///< collectives that connect stages of a pipeline
    std::int64_t m_pointToPoint = 0;
};

} // namespace collscope
