// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How evenly the ranks share the work, and the cost of waiting for each other.

#include "metrics/catalog/catalog.h"
#include "metrics/causes/arrivals.h"
#include "metrics/core/statistics.h"

#include <algorithm>

namespace collscope {

namespace {

/// Mean compute time |Q| per step of each rank.
struct ComputeTimes
{
    std::vector<double> ns; ///< by rank
    double max = 0, min = 0, mean = 0;
    std::int32_t slowest = 0, fastest = 0;
};

/// Returns nullopt if no rank computes in the window.
std::optional<ComputeTimes> computeTimes(const std::vector<RankBreakdown>& ranks)
{
    ComputeTimes times;
    for (const RankBreakdown& rank : ranks)
        times.ns.push_back(static_cast<double>(rank.total.compute()) / rank.stepCount());
    const auto [least, most] = std::minmax_element(times.ns.begin(), times.ns.end());
    times.min = *least;
    times.max = *most;
    times.mean = meanOf(times.ns);
    times.fastest = ranks[static_cast<std::size_t>(least - times.ns.begin())].rank;
    times.slowest = ranks[static_cast<std::size_t>(most - times.ns.begin())].rank;
    return times.max > 0 ? std::optional(times) : std::nullopt;
}

void explain(const std::vector<RankBreakdown>& ranks, const ComputeTimes& times, MetricResult& result)
{
    Value::Object perRank;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        perRank.emplace_back(std::to_string(ranks[i].rank), times.ns[i] / 1e6);
    result.details = {{"max_over_mean", times.max / times.mean},
                      {"imbalance_percent", 100.0 * (times.max - times.mean) / times.mean},
                      {"max_compute_ms", times.max / 1e6},
                      {"mean_compute_ms", times.mean / 1e6},
                      {"min_compute_ms", times.min / 1e6},
                      {"slowest_rank", static_cast<std::int64_t>(times.slowest)},
                      {"fastest_rank", static_cast<std::int64_t>(times.fastest)},
                      {"compute_ms", std::move(perRank)}};
    result.inputs
        = {"Compute time per step |Q|: maximum " + numberText(times.max / 1e6) + " ms (rank "
           + std::to_string(times.slowest) + "), minimum " + numberText(times.min / 1e6) + " ms (rank "
           + std::to_string(times.fastest) + "), mean " + numberText(times.mean / 1e6)
           + " ms. Communication kernels are excluded because they last longer on ranks that wait."};
}

/// Adds a row for each step that all ranks have, with f(times of that step) as the value.
void addRowsPerStep(const std::vector<RankBreakdown>& ranks, MetricResult& result,
                    const std::function<std::optional<double>(const std::vector<double>& ns)>& f)
{
    std::vector<std::vector<std::int64_t>> numbers;
    for (const RankBreakdown& rank : ranks) {
        numbers.emplace_back();
        for (const StepBreakdown& step : rank.steps)
            numbers.back().push_back(step.step.number);
    }
    for (const CommonStep& step : commonSteps(numbers)) {
        std::vector<double> ns;
        for (std::size_t rank = 0; rank < ranks.size(); ++rank)
            ns.push_back(static_cast<double>(ranks[rank].steps[step.index[rank]].work.compute()));
        if (const auto value = f(ns))
            result.rows.push_back({std::nullopt, step.number, *value});
    }
}

MetricResult noCompute(const Selection& selection)
{
    return noValue(selection, MetricState::NotApplicable,
                   "No rank ran a compute kernel in the window (" + selection.window + ").");
}

MetricResult loadImbalanceRatio(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    if (auto failure = needsTwoRanks(analysis, selection))
        return *failure;
    const std::vector<RankBreakdown>& ranks = analysis.work();
    const auto times = computeTimes(ranks);
    if (!times)
        return noCompute(selection);
    if (times->min <= 0) {
        MetricResult result = noValue(selection, MetricState::NotApplicable,
                                      "Rank " + std::to_string(times->fastest)
                                          + " ran no compute kernel in the window (" + selection.window
                                          + "), so its compute time of 0 ms allows no ratio. "
                                            "load_imbalance_percent compares with the mean instead.");
        explain(ranks, *times, result);
        return result;
    }
    MetricResult result = valueOf(analysis, selection, "max over min of ranks");
    result.value = times->max / times->min;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        result.rows.push_back({ranks[i].rank, std::nullopt, times->ns[i] / times->min});
    addRowsPerStep(ranks, result, [](const std::vector<double>& ns) {
        const auto [least, most] = std::minmax_element(ns.begin(), ns.end());
        return ratio(*most, *least);
    });
    explain(ranks, *times, result);
    addEvidence(analysis, selection, result, computes);
    return result;
}

MetricResult loadImbalancePercent(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    if (auto failure = needsTwoRanks(analysis, selection))
        return *failure;
    const std::vector<RankBreakdown>& ranks = analysis.work();
    const auto times = computeTimes(ranks);
    if (!times)
        return noCompute(selection);
    MetricResult result = valueOf(analysis, selection, "max over mean of ranks");
    const auto above = [](double ns, double mean) { return 100.0 * (ns - mean) / mean; };
    result.value = above(times->max, times->mean);
    for (std::size_t i = 0; i < ranks.size(); ++i)
        result.rows.push_back({ranks[i].rank, std::nullopt, above(times->ns[i], times->mean)});
    addRowsPerStep(ranks, result, [&](const std::vector<double>& ns) -> std::optional<double> {
        const double mean = meanOf(ns);
        return mean > 0 ? std::optional(above(*std::max_element(ns.begin(), ns.end()), mean)) : std::nullopt;
    });
    explain(ranks, *times, result);
    addEvidence(analysis, selection, result, computes);
    return result;
}

MetricResult synchronizationOverhead(Analysis& analysis)
{
    const Selection& selection = analysis.communicating();
    if (auto failure = needsTwoRanks(analysis, selection))
        return *failure;
    const Arrivals& arrivals = measureArrivals(analysis);
    if (auto failure = needsArrivals(analysis, arrivals))
        return *failure;
    const std::vector<RankCalls>& ranks = analysis.calls();
    std::int64_t waitNs = 0;
    std::int64_t windowNs = 0;
    Value::Object own;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        waitNs += arrivals.ranks[i].ownNs;
        windowNs += ranks[i].windowNs;
        own.emplace_back(std::to_string(ranks[i].rank), nsToUs(arrivals.ranks[i].ownNs));
    }
    if (windowNs <= 0)
        return noValue(selection, MetricState::NotApplicable, "The steps of the window have no duration.");
    MetricResult result = valueOf(analysis, selection, "pooled");
    result.value = static_cast<double>(waitNs) / static_cast<double>(windowNs);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (const auto share
            = ratio(static_cast<double>(arrivals.ranks[i].ownNs), static_cast<double>(ranks[i].windowNs)))
            result.rows.push_back({ranks[i].rank, std::nullopt, *share});
    }
    result.details = {{"wait_us", nsToUs(waitNs)},
                      {"own_wait_us", std::move(own)},
                      {"step_time_us", nsToUs(windowNs)},
                      {"num_collectives", static_cast<std::int64_t>(arrivals.matched.size())}};
    result.inputs
        = {"Waits for the last rank in " + std::to_string(arrivals.matched.size()) + " matched collectives ("
               + analysis.matching().rule + ") add up to " + numberText(nsToUs(waitNs))
               + " \u00b5s over all ranks; the durations of their steps to " + numberText(nsToUs(windowNs))
               + " \u00b5s.",
           "Simultaneous waits on several streams each count."};
    addClockWarnings(analysis, analysis.run().clocks, &arrivals, result);
    addCallEvidence(analysis, result, [](const Call&) { return true; });
    return result;
}

} // namespace

