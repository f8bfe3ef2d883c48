// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether the steps of two runs differ by more than steps of one run differ from each other. See README.md.

#include <cstddef>
#include <vector>

namespace collscope {

/// Fewer steps do not show how much steps scatter.
constexpr std::size_t fewestGateSteps = 8;
/// As many independent steps are needed at least. Neighbours that resemble each other tell less.
constexpr double fewestEffectiveSteps = 4;

/// The change from the typical step of one run to that of another.
struct NoisyChange
{
    double base = 0, test = 0; ///< trimmed means
    /// test - base lies in between with the confidence that was asked for; infinite if the steps do not tell.
    double low = 0, high = 0;
    double effectiveSteps = 0; ///< independent steps that would tell as much, of the run with fewer of them

    double difference() const { return test - base; }
};

/// `base`, `test`: a value per step in the order of time, at least fewestGateSteps each. `confidence`: of the
/// two-sided interval, above 0 and below 1.
NoisyChange noisyChange(const std::vector<double>& base, const std::vector<double>& test, double confidence);

/// Indices of the values that are far above the others, or far below them. The same precondition.
std::vector<std::size_t> unusualSteps(const std::vector<double>& values, bool areHigh);
/// How many runs of neighbours ascending indices form: what slows ten steps in a row happened once.
std::size_t episodesOf(const std::vector<std::size_t>& steps);

struct StepCounts
{
    std::size_t unusual = 0, all = 0;
};
/// The probability that, of all unusual steps of two runs that are alike, the test has at least as many as it
/// has here (a sign test).
double chanceOfAsMany(StepCounts base, StepCounts test);

} // namespace collscope
