// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Variation of step times between ranks and from step to step. No metric here compares the ranks' clocks.

#include "metrics/catalog/catalog.h"
#include "metrics/causes/arrivals.h"
#include "metrics/core/statistics.h"

#include <algorithm>

namespace collscope {

namespace {

/// One step over all ranks that have it.
struct StepSpread
{
    std::int64_t number = 0;
    double mean = 0, min = 0, max = 0; ///< seconds
};

std::vector<StepSpread> spreadOfSteps(const std::vector<RankSteps>& ranks)
{
    std::vector<std::vector<std::int64_t>> numbers;
    numbers.reserve(ranks.size());
    for (const RankSteps& rank : ranks)
        numbers.push_back(rank.numbers);
    std::vector<StepSpread> steps;
    for (const CommonStep& common : commonSteps(numbers)) {
        std::vector<double> seconds;
        for (std::size_t rank = 0; rank < ranks.size(); ++rank)
            seconds.push_back(ranks[rank].secondsEach[common.index[rank]]);
        const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
        steps.push_back({common.number, meanOf(seconds), *least, *most});
    }
    return steps;
}

std::vector<double> meansOf(const std::vector<StepSpread>& steps)
{
    std::vector<double> means;
    means.reserve(steps.size());
    for (const StepSpread& step : steps)
        means.push_back(step.mean);
    return means;
}

std::vector<double> meansOf(const std::vector<RankSteps>& ranks)
{
    std::vector<double> means;
    means.reserve(ranks.size());
    for (const RankSteps& rank : ranks)
        means.push_back(rank.mean());
    return means;
}

/// Standard deviation / mean; null for fewer than two values, or a mean of 0.
Value relativeSpread(const std::vector<double>& values)
{
    if (values.size() < 2)
        return {};
    const auto spread = ratio(standardDeviationOf(values), meanOf(values));
    return orNull(spread);
}

/// n, mean, std, cv, min, max of the values x factor, with the unit appended to the names that have one.
Value::Object spreadTable(const std::vector<double>& values, double factor, const std::string& unit)
{
    if (values.empty())
        return {};
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    Value::Object table{{"mean" + unit, meanOf(values) * factor}};
    if (values.size() > 1)
        table.emplace_back("std" + unit, standardDeviationOf(values) * factor);
    table.emplace_back("cv", relativeSpread(values));
    table.emplace_back("min" + unit, *least * factor);
    table.emplace_back("max" + unit, *most * factor);
    table.emplace_back("count", static_cast<std::int64_t>(values.size()));
    return table;
}

void addStepDetails(const std::vector<StepSpread>& steps, MetricResult& result)
{
    const std::vector<double> means = meansOf(steps);
    result.details.emplace_back("num_steps", static_cast<std::int64_t>(steps.size()));
    if (means.empty())
        return;
    if (means.size() > 1)
        result.details.emplace_back("std_over_steps_s", standardDeviationOf(means));
    result.details.emplace_back("cv_over_steps", relativeSpread(means));
    result.details.emplace_back("p5_s", percentileOf(means, 0.05));
    result.details.emplace_back("p50_s", percentileOf(means, 0.5));
    result.details.emplace_back("p95_s", percentileOf(means, 0.95));
}

/// Standard deviation of the mean step times; 0 if every step takes equally long on all ranks, to the
/// nanosecond.
double spreadOverRanks(const std::vector<RankSteps>& ranks)
{
    const RankSteps& first = ranks.front();
    const bool areEqual = std::all_of(ranks.begin(), ranks.end(), [&](const RankSteps& rank) {
        return rank.totalNs == first.totalNs && rank.secondsEach.size() == first.secondsEach.size();
    });
    return areEqual ? 0.0 : standardDeviationOf(meansOf(ranks));
}

constexpr std::string_view commonStepsText = "The file marks its steps once for all of its ranks: their step "
                                             "times are identical and do not show differences between ranks.";

MetricResult iterationTimeStd(Analysis& analysis)
{
    const StepTimes& times = analysis.stepTimes();
    if (times.selection.failure)
        return *times.selection.failure;
    const std::vector<StepSpread> steps = spreadOfSteps(times.ranks);
    if (auto failure = needsTwoRanks(analysis, times.selection)) {
        addStepDetails(steps, *failure); // a single rank still varies from step to step
        return *failure;
    }
    if (haveCommonSteps(times.selection)) {
        MetricResult failure
            = noValue(times.selection, MetricState::NotApplicable, std::string(commonStepsText));
        addStepDetails(steps, failure);
        return failure;
    }
    MetricResult result = valueOf(analysis, times.selection, "std over ranks");
    const std::vector<double> means = meansOf(times.ranks);
    const double mean = meanOf(means);
    result.value = spreadOverRanks(times.ranks);
    Value::Object perRank;
    for (const RankSteps& rank : times.ranks) {
        result.rows.push_back({rank.rank, std::nullopt, rank.mean() - mean});
        perRank.emplace_back(std::to_string(rank.rank), rank.mean());
    }
    for (const StepSpread& step : steps)
        result.rows.push_back({std::nullopt, step.number, step.mean - mean});
    result.details = {{"mean_s", mean},
                      {"std_over_ranks_s", *result.value},
                      {"cv", relativeSpread(means)},
                      {"num_ranks", static_cast<std::int64_t>(means.size())}};
    addStepDetails(steps, result);
    result.details.emplace_back("per_rank_s", std::move(perRank));
    result.inputs = {"Mean step time of " + std::to_string(means.size())
                         + " ranks: " + numberText(*std::min_element(means.begin(), means.end())) + " to "
                         + numberText(*std::max_element(means.begin(), means.end())) + " s, mean "
                         + numberText(mean) + " s.",
                     "Rows: deviation of a rank, or of a step, from that mean.",
                     "Ranks that wait for each other have nearly equal step times: the metric straggler "
                     "shows which rank is late."};
    addEvidence(analysis, times.selection, result, [](const SliceColumns&, std::size_t) { return false; });
    return result;
}

/// Longest minus shortest duration of each step over the ranks.
Value stragglerScore(const std::vector<RankSteps>& ranks, const std::vector<StepSpread>& steps)
{
    if (ranks.size() < 2 || steps.empty())
        return {};
    std::vector<double> lags;
    lags.reserve(steps.size());
    for (const StepSpread& step : steps)
        lags.push_back(step.max - step.min);
    return Value::Object{{"mean_ms", meanOf(lags) * 1e3},
                         {"max_ms", *std::max_element(lags.begin(), lags.end()) * 1e3},
                         {"cv", relativeSpread(lags)}};
}

/// Steps per second of each rank, and tokens per second if the batch size is known.
Value::Object throughputDispersion(Analysis& analysis, const std::vector<RankSteps>& ranks)
{
    std::vector<double> perSecond;
    for (const RankSteps& rank : ranks) {
        if (rank.mean() > 0)
            perSecond.push_back(1.0 / rank.mean());
    }
    Value::Object table = spreadTable(perSecond, 1.0, "_steps_per_s");
    const Workload& workload = analysis.workload();
    if (!perSecond.empty() && workload.globalBatch && workload.seqLen) {
        const double tokens
            = static_cast<double>(*workload.globalBatch) * static_cast<double>(*workload.seqLen);
        table.emplace_back("mean_tokens_per_s", meanOf(perSecond) * tokens);
    }
    return table;
}

MetricResult variabilityMetrics(Analysis& analysis)
{
    const StepTimes& times = analysis.stepTimes();
    if (times.selection.failure)
        return *times.selection.failure;
    const std::vector<StepSpread> steps = spreadOfSteps(times.ranks);
    if (times.ranks.size() < 2 && steps.size() < 2)
        return noValue(times.selection, MetricState::NotApplicable,
                       "The window (" + times.selection.window
                           + ") contains one step of one rank, so no variation can be computed.");
    MetricResult result = valueOf(analysis, times.selection, "spread over ranks and steps");
    Value::Object perRank;
    for (const RankSteps& rank : times.ranks)
        perRank.emplace_back(std::to_string(rank.rank), spreadTable(rank.secondsEach, 1e3, "_ms"));
    const bool areCommon = haveCommonSteps(times.selection);
    const std::vector<RankSteps> compared = areCommon ? std::vector(1, times.ranks.front()) : times.ranks;
    result.details = {{"throughput_dispersion", throughputDispersion(analysis, compared)},
                      {"iter_time_dispersion", spreadTable(meansOf(steps), 1e3, "_ms")},
                      {"straggler_score", stragglerScore(compared, steps)},
                      {"rank_time_stats", std::move(perRank)},
                      {"num_ranks", static_cast<std::int64_t>(times.ranks.size())},
                      {"num_steps", static_cast<std::int64_t>(steps.size())}};
    result.inputs = {"throughput_dispersion: over ranks, of 1 / mean step time.",
                     "iter_time_dispersion: over steps, of the mean of ranks.",
                     "straggler_score: longest minus shortest duration of a step over the ranks; nearly 0 if "
                     "ranks wait for each other, even with a straggler."};
    if (areCommon)
        result.warnings.emplace_back(commonStepsText);
    if (times.ranks.size() < 2)
        result.warnings.emplace_back("The run has one rank: ranks are not compared.");
    addEvidence(analysis, times.selection, result, [](const SliceColumns&, std::size_t) { return false; });
    return result;
}

} // namespace

const MetricDescriptor iterationTimeStdMetric{
    .id = "iteration_time_std",
    .title = "Step time variation across ranks",
    .group = "Ranks",
    .unit = "s",
    .direction = MetricDirection::LowerIsBetter,
    .needs = "timelines of at least two ranks with marked steps (Kineto or nsys)",
    .meaning
    = "How much the mean step time differs from rank to rank (in the details, also from step to step).",
    .definition = "standard deviation (n - 1) over ranks of the mean step duration; std_over_steps_s, p5_s, "
                  "p50_s, p95_s: "
                  "over steps, of the mean of ranks",
    .compute = iterationTimeStd,
    .fromSummaries = true,
};

const MetricDescriptor variabilityMetricsMetric{
    .id = "variability_metrics",
    .title = "Step and rank variability",
    .group = "Ranks",
    .unit = "ratio",
    .needs = "a timeline with marked steps (Kineto or nsys)",
    .meaning = "How evenly throughput and step times are distributed over ranks and steps, as a table.",
    .definition = "std (n - 1), cv = std / mean, min and max of: steps per second of each rank; step time "
                  "(mean of ranks) "
                  "over steps; step times of each rank; straggler_score = longest - shortest duration of a "
                  "step over ranks",
    .compute = variabilityMetrics,
    .fromSummaries = true,
};

} // namespace collscope
