// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the replay of a run says (metrics/whatif): what late ranks cost, and how far that is to be trusted.

#include "metrics/catalog/catalog.h"
#include "metrics/whatif/what_if_answer.h"
#include "metrics/whatif/what_if_text.h"

namespace collscope {

namespace {

using ReplayPtr = std::shared_ptr<const WhatIfReplay>;

const WhatIfReplay& replayOf(Analysis& analysis)
{
    return *analysis.table<ReplayPtr>([&] { return std::make_shared<const WhatIfReplay>(analysis); });
}

/// The metric without a value if the run cannot be replayed; nullopt if it can.
std::optional<MetricResult> withoutReplay(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    if (analysis.options().rank && analysis.model().ranks().size() > 1)
        return noValue(selection, MetricState::NotApplicable,
                       "How long a step takes depends on all ranks: they can only be replayed together.");
    const WhatIfReplay& replay = replayOf(analysis);
    if (!replay.gates().empty())
        return std::nullopt;
    return noValue(selection, MetricState::NotApplicable, replay.refused());
}

/// With what was measured to say how far the replay can be trusted.
MetricResult measuredOf(Analysis& analysis, double value)
{
    const WhatIfReplay& replay = replayOf(analysis);
    MetricResult result = valueOf(analysis, analysis.selection(), "mean of ranks");
    result.value = value;
    result.details = {{"measured_ms", replay.measuredNs() / 1e6},
                      {"replayed_ms", replay.replayedNs() / 1e6},
                      {"replay_error_pct", 100 * replay.strictError()},
                      {"largest_replay_error_pct", 100 * replay.largestStrictError()}};
    result.inputs.push_back(replayText(replay));
    if (!replay.refused().empty())
        result.warnings.push_back("No scenario is answered. " + replay.refused());
    for (const Gate& gate : replay.gates()) {
        if (gate.verdict == GateVerdict::Rough)
            result.warnings.push_back("Rough: " + std::string(gate.text) + " " + gateValueText(gate) + ".");
    }
    return result;
}

MetricResult noLateRank(Analysis& analysis)
{
    if (auto failure = withoutReplay(analysis))
        return *std::move(failure);
    const WhatIfReplay& replay = replayOf(analysis);
    const auto refused = [&](const std::string& reason) {
        return noValue(analysis.selection(), MetricState::NotApplicable, reason);
    };
    if (!replay.refused().empty())
        return refused(replay.refused());
    if (replay.run().ranks.size() < 2)
        return refused("The trace of a single rank does not show who is late.");
    const ScenarioAnswer answer = replay.answer(std::get<Scenario>(parseScenario("late")));
    if (!answer.basis.refused.empty())
        return refused("Not answered: " + answer.basis.refused
                       + (answer.basis.refused.ends_with('.') ? "" : "."));
    if (replay.measuredNs() <= 0)
        return refused("The steps take no time.");
    const auto percentOf = [&](double ns) { return 100 * ns / replay.measuredNs(); };
    MetricResult result = measuredOf(analysis, percentOf(answer.gainNs));
    result.details.emplace_back("step_ms", answer.stepNs / 1e6);
    result.details.emplace_back("at_least_pct", percentOf(answer.lowNs));
    result.details.emplace_back("at_most_pct", percentOf(answer.highNs));
    if (const std::string basis = basisText(analysis.model(), answer); !basis.empty())
        result.inputs.push_back("Without late ranks: " + basis + ".");
    for (const auto& [rank, gainNs] : answer.ranks)
        result.rows.push_back({rank, std::nullopt, percentOf(gainNs)});
    return result;
}

MetricResult replayError(Analysis& analysis)
{
    if (auto failure = withoutReplay(analysis))
        return *std::move(failure);
    return measuredOf(analysis, 100 * replayOf(analysis).strictError());
}

MetricResult explainedPath(Analysis& analysis)
{
    if (auto failure = withoutReplay(analysis))
        return *std::move(failure);
    const CriticalPath& path = replayOf(analysis).path();
    const auto total = static_cast<double>(path.totalNs());
    if (total <= 0)
        return noValue(analysis.selection(), MetricState::NotApplicable, "Nothing takes time in the steps.");
    MetricResult result = measuredOf(
        analysis, 100 * (1 - path.share(PathPart::Unexplained) - path.share(PathPart::HiddenInGraphs)));
    for (std::size_t i = 0; i < pathPartCount; ++i) {
        const auto part = static_cast<PathPart>(i);
        result.details.emplace_back(std::string(pathPartName(part)) + "_pct", 100 * path.share(part));
    }
    return result;
}

MetricResult operationSlowdown(Analysis& analysis)
{
    const auto failure = [&](const std::string& reason) {
        return noValue(analysis.selection(), MetricState::NotApplicable, reason);
    };
    const std::variant<Slowdown, std::string> answer = slowdownOf(analysis);
    if (const auto* const reason = std::get_if<std::string>(&answer))
        return failure(*reason);
    const auto& slowdown = std::get<Slowdown>(answer);
    if (!slowdown.slowdown)
        return failure("No operation takes time.");
    MetricResult result = valueOf(analysis, analysis.allRanks(), "mean step / mean ideal step");
    result.value = *slowdown.slowdown;
    result.details = {{"steps", static_cast<std::int64_t>(slowdown.steps.size())},
                      {"replay_error_pct", 100 * slowdown.replayError}};
    if (slowdown.worstShare)
        result.details.emplace_back("worst_workers_share", *slowdown.worstShare);
    if (slowdown.lastStageShare)
        result.details.emplace_back("last_stage_share", *slowdown.lastStageShare);
    for (const auto& [rank, factor] : slowdown.byDp)
        result.details.emplace_back("dp_rank_" + std::to_string(rank), factor);
    for (const auto& [stage, factor] : slowdown.byStage)
        result.details.emplace_back("stage_" + std::to_string(stage), factor);
    return result;
}

constexpr std::string_view needsOfRuns = "timelines (Kineto or nsys) with the threads of the CPU";

constexpr MetricPart parts[] = {
    {.id = "what_if_replay_error",
     .title = "Replay error",
     .direction = MetricDirection::LowerIsBetter,
     .needs = needsOfRuns,
     .meaning = "How far the replayed steps are off from the recorded ones if waits that the trace does not "
                "explain take no time.",
     .definition = "100 \u00d7 mean over steps of |replayed - recorded| / recorded length, mean of ranks",
     .compute = replayError},
    {.id = "what_if_explained_path",
     .title = "Explained part of the longest chain",
     .direction = MetricDirection::HigherIsBetter,
     .needs = needsOfRuns,
     .meaning
     = "How much of the longest chain of a step is work, transfers and launches that the trace shows.",
     .definition = "100 \u00d7 (1 - waits that nothing explains - work hidden in CUDA graphs), of the length "
                   "of the longest chain",
     .compute = explainedPath},
    {.id = "what_if_slowdown",
     .title = "Slowdown of operations",
     .unit = "ratio",
     .direction = MetricDirection::LowerIsBetter,
     .needs = "timelines of the operations of all workers",
     .meaning = "How much longer a step takes than with the usual duration of each operation.",
     .definition
     = "S = T / T_ideal of StragglerAnalysis: replayed steps with the recorded durations, and with the mean "
       "(computation) or median (communication) duration of each type of operation",
     .compute = operationSlowdown},
};

} // namespace

const MetricDescriptor noLateRankMetric{
    .id = "what_if_no_late_rank",
    .title = "Gain without late ranks",
    .group = "What-if",
    .unit = "%",
    .direction = MetricDirection::LowerIsBetter,
    .needs = "timelines (Kineto or nsys) of at least 2 ranks",
    .meaning = "How much shorter a step would be if no rank did more than its peers.",
    .definition
    = "100 \u00d7 (T - T') / T: T = recorded step, T' = step of the replay in which each rank that does more "
      "than its peers takes the median of all peers for each piece of work (see What would help)",
    .parts = parts,
    .ranks = &Analysis::selection,
    .compute = noLateRank,
    .onRequest = true,
};

} // namespace collscope
