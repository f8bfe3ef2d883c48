// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How long the chosen steps lasted: the CPU side of a run, from which throughput and MFU follow.

#include "metrics/multirank/rank_windows.h"

namespace collscope {

/// Durations of the chosen steps of one rank, and the start-to-start periods of those that have a following
/// step.
struct RankSteps
{
    std::int32_t rank = 0;
    std::vector<double> secondsEach;
    std::int64_t totalNs = 0; ///< of secondsEach, every digit
    std::vector<std::int64_t> numbers; ///< of secondsEach, as the trace names its steps
    std::vector<double> periods;

    double mean() const; ///< seconds; a rank that is listed has at least one step
};

struct StepTimes
{
    Selection selection; ///< with a failure, if there is no step to measure
    std::vector<RankSteps> ranks;
    double meanSeconds = 0; ///< mean over ranks of the mean over steps
};

/// A step that every rank has, and where it stands in each one's list.
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
    double slowestSeconds = 0; ///< as fast as synchronous training can be
};
/// The steps that every rank has.
std::vector<StepOverRanks> stepsOverRanks(const StepTimes& times);

/// What to return instead of a figure per step: set if no file of the selection marks steps and no range was
/// chosen. The length of a file is not a step.
std::optional<MetricResult> withoutSteps(const Selection& selection);

/// Whether the ranks have their steps in common: those of one file that marks steps once, for all ranks in
/// it. Then their step times cannot differ, which says nothing about the ranks.
bool haveCommonSteps(const Selection& selection);

/// A range has no step time of its own: the whole steps that lie in it count. Ranks whose files mark no steps
/// are left out; a warning names them.
StepTimes measureStepTimes(const TraceModel& model, const MetricOptions& options);

} // namespace collscope
