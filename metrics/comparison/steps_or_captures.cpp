// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/comparison/steps_or_captures.h"

#include <algorithm>

namespace collscope {

bool hasWholeTraces(const std::vector<RankStepParts>& steps)
{
    return std::any_of(steps.begin(), steps.end(),
                       [](const RankStepParts& step) { return step.isWholeTrace; });
}

bool countsPerStep(const RunSheets& run)
{
    return !hasWholeTraces(run.values.steps);
}

bool areComparable(const RunSheets& base, const RunSheets& test)
{
    return hasWholeTraces(base.values.steps) == hasWholeTraces(test.values.steps);
}

std::optional<std::string> whyNoSteps(const RunSheets& base, const RunSheets& test)
{
    for (const RunSheets* run : {&base, &test}) {
        if (run->values.areStepsTooLarge)
            return "The numbers or times of the steps of " + run->label
                + " are too large to be added up, so no steps are compared.";
        if (run->values.steps.empty())
            return run->label + " has neither GPU work nor step markers, so no steps are compared.";
    }
    return std::nullopt;
}

} // namespace collscope