constexpr MetricPart loadImbalanceRatioParts[] = {
    {.id = "load_imbalance_percent",
     .title = "Load imbalance (max over mean)",
     .unit = "%",
     .meaning = "Excess compute time of the busiest rank over the mean of ranks; 0 = balanced.",
     .definition
     = "100 \u00d7 (max - mean) / mean over ranks of the mean over steps of |Q|, Q = union of the compute "
       "kernels clipped to the step",
     .compute = loadImbalancePercent},
};

const MetricDescriptor loadImbalanceRatioMetric{
    .id = "load_imbalance_ratio",
    .title = "Load imbalance (max/min)",
    .group = "Ranks",
    .unit = "ratio",
    .direction = MetricDirection::LowerIsBetter,
    .needs = "timelines of at least two ranks (Kineto or nsys)",
    .meaning = "Compute time of the busiest rank relative to the least busy one; 1 = balanced.",
    .definition
    = "max / min over ranks of the mean over steps of |Q|, Q = union of the compute kernels clipped to the "
      "step. Communication is excluded: waiting would even out the difference",
    .parts = loadImbalanceRatioParts,
    .compute = loadImbalanceRatio,
    .fromSummaries = true,
};

const MetricDescriptor synchronizationOverheadMetric{
    .id = "synchronization_overhead",
    .title = "Synchronization overhead",
    .group = "Ranks",
    .unit = "ratio",
    .direction = MetricDirection::LowerIsBetter,
    .needs = "timelines of at least two ranks that communicate (Kineto or nsys)",
    .meaning = "Share of the ranks' step time spent inside collectives waiting for the last rank to arrive.",
    .definition
    = "sum of the waits / sum of the step durations, over all ranks; wait of rank r in collective i = latest "
      "start of i - start of i on r",
    .compute = synchronizationOverhead,
};

} // namespace collscope
