// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How much of the communication overlaps computation, and how much remains exposed.

#include "metrics/analysis/gpu_ranks.h"
#include "metrics/analysis/known_communication.h"
#include "metrics/catalog/catalog.h"
#include "metrics/core/statistics.h"

namespace collscope {

namespace {

Value perRankTimes(const std::vector<RankBreakdown>& ranks)
{
    Value::Object object;
    for (const RankBreakdown& rank : ranks) {
        const TimeBreakdown& work = rank.total;
        Value::Object times{{"communication_ms", nsToMs(work.communication())},
                            {"compute_ms", nsToMs(work.compute())},
                            {"overlapped_ms", nsToMs(work.overlap())},
                            {"exposed_ms", nsToMs(work.exposedCommunication())}};
        if (const auto hidden
            = ratio(static_cast<double>(work.overlap()), static_cast<double>(work.communication()), 100.0))
            times.emplace(times.begin(), "overlap_percent", *hidden);
        object.emplace_back(std::to_string(rank.rank), std::move(times));
    }
    return object;
}

/// Warns if the trace shows no communication, because 0 is then not a measured value.
void warnWithoutCommunication(const TimeBreakdown& all, const Selection& selection, MetricResult& result)
{
    if (all.communicationSumNs == 0)
        result.warnings.push_back("No kernel of the window (" + selection.window
                                  + ") was recognised as communication, by name or by metadata.");
}

MetricResult commCompOverlap(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    MetricResult result = valueOf(analysis, selection, "mean of ranks");
    const std::vector<RankBreakdown>& ranks = analysis.work();
    const auto hidden = [](const TimeBreakdown& work) {
        return ratio(static_cast<double>(work.overlap()), static_cast<double>(work.communication()), 100.0);
    };
    // A rank without communication has nothing to overlap and does not count as 0.
    result.value = meanOfRanks(ranks, result, [&](const RankBreakdown& rank) { return hidden(rank.total); });
    if (!result.value)
        return whyNoCommunication(analysis, selection, "there is nothing to overlap");
    addStepRows(ranks, result, [&](const StepBreakdown& step) { return hidden(step.work); });
    TimeBreakdown all;
    double ofCompute = 0;
    for (const RankBreakdown& rank : ranks) {
        all += rank.total;
        ofCompute += ratio(static_cast<double>(rank.total.overlap()),
                           static_cast<double>(rank.total.compute()), 100.0)
                         .value_or(0.0);
    }
    result.details = {{"pooled_percent", hidden(all).value_or(0.0)},
                      {"of_compute", ofCompute / static_cast<double>(ranks.size())},
                      {"communication_ms", nsToMs(all.communication())},
                      {"compute_ms", nsToMs(all.compute())},
                      {"overlapped_ms", nsToMs(all.overlap())},
                      {"exposed_ms", nsToMs(all.exposedCommunication())},
                      {"per_rank", perRankTimes(ranks)}};
    result.inputs = {"|C| communication " + millisecondsText(all.communication()) + ", |Q| compute "
                         + millisecondsText(all.compute()) + ", |C\u2229Q| " + millisecondsText(all.overlap())
                         + " (unions, summed over ranks and steps).",
                     kernelRuleSentence(analysis.kernels())};
    addEvidence(analysis, selection, result, communicates);
    return result;
}

/// Mean over ranks of a time per step, in seconds.
MetricResult timePerStep(Analysis& analysis, std::int64_t (TimeBreakdown::*time)() const)
{
    const Selection& selection = analysis.selection();
    if (auto unknown = communicationUnknown(analysis, selection))
        return std::move(*unknown);
    if (const auto none = withoutSteps(selection))
        return *none;
    MetricResult result = valueOf(analysis, selection, "mean of ranks");
    const std::vector<RankBreakdown>& ranks = analysis.work();
    result.value = meanOfRanks(ranks, result, [&](const RankBreakdown& rank) {
        return ratio(nsToSeconds((rank.total.*time)()), rank.stepCount());
    });
    addStepRows(ranks, result,
                [&](const StepBreakdown& step) { return std::optional(nsToSeconds((step.work.*time)())); });
    TimeBreakdown all;
    for (const RankBreakdown& rank : ranks)
        all += rank.total;
    warnWithoutCommunication(all, selection, result);
    result.details = {{"per_rank", perRankTimes(ranks)}};
    result.inputs = {kernelRuleSentence(analysis.kernels())};
    addEvidence(analysis, selection, result, communicates);
    return result;
}

MetricResult totalCommunicationTime(Analysis& analysis)
{
    return timePerStep(analysis, &TimeBreakdown::communication);
}

MetricResult exposedCommunicationTime(Analysis& analysis)
{
    return timePerStep(analysis, &TimeBreakdown::exposedCommunication);
}

/// Share of communication in the summed kernel time, for the window or the whole files.
MetricResult kernelTimeShare(Analysis& analysis, const Selection& selection,
                             const std::vector<RankBreakdown>& (Analysis::*table)())
{
    MetricResult result = valueOf(analysis, selection, "mean of ranks");
    const std::vector<RankBreakdown>& ranks = (analysis.*table)();
    const auto share = [](const TimeBreakdown& work) {
        return ratio(static_cast<double>(work.communicationSumNs), static_cast<double>(work.kernelSumNs),
                     100.0);
    };
    result.value = meanOfRanks(ranks, result, [&](const RankBreakdown& rank) { return share(rank.total); });
    if (!result.value)
        return noValue(selection, MetricState::NotApplicable,
                       "No GPU kernel ran in the window (" + selection.window + ").");
    if (auto unknown = communicationUnknown(analysis, selection))
        return std::move(*unknown);
    TimeBreakdown all;
    for (const RankBreakdown& rank : ranks)
        all += rank.total;
    warnWithoutCommunication(all, selection, result);
    result.details = {{"communication_kernel_ms", nsToMs(all.communicationSumNs)},
                      {"kernel_ms", nsToMs(all.kernelSumNs)}};
    if (const auto ofTime
        = ratio(static_cast<double>(all.communication()), static_cast<double>(all.windowNs), 100.0))
        result.details.emplace_back("of_step_time", *ofTime);
    result.inputs = {"Durations of communication kernels " + numberText(nsToMs(all.communicationSumNs))
                     + " ms of " + numberText(nsToMs(all.kernelSumNs))
                     + " ms of all kernels, summed over ranks (sums, not unions)."};
    addEvidence(analysis, selection, result, communicates);
    return result;
}

MetricResult communicationFraction(Analysis& analysis)
{
    return kernelTimeShare(analysis, analysis.selection(), &Analysis::work);
}

MetricResult bubbleTime(Analysis& analysis)
{
    GpuRanks gpu = gpuRanks(analysis, "mean of ranks");
    const TimeBreakdown all = sumOf(gpu.ranks);
    if (all.communication() == 0)
        return whyNoCommunication(analysis, analysis.selection(), "no GPU waits for communication");
    if (const auto none = withoutSteps(analysis.selection()))
        return *none;
    setPerStep(gpu, [](const TimeBreakdown& work) { return nsToMs(work.exposedCommunication()); });
    std::vector<double> idle;
    for (const RankBreakdown& rank : gpu.ranks)
        idle.push_back(nsToMs(rank.total.windowNs - rank.total.busy()) / rank.stepCount());
    if (analysis.options().attribution == MetricOptions::Attribution::Clip)
        gpu.result.details.emplace_back("idle_ms", meanOf(idle));
    if (const auto percent
        = ratio(static_cast<double>(all.exposedCommunication()), static_cast<double>(all.windowNs), 100.0))
        gpu.result.details.emplace_back("bubble_percent", *percent);
    gpu.result.details.emplace_back("communication_ms", nsToMs(all.communication()));
    gpu.result.details.emplace_back("exposed_ms", nsToMs(all.exposedCommunication()));
    gpu.result.inputs = {"|C \\ Q| " + millisecondsText(all.exposedCommunication()) + " of |C| communication "
                         + millisecondsText(all.communication()) + " (unions, summed over ranks and steps)."};
    addEvidence(analysis, analysis.selection(), gpu.result, communicates);
    return std::move(gpu.result);
}

MetricResult communicationOverhead(Analysis& analysis)
{
    GpuRanks gpu = gpuRanks(analysis, "one rank");
    const RankBreakdown& chosen = gpu.ranks.front(); // --rank, else 0, else the lowest: ranks are in order
    const auto share = ratio(static_cast<double>(chosen.total.communicationSumNs),
                             static_cast<double>(chosen.total.kernelSumNs));
    if (!share)
        return noValue(analysis.selection(), MetricState::NotApplicable,
                       "No GPU kernel of rank " + std::to_string(chosen.rank) + " ran in the window ("
                           + analysis.selection().window + ").");
    if (auto unknown = communicationUnknown(analysis, analysis.selection()))
        return std::move(*unknown);
    MetricResult& result = gpu.result;
    result.scope = "rank " + std::to_string(chosen.rank);
    result.value = *share;
    if (*share == 0)
        result.warnings.push_back("No kernel of rank " + std::to_string(chosen.rank)
                                  + " was recognised as communication.");
    for (const RankBreakdown& rank : gpu.ranks) {
        if (const auto own = ratio(static_cast<double>(rank.total.communicationSumNs),
                                   static_cast<double>(rank.total.kernelSumNs)))
            result.rows.push_back({rank.rank, std::nullopt, *own});
    }
    result.details = {{"rank", static_cast<std::int64_t>(chosen.rank)},
                      {"communication_kernel_ms", nsToMs(chosen.total.communicationSumNs)},
                      {"kernel_ms", nsToMs(chosen.total.kernelSumNs)}};
    result.inputs = {"Communication kernels of rank " + std::to_string(chosen.rank) + " take "
                     + millisecondsText(chosen.total.communicationSumNs) + ", all its kernels "
                     + millisecondsText(chosen.total.kernelSumNs) + " (sums, not unions)."};
    Selection own = analysis.selection();
    std::erase_if(own.ranks, [&](const RankWindows& rank) { return rank.rank != chosen.rank; });
    addEvidence(analysis, own, result, [](const SliceColumns& slices, std::size_t row) {
        return isCommunication(slices.kernelClass[row]);
    });
    return std::move(result);
}

MetricResult communicationRatio(Analysis& analysis)
{
    return kernelTimeShare(analysis, analysis.wholeFiles(), &Analysis::wholeWork);
}

} // namespace

/// Sums over ranks and steps; like the value, the ratios are means of ranks.
Value::Object overlapDetails(Analysis& analysis, const MetricResult& result)
{
    if (!result.value)
        return {};
    TimeBreakdown all;
    double ofCompute = 0;
    for (const RankBreakdown& rank : analysis.work()) {
        all += rank.total;
        ofCompute
            += ratio(static_cast<double>(rank.total.overlap()), static_cast<double>(rank.total.compute()))
                   .value_or(0.0);
    }
    return {{"comm_time_ms", nsToMs(all.communication())},
            {"comp_time_ms", nsToMs(all.compute())},
            {"overlap_time_ms", nsToMs(all.overlap())},
            {"overlap_ratio_of_comm", *result.value},
            {"overlap_ratio_of_comp", ofCompute / static_cast<double>(analysis.work().size())},
            {"num_comm_kernels", all.communicationCalls},
            {"num_comp_kernels", all.kernelCalls - all.communicationCalls}};
}

const MetricDescriptor commCompOverlapMetric{
    .id = "comm_comp_overlap",
    .title = "Compute-communication overlap",
    .group = "Communication",
    .unit = "%",
    .direction = MetricDirection::HigherIsBetter,
    .needs = "a timeline (Kineto or nsys)",
    .meaning = "Share of the communication time during which the same GPU computes.",
    .definition
    = "100 \u00d7 |C \u2229 Q| / |C|: C = union of communication kernels, Q = union of compute kernels, per "
      "rank over the steps, then mean of ranks",
    .ranks = &Analysis::selection,
    .compute = commCompOverlap,
    .fromSummaries = true,
};

const MetricDescriptor totalCommunicationTimeMetric{
    .id = "total_communication_time",
    .title = "Communication time per step",
    .group = "Communication",
    .unit = "s",
    .direction = MetricDirection::LowerIsBetter,
    .needs = "a timeline (Kineto or nsys)",
    .meaning = "Time per step during which a GPU communicates, overlapped by compute or not.",
    .definition = "|C| per step: the union of the communication kernels clipped to the step, mean over "
                  "steps, then mean of "
                  "ranks",
    .ranks = &Analysis::selection,
    .compute = totalCommunicationTime,
    .fromSummaries = true,
};

constexpr MetricPart exposedParts[] = {
    {.id = "bubble_time",
     .title = "Communication bubble time",
     .unit = "ms",
     .meaning = "Exposed communication per step in ms, with the idle time beside it.",
     .definition = "|C \\ Q| per step, as exposed_communication_time; not applicable without communication; "
                   "details: idle_ms = T - |B|",
     .ranks = &Analysis::selection,
     .compute = bubbleTime},
};

const MetricDescriptor exposedCommunicationTimeMetric{
    .id = "exposed_communication_time",
    .title = "Exposed communication",
    .group = "Communication",
    .unit = "s",
    .direction = MetricDirection::LowerIsBetter,
    .needs = "a timeline (Kineto or nsys)",
    .meaning = "Time per step during which a GPU communicates without computing: the cost of communication.",
    .definition = "|C \\ Q| per step: time of communication kernels during which no compute kernel runs, "
                  "mean over steps, "
                  "then mean "
                  "of ranks",
    .parts = exposedParts,
    .ranks = &Analysis::selection,
    .compute = exposedCommunicationTime,
    .fromSummaries = true,
};

constexpr MetricPart communicationFractionParts[] = {
    {.id = "communication_ratio",
     .title = "Whole-file communication fraction",
     .meaning = "Share of the summed kernel time spent in communication kernels, over the whole file.",
     .definition
     = "100 \u00d7 sum of the durations of communication kernels / of all kernels of the file, mean of ranks",
     .ranks = &Analysis::wholeFiles,
     .compute = communicationRatio},
    {.id = "communication_overhead",
     .title = "Communication fraction of one rank",
     .unit = "ratio",
     .meaning = "Share (0 to 1) of the kernel time of one rank spent in communication kernels.",
     .definition = "sum of the clipped durations of communication kernels / of all kernels, for one rank "
                   "(--rank, else 0, else the lowest)",
     .ranks = &Analysis::selection,
     .compute = communicationOverhead},
};

const MetricDescriptor communicationFractionMetric{
    .id = "communication_fraction",
    .title = "Communication fraction",
    .group = "Communication",
    .unit = "%",
    .direction = MetricDirection::LowerIsBetter,
    .needs = "a timeline (Kineto or nsys)",
    .meaning = "Share of the summed kernel time spent in communication kernels.",
    .definition = "100 \u00d7 sum of the clipped durations of communication kernels / of all kernels, over "
                  "the steps of a "
                  "rank, then mean of ranks",
    .parts = communicationFractionParts,
    .ranks = &Analysis::selection,
    .compute = communicationFraction,
    .fromSummaries = true,
};

} // namespace collscope
