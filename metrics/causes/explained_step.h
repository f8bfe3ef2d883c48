// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The step that explainStep() explains: its location on each rank, and the durations of the other steps.

#include "metrics/analysis/analysis.h"
#include "metrics/causes/explain.h"
#include "model/result.h"

namespace collscope {

/// One rank's step with the explained number.
struct RankStep
{
    std::uint32_t index = 0; ///< into Selection::ranks
    const Timeline* timeline = nullptr;
    const Step* step = nullptr;
};

struct ExplainedStep
{
    std::vector<RankStep> ranks; ///< ranks that have the step, ascending
    RankStep slowest; ///< among the chosen ranks
    std::size_t others = 0; ///< number of other steps
    std::int64_t othersNs = 0; ///< median duration of the other steps, each on its slowest rank; 0: none
};

/// Finds a step by number. Only marked steps count: a trace without markers is not a step. `rank`: the chosen
/// rank; nullopt: all ranks. Returns an error with the available steps if none of these ranks has the step.
Result<ExplainedStep> findExplainedStep(const Selection& selection, std::int64_t number,
                                        std::optional<std::int32_t> rank);

} // namespace collscope
