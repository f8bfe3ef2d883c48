// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Durations of the chosen steps: the CPU side of a run, from which throughput and MFU follow.

#include "metrics/core/rank_windows.h"

namespace collscope {

/// Durations of the chosen steps of one rank, and the start-to-start periods of the steps that have a
/// successor.
struct RankSteps
{
    std::int32_t rank = 0;
    std::vector<double> secondsEach;
    std::int64_t totalNs = 0; ///< sum of secondsEach, exact
    std::vector<std::int64_t> numbers; ///< numbers of these steps, as named in the trace
    std::vector<double> periods;

    double mean() const; ///< seconds; a rank that is listed has at least one step
};

struct StepTimes
{
    Selection selection; ///< contains a failure if no step can be measured
    std::vector<RankSteps> ranks;
    double meanSeconds = 0; ///< mean over ranks of the mean over steps
};

/// A step that every rank has, and its position in each rank's list.
struct CommonStep
{
    std::int64_t number = 0;
    std::vector<std::size_t> index; ///< by rank
};
/// Steps of the same number (and the same occurrence of it), in the order of the first rank.
std::vector<CommonStep> commonSteps(const std::vector<std::vector<std::int64_t>>& numbersByRank);

/// One step over the ranks, matched by number.
struct StepOverRanks
{
    std::int64_t number = 0;
    double meanSeconds = 0;
    double slowestSeconds = 0; ///< lower bound of a synchronous step
};
/// The steps that every rank has.
std::vector<StepOverRanks> stepsOverRanks(const StepTimes& times);

/// The result to return in place of a per-step figure: set if no file of the selection marks steps and no
/// range was chosen. The duration of a file is not a step.
std::optional<MetricResult> withoutSteps(const Selection& selection);

/// Whether the ranks share their steps, because one file marks the steps once for all of its ranks. Their
/// step times then cannot differ, which reveals nothing about the ranks.
bool haveCommonSteps(const Selection& selection);

/// A range has no step time of its own: the complete steps inside it count. Ranks whose files mark no steps
/// are excluded; a warning names them.
StepTimes measureStepTimes(const TraceModel& model, const MetricOptions& options);

} // namespace collscope
