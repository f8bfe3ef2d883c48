// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The verdict on a run that is compared with a baseline: which limits it exceeds beyond the noise, and which
// part of the step is to blame.

#include "metrics/gate/limit_verdict.h"
#include "metrics/reports/run_values.h"

namespace collscope {

/// Of all intervals of the limits together, and of those of the parts.
constexpr double gateConfidence = 0.99;

/// What is read of one run. The model is not needed any longer.
struct GatedRun
{
    std::string label;
    std::vector<StepValues> metrics; ///< one per limit
    StepPartValues parts;
    std::vector<std::int64_t> steps; ///< numbers
    std::vector<std::int32_t> ranks;
    std::string device; ///< name of its GPUs; empty if unknown
    RunSheets work; ///< kernels, collectives and description, to tell whether runs do the same work
    bool knowsWork = false; ///< its events show kernels and collectives
    std::vector<std::string> warnings; ///< about its files and steps
};
/// Evaluates each metric for the window and for each step. Incomplete if it was cancelled.
GatedRun gatedRun(Analysis& analysis, std::string label, const std::vector<ChangeLimit>& limits);

struct PartChange
{
    Part part = Part::Compute;
    NoisyChange ns; ///< per step, mean of the ranks

    bool isGrowth() const { return ns.low > 0; } ///< beyond the noise
};

struct RunGate
{
    std::vector<LimitVerdict> limits;
    std::vector<PartChange> parts; ///< empty if they are unknown
    std::string whyNoParts; ///< a sentence if `parts` is empty
    std::vector<std::string> notes; ///< sentences about what differs between the runs, and what was assumed

    /// Exceeded if any limit is; else Unknown if any is.
    LimitState state() const;
    /// The part that grew most, beyond the noise; nullptr if none did.
    const PartChange* blamed() const;
};
/// Both runs must have been measured with these limits.
RunGate judgeRuns(const std::vector<ChangeLimit>& limits, const GatedRun& base, const GatedRun& test);

} // namespace collscope
