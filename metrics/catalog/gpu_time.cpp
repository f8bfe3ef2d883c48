// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Time during which the GPUs work, compute, wait or are idle, and the CPU's share in it.

#include "metrics/analysis/gpu_ranks.h"
#include "metrics/analysis/known_communication.h"
#include "metrics/catalog/catalog.h"
#include "metrics/core/main_thread.h"
#include "metrics/core/statistics.h"

namespace collscope {

namespace {

bool isWork(const SliceColumns& slices, std::size_t row)
{
    return isGpuWork(slices.category[row]);
}

/// Whether work is clipped to the window. Unclipped kernels of a step can run past its window, which makes
/// idle time meaningless.
bool clips(Analysis& analysis)
{
    return analysis.options().attribution == MetricOptions::Attribution::Clip;
}

/// Busy and idle time. `percent`: for several ranks, the mean of their percentages.
Value::Object busyAndIdle(Analysis& analysis, const TimeBreakdown& work, std::optional<double> percent)
{
    Value::Object object{{"busy_ms", nsToMs(work.busy())}};
    if (clips(analysis))
        object.emplace_back("idle_ms", nsToMs(work.windowNs - work.busy()));
    object.emplace_back("window_ms", nsToMs(work.windowNs));
    if (percent)
        object.emplace_back("percent", *percent);
    return object;
}

MetricResult withoutWindow(const Selection& selection)
{
    return noValue(selection, MetricState::NotApplicable,
                   "The window (" + selection.window + ") has no length.");
}

MetricResult gpuUtilization(Analysis& analysis)
{
    GpuRanks gpu = gpuRanks(analysis, "mean of ranks");
    setShareOfWindow(gpu, [](const TimeBreakdown& work) { return work.busy(); });
    if (!gpu.result.value)
        return withoutWindow(analysis.selection());
    const TimeBreakdown all = sumOf(gpu.ranks);
    gpu.result.details = busyAndIdle(analysis, all, gpu.result.value);
    Value::Object perRank;
    for (const RankBreakdown& rank : gpu.ranks)
        perRank.emplace_back(std::to_string(rank.rank),
                             busyAndIdle(analysis, rank.total,
                                         ratio(static_cast<double>(rank.total.busy()),
                                               static_cast<double>(rank.total.windowNs), 100.0)));
    gpu.result.details.emplace_back("per_rank", std::move(perRank));
    gpu.result.inputs
        = {"|B| busy " + millisecondsText(all.busy()) + " of T " + millisecondsText(all.windowNs)
           + " (unions of kernels, copies and memsets per rank and step, summed)."};
    addEvidence(analysis, analysis.selection(), gpu.result, isWork);
    return std::move(gpu.result);
}

MetricResult gpuIdleTime(Analysis& analysis)
{
    GpuRanks gpu = gpuRanks(analysis, "mean of ranks");
    if (!clips(analysis))
        return noValue(analysis.selection(), MetricState::NotApplicable,
                       "Idle time belongs to a window, not to launches: use --attribution clip.");
    if (const auto none = withoutSteps(analysis.selection()))
        return *none;
    setPerStep(gpu, [](const TimeBreakdown& work) { return nsToMs(work.windowNs - work.busy()); });
    const TimeBreakdown all = sumOf(gpu.ranks);
    if (const auto percent
        = ratio(static_cast<double>(all.windowNs - all.busy()), static_cast<double>(all.windowNs), 100.0))
        gpu.result.details = {{"idle_percent", *percent}};
    gpu.result.inputs = {"T " + millisecondsText(all.windowNs) + " minus |B| busy "
                         + millisecondsText(all.busy()) + ", summed over ranks and steps."};
    addEvidence(analysis, analysis.selection(), gpu.result, isWork);
    return std::move(gpu.result);
}

MetricResult totalKernelTime(Analysis& analysis)
{
    GpuRanks gpu = gpuRanksOfWholeFiles(analysis, "sum over ranks");
    if (gpu.failure)
        return *gpu.failure;
    const TimeBreakdown all = sumOf(gpu.ranks);
    if (all.kernelSumNs == 0)
        return noValue(analysis.wholeFiles(), MetricState::NotApplicable, "No GPU kernel ran in the files.");
    gpu.result.value = nsToSeconds(all.kernelSumNs);
    Value::Object perRank;
    for (const RankBreakdown& rank : gpu.ranks) {
        gpu.result.rows.push_back({rank.rank, std::nullopt, nsToSeconds(rank.total.kernelSumNs)});
        perRank.emplace_back(std::to_string(rank.rank), nsToMs(rank.total.kernelSumNs));
    }
    gpu.result.details
        = {{"kernels", all.kernelCalls},
           {"communication_kernels",
            knownCommunication(analysis, analysis.wholeFiles(), all.communicationCalls)},
           {"communication_kernel_ms",
            knownCommunication(analysis, analysis.wholeFiles(), nsToMs(all.communicationSumNs))},
           {"per_rank_ms", std::move(perRank)}};
    gpu.result.inputs
        = {std::to_string(all.kernelCalls) + " kernels take " + millisecondsText(all.kernelSumNs)
           + " (a sum: kernels that run at the same time count twice)."};
    addEvidence(analysis, analysis.wholeFiles(), gpu.result, isKernelSlice);
    return std::move(gpu.result);
}

MetricResult totalTraceTime(Analysis& analysis)
{
    const Selection& selection = analysis.wholeFiles();
    if (const auto missing = gpuWorkMissing(analysis, selection))
        return *missing;
    MetricResult result = valueOf(analysis, selection, "span of all ranks");
    std::optional<TimeRange> span;
    bool common = true;
    for (const RankWindows& rank : selection.ranks) {
        std::optional<TimeRange> own;
        for (const RankWindows::Part& part : rank.parts) {
            if (const auto kernels = kernelSpan(analysis.model(), *part.timeline))
                own = own ? own->united(*kernels) : *kernels;
        }
        if (!own)
            continue;
        span = span ? span->united(*own) : *own;
        result.rows.push_back({rank.rank, std::nullopt, nsToSeconds(own->lengthNs())});
        for (const RankWindows::Part& part : rank.parts)
            common &= part.timeline->hasWallClock;
    }
    if (!span)
        return noValue(selection, MetricState::NotApplicable, "No GPU kernel ran in the files.");
    result.value = nsToSeconds(span->lengthNs());
    if (result.rows.size() > 1 && !common)
        result.warnings.emplace_back("The files have no common wall clock: the span over several ranks is "
                                     "only as accurate as their alignment on the time axis.");
    result.details
        = {{"first_kernel_ms", nsToMs(span->beginNs)}, {"last_kernel_end_ms", nsToMs(span->endNs)}};
    result.inputs = {"The first kernel starts at " + millisecondsText(span->beginNs)
                     + " on the time axis, the last one ends at " + millisecondsText(span->endNs) + "."};
    addEvidence(analysis, selection, result, isKernelSlice);
    return result;
}

MetricResult kernelTime(Analysis& analysis)
{
    GpuRanks gpu = gpuRanks(analysis, "mean of ranks");
    const TimeBreakdown all = sumOf(gpu.ranks);
    if (all.kernelSumNs == 0)
        return noValue(analysis.selection(), MetricState::NotApplicable,
                       "No GPU kernel ran in the window (" + analysis.selection().window + ").");
    if (const auto none = withoutSteps(analysis.selection()))
        return *none;
    setPerStep(gpu, [](const TimeBreakdown& work) { return nsToMs(work.kernelSumNs); });
    std::vector<double> unions;
    Value::Object perRank;
    for (const RankBreakdown& rank : gpu.ranks) {
        const TimeBreakdown& work = rank.total;
        const double steps = rank.stepCount();
        unions.push_back(nsToMs(work.active.anyOf(ActiveKernel)) / steps);
        perRank.emplace_back(std::to_string(rank.rank),
                             Value::Object{{"sum_ms", nsToMs(work.kernelSumNs) / steps},
                                           {"union_ms", unions.back()},
                                           {"kernels", static_cast<double>(work.kernelCalls) / steps}});
    }
    gpu.result.details
        = {{"sum_ms", *gpu.result.value}, {"union_ms", meanOf(unions)}, {"per_rank", std::move(perRank)}};
    gpu.result.inputs
        = {std::to_string(all.kernelCalls) + " kernels start in the window; their durations add up to "
           + millisecondsText(all.kernelSumNs) + ", and at least one kernel runs during "
           + millisecondsText(all.active.anyOf(ActiveKernel)) + " (sums over ranks and steps)."};
    addEvidence(analysis, analysis.selection(), gpu.result, isKernelSlice);
    return std::move(gpu.result);
}

MetricResult computeEfficiency(Analysis& analysis)
{
    GpuRanks gpu = gpuRanks(analysis, "mean of ranks");
    setShareOfWindow(gpu, [](const TimeBreakdown& work) { return work.compute(); });
    if (!gpu.result.value)
        return withoutWindow(analysis.selection());
    const TimeBreakdown all = sumOf(gpu.ranks);
    gpu.result.details = {{"compute_ms", nsToMs(all.compute())}, {"window_ms", nsToMs(all.windowNs)}};
    gpu.result.inputs = {"|Q| compute " + millisecondsText(all.compute()) + " of T "
                         + millisecondsText(all.windowNs) + " (unions per rank and step, summed)."};
    addEvidence(analysis, analysis.selection(), gpu.result, computes);
    return std::move(gpu.result);
}

MetricResult cpuOverhead(Analysis& analysis)
{
    const Selection& selection = analysis.allRanks();
    if (isCpuRun(analysis.model(), selection.ranks)) { // its operators are the computation itself
        const MetricResult why = withoutGpuWork(analysis.model(), selection.ranks);
        return noValue(selection, why.state, why.reason);
    }
    MetricResult result = valueOf(analysis, selection, "mean of ranks");
    std::vector<double> shares;
    std::vector<double> launchBound;
    CpuWork all;
    Value::Object perRank;
    for (const RankWindows& rank : selection.ranks) {
        CpuWork own;
        std::vector<MetricRow> steps;
        const std::vector<CpuWork> works
            = measureMainThread(analysis.model(), rank, analysis.options().cancelled);
        std::size_t i = 0;
        for (const RankWindows::Part& part : rank.parts) {
            for (const Step& step : part.steps) {
                if (i == works.size())
                    break;
                const CpuWork& work = works[i++];
                own += work;
                if (const auto share
                    = ratio(static_cast<double>(work.selfNs), static_cast<double>(work.windowNs), 100.0))
                    steps.push_back({rank.rank, step.number, *share});
            }
        }
        const auto windowNs = static_cast<double>(own.windowNs);
        const auto share = ratio(static_cast<double>(own.selfNs), windowNs, 100.0);
        if (!own.hasOperators || !share)
            continue;
        all += own;
        shares.push_back(*share);
        launchBound.push_back(100.0 * static_cast<double>(own.launchBoundNs) / windowNs);
        result.rows.push_back({rank.rank, std::nullopt, *share});
        result.rows.insert(result.rows.end(), steps.begin(), steps.end());
        perRank.emplace_back(std::to_string(rank.rank),
                             Value::Object{{"percent", *share},
                                           {"launch_bound_percent", launchBound.back()},
                                           {"thread", own.thread}});
    }
    if (shares.empty())
        return noValue(selection, MetricState::MissingInput,
                       "The trace contains no CPU operators (Kineto category cpu_op): record it with "
                       "ProfilerActivity.CPU.");
    result.value = meanOf(shares);
    result.details = {{"launch_bound_percent", meanOf(launchBound)},
                      {"operator_self_ms", nsToMs(all.selfNs)},
                      {"operator_ms", nsToMs(all.operatorNs)},
                      {"runtime_call_ms", nsToMs(all.callNs)},
                      {"per_rank", std::move(perRank)}};
    if (all.operatorNs == 0)
        result.warnings.push_back("No operator of the main thread runs in the window (" + selection.window
                                  + ").");
    if (!all.isMarked)
        result.warnings.emplace_back("No step marker identifies the main thread: the thread with the most "
                                     "operator time is used instead.");
    result.inputs
        = {"CPU operators run for " + millisecondsText(all.operatorNs) + " of T "
               + millisecondsText(all.windowNs) + ", " + millisecondsText(all.selfNs)
               + " of it outside runtime and driver calls (sums over ranks and steps).",
           "The GPU is idle during " + millisecondsText(all.launchBoundNs) + " of the operators' time."};
    addEvidence(analysis, selection, result, isWork);
    return result;
}

} // namespace

const MetricDescriptor aggregateGpuUtilizationMetric{
    .id = "aggregate_gpu_utilization",
    .title = "GPU utilization",
    .group = "GPU",
    .unit = "%",
    .direction = MetricDirection::HigherIsBetter,
    .needs = needsTimeline,
    .meaning = "Share of the time during which a GPU computes, communicates or copies.",
    .definition
    = "100 \u00d7 |B| / T: B = union of kernels, copies and memsets clipped to the steps, T = length of the "
      "steps, per rank, then mean of ranks",
    .ranks = &Analysis::selection,
    .compute = gpuUtilization,
    .fromSummaries = true,
};

const MetricDescriptor gpuIdleTimeMetric{
    .id = "gpu_idle_time",
    .title = "GPU idle time per step",
    .group = "GPU",
    .unit = "ms",
    .direction = MetricDirection::LowerIsBetter,
    .needs = needsTimeline,
    .meaning = "Time per step during which a GPU runs no kernel, copy or memset.",
    .definition
    = "(T - |B|) per step: B = union of kernels, copies and memsets, mean over steps, then mean of ranks",
    .ranks = &Analysis::selection,
    .compute = gpuIdleTime,
    .fromSummaries = true,
};

const MetricDescriptor totalKernelTimeMetric{
    .id = "total_kernel_time",
    .title = "Total kernel time",
    .group = "GPU",
    .unit = "s",
    .needs = needsTimeline,
    .meaning = "Total duration of all GPU kernels of the run.",
    .definition = "sum of the durations of all kernels of the files, over all ranks (a sum, not a union)",
    .compute = totalKernelTime,
    .fromSummaries = true,
};

const MetricDescriptor totalTraceTimeMetric{
    .id = "total_trace_time",
    .title = "Trace duration (first to last kernel)",
    .group = "GPU",
    .unit = "s",
    .needs = needsTimeline,
    .meaning = "Time from the first to the last GPU kernel of the run.",
    .definition = "last end - first start of a kernel, over all ranks, whole files",
    .compute = totalTraceTime,
    .fromSummaries = true,
};

const MetricDescriptor kernelTimeMetric{
    .id = "kernel_time",
    .title = "Kernel time per step",
    .group = "GPU",
    .unit = "ms",
    .direction = MetricDirection::LowerIsBetter,
    .needs = needsTimeline,
    .meaning
    = "Sum of the GPU kernel durations per step; the details also give the time during which at least one "
      "kernel runs.",
    .definition = "sum of the kernel durations clipped to the step (union_ms: their union), mean over steps, "
                  "then mean of "
                  "ranks",
    .ranks = &Analysis::selection,
    .compute = kernelTime,
    .fromSummaries = true,
};

const MetricDescriptor computeEfficiencyMetric{
    .id = "compute_efficiency",
    .title = "Compute utilization",
    .group = "GPU",
    .unit = "%",
    .direction = MetricDirection::HigherIsBetter,
    .needs = needsTimeline,
    .meaning
    = "Share of the time during which a GPU runs compute kernels (not only communication or copies).",
    .definition
    = "100 \u00d7 |Q| / T: Q = union of compute kernels clipped to the steps, per rank, then mean of ranks",
    .ranks = &Analysis::selection,
    .compute = computeEfficiency,
    .fromSummaries = true,
};

const MetricDescriptor cpuOverheadMetric{
    .id = "cpu_overhead",
    .title = "CPU operator overhead",
    .group = "GPU",
    .unit = "%",
    .direction = MetricDirection::LowerIsBetter,
    .needs = "a Kineto timeline with CPU operators",
    .meaning = "Share of the time that the main thread spends inside operators, excluding the runtime calls "
               "they make.",
    .definition
    = "100 \u00d7 self time of the CPU operators of the thread with the step markers / T (self time: without "
      "runtime and driver calls), per rank, then mean of ranks; launch_bound_percent: operator time while "
      "the "
      "GPU is idle / T",
    .ranks = &Analysis::allRanks,
    .compute = cpuOverhead,
    .fromSummaries = true,
};

} // namespace collscope
