// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis.h"
#include "metrics/statistics.h"

#include <algorithm>

namespace collscope {

namespace {

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
                      {"std_s", standardDeviationOf(all)},
                      {"p50_s", medianOf(all)},
                      {"p99_s", percentileOf(all, 0.99)},
                      {"steps", static_cast<std::int64_t>(shortest)},
                      {"step_times_s", std::move(list)}};
    if (periodMeans.size() == ranks.size())
        result.details.emplace_back("period_s", meanOf(periodMeans));
    if (!slowest.empty())
        result.details.emplace_back("sync_s", meanOf(slowest));
    result.details.emplace_back("per_rank_s", std::move(perRank));
}

MetricResult compute(Analysis& analysis)
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
    addDetails(times.ranks, result);
    result.inputs
        = {std::to_string(times.ranks.front().secondsEach.size()) + " steps per rank, found by "
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
