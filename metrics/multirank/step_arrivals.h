// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Who came late to the collectives of one step, and of how many of them that is known.

#include "metrics/multirank/cause_parts.h"
#include "metrics/multirank/explained_step.h"
#include "metrics/multirank/handed_work.h"
#include "metrics/multirank/match_gaps.h"

namespace collscope {

/// What one rank waited for having come early to collectives of the step.
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
    /// The collectives whose first rank came to them in the step; with a chosen rank (MetricOptions::rank)
    /// those of that rank. `durationNs`: of the step on its slowest rank.
    StepArrivals(Analysis& analysis, const std::vector<RankStep>& ranks, std::int64_t durationNs);

    /// Late arrivals that matter to the step, the one with the largest imposed wait first: some rank came
    /// late by 1 % of the step at once; or little by little, and clearly more than any other rank.
    const std::vector<LateArrival>& late() const { return m_late; }
    /// Ranks that waited 1 % of the step or more for the others, most of which came together: the longest
    /// wait first, at most three. Empty where half of the ranks or more did, now this one, now that one.
    std::vector<EarlyWaits> early() const;
    /// Of several ranks, where it is known who was late.
    std::int64_t collectives() const { return m_collectives; }
    /// Whether the step has collectives of several ranks at all.
    bool hasAny() const { return m_collectives + m_untold + m_staged > 0; }
    /// Whether too many collectives do not tell who was late, so that the step has no verdict.
    bool isDoubtful() const;
    /// Who was late to its collectives, where nobody is known to have been; without a full stop.
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
    std::int64_t m_durationNs; ///< of the step
    HandedWork m_stages;
    std::vector<LateArrival> m_late;
    SharedCalls m_shared; ///< calls of the step that several ranks should share
    std::int64_t m_collectives = 0;
    std::int64_t m_untold = 0; ///< those where it is not known who was late
    std::int64_t m_staged = 0; ///< those that join stages of a pipeline
    std::int64_t m_pointToPoint = 0;
};

} // namespace collscope
