// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How much of the communication overlaps computation, and how much remains exposed.

#include "metrics/known_communication.h"

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
    if (selection.failure)
        return *selection.failure;
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

/// Mean over ranks of a time per step.
MetricResult timePerStep(Analysis& analysis, std::int64_t (TimeBreakdown::*time)() const)
{
    const Selection& selection = analysis.selection();
    if (selection.failure)
        return *selection.failure;
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
    if (selection.failure)
        return *selection.failure;
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

MetricResult communicationRatio(Analysis& analysis)
{
    return kernelTimeShare(analysis, analysis.wholeFiles(), &Analysis::wholeWork);
}

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

constexpr MetricAlias overlapAliases[] = {{"compute_comm_overlap"},
                                          {"communication_overlap_ratio", "ratio", 0.01},
                                          {"comm_comp_overlap_16", "ratio", 0.01, overlapDetails},
                                          {"overlap"},
                                          {"avg_overlap_percent"}};
constexpr MetricAlias timeAliases[] = {{"accurate_comm_time", "ms", 1000.0}};

} // namespace

extern const MetricDescriptor commCompOverlapMetric, totalCommunicationTimeMetric,
    exposedCommunicationTimeMetric, communicationFractionMetric, communicationRatioMetric;

const MetricDescriptor commCompOverlapMetric{
    "comm_comp_overlap",
    "Compute-communication overlap",
    "Communication",
    "%",
    MetricDirection::HigherIsBetter,
    "a timeline (Kineto or nsys)",
    "Share of the communication time during which the same GPU computes.",
    "100 \u00d7 |C \u2229 Q| / |C|: C = union of communication kernels, Q = union of compute kernels, per "
    "rank over the steps, then mean of ranks",
    overlapAliases,
    commCompOverlap};

const MetricDescriptor totalCommunicationTimeMetric{
    "total_communication_time",
    "Communication time per step",
    "Communication",
    "s",
    MetricDirection::LowerIsBetter,
    "a timeline (Kineto or nsys)",
    "Time per step during which a GPU communicates, overlapped by compute or not.",
    "|C| per step: the union of the communication kernels clipped to the step, mean over steps, then mean of "
    "ranks",
    timeAliases,
    totalCommunicationTime};

const MetricDescriptor exposedCommunicationTimeMetric{
    "exposed_communication_time",
    "Exposed communication",
    "Communication",
    "s",
    MetricDirection::LowerIsBetter,
    "a timeline (Kineto or nsys)",
    "Time per step during which a GPU communicates without computing: the cost of communication.",
    "|C \\ Q| per step: time of communication kernels during which no compute kernel runs, mean over steps, "
    "then mean "
    "of ranks",
    {},
    exposedCommunicationTime};

const MetricDescriptor communicationFractionMetric{
    "communication_fraction",
    "Communication fraction",
    "Communication",
    "%",
    MetricDirection::LowerIsBetter,
    "a timeline (Kineto or nsys)",
    "Share of the summed kernel time spent in communication kernels.",
    "100 \u00d7 sum of the clipped durations of communication kernels / of all kernels, over the steps of a "
    "rank, then mean of ranks",
    {},
    communicationFraction};

const MetricDescriptor communicationRatioMetric{
    "communication_ratio",
    "Whole-file communication fraction",
    "Communication",
    "%",
    MetricDirection::LowerIsBetter,
    "a timeline (Kineto or nsys)",
    "Share of the summed kernel time spent in communication kernels, over the whole file.",
    "100 \u00d7 sum of the durations of communication kernels / of all kernels of the file, mean of ranks",
    {},
    communicationRatio};

} // namespace collscope
