// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Late ranks and the waits that they caused, from the summaries of the ranks: the numbers of the metric
// `straggler`. See ../causes/blame.md.

#include "metrics/analysis/duration_sample.h"
#include "metrics/causes/arrivals.h"
#include "metrics/causes/straggler_rows.h"
#include "metrics/summary/folded_collectives.h"

namespace collscope {

struct FoldedStraggler
{
    ClockAlignment clocks;
    /// As measureArrivals(), but `matched` and GroupSkew::arrivals are not kept.
    Arrivals arrivals;
    std::vector<std::int64_t> collectivesOfGroup; ///< as Arrivals::groups
    /// Mean length of the window; nullopt if the files mark no steps.
    std::optional<double> windowNs;
    StragglerSums slowest; ///< of the first of Arrivals::groups
    std::vector<FoldedSteps> steps; ///< as Arrivals::ranks: what FoldedRun::steps has
    SampleFigures skews; ///< of the counted collectives
    std::int64_t differing = 0; ///< see FoldedMatches
    std::int64_t missing = 0; ///< collectives of the window without the call of a loaded rank
};

/// Measures the collectives of the window that the options choose. Only steps, clocks, cancelled and parallel
/// of the options are used. `mesh`: of the workload, which tells what transfers are for. Error: the groups'
/// summaries do not suffice, or there is nothing to compare.
Result<FoldedStraggler> foldStraggler(const SummarizedRun& run, const MetricOptions& options,
                                      const Mesh& mesh = {});

} // namespace collscope
