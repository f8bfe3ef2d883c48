// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/rank_windows.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

/// Durations of the chosen steps of one rank, and the start-to-start periods of those that have a following
/// step.
struct RankSteps
{
    std::int32_t rank = 0;
    std::vector<double> secondsEach;
    std::vector<std::int64_t> numbers; ///< of secondsEach, as the trace names its steps
    std::vector<double> periods;
};

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

/// The p-th percentile by linear interpolation between the neighbours.
double percentile(std::vector<double> values, double p)
{
    std::sort(values.begin(), values.end());
    const double at = p * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (values[above] - values[below]) * (at - static_cast<double>(below));
}

/// With n - 1, as the field prints it; 0 for a single value.
double standardDeviation(const std::vector<double>& values)
{
    if (values.size() < 2)
        return 0.0;
    const double mean = meanOf(values);
    double sum = 0;
    for (const double v : values)
        sum += (v - mean) * (v - mean);
    return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

void addDetails(const std::vector<RankSteps>& ranks, MetricResult& result)
{
    std::vector<double> all;
    std::vector<double> periodMeans;
    Value::Object perRank;
    for (const RankSteps& rank : ranks) {
        all.insert(all.end(), rank.secondsEach.begin(), rank.secondsEach.end());
        if (!rank.periods.empty())
            periodMeans.push_back(meanOf(rank.periods));
        perRank.emplace_back(std::to_string(rank.rank), meanOf(rank.secondsEach));
    }
    // Step k over ranks; synchronous training is as slow as its slowest rank.
    std::size_t shortest = ranks.front().secondsEach.size();
    for (const RankSteps& rank : ranks)
        shortest = std::min(shortest, rank.secondsEach.size());
    Value::Array list;
    std::vector<double> slowest;
    slowest.reserve(shortest);
    for (std::size_t k = 0; k < shortest; ++k) {
        std::vector<double> overRanks;
        overRanks.reserve(ranks.size());
        for (const RankSteps& rank : ranks)
            overRanks.push_back(rank.secondsEach[k]);
        list.emplace_back(meanOf(overRanks));
        slowest.push_back(*std::max_element(overRanks.begin(), overRanks.end()));
        result.rows.push_back({std::nullopt, ranks.front().numbers[k], meanOf(overRanks)});
    }
    const auto [least, most] = std::minmax_element(all.begin(), all.end());
    result.details = {{"min_s", *least},
                      {"max_s", *most},
                      {"std_s", standardDeviation(all)},
                      {"p50_s", medianOf(all)},
                      {"p99_s", percentile(all, 0.99)},
                      {"steps", static_cast<std::int64_t>(shortest)},
                      {"step_times_s", std::move(list)}};
    if (periodMeans.size() == ranks.size())
        result.details.emplace_back("period_s", meanOf(periodMeans));
    if (!slowest.empty())
        result.details.emplace_back("sync_s", meanOf(slowest));
    result.details.emplace_back("per_rank_s", std::move(perRank));
}

MetricResult compute(const TraceModel& model, const MetricOptions& options)
{
    MetricOptions ownSteps = options;
    ownSteps.range.reset(); // a range has no step time of its own: the steps that lie in it count
    Selection selection = selectRanks(model, ownSteps);
    if (selection.failure)
        return *selection.failure;
    if (options.range) {
        for (RankWindows& rank : selection.ranks) {
            for (RankWindows::Part& part : rank.parts) {
                part.steps = part.timeline->steps;
                std::erase_if(part.steps, [&](const Step& step) {
                    return step.range.beginNs < options.range->beginNs
                        || step.range.endNs > options.range->endNs;
                });
            }
        }
        std::erase_if(selection.ranks, [](const RankWindows& rank) { return rank.stepCount() == 0; });
        selection.window = "steps inside the range";
        if (selection.ranks.empty())
            return MetricResult::notApplicable("No whole step lies inside the selected range.");
    }
    MetricResult result;
    result.state = MetricState::Value;
    result.scope = selection.scope;
    result.window = selection.window;
    result.source = selection.source;
    result.warnings = selection.warnings;
    result.reduction = options.rank ? "one rank" : "mean of ranks";
    std::vector<RankSteps> ranks;
    std::vector<double> means;
    for (const RankWindows& windows : selection.ranks) {
        ranks.push_back(measure(windows));
        means.push_back(meanOf(ranks.back().secondsEach));
        result.rows.push_back({windows.rank, std::nullopt, means.back()});
        for (const RankWindows::Part& part : windows.parts) {
            for (const Step& step : part.steps) {
                if (options.wantEvidence)
                    result.evidenceRanges.push_back(step.range);
            }
        }
    }
    result.value = meanOf(means);
    addDetails(ranks, result);
    result.inputs
        = {std::to_string(ranks.front().secondsEach.size()) + " steps per rank, found by "
               + std::string(stepSourceName(selection.ranks.front().parts.front().timeline->stepSource)),
           "A step is CPU time between its markers: with asynchronous GPU work the first one is shorter."};
    return result;
}

constexpr MetricAlias aliases[] = {{"iteration_wall_clock_time"},
                                   {"iter_time", "ms", 1000.0},
                                   {"iter_time_16", "ms", 1000.0},
                                   {"iteration_time"}};

} // namespace

extern const MetricDescriptor avgStepTimeMetric;
const MetricDescriptor avgStepTimeMetric{"avg_step_time",
                                         "Step time",
                                         "Execution",
                                         "s",
                                         MetricDirection::LowerIsBetter,
                                         "a timeline (Kineto or nsys)",
                                         "Mean duration of a training step or pass.",
                                         "mean over ranks of the mean step duration over the inner steps "
                                         "(ProfilerStep, else passes, else NVTX ranges)",
                                         aliases,
                                         compute};

} // namespace collscope
