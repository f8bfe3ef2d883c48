// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How much longer a step takes than it would if the same operation took equally long everywhere, and which
// workers, stages and operations that is due to: S, S_x, M_W and M_S of StragglerAnalysis (see
// operation_graph.h).

#include "metrics/whatif/operation_graph.h"

#include <map>
#include <optional>

namespace collscope {

struct StepSlowdown
{
    std::int64_t number = 0;
    std::int64_t measuredNs = 0;
    std::int64_t replayedNs = 0; ///< with the durations as recorded
    std::int64_t idealNs = 0; ///< with the usual duration of each operation
};

struct Slowdown
{
    std::vector<StepSlowdown> steps;
    double replayError = 0; ///< mean over the steps of |replayed - measured| / measured
    /// S: mean replayed step / mean ideal step; nullopt if no operation takes time.
    std::optional<double> slowdown;
    /// With the recorded durations of this data-parallel rank, stage or type of operation alone / ideal.
    std::map<std::int32_t, double> byDp, byStage;
    std::map<std::string_view, double> byType; ///< see OperationTraits::type
    /// The slowest 3 % of the workers, by the smaller of the slowdowns of their rank and stage.
    std::vector<PipelineWorker> worst;
    /// How much of the lost time goes away if only the worst workers, or the last stage, were as usual: M_W,
    /// M_S. nullopt if no time is lost.
    std::optional<double> worstShare, lastStageShare;
};

/// `steps` must not be empty. O((ranks + stages + operations) x nodes).
Slowdown slowdownOf(const std::vector<OperationStep>& steps, const Parallel& parallel,
                    const std::function<bool()>& cancelled);

} // namespace collscope
