// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How much work two captures without step markers hold, or the steps of two runs. A capture lasts as long as
// somebody let it run, so its times say nothing by themselves: what can be compared is the time that a piece
// of work took. Kernels that both runs have tell how much work there is: where their calls grow or fall by
// one factor, that factor is the ratio of the work done.

#include "metrics/reports/compared_step_work.h"
#include "metrics/reports/comparison.h"

namespace collscope {

struct ComparedWork
{
    bool isOfCaptures = false; ///< neither run has steps; else only `steps` is set below
    ComparedStepWork steps; ///< of runs that both have steps
    bool isTold = false; ///< the counts agree, and both runs have the same ranks
    std::string whyNot; ///< a sentence where it is not told
    bool areCallsAlike = true; ///< false: a call may do another amount of work, so its time says nothing
    /// Work in the capture of a rank. Whole repetitions of a pattern of kernels where there is one
    /// (hasUnits); else the baseline's capture is 1.
    double baseUnits = 1, testUnits = 1;
    bool hasUnits = false;
    bool isSameWork = false; ///< every kernel was called as often in both
    double cutPercent = 0; ///< what one unit more or less at the ends of a capture would change
    double baseMs = 0, testMs = 0; ///< how long the captures last, mean of the ranks
    double agreeingPercent = 0; ///< share of the computing time that is in kernels whose counts agree
    std::size_t ranks = 0;
    /// The kernel with the most time among those that agree; per rank.
    struct Example
    {
        std::string name;
        double baseCalls = 0, testCalls = 0, baseUs = 0, testUs = 0; ///< us per call
    } example;
    double callPercent
        = 0; ///< change of the time per call over the agreeing kernels, at the baseline's counts

    /// "unit" or "capture": what times of waterfalls are of.
    const char* per() const { return isTold ? "unit" : "capture"; }
    /// The rule for times per unit of work, or per step: without a verdict where the work is not told or not
    /// the same.
    DeltaRule rule(const CompareOptions& options,
                   MetricDirection direction = MetricDirection::LowerIsBetter) const;
    /// Of a time of the whole captures, in ms or any other unit.
    Delta perUnit(std::optional<double> base, std::optional<double> test, const DeltaRule& rule) const;
    /// Time per unit of work. Not applicable where the work is not told.
    Delta duration(const CompareOptions& options) const;
};

/// From the sheets Step_Parts and Kernels. O(kernel names).
ComparedWork comparedWork(const RunSheets& base, const RunSheets& test);
/// Fills in what the counts of the computing kernels tell, per step or per capture.
void countKernels(const RunSheets& base, const RunSheets& test, ComparedWork& work);

/// What a person should know first: "Both captures last 300 ms. The test did 12 % less work in that time:
/// ...".
std::string workSentence(const ComparedWork& work, const CompareOptions& options);
/// What that rests on.
std::string workBasis(const ComparedWork& work);

/// One row of a Kernels sheet.
struct KernelRow
{
    std::string kernelClass, name;
    double calls = 0, ms = 0; ///< per step, or per capture
};
/// Rows of a run's Kernels sheet; empty if it has none.
std::vector<KernelRow> kernelRowsOf(const RunSheets& run);
/// False where the sheet counts per capture: the run has no steps.
bool countsPerStep(const RunSheets& run);

/// "300 ms", "4.01 ms", "23.5 us": three digits.
std::string timeText(double ms);
/// "12 %", "3.4 %": no sign.
std::string percentText(double percent);

} // namespace collscope
