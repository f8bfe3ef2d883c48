// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Explains why a rank was late at a collective, and why a step took longer.
// See blame.md.

#include "metrics/causes/cause_chain.h"
#include "model/result.h"

namespace collscope {

/// Explains why the last rank was late at a collective (index into Analysis::run().matching.instances). The
/// rank is compared with those that arrived in the first half, from the last collective that they finished
/// together; times are durations, which need no common clock. O(calls and slices between the two on at most
/// 64 ranks).
CauseChain explainArrival(Analysis& analysis, std::uint32_t instance);

struct StepExplanation
{
    std::int64_t step = 0;
    std::int64_t durationNs = 0; ///< on the slowest rank
    std::int64_t othersNs = 0; ///< median of the other steps, each on its slowest rank; 0: no other steps
    std::size_t others = 0; ///< number of other steps
    TimeRange range; ///< of the slowest rank, on the axis defined by Analysis::clocks()
    std::string clocks; ///< ClockAlignment::summary
    CauseChain chain;
};

/// Explains why a step took this long. With MetricOptions::rank only collectives of that rank count. Returns
/// an error if no rank has the step (with the available steps), if the ranks have no calls to compare
/// (withCalls()) or the run is reduced. O(calls of the step + slices of the step and its neighbours on the
/// ranks compared).
Result<StepExplanation> explainStep(Analysis& analysis, std::int64_t number);

} // namespace collscope
