// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Compares the steps of two runs and attributes the difference to parts, to the last nanosecond.

#include "metrics/comparison/compared_sheet.h"
#include "metrics/comparison/shared_steps.h"

namespace collscope {

/// From the mean step of the baseline to that of the test.
struct StepWaterfall
{
    StepPartTimes base{}, test{}; ///< mean of ranks and steps; each adds up to its step
    std::int64_t baseNs = 0, testNs = 0; ///< the mean steps
    std::size_t baseSteps = 0, testSteps = 0; ///< number of averaged steps over all ranks

    std::int64_t change(StepPart part) const
    {
        const auto at = static_cast<std::size_t>(part);
        return test[at] - base[at];
    }
};

/// `rank`: only this rank. For captures it is per unit of work, if the amount of work is known. Means are
/// rounded so that the parts still add up: sum of change() = testNs - baseNs, always; without parts only the
/// steps are set.
StepWaterfall stepWaterfall(const SharedSteps& steps, std::optional<std::int32_t> rank = std::nullopt);

/// Verdicts on each part and on the step. Without steps of that rank: not applicable.
struct StepVerdicts
{
    std::array<Delta, stepPartCount> parts;
    Delta step;
};
/// `rank`: only this rank. A change beyond the threshold counts as noise if it is within the scatter of the
/// ranks (or, with few ranks, of the steps).
StepVerdicts stepVerdicts(const SharedSteps& steps, const CompareOptions& options,
                          std::optional<std::int32_t> rank = std::nullopt);

/// Step_Waterfall: a row for each part, the largest change first, then the step itself; for captures per unit
/// of work, if the amount of work is known. Empty if a run has no GPU work.
ComparedSheet waterfallSheet(const RunSheets& base, const RunSheets& test, const CompareOptions& options);
/// Step_Cmp: the mean over the ranks of each step, by number if the runs share numbers, else in order. Empty
/// for captures.
ComparedSheet compareSteps(const RunSheets& base, const RunSheets& test, const CompareOptions& options);
/// Step_ByRank_Cmp: the mean of the compared steps, rank by rank. Empty for captures.
ComparedSheet compareStepsByRank(const RunSheets& base, const RunSheets& test, const CompareOptions& options);
/// Kernel_Class_Cmp, Kernel_Cmp: ms per step and rank and calls of each class and name. If a run has no
/// steps, the time per call is compared; for a class, it covers the kernels that both runs have, weighted
/// with the baseline's counts.
ComparedSheet compareKernelClasses(const RunSheets& base, const RunSheets& test,
                                   const CompareOptions& options);
ComparedSheet compareKernels(const RunSheets& base, const RunSheets& test, const CompareOptions& options);
/// Operator_Cmp: time per step and rank inside each CPU operator, of runs without GPU work.
ComparedSheet compareOperators(const RunSheets& base, const RunSheets& test, const CompareOptions& options);

/// The comparison in a sentence or two: how long a step, or a unit of work, takes in both runs.
std::string comparisonHeadline(const RunSheets& base, const RunSheets& test, const CompareOptions& options);

} // namespace collscope
