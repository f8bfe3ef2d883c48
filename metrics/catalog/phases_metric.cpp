// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// GPU time of a training step by phase: forward, backward, optimizer.

#include "metrics/analysis/phases.h"
#include "metrics/catalog/catalog.h"
#include "metrics/core/statistics.h"

#include <algorithm>

namespace collscope {

namespace {

/// The ranks with the required marks, or the result to return instead.
struct Answer
{
    std::vector<const RankPhases*> ranks;
    std::optional<MetricResult> failure;
};

Answer phasesWith(Analysis& analysis, unsigned marks, const char* nothingFound)
{
    Answer answer;
    const Selection& selection = analysis.selection();
    if (selection.failure) {
        answer.failure = *selection.failure;
        return answer;
    }
    const Workload& workload = analysis.workload();
    if (workload.isInference()) {
        answer.failure
            = noValue(selection, MetricState::NotApplicable,
                      "The workload card states " + workload.phase + ": only training has these phases.");
        return answer;
    }
    const PhaseTable& table = analysis.table<PhaseTable>([&] { return measurePhases(analysis); });
    bool computes = false;
    for (const RankPhases& rank : table.ranks) {
        computes |= rank.total.sum() > 0;
        if (rank.method != PhaseMethod::None && (rank.marks & marks) == marks && !rank.steps.empty())
            answer.ranks.push_back(&rank);
    }
    if (answer.ranks.empty())
        answer.failure = noValue(selection, MetricState::NotApplicable, nothingFound);
    else if (!computes)
        answer.failure = noValue(selection, MetricState::NotApplicable,
                                 "No GPU kernel ran in the window (" + selection.window + ").");
    return answer;
}

constexpr const char* noBackward
    = "The trace shows no backward pass on the CPU side: no autograd thread and no "
      "autograd::engine::evaluate_function. Phases need a training trace with CPU operators (Kineto, or nsys "
      "with torch.autograd.profiler.emit_nvtx).";
constexpr const char* noOptimizer
    = "The trace shows no Optimizer.step# annotation on the CPU side. The optimizer time needs a training "
      "trace with CPU operators (Kineto, or nsys with torch.autograd.profiler.emit_nvtx).";

std::string methodOf(const std::vector<const RankPhases*>& ranks)
{
    PhaseMethod weakest = PhaseMethod::Launches;
    for (const RankPhases* rank : ranks)
        weakest = std::max(weakest, rank->method);
    return phaseMethodNames[static_cast<std::size_t>(weakest)];
}

void explain(const std::vector<const RankPhases*>& ranks, MetricResult& result)
{
    PhaseTimes all;
    for (const RankPhases* rank : ranks)
        all += rank->total;
    std::int64_t kernels = 0;
    std::string counts;
    for (std::size_t i = 0; i < all.kernels.size(); ++i) {
        kernels += all.kernels[i];
        counts += (i == 0 ? "" : ", ") + std::to_string(all.kernels[i]) + " " + phaseNames[i];
    }
    const std::string method = methodOf(ranks);
    result.inputs.push_back("Kernels by phase: " + counts + "; phases found by " + method + ".");
    if (method != phaseMethodNames[0])
        result.warnings.push_back(
            "On some ranks no kernel can be linked to its launch. Phases are CPU times there (" + method
            + "), and asynchronous GPU work lags behind them.");
    if (all.unlinked > 0)
        result.warnings.push_back(std::to_string(all.unlinked) + " of " + std::to_string(kernels)
                                  + " kernels have no known launch and count as other.");
    if (all.recomputeNs > 0)
        result.inputs.push_back("Kernels of forward passes recomputed inside backward: "
                                + numberText(nsToMs(all.recomputeNs)) + " ms, summed over ranks.");
}

/// Mean over ranks of the milliseconds per step; does not add rows.
double meanPerStep(const std::vector<const RankPhases*>& ranks,
                   const std::function<std::int64_t(const PhaseTimes&)>& time)
{
    std::vector<double> values;
    values.reserve(ranks.size());
    for (const RankPhases* rank : ranks)
        values.push_back(nsToMs(time(rank->total)) / rank->stepCount());
    return meanOf(values);
}

void addPhaseDetails(const std::vector<const RankPhases*>& ranks, Value::Object& details)
{
    const double sum = meanPerStep(ranks, [](const PhaseTimes& t) { return t.sum(); });
    const double step = meanPerStep(ranks, [](const PhaseTimes& t) { return t.windowNs; });
    for (std::size_t i = 0; i < allPhases.size(); ++i) {
        const std::string name = phaseNames[i];
        const double ms = meanPerStep(ranks, [&](const PhaseTimes& t) { return t.of(allPhases[i]); });
        details.emplace_back(name + "_ms", ms);
        details.emplace_back(name + "_percent", sum > 0 ? 100.0 * ms / sum : 0.0);
        details.emplace_back(name + "_percent_of_step", step > 0 ? 100.0 * ms / step : 0.0);
        details.emplace_back(name + "_communication_ms",
                             meanPerStep(ranks, [&](const PhaseTimes& t) { return t.communicationNs[i]; }));
    }
    details.emplace_back("phases_sum_ms", sum);
    details.emplace_back("step_time_ms", step);
    details.emplace_back("no_kernel_ms", meanPerStep(ranks, [](const PhaseTimes& t) {
                             return t.windowNs - t.active.anyOf(15);
                         }));
    details.emplace_back("recompute_kernel_ms",
                         meanPerStep(ranks, [](const PhaseTimes& t) { return t.recomputeNs; }));
    details.emplace_back("method", methodOf(ranks));
    Value::Object perRank;
    for (const RankPhases* rank : ranks) {
        Value::Object times;
        for (std::size_t i = 0; i < allPhases.size(); ++i)
            times.emplace_back(std::string(phaseNames[i]) + "_ms",
                               nsToMs(rank->total.of(allPhases[i])) / rank->stepCount());
        perRank.emplace_back(std::to_string(rank->rank), std::move(times));
    }
    details.emplace_back("per_rank", std::move(perRank));
}

void addPhaseEvidence(Analysis& analysis, Phase wanted, MetricResult& result)
{
    if (!analysis.options().wantEvidence)
        return;
    // Evidence: the windows, and the kernels by phase.
    addEvidence(analysis, analysis.selection(), result,
                [](const SliceColumns&, std::size_t) { return false; });
    forEachKernelPhase(analysis, [&](SliceRef kernel, unsigned phase) {
        if (phase == wanted)
            result.evidence.push_back(kernel);
    });
}

MetricResult phaseTime(Analysis& analysis, Phase phase)
{
    const bool optimizer = phase == PhaseOptimizer;
    const Answer answer = phasesWith(analysis, optimizer ? LaunchOptimizer : LaunchBackward,
                                     optimizer ? noOptimizer : noBackward);
    if (answer.failure)
        return *answer.failure;
    if (const auto none = withoutSteps(analysis.selection()))
        return *none;
    MetricResult result = valueOf(analysis, analysis.selection(), "mean of ranks");
    std::vector<double> values;
    for (const RankPhases* rank : answer.ranks) {
        values.push_back(nsToMs(rank->total.of(phase)) / rank->stepCount());
        result.rows.push_back({rank->rank, std::nullopt, values.back()});
    }
    for (const RankPhases* rank : answer.ranks) {
        for (const auto& [number, times] : rank->steps)
            result.rows.push_back({rank->rank, number, nsToMs(times.of(phase))});
    }
    result.value = meanOf(values);
    addPhaseDetails(answer.ranks, result.details);
    explain(answer.ranks, result);
    addPhaseEvidence(analysis, phase, result);
    return result;
}

MetricResult forwardTime(Analysis& analysis)
{
    return phaseTime(analysis, PhaseForward);
}

MetricResult backwardTime(Analysis& analysis)
{
    return phaseTime(analysis, PhaseBackward);
}

MetricResult optimizerTime(Analysis& analysis)
{
    return phaseTime(analysis, PhaseOptimizer);
}

MetricResult trainingPhases(Analysis& analysis)
{
    const Answer answer = phasesWith(analysis, LaunchBackward, noBackward);
    if (answer.failure)
        return *answer.failure;
    MetricResult result = valueOf(analysis, analysis.selection(), "mean of ranks");
    addPhaseDetails(answer.ranks, result.details);
    explain(answer.ranks, result);
    const bool optimizes = std::any_of(answer.ranks.begin(), answer.ranks.end(), [](const RankPhases* rank) {
        return (rank->marks & LaunchOptimizer) != 0;
    });
    if (!optimizes)
        result.warnings.emplace_back("No Optimizer.step# annotation was found: the optimizer's kernels count "
                                     "as forward, backward or other.");
    addEvidence(analysis, analysis.selection(), result, [](const SliceColumns& slices, std::size_t row) {
        return slices.category[row] == SliceCategory::Kernel;
    });
    return result;
}

constexpr std::string_view needsPhases
    = "a training trace with its CPU side (Kineto, or nsys with NVTX operators)";

} // namespace

constexpr MetricPart trainingPhasesParts[] = {
    {.id = "forward_time",
     .title = "Forward pass time",
     .direction = MetricDirection::LowerIsBetter,
     .meaning = "Time per step during which a GPU runs kernels of the forward pass.",
     .definition
     = "union of the compute kernels that are launched before a backward pass of their step and belong to "
       "neither backward nor optimizer, clipped to the step; mean over steps, then mean of ranks",
     .compute = forwardTime},
    {.id = "backward_time",
     .title = "Backward pass time",
     .direction = MetricDirection::LowerIsBetter,
     .meaning
     = "Time per step during which a GPU runs kernels of the backward pass, including its communication.",
     .definition
     = "union of the kernels launched by the autograd thread or inside autograd::engine::evaluate_function, "
       "clipped to the step; mean over steps, then mean of ranks",
     .compute = backwardTime},
    {.id = "optimizer_time",
     .title = "Optimizer step time",
     .direction = MetricDirection::LowerIsBetter,
     .meaning
     = "Time per step during which a GPU runs kernels of the optimizer, including its communication.",
     .definition
     = "union of the kernels launched inside an Optimizer.step# annotation, clipped to the step; mean over "
       "steps, then mean of ranks",
     .compute = optimizerTime},
};

const MetricDescriptor trainingPhasesMetric{
    .id = "training_phases",
    .title = "Training phases",
    .group = "Phases",
    .unit = "ms",
    .needs = needsPhases,
    .meaning = "Kernel time of a step by phase: forward, backward, optimizer and other.",
    .definition = "union of the kernels of each phase per step, in ms, in % of the sum of the four unions, "
                  "and in % of the "
                  "step; other = kernels of no phase, for example communication of the forward pass; mean "
                  "over steps, then "
                  "mean of ranks",
    .parts = trainingPhasesParts,
    .compute = trainingPhases,
};

} // namespace collscope
