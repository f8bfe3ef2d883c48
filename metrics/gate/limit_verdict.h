// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether a metric changed by more than its limit, and by more than the steps scatter. The rules are in
// README.md.

#include "metrics/gate/change_limit.h"
#include "metrics/gate/noisy_change.h"
#include "metrics/gate/step_values.h"

namespace collscope {

enum class LimitState : std::uint8_t
{
    Within,
    Exceeded, ///< beyond the noise
    Unknown
};
/// "within", "exceeded", "unknown": the words of the JSON.
std::string_view limitStateName(LimitState state);

/// Changes in percent of the value in the baseline, with their signs.
struct PercentChange
{
    double measured = 0, low = 0, high = 0;
};

struct LimitVerdict
{
    ChangeLimit limit;
    LimitState state = LimitState::Unknown;
    std::string reason; ///< sentences: how it was decided, or why it could not be
    std::optional<double> base, test; ///< the values that --metric prints
    std::optional<double> wholePercent; ///< from one to the other
    std::size_t baseSteps = 0, testSteps = 0; ///< with a value
    std::optional<NoisyChange> steps; ///< of the typical step
    std::optional<PercentChange> percent; ///< of the typical step
    std::vector<std::string> notes; ///< sentences

    std::string name() const { return limit.metric.name; } ///< as the user wrote it
};

/// The same metric in two runs, with their names for sentences.
struct LimitValues
{
    const std::string& baseLabel;
    const StepValues& base;
    const std::string& testLabel;
    const StepValues& test;
};
/// `confidence`: of the interval, 0 to 1.
LimitVerdict judgeLimit(const ChangeLimit& limit, const LimitValues& values, double confidence);

/// "+3.05 %", "0 %".
std::string signedPercentText(double percent);

} // namespace collscope
