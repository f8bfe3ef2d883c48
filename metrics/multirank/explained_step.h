// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The step that explainStep() is about: where each rank has it, and how long the other steps are.

#include "metrics/analysis.h"
#include "model/result.h"

namespace collscope {

/// One rank's step of the number that is explained.
struct RankStep
{
    std::uint32_t index = 0; ///< into Selection::ranks
    const Timeline* timeline = nullptr;
    const Step* step = nullptr;
};

struct ExplainedStep
{
    std::vector<RankStep> ranks; ///< that have it, ascending
    RankStep slowest; ///< of the chosen ranks
    std::size_t others = 0; ///< other steps
    std::int64_t othersNs = 0; ///< their median, each on its slowest rank; 0: there are none
};

/// Only marked steps count: a trace without markers is not a step. `rank`: the chosen one, else all are. An
/// error if none of these has a step of that number; it names those there are.
Result<ExplainedStep> findExplainedStep(const Selection& selection, std::int64_t number,
                                        std::optional<std::int32_t> rank);

} // namespace collscope
