// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The GPU time of a training step by phase: forward, backward, optimizer, and other.

#include "metrics/analysis/launches.h"

#include <array>

namespace collscope {

/// Phases are kinds of activity for sweep(): one bit each.
enum Phase : unsigned
{
    PhaseForward = 1,
    PhaseBackward = 2,
    PhaseOptimizer = 4,
    PhaseOther = 8,
};
constexpr std::array<Phase, 4> allPhases{PhaseForward, PhaseBackward, PhaseOptimizer, PhaseOther};
constexpr std::array<const char*, 4> phaseNames{"forward", "backward", "optimizer", "other"};

/// The method by which the phase of a kernel was determined: the first that applies.
enum class PhaseMethod
{
    Launches, ///< by the launching operators
    Arrows, ///< no launches known: CPU times, backward starts at the fwdbwd arrows
    Windows, ///< no launches known: CPU times, backward starts at the first backward function
    None ///< the file shows no phases
};
constexpr std::array<const char*, 4> phaseMethodNames{"launch correlation", "fwdbwd flow", "CPU windows",
                                                      "none"};

/// Kernel time of one rank by phase, in one step or several. Times in ns.
struct PhaseTimes
{
    std::int64_t windowNs = 0; ///< T
    ActiveTimes active; ///< by phase bits
    std::array<std::int64_t, 4> kernels{}; ///< number of kernels by phase
    std::array<std::int64_t, 4> communicationNs{}; ///< sum of the durations of communication kernels
    std::int64_t recomputeNs = 0; ///< sum of the durations of kernels in recomputed forward passes
    std::int64_t unlinked = 0; ///< kernels without a known launch; counted in PhaseOther

    /// Union of the phase's kernels.
    std::int64_t of(Phase phase) const { return active.anyOf(phase); }
    /// Sum of the four unions.
    std::int64_t sum() const;
    PhaseTimes& operator+=(const PhaseTimes& more);
};

struct RankPhases
{
    std::int32_t rank = 0;
    std::vector<std::pair<std::int64_t, PhaseTimes>> steps; ///< by step number
    PhaseTimes total;
    PhaseMethod method = PhaseMethod::Launches; ///< the weakest method among its files
    unsigned marks = 0; ///< LaunchBackward and LaunchOptimizer, if they occur on its CPU side

    double stepCount() const { return static_cast<double>(steps.size()); }
};

/// One entry per rank of the selection. O(slices in the windows) and one pass over the CPU side.
struct PhaseTable
{
    std::vector<RankPhases> ranks;
};
PhaseTable measurePhases(Analysis& analysis);

/// Calls f(kernel, phase) for every kernel of the windows whose launch determines its phase.
void forEachKernelPhase(Analysis& analysis, const std::function<void(SliceRef kernel, unsigned phase)>& f);

} // namespace collscope
