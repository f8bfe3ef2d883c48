// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The activity of a run's GPUs in the chosen windows: times per rank and step (unions, by sweep), and sums
// per kernel name. Most metrics are ratios of these figures. Their formulas call the unions C (communication
// kernels), Q (compute kernels), M (copies) and B (all GPU activity), and the length of the window T.

#include "metrics/core/rank_windows.h"
#include "metrics/core/sweep.h"

namespace collscope {

/// Figures of one rank in one window, or sums of several. All times in ns.
struct TimeBreakdown
{
    std::int64_t windowNs = 0; ///< T
    ActiveTimes active;
    std::int64_t kernelSumNs = 0; ///< sum of the (clipped) durations of all kernels
    std::int64_t communicationSumNs = 0;
    std::int64_t communicationCalls = 0; ///< communication kernels that start in the window
    std::int64_t kernelCalls = 0; ///< kernels that start in the window

    std::int64_t communication() const { return active.anyOf(ActiveCommunication); } ///< |C|
    std::int64_t compute() const { return active.anyOf(ActiveCompute); } ///< |Q|
    std::int64_t overlap() const { return active.allOf(ActiveCommunication | ActiveCompute); } ///< |C and Q|
    std::int64_t exposedCommunication() const { return active.anyOf(ActiveCommunication, ActiveCompute); }
    std::int64_t copies() const { return active.anyOf(ActiveCopy); } ///< |M|
    std::int64_t exposedCopies() const { return active.anyOf(ActiveCopy, ActiveKernel); } ///< |M \ kernels|
    std::int64_t busy() const { return active.anyOf(ActiveAnything); } ///< |B|
    TimeBreakdown& operator+=(const TimeBreakdown& other);
};

struct StepBreakdown
{
    Step step;
    const Timeline* timeline = nullptr;
    TimeBreakdown work;
};

struct RankBreakdown
{
    std::int32_t rank = 0;
    std::vector<StepBreakdown> steps;
    TimeBreakdown total; ///< sum over the steps
    double stepCount() const { return static_cast<double>(steps.size()); }
};

/// One entry per rank of the selection, in its order. O(slices in the windows).
std::vector<RankBreakdown> measureBreakdown(const TraceModel& model, const Selection& selection,
                                            const MetricOptions& options);

/// Kernels and copies of one rank over all its windows.
struct RankKernels : KernelBreakdown
{
    std::int32_t rank = 0;
};
std::vector<RankKernels> measureKernels(const TraceModel& model, const Selection& selection,
                                        const MetricOptions& options);

/// "84 of 1234 kernels communicate (80 by their Collective name, 4 by kernel name)."
std::string kernelRuleSentence(const std::vector<RankKernels>& ranks);

/// Share of the SMs covered by a kernel's grid: min(blocks per SM, 1); nsys: blocks / SMs of the device.
/// Negative if the trace does not record it.
double smCoverage(const KernelDetail& detail, std::int32_t multiprocessors);

} // namespace collscope
