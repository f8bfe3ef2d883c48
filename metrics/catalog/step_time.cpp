// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/catalog/catalog.h"
#include "metrics/core/statistics.h"

#include <algorithm>

namespace collscope {

namespace {

void addDetails(const StepTimes& times, MetricResult& result)
{
    const std::vector<RankSteps>& ranks = times.ranks;
    std::vector<double> all;
    std::vector<double> periodMeans;
    Value::Object perRank;
    for (const RankSteps& rank : ranks) {
        all.insert(all.end(), rank.secondsEach.begin(), rank.secondsEach.end());
        if (!rank.periods.empty())
            periodMeans.push_back(meanOf(rank.periods));
        perRank.emplace_back(std::to_string(rank.rank), meanOf(rank.secondsEach));
    }
    // Synchronous training is as slow as its slowest rank.
    Value::Array list;
    std::vector<double> slowest;
    for (const StepOverRanks& step : stepsOverRanks(times)) {
        list.emplace_back(step.meanSeconds);
        slowest.push_back(step.slowestSeconds);
        result.rows.push_back({std::nullopt, step.number, step.meanSeconds});
    }
    const auto [least, most] = std::minmax_element(all.begin(), all.end());
    result.details = {{"min_s", *least},
                      {"max_s", *most},
                      {"std_s", standardDeviationOf(all)},
                      {"p50_s", medianOf(all)},
                      {"p99_s", percentileOf(all, 0.99)},
                      {"steps", static_cast<std::int64_t>(slowest.size())},
                      {"step_times_s", std::move(list)}};
    if (periodMeans.size() == ranks.size())
        result.details.emplace_back("period_s", meanOf(periodMeans));
    if (!slowest.empty())
        result.details.emplace_back("sync_s", meanOf(slowest));
    result.details.emplace_back("per_rank_s", std::move(perRank));
}

std::string lengthSentence(StepSource source)
{
    switch (source) {
    case StepSource::ExecuteContext:
    case StepSource::ServerStep:
        return "A pass lasts from its mark on the CPU until the GPU work that it launched is done, or until "
               "the next pass starts.";
    case StepSource::ArgsStep:
        return "A step lasts from its first to its last event, over all ranks of the file.";
    case StepSource::Detected:
        return "A step lasts from the start of its first kernel to the start of the next step.";
    default:
        return "A step is CPU time between its markers: with asynchronous GPU work, the first step is "
               "shorter.";
    }
}

MetricResult stepTime(Analysis& analysis)
{
    const StepTimes& times = analysis.stepTimes();
    const Selection& selection = times.selection;
    if (selection.failure)
        return *selection.failure;
    MetricResult result = valueOf(analysis, selection, "mean of ranks");
    for (const RankSteps& rank : times.ranks)
        result.rows.push_back({rank.rank, std::nullopt, rank.mean()});
    addEvidence(analysis, selection, result, [](const SliceColumns&, std::size_t) { return false; });
    result.value = times.meanSeconds;
    addDetails(times, result);
    const StepSource source = selection.ranks.front().parts.front().timeline->stepSource;
    result.inputs = {countText(static_cast<std::int64_t>(times.ranks.front().secondsEach.size()), "step")
                         + " per rank, found by " + std::string(stepSourceName(source)),
                     lengthSentence(source)};
    return result;
}

} // namespace

/// Steps of all ranks in ms; `result` is in ms, too.
Value::Object iterationDetails(Analysis& analysis, const MetricResult& result)
{
    if (!result.value)
        return {};
    const StepTimes& times = analysis.stepTimes();
    std::vector<double> all;
    for (const RankSteps& rank : times.ranks)
        all.insert(all.end(), rank.secondsEach.begin(), rank.secondsEach.end());
    Value::Array list;
    for (const StepOverRanks& step : stepsOverRanks(times))
        list.emplace_back(secondsToMs(step.meanSeconds));
    const auto [least, most] = std::minmax_element(all.begin(), all.end());
    return {{"avg_iter_time_ms", *result.value},
            {"min_iter_time_ms", secondsToMs(*least)},
            {"max_iter_time_ms", secondsToMs(*most)},
            {"std_iter_time_ms", secondsToMs(standardDeviationOf(all))},
            {"num_iterations", static_cast<std::int64_t>(list.size())},
            {"iter_times_ms", std::move(list)}};
}

const MetricDescriptor avgStepTimeMetric{
    .id = "avg_step_time",
    .title = "Step time",
    .group = "Execution",
    .unit = "s",
    .direction = MetricDirection::LowerIsBetter,
    .needs = "a timeline (Kineto or nsys)",
    .meaning = "Mean duration of a training step or pass.",
    .definition = "mean over ranks of the mean step duration over the inner steps "
                  "(ProfilerStep, else passes, else NVTX ranges)",
    .compute = stepTime,
    .fromSummaries = true,
};

} // namespace collscope
