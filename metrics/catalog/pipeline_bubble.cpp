// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Time lost to pipeline parallelism: a stage waits for its neighbours.

#include "metrics/analysis/pipeline_bubbles.h"
#include "metrics/catalog/catalog.h"

#include <algorithm>

namespace collscope {

namespace {

/// (p - 1) / (v m + p - 1) with v = 1: the idle share that follows from the schedule alone.
void addTheory(const Workload& workload, MetricResult& result)
{
    const std::int64_t stages = workload.mesh.pp;
    if (stages <= 1 || !workload.microBatches || *workload.microBatches <= 0)
        return;
    const auto p = static_cast<double>(stages);
    const auto m = static_cast<double>(*workload.microBatches);
    result.details.emplace_back("pipeline_stages", stages);
    result.details.emplace_back("micro_batches", *workload.microBatches);
    result.details.emplace_back("theoretical_bubble_ratio", (p - 1) / (m + p - 1));
    result.details.emplace_back("theoretical_bubble_of_ideal", (p - 1) / m);
    result.inputs.push_back("Theory: (p - 1) / (v m + p - 1) with p = " + std::to_string(stages)
                            + " stages, m = " + std::to_string(*workload.microBatches) + " micro-batches ("
                            + workload.microBatches.source + ") and v = 1 virtual stage, assumed.");
}

void addBubbleWarnings(Analysis& analysis, const BubbleTable& table, MetricResult& result)
{
    const Mesh& mesh = analysis.workload().mesh;
    if (mesh.isKnown && mesh.pp <= 1)
        result.warnings.emplace_back(
            "Card or TOML states pp = 1, but ranks send to each other: treated as pipeline traffic.");
    if (!mesh.isKnown && !table.p2p.pipelineGroup)
        result.warnings.emplace_back("Guess: ranks send to each other, which is treated as a pipeline; no "
                                     "card, TOML or process group confirms one.");
    if (table.p2p.untold > 0)
        result.warnings.push_back(std::to_string(table.p2p.untold)
                                  + " SendRecv kernels are identified by name only and count as "
                                    "point-to-point; some may be all-to-alls.");
    if (analysis.options().attribution == MetricOptions::Attribution::Launch)
        result.warnings.emplace_back("A bubble is time in which nothing runs: kernels count at the time they "
                                     "ran, regardless of their launch.");
}

MetricResult bubbleSize(Analysis& analysis)
{
    const BubbleTable& table = bubblesOf(analysis);
    if (table.failure)
        return *table.failure;
    MetricResult result = valueOf(analysis, analysis.selection(), "pooled");
    result.value = table.all.share();
    Value::Object perRank;
    for (const RankBubble& rank : table.ranks) {
        if (const auto own = rank.total.share()) {
            result.rows.push_back({rank.rank, std::nullopt, *own});
            perRank.emplace_back(std::to_string(rank.rank), *own);
        }
    }
    for (const RankBubble& rank : table.ranks) {
        for (const StepBubble& step : rank.steps) {
            if (const auto own = step.bubble.share())
                result.rows.push_back({rank.rank, step.number, *own});
        }
    }
    addBubbleWarnings(analysis, table, result);
    result.details = {
        {"bubble_ratio", *result.value},
        {"bubble_time_ms", nsToMs(table.all.ns())},
        {"total_time_ms", nsToMs(table.all.windowNs)},
        {"warm_up_ms", nsToMs(table.all.warmUpNs)},
        {"interior_ms", nsToMs(table.all.interiorNs)},
        {"cool_down_ms", nsToMs(table.all.coolDownNs)},
        {"waiting_in_p2p_ms", nsToMs(table.all.waitingNs)},
        {"num_ranks", static_cast<std::int64_t>(table.ranks.size())},
        {"method", "idle GPU time and point-to-point waits"},
        {"warning", result.warnings.empty() ? Value() : Value(result.warnings.back())},
        {"per_rank", std::move(perRank)},
    };
    result.inputs
        = {"Bubble " + millisecondsText(table.all.ns()) + " of " + millisecondsText(table.all.windowNs)
               + ", summed over ranks and steps: warm-up " + millisecondsText(table.all.warmUpNs)
               + ", interior " + millisecondsText(table.all.interiorNs) + ", cool-down "
               + millisecondsText(table.all.coolDownNs) + ".",
           std::to_string(table.p2p.inWindow) + " point-to-point kernels count as waiting ("
               + millisecondsText(table.all.waitingNs) + " during which nothing else runs)."};
    addTheory(analysis.workload(), result);
    addEvidence(analysis, analysis.selection(), result, [](const SliceColumns& slices, std::size_t row) {
        return slices.kernelClass[row] == KernelClass::SendRecv;
    });
    return result;
}

/// Value without a pipeline: the share of the step that computes.
MetricResult computeShare(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    MetricResult result = valueOf(analysis, selection, "mean of ranks");
    const auto share = [](const TimeBreakdown& work) {
        return ratio(static_cast<double>(work.compute()), static_cast<double>(work.windowNs));
    };
    const std::vector<RankBreakdown>& ranks = analysis.work();
    result.value = meanOfRanks(ranks, result, [&](const RankBreakdown& rank) { return share(rank.total); });
    if (!result.value)
        return noValue(selection, MetricState::NotApplicable, "The chosen steps have no duration.");
    if (std::none_of(ranks.begin(), ranks.end(),
                     [](const RankBreakdown& rank) { return rank.total.kernelSumNs > 0; }))
        return noValue(selection, MetricState::NotApplicable,
                       "No GPU kernel ran in the window (" + selection.window + ").");
    addStepRows(ranks, result, [&](const StepBreakdown& step) { return share(step.work); });
    result.details = {{"method", "compute share of the step"}};
    const Mesh& mesh = analysis.workload().mesh;
    result.inputs = {(mesh.isKnown ? "One pipeline stage (" + mesh.source + ")"
                                   : std::string("No pipeline is known, and no source excludes one"))
                         + ": |Q| / T, the union of compute kernels over the "
                         + (hasNoSteps(selection) ? "whole trace." : "step."),
                     kernelRuleSentence(analysis.kernels())};
    addEvidence(analysis, selection, result, [](const SliceColumns& slices, std::size_t row) {
        return activeKindOf(slices, row) == ActiveCompute;
    });
    return result;
}

MetricResult pipelineEfficiency(Analysis& analysis)
{
    const BubbleTable& table = bubblesOf(analysis);
    if (table.failure)
        return computeShare(analysis);
    MetricResult result = bubbleSize(analysis);
    if (!result.value)
        return result;
    result.value = 1.0 - *result.value;
    for (MetricRow& row : result.rows)
        row.value = 1.0 - row.value;
    return result;
}

} // namespace

const MetricDescriptor bubbleSizePipelineMetric{
    .id = "bubble_size_pipeline",
    .title = "Pipeline bubble",
    .group = "Execution",
    .unit = "ratio",
    .direction = MetricDirection::LowerIsBetter,
    .needs = "a timeline (Kineto or nsys) of a run with pipeline stages",
    .meaning = "Share of the steps in which a pipeline stage waits for its neighbours.",
    .definition = "sum(T - |compute kernels \u222a copies \u222a communication that is not point-to-point|) "
                  "/ sum(T) over "
                  "ranks and steps; point-to-point kernels count as waiting",
    .compute = bubbleSize,
};

const MetricDescriptor pipelineEfficiencyMetric{
    .id = "pipeline_efficiency",
    .title = "Pipeline efficiency",
    .group = "Execution",
    .unit = "ratio",
    .direction = MetricDirection::HigherIsBetter,
    .needs = "a timeline (Kineto or nsys)",
    .meaning
    = "Share of the steps that a pipeline keeps its GPUs busy; without pipeline stages, that they compute.",
    .definition = "1 - bubble ratio with pipeline stages (pooled); else |Q| / T per rank, mean of ranks",
    .ranks = &Analysis::selection,
    .compute = pipelineEfficiency,
};

} // namespace collscope
