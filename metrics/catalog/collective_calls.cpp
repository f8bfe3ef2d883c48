// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/execution_calls.h"
#include "metrics/analysis/known_communication.h"
#include "metrics/catalog/catalog.h"
#include "metrics/core/step_rows.h"
#include "model/kernels/kernel_names.h"

#include <map>

namespace collscope {

namespace {

struct Counts
{
    std::int64_t calls = 0;
    std::map<std::string, std::int64_t> byType, byGroup;
    std::vector<std::pair<std::int64_t, std::int64_t>> byStep; ///< step number, calls
};

/// Counts the calls of one rank that start in a step of the window.
Counts count(const TraceModel& model, const RankWindows& windows, const RankCalls& rank)
{
    Counts counts;
    std::map<const Timeline*, std::size_t> firstStep; // the steps of one timeline are consecutive in byStep
    for (const RankWindows::Part& part : windows.parts) {
        firstStep[part.timeline] = counts.byStep.size();
        for (const Step& step : part.steps)
            counts.byStep.emplace_back(step.number, 0);
    }
    for (const Call& call : rank.aroundWindow()) {
        if (!call.inWindow())
            continue;
        ++counts.calls;
        ++counts.byType[std::string(kernelClassName(call.kind))];
        const std::string_view group = call.meta ? model.text(call.meta->group) : std::string_view();
        ++counts.byGroup[group.empty() ? "unknown" : std::string(group)];
        ++counts.byStep[firstStep[call.timeline] + static_cast<std::size_t>(call.step)].second;
    }
    return counts;
}

/// Number of CPU-side c10d calls in the window; several coalesced calls can produce one kernel. nullopt if
/// the file names none at all: older profilers do not, and nsys records no c10d calls.
std::optional<std::int64_t> issuedCalls(const TraceModel& model, const RankWindows& windows)
{
    std::int64_t issued = 0;
    bool isNamed = false;
    for (const RankWindows::Part& part : windows.parts) {
        const StepFinder steps(part.steps);
        for (const CollectiveCall& call : part.timeline->collectives) {
            isNamed |= !call.onGpu && call.slice;
            if (!call.onGpu && call.slice && model.text(call.name) != "barrier")
                issued += steps.at(model.rangeOf(call.slice).beginNs) >= 0 ? 1 : 0;
        }
    }
    return isNamed ? std::optional(issued) : std::nullopt;
}

Value::Object perStep(const std::map<std::string, std::int64_t>& counts, double steps)
{
    Value::Object object;
    for (const auto& [name, calls] : counts)
        object.emplace_back(name, static_cast<double>(calls) / steps);
    return object;
}

void addChosenEvidence(Analysis& analysis, const RankWindows& windows, const RankCalls& rank,
                       MetricResult& result)
{
    if (!analysis.options().wantEvidence)
        return;
    for (const Call& call : rank.aroundWindow()) {
        if (call.inWindow())
            result.evidence.push_back(call.slice);
    }
    for (const RankWindows::Part& part : windows.parts) {
        for (const Step& step : part.steps)
            result.evidenceRanges.push_back(step.range);
    }
}

MetricResult callsPerStep(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    if (auto counted = countedInExecutionTraces(analysis))
        return std::move(*counted);
    const Selection& selection = analysis.communicating();
    if (selection.failure)
        return *selection.failure;
    if (auto unknown = communicationUnknown(analysis, selection))
        return std::move(*unknown);
    if (model.worldSize == 1 && !model.isWorldSizeLeast)
        return noValue(selection, MetricState::NotApplicable,
                       "The run has one rank (world size 1, from " + model.worldSizeSource
                           + "), so it has no other rank to communicate with.");
    // CCL-Bench counts calls on one GPU. In a symmetric job every rank makes the same calls; the sum over
    // ranks is in the details.
    const RankWindows& chosen = selection.ranks.front();
    MetricResult result = valueOf(analysis, selection, "one rank");
    result.scope = "rank " + std::to_string(chosen.rank);
    Value::Object callsPerRank;
    Value::Object callsPerStep;
    std::int64_t total = 0;
    Counts own;
    for (std::size_t r = 0; r < selection.ranks.size(); ++r) {
        const RankWindows& windows = selection.ranks[r];
        Counts counts = count(model, windows, analysis.calls()[r]);
        callsPerRank.emplace_back(std::to_string(windows.rank), counts.calls);
        total += counts.calls;
        result.rows.push_back({windows.rank, std::nullopt,
                               static_cast<double>(counts.calls) / static_cast<double>(windows.stepCount())});
        if (r == 0)
            own = std::move(counts);
    }
    const bool hasSteps = !analysis.options().range && !hasNoSteps(selection);
    const auto steps = static_cast<double>(chosen.stepCount());
    const auto issued = issuedCalls(model, chosen);
    result.value = static_cast<double>(own.calls) / steps;
    for (const auto& [step, calls] : own.byStep) {
        result.rows.push_back({chosen.rank, step, static_cast<double>(calls)});
        callsPerStep.emplace_back(std::to_string(step), calls);
    }
    addChosenEvidence(analysis, chosen, analysis.calls().front(), result);
    result.details = {{"rank", static_cast<std::int64_t>(chosen.rank)},
                      {"steps", hasSteps ? Value(chosen.stepCount()) : Value()},
                      {"calls_by_type", perStep(own.byType, steps)},
                      {"calls_by_group", perStep(own.byGroup, steps)},
                      {"calls_per_step", std::move(callsPerStep)},
                      {"collectives_issued", issued ? Value(static_cast<double>(*issued) / steps) : Value()},
                      {"total_calls", total},
                      {"calls_per_rank", std::move(callsPerRank)}};
    result.inputs
        = {std::to_string(own.calls) + " " + std::string(selection.callsText()) + " start in "
           + (hasSteps ? countText(chosen.stepCount(), "step") : "the window (" + selection.window + ")")
           + " of rank " + std::to_string(chosen.rank) + "."};
    if (own.calls == 0)
        result.warnings.emplace_back(selection.isOfCpu
                                         ? "No collective of this rank starts in the window."
                                         : "No kernel of this rank was recognised as communication.");
    return result;
}

} // namespace

const MetricDescriptor collCallNumMetric{
    .id = "coll_call_num",
    .title = "Collective calls per step",
    .group = "Communication",
    .unit = "count",
    .needs = "a timeline (Kineto or nsys), or an execution trace, of a run with more than one rank",
    .meaning = "Communication kernels per step on one GPU; for CPU runs, collectives of one rank.",
    .definition
    = "number of communication kernels (collectives for CPU runs) that start in a step, averaged over the "
      "steps, for one rank (--rank, else the lowest)",
    .compute = callsPerStep,
};

} // namespace collscope
