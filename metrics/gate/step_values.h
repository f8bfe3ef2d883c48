// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A metric of a run as a whole and step by step. Both are what evaluate() answers, so that no number is
// computed in a second way.

#include "metrics/analysis/analysis.h"
#include "metrics/partition/part_times.h"

namespace collscope {

/// Numbers of the steps in the window of the analysis, without whole traces, in the order of time.
std::vector<std::int64_t> markedStepsOf(Analysis& analysis);

struct StepValues
{
    MetricResult whole; ///< over the window
    std::size_t stepCount = 0; ///< of the window
    std::vector<std::int64_t> steps; ///< numbers of the steps that have a value, in the order of time
    std::vector<double> values; ///< of each, as if it was the only step of the window
    bool isOfSteps = true; ///< false: the metric does not measure the steps of the window
};
/// Evaluates the metric for the window, and for each of the steps if there are fewestGateSteps. O(steps x the
/// metric's own cost).
StepValues stepValues(Analysis& analysis, const MetricRequest& metric,
                      const std::vector<std::int64_t>& steps);

/// What each step was made of, as the mean of the ranks in ns.
struct StepPartValues
{
    std::array<std::vector<double>, partCount> ns; ///< by part, then by step in the order of time
    bool areWaitsKnown = true; ///< false: waits are part of the communication

    std::size_t stepCount() const { return ns.front().size(); }
};
/// From the partition of the run; empty without GPU work or without marked steps.
StepPartValues stepPartValues(Analysis& analysis);

} // namespace collscope
