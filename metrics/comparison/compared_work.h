// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Amount of work in two captures without step markers, or in the steps of two runs. The length of a capture
// is arbitrary, so its times are not comparable by themselves; the time per amount of work is. The amount of
// work follows from kernels that both runs have: if their call counts grow or shrink by one factor, that
// factor is the ratio of the work done.

#include "metrics/comparison/compared_sheet.h"
#include "metrics/comparison/compared_step_work.h"
#include "metrics/comparison/kernel_counts.h"

namespace collscope {

struct ComparedWork : KernelCounts
{
    bool isOfCaptures = false; ///< neither run has steps; else only `steps` is set below
    ComparedStepWork steps; ///< of runs that both have steps
    double baseMs = 0, testMs = 0; ///< lengths of the captures, mean of the ranks
    std::size_t ranks = 0;

    /// "unit" or "capture": the reference of the times in waterfalls.
    const char* per() const { return isTold ? "unit" : "capture"; }
    /// The rule for times per unit of work, or per step: without a verdict if the work is unknown or
    /// different.
    DeltaRule rule(const CompareOptions& options,
                   MetricDirection direction = MetricDirection::LowerIsBetter) const;
    /// Delta per unit of work of a time of the whole captures, in ms or any other unit.
    Delta perUnit(std::optional<double> base, std::optional<double> test, const DeltaRule& rule) const;
    /// Time per unit of work. Not applicable if the amount of work is unknown.
    Delta duration(const CompareOptions& options) const;
};

/// From their steps and kernels. O(kernel names).
ComparedWork comparedWork(const RunSheets& base, const RunSheets& test);

/// The most important result: "Both captures last 300 ms. The test did 12 % less work in that time: ...".
std::string workSentence(const ComparedWork& work, const CompareOptions& options);
/// The basis of that result.
std::string workBasis(const ComparedWork& work);

} // namespace collscope
