// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/gate/step_values.h"

#include "metrics/gate/noisy_change.h"
#include "metrics/partition/partition.h"

#include <algorithm>
#include <set>

namespace collscope {

namespace {

bool isMarked(const Timeline& timeline)
{
    return timeline.stepSource != StepSource::WholeTrace;
}

} // namespace

std::vector<std::int64_t> markedStepsOf(Analysis& analysis)
{
    std::vector<std::int64_t> numbers;
    std::set<std::int64_t> known;
    for (const RankWindows& rank : analysis.allRanks().ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            for (const Step& step : part.steps) {
                if (isMarked(*part.timeline) && known.insert(step.number).second)
                    numbers.push_back(step.number);
            }
        }
    }
    return numbers;
}

StepValues stepValues(Analysis& analysis, const MetricRequest& metric, const std::vector<std::int64_t>& steps)
{
    StepValues values;
    values.stepCount = steps.size();
    values.whole = evaluate(analysis, metric);
    if (!values.whole.value || steps.size() < fewestGateSteps)
        return values;
    MetricOptions options = analysis.options();
    options.parallel = Parallel(); // each thread has its own steps
    options.wantReferences = options.wantEvidence = false;
    if (!analysis.model().isSummarized())
        options.collectives = analysis.sharedRun();
    std::vector<MetricResult> results(steps.size());
    analysis.options().parallel.forEach(steps.size(), [&](std::size_t i) {
        if (options.cancelled())
            return;
        MetricOptions own = options;
        own.steps = {StepChoice::Mode::Range, steps[i], steps[i]};
        results[i] = evaluate(analysis.model(), metric, own);
    });
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const MetricResult& result = results[i];
        if (!result.value)
            continue;
        values.isOfSteps &= result.window != values.whole.window;
        values.steps.push_back(steps[i]);
        values.values.push_back(*result.value);
    }
    return values;
}

StepPartValues stepPartValues(Analysis& analysis)
{
    StepPartValues values;
    const Partition& partition = partitionOf(analysis);
    values.areWaitsKnown = partition.areWaitsKnown();
    if (partition.ranks.empty())
        return values;
    // Where the steps have numbers, all ranks have the same ones.
    std::size_t count = partition.ranks.front().steps.size();
    for (const RankShare& rank : partition.ranks) {
        if (!std::all_of(rank.timelines.begin(), rank.timelines.end(),
                         [](const Timeline* timeline) { return isMarked(*timeline); }))
            return values;
        count = std::min(count, rank.steps.size());
    }
    const auto ranks = static_cast<double>(partition.ranks.size());
    for (std::size_t part = 0; part < partCount; ++part) {
        for (std::size_t step = 0; step < count; ++step) {
            std::int64_t sum = 0;
            for (const RankShare& rank : partition.ranks)
                sum += rank.steps[step].parts.ns[part];
            values.ns[part].push_back(static_cast<double>(sum) / ranks);
        }
    }
    return values;
}

} // namespace collscope
