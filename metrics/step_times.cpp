// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/step_times.h"

#include "metrics/statistics.h"

#include <algorithm>

namespace collscope {

namespace {

RankSteps measure(const RankWindows& windows)
{
    RankSteps result;
    result.rank = windows.rank;
    for (const RankWindows::Part& part : windows.parts) {
        const std::vector<Step>& all = part.timeline->steps;
        for (const Step& step : part.steps) {
            result.secondsEach.push_back(nsToSeconds(step.range.lengthNs()));
            result.numbers.push_back(step.number);
            const auto self = std::find_if(all.begin(), all.end(),
                                           [&](const Step& s) { return s.number == step.number; });
            if (self != all.end() && self + 1 != all.end())
                result.periods.push_back(nsToSeconds((self + 1)->range.beginNs - self->range.beginNs));
        }
    }
    return result;
}

void keepStepsInside(TimeRange range, Selection& selection)
{
    for (RankWindows& rank : selection.ranks) {
        for (RankWindows::Part& part : rank.parts) {
            part.steps = part.timeline->steps;
            std::erase_if(part.steps, [&](const Step& step) {
                return step.range.beginNs < range.beginNs || step.range.endNs > range.endNs;
            });
        }
    }
    std::erase_if(selection.ranks, [](const RankWindows& rank) { return rank.stepCount() == 0; });
    selection.window = "steps inside the range";
    if (selection.ranks.empty())
        selection.failure = MetricResult::notApplicable("No whole step lies inside the selected range.");
}

} // namespace

double RankSteps::mean() const
{
    return meanOf(secondsEach);
}

StepTimes measureStepTimes(const TraceModel& model, const MetricOptions& options)
{
    StepTimes times;
    MetricOptions ownSteps = options;
    ownSteps.range.reset();
    times.selection = selectRanks(model, ownSteps);
    if (options.range && !times.selection.failure)
        keepStepsInside(*options.range, times.selection);
    if (times.selection.failure)
        return times;
    std::vector<double> means;
    for (const RankWindows& windows : times.selection.ranks) {
        times.ranks.push_back(measure(windows));
        means.push_back(times.ranks.back().mean());
        for (const RankWindows::Part& part : windows.parts)
            times.isMarked &= part.timeline->stepSource != StepSource::WholeTrace;
    }
    times.meanSeconds = meanOf(means);
    return times;
}

} // namespace collscope
