// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/what_if_report.h"

#include "metrics/core/duration_text.h"
#include "metrics/export/findings_report.h"
#include "metrics/export/text_table.h"
#include "metrics/export/written_report.h"
#include "metrics/whatif/what_if_text.h"

#include <cmath>

namespace collscope {

namespace {

std::int64_t whole(double ns)
{
    return std::llround(ns);
}

std::string answersText(const TraceModel& model, const WhatIfAnswer& answer)
{
    TextTable table({true, false, true, true, false, false});
    table.add({"", "What would help", answer.replay->isPerStep() ? "step" : "time", "gain", "range", ""});
    const double stepNs = answer.replay->measuredNs();
    std::size_t number = 0;
    for (const ScenarioAnswer& own : answer.scenarios) {
        if (!own.basis.refused.empty()) {
            table.add({std::to_string(++number), own.text, "", "", "", "not answered: " + own.basis.refused});
            continue;
        }
        table.add(
            {std::to_string(++number), own.text, timeText(whole(own.stepNs)), changeText(own.gainNs, stepNs),
             changeText(own.lowNs, stepNs) + " .. " + changeText(own.highNs, stepNs), basisText(model, own)});
    }
    return number > 0 ? table.text() : std::string();
}

std::string headText(const WhatIfReplay& replay)
{
    std::string text = replayText(replay) + "\n";
    if (replay.refused().empty() && replay.contention() > 0)
        text += "Communication slows computation by " + percentText(100 * replay.contention()) + ".\n";
    for (const Gate& gate : replay.gates()) {
        if (gate.verdict == GateVerdict::Rough)
            text += "Rough: " + std::string(gate.text) + " " + gateValueText(gate) + ".\n";
        else if (gate.verdict == GateVerdict::Refused && gate.reason != replay.refused())
            text += gate.reason + "\n";
    }
    return text;
}

double meanNs(const Slowdown& slowdown, std::int64_t StepSlowdown::*part)
{
    double sum = 0;
    for (const StepSlowdown& step : slowdown.steps)
        sum += static_cast<double>(step.*part);
    return sum / static_cast<double>(slowdown.steps.size());
}

/// "1.973".
std::string factorText(double factor)
{
    return numberText(std::round(factor * 1000) / 1000);
}

std::string worstText(const Slowdown& slowdown)
{
    std::string text = "If the slowest workers (";
    for (std::size_t i = 0; i < slowdown.worst.size(); ++i)
        text += (i > 0 ? "; " : "") + std::string("rank ") + std::to_string(slowdown.worst[i].dp) + ", stage "
            + std::to_string(slowdown.worst[i].stage);
    return text + ") were as usual, " + percentText(100 * *slowdown.worstShare)
        + " of the lost time would go away; if the last stage were, "
        + percentText(100 * *slowdown.lastStageShare) + ".\n";
}

Value::Object factorsValue(const std::map<std::int32_t, double>& factors)
{
    Value::Object value;
    for (const auto& [key, factor] : factors)
        value.emplace_back(std::to_string(key), factor);
    return value;
}

Value slowdownValue(const Slowdown& slowdown)
{
    Value::Array steps, worst;
    for (const StepSlowdown& step : slowdown.steps)
        steps.emplace_back(Value::Object{{"step", step.number},
                                         {"measured_ns", step.measuredNs},
                                         {"replay_ns", step.replayedNs},
                                         {"ideal_ns", step.idealNs}});
    for (const PipelineWorker& worker : slowdown.worst)
        worst.emplace_back(Value::Object{{"dp", worker.dp}, {"stage", worker.stage}, {"tp", worker.tp}});
    Value::Object byType;
    for (const auto& [type, factor] : slowdown.byType)
        byType.emplace_back(std::string(type), factor);
    return Value::Object{{"s", orNull(slowdown.slowdown)},
                         {"replay_error", slowdown.replayError},
                         {"by_dp", factorsValue(slowdown.byDp)},
                         {"by_stage", factorsValue(slowdown.byStage)},
                         {"by_type", std::move(byType)},
                         {"worst", std::move(worst)},
                         {"worst_share", orNull(slowdown.worstShare)},
                         {"last_stage_share", orNull(slowdown.lastStageShare)},
                         {"steps", std::move(steps)}};
}

Value evidenceValue(const TraceModel& model, const ScenarioEvidence& evidence)
{
    const TimeRange range = model.rangeOf(evidence.slice);
    return Value::Object{{"rank", evidence.rank},
                         {"file", model.sources[model.timelineOf(evidence.slice).source.value].path},
                         {"name", model.nameOf(evidence.slice)},
                         {"start_ns", range.beginNs},
                         {"dur_ns", range.lengthNs()},
                         {"saved_ns", evidence.savedNs},
                         {"location", locationOf(model, {evidence.rank, range, evidence.slice})}};
}

Value answerValue(const TraceModel& model, const ScenarioAnswer& answer, double measuredNs)
{
    Value::Object value{{"spec", answer.scenario.spec}, {"text", answer.text}};
    if (!answer.basis.refused.empty()) {
        for (const char* key : {"step_ns", "gain_ns", "gain_percent", "low_ns", "high_ns", "basis"})
            value.emplace_back(key, Value());
        value.emplace_back("peers", Value::Array());
        value.emplace_back("refused", answer.basis.refused);
        value.emplace_back("ranks", Value::Array());
        value.emplace_back("evidence", Value::Array());
        return value;
    }
    Value::Array peers, ranks, evidence;
    for (const std::int32_t rank : answer.basis.peers)
        peers.emplace_back(rank);
    for (const auto& [rank, gainNs] : answer.ranks)
        ranks.emplace_back(Value::Object{{"rank", rank}, {"gain_ns", whole(gainNs)}});
    for (const ScenarioEvidence& own : answer.evidence)
        evidence.push_back(evidenceValue(model, own));
    value.emplace_back("step_ns", whole(answer.stepNs));
    value.emplace_back("gain_ns", whole(answer.gainNs));
    value.emplace_back("gain_percent", measuredNs > 0 ? Value(100 * answer.gainNs / measuredNs) : Value());
    value.emplace_back("low_ns", whole(answer.lowNs));
    value.emplace_back("high_ns", whole(answer.highNs));
    value.emplace_back("basis", basisName(answer));
    value.emplace_back("is_bound", answer.basis.isBound);
    value.emplace_back("uncompared_transfers_ns", whole(answer.basis.uncomparedTransfersNs));
    value.emplace_back("peers", std::move(peers));
    value.emplace_back("refused", Value());
    value.emplace_back("ranks", std::move(ranks));
    value.emplace_back("evidence", std::move(evidence));
    return value;
}

Value answersValue(const TraceModel& model, const std::vector<ScenarioAnswer>& answers, double measuredNs)
{
    Value::Array values;
    for (const ScenarioAnswer& answer : answers)
        values.push_back(answerValue(model, answer, measuredNs));
    return values;
}

Value modelValue(const WhatIfReplay& replay)
{
    if (replay.gates().empty())
        return {};
    Value::Array steps;
    for (const std::int64_t step : replay.steps())
        steps.emplace_back(step);
    Value::Object path;
    for (std::size_t part = 0; part < pathPartCount; ++part)
        path.emplace_back(pathPartName(static_cast<PathPart>(part)), replay.path().ns[part]);
    Value::Array constants;
    for (const GraphOfRank& rank : replay.run().ranks)
        constants.emplace_back(Value::Object{{"rank", rank.rank},
                                             {"launch_ns", rank.constants.launchNs},
                                             {"gap_ns", rank.constants.gapNs},
                                             {"return_ns", rank.constants.returnNs}});
    const RunGraph& run = replay.run();
    Value::Object counts{{"ranks", static_cast<std::int64_t>(run.ranks.size())},
                         {"nodes", static_cast<std::int64_t>(run.nodes.size())},
                         {"edges", static_cast<std::int64_t>(run.graph.edgeCount())},
                         {"refuted", static_cast<std::int64_t>(run.counts.refuted)},
                         {"gpu_activities", static_cast<std::int64_t>(run.counts.activities)},
                         {"launched", static_cast<std::int64_t>(run.counts.launched)}};
    return Value::Object{{"steps", std::move(steps)},
                         {"measured_ns", whole(replay.measuredNs())},
                         {"replay_ns", whole(replay.replayedNs())},
                         {"strict_error", replay.strictError()},
                         {"kept_error", replay.keptError()},
                         {"max_step_error", replay.largestStrictError()},
                         {"path", std::move(path)},
                         {"constants", std::move(constants)},
                         {"counts", std::move(counts)},
                         {"contention", replay.refused().empty() ? Value(replay.contention()) : Value()}};
}

} // namespace

std::string_view basisName(const ScenarioAnswer& answer)
{
    if (answer.basis.comparison == PeerBasis::Segments)
        return "segments";
    if (answer.basis.comparison != PeerBasis::None)
        return "peers";
    return answer.basis.isBound ? "bound" : "factor";
}

std::string slowdownText(const Slowdown& slowdown)
{
    std::string text = "Replay of " + countText(static_cast<std::int64_t>(slowdown.steps.size()), "step")
        + " of operations: " + timeText(whole(meanNs(slowdown, &StepSlowdown::replayedNs))) + ", measured "
        + timeText(whole(meanNs(slowdown, &StepSlowdown::measuredNs))) + " (error "
        + percentText(100 * slowdown.replayError) + ").\n";
    if (!slowdown.slowdown)
        return text + "No operation takes time.\n";
    text += "Slowdown S " + factorText(*slowdown.slowdown)
        + ": with the usual duration of each operation, a step would take "
        + timeText(whole(meanNs(slowdown, &StepSlowdown::idealNs))) + ".\n";
    TextTable table({false, true});
    table.add({"Slowdown by", "alone"});
    for (const auto& [dp, factor] : slowdown.byDp)
        table.add({"data-parallel rank " + std::to_string(dp), factorText(factor)});
    for (const auto& [stage, factor] : slowdown.byStage)
        table.add({"stage " + std::to_string(stage), factorText(factor)});
    for (const auto& [type, factor] : slowdown.byType)
        table.add({std::string(type), factorText(factor)});
    text += table.text();
    return slowdown.worstShare ? text + worstText(slowdown) : text;
}

std::string whatIfText(const TraceModel& model, const WhatIfAnswer& answer)
{
    const WhatIfReplay& replay = *answer.replay;
    std::string text = replay.gates().empty() ? std::string() : headText(replay);
    if (answer.slowdown)
        return text + slowdownText(*answer.slowdown);
    if (answer.isRefused())
        return text + "No scenario is answered. " + replay.refused() + "\n";
    text += answersText(model, answer);
    if (!answer.limits.empty()) {
        text += "Limits:";
        for (std::size_t i = 0; i < answer.limits.size(); ++i)
            text += (i > 0 ? "; " : " ") + answer.limits[i].text + " "
                + changeText(answer.limits[i].gainNs, replay.measuredNs());
        text += ".\n";
    }
    if (answer.small > 0)
        text += (answer.scenarios.empty() ? "Nothing" : "Nothing else")
            + std::string(" that was tried makes it shorter by more than ")
            + percentText(100 * replay.barNs() / replay.measuredNs()) + ".\n";
    for (const ScenarioAnswer& after : answer.after)
        text += "Then: " + after.text + " " + changeText(after.gainNs, replay.measuredNs()) + ".\n";
    return text;
}

Value whatIfValue(const TraceModel& model, const WhatIfAnswer& answer)
{
    const WhatIfReplay& replay = *answer.replay;
    Value::Array gates;
    for (const Gate& gate : replay.gates())
        gates.emplace_back(Value::Object{
            {"id", gateName(gate.id)}, {"value", gate.value}, {"verdict", gateVerdictName(gate.verdict)}});
    const double ns = replay.measuredNs();
    Value::Object body{
        {"model", modelValue(replay)},
        {"gates", std::move(gates)},
        {"refused", answer.isRefused() ? Value(Value::Object{{"reason", replay.refused()}}) : Value()},
        {"scenarios", answersValue(model, answer.scenarios, ns)},
        {"limits", answersValue(model, answer.limits, ns)},
        {"after", answersValue(model, answer.after, ns)},
        {"slowdown", answer.slowdown ? slowdownValue(*answer.slowdown) : Value()}};
    return Value::Object{{"schema", "collscope.what-if/1"}, {"what_if", std::move(body)}};
}

} // namespace collscope
