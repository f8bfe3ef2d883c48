// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The GPU time of a training step by phase: forward, backward, optimizer, the rest.

#include "metrics/launches.h"

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

/// How the phase of a kernel was found: the first that applies.
enum class PhaseMethod
{
    Launches, ///< by who launched it
    Arrows, ///< no launches known: times on the CPU, backward from the fwdbwd arrows on
    Windows, ///< no launches known: times on the CPU, backward from the first backward function on
    None ///< the file shows no phases
};
constexpr std::array<const char*, 4> phaseMethodNames{"launch correlation", "fwdbwd flow", "CPU windows",
                                                      "none"};

/// Kernel time of one rank by phase, in one step or several. Times in ns.
struct PhaseTimes
{
    std::int64_t windowNs = 0; ///< T
    ActiveTimes active; ///< by phase bits
    std::array<std::int64_t, 4> kernels{}; ///< how many, by phase
    std::array<std::int64_t, 4> communicationNs{}; ///< durations of communication kernels, added up
    std::int64_t recomputeNs = 0; ///< durations of kernels of recomputed forward passes, added up
    std::int64_t unlinked = 0; ///< kernels without a known launch: PhaseOther

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
    PhaseMethod method = PhaseMethod::Launches; ///< the weakest one of its files
    unsigned marks = 0; ///< LaunchBackward and LaunchOptimizer, if its CPU side shows them at all

    double stepCount() const { return static_cast<double>(steps.size()); }
};

/// One entry per rank of the selection. O(slices in the windows) and one pass over the CPU side.
struct PhaseTable
{
    std::vector<RankPhases> ranks;
};
PhaseTable measurePhases(Analysis& analysis);

/// Calls f(kernel, phase) for every kernel of the windows whose launch tells its phase.
void forEachKernelPhase(Analysis& analysis, const std::function<void(SliceRef kernel, unsigned phase)>& f);

} // namespace collscope
