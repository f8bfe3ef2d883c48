// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The ratio of the work of two runs, per step or per capture, as far as the call counts of their compute
// kernels show it.

#include "metrics/reports/run_values.h"

#include <string>

namespace collscope {

/// Counts within this distance of the common factor, in percent, agree with it.
inline constexpr double agreePercent = 5;

struct KernelCounts
{
    bool isTold = false; ///< the counts agree, and both runs have the same ranks
    std::string whyNot; ///< a sentence if !isTold
    bool areCallsAlike = true; ///< false: a call may do different work, so call times are not comparable
    /// Work in the capture of a rank, in whole repetitions of a pattern of kernels if one was found
    /// (hasUnits); else the baseline's capture is 1.
    double baseUnits = 1, testUnits = 1;
    bool hasUnits = false;
    bool isSameWork = false; ///< every kernel was called equally often in both
    double cutPercent = 0; ///< change that one unit more or less at the ends of a capture would cause
    double agreeingPercent = 0; ///< share of the compute time in kernels whose counts agree
    /// The kernel with the most time among those that agree; per rank.
    struct Example
    {
        std::string name;
        double baseCalls = 0, testCalls = 0, baseUs = 0, testUs = 0; ///< us per call
    } example;
    double callPercent
        = 0; ///< change of the time per call over the agreeing kernels, at the baseline's counts
};

/// Fills in the amount of work that follows from the call counts of the compute kernels, per step or per
/// capture.
void countKernels(const RunSheets& base, const RunSheets& test, KernelCounts& work);

} // namespace collscope
