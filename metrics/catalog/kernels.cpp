// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Kernel time by name and by class.

#include "metrics/analysis/gpu_ranks.h"
#include "metrics/analysis/kernel_kinds.h"
#include "metrics/analysis/known_communication.h"
#include "metrics/catalog/catalog.h"
#include "metrics/core/statistics.h"

#include <set>

namespace collscope {

namespace {

std::int64_t totalNs(const std::vector<RankKernels>& ranks)
{
    std::int64_t sum = 0;
    for (const RankKernels& rank : ranks)
        sum += rank.kernelNs;
    return sum;
}

/// The result to return if no kernel time can be divided up.
std::optional<MetricResult> withoutKernels(Analysis& analysis)
{
    if (totalNs(analysis.kernels()) > 0)
        return std::nullopt;
    return noValue(analysis.selection(), MetricState::NotApplicable,
                   "No GPU kernel ran in the window (" + analysis.selection().window + ").");
}

std::int64_t nsOf(const WorkOfKinds& table, KernelKind kind)
{
    return table[static_cast<std::size_t>(kind)].ns;
}

double percent(std::int64_t part, std::int64_t whole)
{
    return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

MetricResult dominantKernel(Analysis& analysis)
{
    GpuRanks gpu = gpuRanks(analysis, "pooled");
    if (const auto failure = withoutKernels(analysis))
        return *failure;
    MetricResult& result = gpu.result;
    const std::vector<RankKernels>& ranks = analysis.kernels();
    const std::int64_t whole = totalNs(ranks);
    const std::vector<NamedKernels>& names = pooledKernels(analysis).names;
    const NamedKernels& longest = names.front();
    result.value = percent(longest.work.ns, whole);
    for (const RankKernels& rank : ranks) {
        if (!rank.names.empty())
            result.rows.push_back({rank.rank, std::nullopt, percent(rank.names.front().ns, rank.kernelNs)});
    }
    result.details
        = {{"kernel", longest.name},      {"class", kernelKindName(longest.kind)},
           {"calls", longest.work.calls}, {"longest_kernel_ms", nsToMs(longest.work.ns)},
           {"kernel_ms", nsToMs(whole)},  {"distinct_kernels", static_cast<std::int64_t>(names.size())}};
    result.inputs = {"\"" + std::string(longest.name) + "\" ran " + std::to_string(longest.work.calls)
                     + " times for " + millisecondsText(longest.work.ns) + " of " + millisecondsText(whole)
                     + " of the time of all kernels (sums over ranks of clipped durations)."};
    addEvidence(analysis, analysis.selection(), result,
                [name = longest.work.name](const SliceColumns& slices, std::size_t row) {
                    return isKernelSlice(slices, row) && slices.name[row] == name;
                });
    return std::move(result);
}

MetricResult moeFraction(Analysis& analysis)
{
    GpuRanks gpu = gpuRanks(analysis, "pooled");
    if (const auto failure = withoutKernels(analysis))
        return *failure;
    MetricResult& result = gpu.result;
    const std::vector<RankKernels>& ranks = analysis.kernels();
    PooledKernels& pooled = pooledKernels(analysis);
    const std::int64_t moe = nsOf(pooled.kinds, KernelKind::MixtureOfExperts);
    const std::optional<bool> card = analysis.workload().moe;
    if (moe == 0 && card && !*card)
        return noValue(
            analysis.selection(), MetricState::NotApplicable,
            "The model has no experts (workload card: moe false), and no kernel name indicates otherwise.");
    if (moe == 0 && !namesTellKinds(pooled.kinds))
        return noValue(analysis.selection(), MetricState::MissingInput,
                       "Most kernel names do not indicate a kind, and none indicates that the model has "
                       "experts: whether some of these kernels belong to experts cannot be determined.");
    const std::int64_t whole = totalNs(ranks);
    result.value = percent(moe, whole);
    for (const RankKernels& rank : ranks) {
        if (rank.kernelNs > 0)
            result.rows.push_back(
                {rank.rank, std::nullopt,
                 percent(nsOf(pooled.known.kindsOf(rank), KernelKind::MixtureOfExperts), rank.kernelNs)});
    }
    Value::Array listed;
    std::set<StringId> counted;
    for (const NamedKernels& kernels : pooled.names) {
        if (kernels.computeKind != KernelKind::MixtureOfExperts)
            continue;
        counted.insert(kernels.work.name);
        if (listed.size() < 20)
            listed.emplace_back(Value::Object{
                {"name", kernels.name}, {"count", kernels.work.calls}, {"sum_ms", nsToMs(kernels.work.ns)}});
    }
    if (moe == 0)
        result.warnings.emplace_back(
            card ? "The workload card states that the model has experts, but no kernel name indicates any."
                 : "No kernel name indicates that the model has experts, and no workload card states that it "
                   "has none.");
    result.details
        = {{"moe_ms", nsToMs(moe)}, {"kernel_ms", nsToMs(whole)}, {"kernels_counted", std::move(listed)}};
    result.inputs = {millisecondsText(moe) + " of " + millisecondsText(whole) + " of kernel time in "
                     + std::to_string(counted.size())
                     + " kernel names with fused_moe, moe_, expert, "
                       "grouped_gemm or permute...token (sums over ranks of clipped durations)."};
    addEvidence(analysis, analysis.selection(), result, [&](const SliceColumns& slices, std::size_t row) {
        return isKernelSlice(slices, row) && !isCommunication(slices.kernelClass[row])
            && counted.contains(slices.name[row]);
    });
    return std::move(result);
}

Value::Object workObject(std::int64_t ns, std::int64_t calls, std::int64_t whole)
{
    return {{"count", calls},
            {"sum_ms", nsToMs(ns)},
            {"mean_us", calls > 0 ? Value(nsToUs(ns) / static_cast<double>(calls)) : Value()},
            {"share_percent", percent(ns, whole)}};
}

MetricResult kernelBreakdown(Analysis& analysis)
{
    constexpr std::size_t namesListed = 50;
    GpuRanks gpu = gpuRanks(analysis, "pooled");
    if (const auto failure = withoutKernels(analysis))
        return *failure;
    MetricResult& result = gpu.result;
    const std::vector<RankKernels>& ranks = analysis.kernels();
    const std::int64_t whole = totalNs(ranks);
    const PooledKernels& pooled = pooledKernels(analysis);
    const std::vector<NamedKernels>& names = pooled.names;
    const WorkOfKinds& kinds = pooled.kinds;
    std::int64_t calls = 0;
    Value::Object byClass;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        calls += kinds[kind].calls;
        if (kinds[kind].calls > 0)
            byClass.emplace_back(kernelKindName(static_cast<KernelKind>(kind)),
                                 workObject(kinds[kind].ns, kinds[kind].calls, whole));
    }
    Value::Array byName;
    std::int64_t restNs = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const NamedKernels& kernels = names[i];
        if (i >= namesListed) {
            restNs += kernels.work.ns;
            continue;
        }
        Value::Object entry{{"name", kernels.name}, {"class", kernelKindName(kernels.kind)}};
        for (auto& field : workObject(kernels.work.ns, kernels.work.calls, whole))
            entry.push_back(std::move(field));
        byName.emplace_back(std::move(entry));
    }
    result.details = {{"kernel_ms", nsToMs(whole)},
                      {"kernels", calls},
                      {"distinct_kernels", static_cast<std::int64_t>(names.size())},
                      {"by_class", std::move(byClass)},
                      {"by_name", std::move(byName)},
                      {"other_names_ms", nsToMs(restNs)}};
    result.inputs = {kernelRuleSentence(ranks),
                     std::to_string(names.size()) + " kernel names, " + millisecondsText(whole)
                         + " of kernel time (sums over ranks of clipped durations; a kernel that spans two "
                           "steps counts in each with its part)."};
    addEvidence(analysis, analysis.selection(), result, isKernelSlice);
    return std::move(result);
}

/// Columns of break_down_steps.
constexpr std::array<std::string_view, 6> workOfSteps{"COMM",       "ATTN",  "MOE_ROUTE",
                                                      "MOE_EXPERT", "DENSE", "OTHER"};
using StepWorkTimes = std::array<std::int64_t, workOfSteps.size()>;

StepWorkTimes partsOf(KernelNames& known, const RankKernels& rank)
{
    StepWorkTimes times{};
    for (const NameBreakdown& work : rank.names) {
        const NamedKernels kernels = known.named(work);
        times[0] += kernels.work.communicationNs;
        const std::size_t part = kernels.computeKind == KernelKind::Attention ? 1
            : kernels.computeKind == KernelKind::MixtureOfExperts ? (routesTokens(kernels.name) ? 2 : 3)
            : kernels.computeKind == KernelKind::Gemm             ? 4
                                                                  : 5;
        times[part] += kernels.work.ns - kernels.work.communicationNs;
    }
    return times;
}

/// What a share of 0 is: 0 where the kernels can establish it, else unknown.
struct Nothing
{
    Value communication, byName;
};

/// Share of the step.
Value shareOf(std::string_view part, double share, const Nothing& nothing)
{
    if (share > 0 || part == "OTHER")
        return share;
    return part == "COMM" ? nothing.communication : nothing.byName;
}

MetricResult breakDownSteps(Analysis& analysis)
{
    GpuRanks gpu = gpuRanks(analysis, "mean of ranks");
    if (const auto failure = withoutKernels(analysis))
        return *failure;
    MetricResult& result = gpu.result;
    PooledKernels& pooled = pooledKernels(analysis);
    std::array<std::vector<double>, workOfSteps.size()> shares;
    Value::Object perRank;
    const Nothing nothing{knownCommunication(analysis, analysis.selection(), 0.0),
                          namesTellKinds(pooled.kinds) ? Value(0.0) : Value()};
    for (const RankKernels& rank : analysis.kernels()) {
        if (rank.kernelNs == 0)
            continue;
        const StepWorkTimes times = partsOf(pooled.known, rank);
        Value::Object own;
        for (std::size_t part = 0; part < times.size(); ++part) {
            shares[part].push_back(percent(times[part], rank.kernelNs));
            own.emplace_back(workOfSteps[part], shareOf(workOfSteps[part], shares[part].back(), nothing));
        }
        perRank.emplace_back(std::to_string(rank.rank), std::move(own));
    }
    for (std::size_t part = 0; part < shares.size(); ++part)
        result.details.emplace_back(workOfSteps[part],
                                    shareOf(workOfSteps[part], meanOf(shares[part]), nothing));
    result.details.emplace_back("kernel_ms", nsToMs(totalNs(analysis.kernels())));
    result.details.emplace_back("per_rank", std::move(perRank));
    result.inputs = {kernelRuleSentence(analysis.kernels()),
                     "ATTN: attention kernels, MOE_ROUTE: expert kernels that choose experts or move tokens, "
                     "MOE_EXPERT: the other expert kernels, DENSE: matrix products."};
    if (untoldNs(pooled.kinds) > 0)
        result.inputs.push_back(
            "Kernels whose names do not indicate a kind count in OTHER, whatever they do: "
            + millisecondsText(untoldNs(pooled.kinds)) + " of "
            + millisecondsText(totalNs(analysis.kernels())) + ".");
    addEvidence(analysis, analysis.selection(), result, isKernelSlice);
    return std::move(result);
}

} // namespace

