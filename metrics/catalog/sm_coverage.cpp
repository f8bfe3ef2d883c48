// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Share of a GPU's multiprocessors that the kernels use: sampled, estimated, or derived from launch geometry.

#include "metrics/analysis/gpu_ranks.h"
#include "metrics/analysis/kernel_kinds.h"
#include "metrics/catalog/catalog.h"
#include "metrics/core/statistics.h"

namespace collscope {

namespace {

/// A mean weighted by kernel time: sum(f x duration) / sum(duration) of the kernels with a known f.
struct Weighted
{
    double sum = 0;
    std::int64_t knownNs = 0, allNs = 0;

    std::optional<double> mean(double factor) const
    {
        return ratio(factor * sum, static_cast<double>(knownNs));
    }
};

/// Pooled over ranks, with a row per rank.
template<typename Of>
Weighted poolWeighted(const std::vector<RankKernels>& ranks, MetricResult& result, double factor,
                      const Of& of)
{
    Weighted all;
    for (const RankKernels& rank : ranks) {
        const Weighted own = of(rank);
        if (const auto mean = own.mean(factor))
            result.rows.push_back({rank.rank, std::nullopt, *mean});
        all.sum += own.sum;
        all.knownNs += own.knownNs;
        all.allNs += own.allNs;
    }
    return all;
}

Weighted coverageOf(const RankKernels& rank)
{
    return {rank.coverageNs, rank.coverageKnownNs, rank.kernelNs};
}

Weighted occupancyOf(const RankKernels& rank)
{
    return {rank.occupancyNs, rank.occupancyKnownNs, rank.kernelNs};
}

void warnAboutUnknown(MetricResult& result, const Weighted& weighted, std::string_view what)
{
    if (weighted.knownNs < weighted.allNs)
        result.warnings.push_back(numberText(100.0 * static_cast<double>(weighted.allNs - weighted.knownNs)
                                             / static_cast<double>(weighted.allNs))
                                  + " % of the kernel time has no " + std::string(what)
                                  + " and is excluded.");
}

std::string weightSentence(const Weighted& weighted, std::string_view what)
{
    return "Mean of the " + std::string(what) + " of the kernels, weighted by their time: known for "
        + numberText(nsToMs(weighted.knownNs)) + " ms of " + numberText(nsToMs(weighted.allNs))
        + " ms of kernel time (sums over ranks).";
}

MetricResult withoutGeometry(Analysis& analysis, std::string_view also = {})
{
    std::int64_t kernels = 0;
    for (const RankKernels& rank : analysis.kernels())
        kernels += rank.kernels;
    if (kernels == 0)
        return noValue(analysis.selection(), MetricState::NotApplicable,
                       "No GPU kernel ran in the window (" + analysis.selection().window + ").");
    return noValue(analysis.selection(), MetricState::MissingInput,
                   "The trace does not tell which share of the multiprocessors its kernels cover: that needs "
                   "\"blocks per SM\", or a grid and the number of multiprocessors of the device"
                       + std::string(also) + ".");
}

MetricResult meanSmCoverage(Analysis& analysis)
{
    GpuRanks gpu = gpuRanks(analysis, "pooled");
    MetricResult& result = gpu.result;
    const Weighted all = poolWeighted(analysis.kernels(), result, 100.0, coverageOf);
    result.value = all.mean(100.0);
    if (!result.value)
        return withoutGeometry(analysis);
    warnAboutUnknown(result, all, "launch geometry");
    result.details = {{"kernel_ms", nsToMs(all.allNs)}, {"known_kernel_ms", nsToMs(all.knownNs)}};
    result.inputs = {weightSentence(all, "share of the multiprocessors that the grid covers"),
                     "Launch geometry, not utilization: a covered multiprocessor may still be waiting."};
    addEvidence(analysis, analysis.selection(), result, isKernelSlice);
    return std::move(result);
}

/// Mean over all samples of all ranks; nullopt without samples in the windows.
std::optional<double> sampledMean(Analysis& analysis, const std::function<bool(std::string_view)>& matches,
                                  std::vector<MetricRow>* rows, SampleSum* samples)
{
    SampleSum all;
    for (const RankWindows& rank : analysis.selection().ranks) {
        const SampleSum own = sumSamples(analysis.model(), rank, matches);
        if (own.count > 0 && rows)
            rows->push_back({rank.rank, std::nullopt, *own.mean()});
        all.sum += own.sum;
        all.count += own.count;
        if (!own.name.empty())
            all.name = own.name;
    }
    if (samples)
        *samples = all;
    return all.mean();
}

bool isSmsActive(std::string_view name)
{
    return name.starts_with("SMs Active");
}

bool isTensorActive(std::string_view name)
{
    return name.starts_with("Tensor Active") || name.starts_with("Tensor Pipe");
}

MetricResult sm(Analysis& analysis)
{
    SampleSum samples;
    std::vector<MetricRow> rows;
    const auto active = sampledMean(analysis, isSmsActive, &rows, &samples);
    MetricResult result = valueOf(analysis, analysis.selection(), "pooled");
    if (active) {
        result.value = active;
        result.rows = std::move(rows);
        result.details = {{"method", "sampled"}, {"counter", samples.name}, {"samples", samples.count}};
        result.inputs = {std::to_string(samples.count) + " samples of the counter \"" + samples.name
                         + "\" in the window, mean over all of them."};
    } else {
        const Weighted occupancy = poolWeighted(analysis.kernels(), result, 1.0, occupancyOf);
        // A profiler that does not estimate occupancy writes 0 for every kernel.
        if (occupancy.sum > 0) {
            result.value = occupancy.mean(1.0);
            warnAboutUnknown(result, occupancy, "achieved occupancy");
            result.details = {{"method", "estimated occupancy"}};
            result.inputs = {weightSentence(occupancy, "\"est. achieved occupancy %\"")};
        } else {
            result.rows.clear();
            const Weighted coverage = poolWeighted(analysis.kernels(), result, 100.0, coverageOf);
            result.value = coverage.mean(100.0);
            if (!result.value)
                return withoutGeometry(analysis);
            warnAboutUnknown(result, coverage, "launch geometry");
            result.details = {{"method", "launch geometry (mean_sm_coverage)"}};
            result.inputs = {weightSentence(coverage, "share of the multiprocessors that the grid covers")};
        }
    }
    if (const auto tensor = sampledMean(analysis, isTensorActive, nullptr, nullptr))
        result.details.emplace_back("tensor_active_percent", *tensor);
    addEvidence(analysis, analysis.selection(), result, isKernelSlice);
    return result;
}

/// Share of the kernel time from a property of the launch geometry, with the share by kind of kernel for
/// comparison.
MetricResult boundFraction(Analysis& analysis, std::int64_t RankKernels::*ns, std::string_view rule,
                           std::initializer_list<KernelKind> kinds)
{
    GpuRanks gpu = gpuRanks(analysis, "mean of ranks");
    MetricResult& result = gpu.result;
    PooledKernels& pooled = pooledKernels(analysis);
    std::vector<double> values;
    std::vector<double> byClass;
    Weighted all;
    std::int64_t part = 0;
    for (const RankKernels& rank : analysis.kernels()) {
        if (rank.kernelNs == 0)
            continue;
        const WorkOfKinds table = pooled.known.kindsOf(rank);
        std::int64_t ofKinds = 0;
        for (const KernelKind kind : kinds)
            ofKinds += table[static_cast<std::size_t>(kind)].ns;
        byClass.push_back(100.0 * static_cast<double>(ofKinds) / static_cast<double>(rank.kernelNs));
        all.knownNs += rank.coverageKnownNs;
        all.allNs += rank.kernelNs;
        part += rank.*ns;
        if (const auto share
            = ratio(static_cast<double>(rank.*ns), static_cast<double>(rank.coverageKnownNs), 100.0)) {
            values.push_back(*share);
            result.rows.push_back({rank.rank, std::nullopt, *share});
        }
    }
    std::string named;
    for (const KernelKind kind : kinds)
        named += (named.empty() ? "" : ", ") + std::string(kernelKindName(kind));
    // If kernel names are not informative, finding no kernel of the class does not mean 0 %.
    const bool isClassTold = !byClass.empty() && (meanOf(byClass) > 0 || namesTellKinds(pooled.kinds));
    if (values.empty() && !isClassTold)
        return withoutGeometry(analysis,
                               byClass.empty() ? "" : ", and most kernel names do not indicate a class");
    if (values.empty()) {
        result.value = meanOf(byClass);
        result.details = {{"method", "kernel class"}};
        result.warnings.push_back(
            "Which share of the multiprocessors the kernels cover is not recorded: the share of kernels of "
            "class "
            + named + " is used instead; names that do not indicate a class account for "
            + numberText(nsToMs(untoldNs(pooled.kinds))) + " ms of " + numberText(nsToMs(all.allNs))
            + " ms.");
        std::size_t i = 0;
        for (const RankKernels& rank : analysis.kernels()) {
            if (rank.kernelNs > 0)
                result.rows.push_back({rank.rank, std::nullopt, byClass[i++]});
        }
    } else {
        result.value = meanOf(values);
        result.details = {{"method", "launch geometry"}};
        warnAboutUnknown(result, all, "launch geometry");
        result.inputs = {numberText(nsToMs(part)) + " ms of " + numberText(nsToMs(all.knownNs))
                         + " ms of kernel time " + std::string(rule) + " (sums over ranks)."};
    }
    result.details.emplace_back("heuristic", true);
    result.details.emplace_back("by_class_percent", isClassTold ? Value(meanOf(byClass)) : Value());
    result.details.emplace_back("kernel_ms", nsToMs(all.allNs));
    result.inputs.push_back(
        "A heuristic, not a roofline: it uses the shape of launches, not bytes and operations."
        + (isClassTold ? " By class (" + named + "): " + numberText(meanOf(byClass)) + " %."
                       : " Most kernel names do not indicate a class."));
    addEvidence(analysis, analysis.selection(), result, isKernelSlice);
    return std::move(result);
}

MetricResult memoryBound(Analysis& analysis)
{
    return boundFraction(
        analysis, &RankKernels::lowCoverageNs, "covers less than 50 % of the SMs",
        {KernelKind::Norm, KernelKind::Softmax, KernelKind::Reduction, KernelKind::Elementwise});
}

MetricResult computeBound(Analysis& analysis)
{
    return boundFraction(analysis, &RankKernels::highCoverageNs, "covers more than 70 % of the SMs",
                         {KernelKind::Attention, KernelKind::Gemm, KernelKind::MixtureOfExperts});
}

constexpr std::string_view needsGeometry = "a timeline (Kineto or nsys) with launch geometry";

} // namespace

constexpr MetricPart smParts[] = {
    {.id = "mean_sm_coverage",
     .title = "SM coverage",
     .needs = needsGeometry,
     .meaning
     = "Share of the multiprocessors for which a kernel has a block; launch geometry, not utilization.",
     .definition
     = "100 \u00d7 sum(min(blocks per SM, 1) \u00d7 clipped duration) / sum(clipped duration) over all "
       "kernels, "
       "including communication, pooled over ranks (nsys: blocks of the grid / SMs of the device)",
     .ranks = &Analysis::selection,
     .compute = meanSmCoverage},
};

const MetricDescriptor smMetric{
    .id = "sm",
    .title = "SM activity",
    .group = "GPU",
    .unit = "%",
    .direction = MetricDirection::HigherIsBetter,
    .needs = "GPU metrics of nsys, or a timeline with occupancy or launch geometry",
    .meaning
    = "How busy the multiprocessors are: sampled by nsys if available, else estimated from the kernels.",
    .definition
    = "the first available of: mean of the samples of \"SMs Active\" in the window; mean \"est. achieved "
      "occupancy %\" of the kernels weighted by their time; mean_sm_coverage; pooled over ranks",
    .parts = smParts,
    .ranks = &Analysis::selection,
    .compute = sm,
};

const MetricDescriptor memoryBoundFractionMetric{
    .id = "memory_bound_fraction",
    .title = "Likely memory-bound kernels",
    .group = "GPU",
    .unit = "%",
    .direction = MetricDirection::LowerIsBetter,
    .needs = needsGeometry,
    .meaning
    = "Share of the kernel time in launches that cover less than half of the multiprocessors (a heuristic).",
    .definition
    = "100 \u00d7 clipped durations of kernels with SM coverage < 50 % / of kernels with known coverage, per "
      "rank, then mean of ranks; by_class_percent: norm, softmax, reduction and elementwise kernels",
    .ranks = &Analysis::selection,
    .compute = memoryBound,
    .fromSummaries = true,
};

const MetricDescriptor computeBoundFractionMetric{
    .id = "compute_bound_fraction",
    .title = "Likely compute-bound kernels",
    .group = "GPU",
    .unit = "%",
    .direction = MetricDirection::HigherIsBetter,
    .needs = needsGeometry,
    .meaning
    = "Share of the kernel time in launches that cover more than 70 % of the multiprocessors (a heuristic).",
    .definition
    = "100 \u00d7 clipped durations of kernels with SM coverage > 70 % / of kernels with known coverage, per "
      "rank, then mean of ranks; by_class_percent: attention, matrix products and experts",
    .ranks = &Analysis::selection,
    .compute = computeBound,
    .fromSummaries = true,
};

} // namespace collscope
