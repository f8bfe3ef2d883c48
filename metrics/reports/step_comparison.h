// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The steps of two runs against each other: where the difference is, to the last nanosecond.

#include "metrics/reports/comparison.h"
#include "metrics/reports/step_parts.h"

namespace collscope {

/// From the mean step of the baseline to that of the test.
struct StepWaterfall
{
    StepPartTimes base{}, test{}; ///< mean of ranks and steps; each adds up to its step
    std::int64_t baseNs = 0, testNs = 0; ///< the mean steps
    std::size_t baseSteps = 0, testSteps = 0; ///< ranks times steps that were averaged

    std::int64_t change(StepPart part) const
    {
        const auto at = static_cast<std::size_t>(part);
        return test[at] - base[at];
    }
};

/// `rank`: of this rank alone. Means are rounded so that the parts still add up: sum of change() = testNs -
/// baseNs, always.
StepWaterfall stepWaterfall(const std::vector<RankStepParts>& base, const std::vector<RankStepParts>& test,
                            std::optional<std::int32_t> rank = std::nullopt);

/// A step of the baseline and the one of the test that it is compared with; a number, as the traces name it.
struct StepPair
{
    std::optional<std::int64_t> base, test; ///< at least one of the two
    friend bool operator==(const StepPair&, const StepPair&) = default;
};
/// Steps of one number where the runs share numbers, else in order. Both ascending.
std::vector<StepPair> pairedSteps(const std::vector<std::int64_t>& base,
                                  const std::vector<std::int64_t>& test);

/// The steps that a Step_Parts sheet was made from; empty if it is none.
std::vector<RankStepParts> stepPartsOf(const Sheet& sheet);

/// A sentence for readers of a comparison whose runs cover other steps (A4.14); nullopt if they cover the
/// same, or one names none. Times of a whole file stay what they are: cutting them to common steps would make
/// them other figures than those in the runs' own reports.
std::optional<std::string> stepsNote(const RunSheets& base, const RunSheets& test);
/// Step_Waterfall: a row for each part, the largest change first, then the step itself.
Sheet waterfallSheet(const RunSheets& base, const RunSheets& test, const CompareOptions& options);
/// Step_Cmp: the mean over the ranks of each step, by number where the runs share numbers, else in order.
Sheet compareSteps(const RunSheets& base, const RunSheets& test, const CompareOptions& options);
/// Kernel_Class_Cmp, Kernel_Cmp: ms per step and rank, calls and mean of each class and name.
Sheet compareKernelClasses(const RunSheets& base, const RunSheets& test, const CompareOptions& options);
Sheet compareKernels(const RunSheets& base, const RunSheets& test, const CompareOptions& options);

} // namespace collscope