const MetricDescriptor dominantKernelConcentrationMetric{
    .id = "dominant_kernel_concentration",
    .title = "Dominant kernel share",
    .group = "GPU",
    .unit = "%",
    .needs = needsTimeline,
    .meaning = "Share of the kernel time taken by the kernel name with the most time.",
    .definition = "100 \u00d7 largest sum of clipped durations of one kernel name / sum of all kernels, "
                  "pooled over ranks",
    .ranks = &Analysis::selection,
    .compute = dominantKernel,
    .fromSummaries = true,
};

const MetricDescriptor moeFractionMetric{
    .id = "moe_fraction",
    .title = "Expert kernel share",
    .group = "GPU",
    .unit = "%",
    .needs = needsTimeline,
    .meaning = "Share of the kernel time taken by mixture-of-experts kernels.",
    .definition = "100 \u00d7 clipped durations of kernels named fused_moe, moe_, expert, grouped_gemm or "
                  "permute...token "
                  "(neither communication nor copies) / of all kernels, pooled over ranks",
    .ranks = &Analysis::selection,
    .compute = moeFraction,
    .fromSummaries = true,
};

const MetricDescriptor kernelBreakdownMetric{
    .id = "kernel_breakdown",
    .title = "Kernel breakdown",
    .group = "GPU",
    .unit = "ms",
    .needs = needsTimeline,
    .meaning = "Kernel time by class of kernel and by name: count, sum, mean and share.",
    .definition = "clipped durations of the kernels of the window, pooled over ranks, by class (the first "
                  "that applies of "
                  "communication, copy, moe, attention, gemm, norm, softmax, optimizer, embedding, "
                  "reduction, elementwise, "
                  "triton, other) and for the 50 names with the most time",
    .ranks = &Analysis::selection,
    .compute = kernelBreakdown,
    .fromSummaries = true,
};

const MetricDescriptor breakDownStepsMetric{
    .id = "break_down_steps",
    .title = "Step breakdown by kernel kind",
    .group = "GPU",
    .unit = "%",
    .needs = needsTimeline,
    .meaning
    = "Shares of the kernel time of a step: communication, attention, expert routing, experts, dense, other.",
    .definition = "100 \u00d7 clipped durations of the kernels of a kind / of all kernels, over the steps of "
                  "a rank, then "
                  "mean of ranks",
    .ranks = &Analysis::selection,
    .compute = breakDownSteps,
    .fromSummaries = true,
};

} // namespace collscope
