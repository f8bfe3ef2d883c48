// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/execution_calls.h"

#include "metrics/analysis/known_communication.h"
#include "model/kernels/kernel_names.h"
#include "model/queries/unrecognised_communication.h"

#include <algorithm>
#include <map>

namespace collscope {

namespace {

/// The execution traces of the requested ranks. Of each rank the last one by name, as for the iterations of a
/// profile. Empty if a timeline provides better data or traces are missing.
std::vector<const ExecutionTrace*> tracesFor(const Analysis& analysis)
{
    if (!analysis.model().timelines.empty())
        return {};
    std::map<std::int32_t, const ExecutionTrace*> ofRank;
    for (const ExecutionTrace& trace : analysis.model().executionTraces) {
        if (!analysis.options().rank || *analysis.options().rank == trace.rank)
            ofRank[trace.rank] = &trace;
    }
    std::vector<const ExecutionTrace*> traces;
    traces.reserve(ofRank.size());
    for (const auto& [rank, trace] : ofRank)
        traces.push_back(trace);
    return traces;
}

/// Number of traces that are not counted because another one of the same rank is.
std::size_t passedOver(const Analysis& analysis, std::size_t counted)
{
    const auto& all = analysis.model().executionTraces;
    const auto isAskedFor = [&](const ExecutionTrace& trace) {
        return !analysis.options().rank || *analysis.options().rank == trace.rank;
    };
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), isAskedFor)) - counted;
}

MetricResult resultOf(const Analysis& analysis, const std::vector<const ExecutionTrace*>& traces,
                      std::string reduction)
{
    MetricResult result;
    result.state = MetricState::Value;
    result.window = "whole file";
    result.source = "et";
    result.reduction = traces.size() == 1 ? "one rank" : std::move(reduction);
    result.scope = traces.size() == 1 ? "rank " + std::to_string(traces.front()->rank)
                                      : std::to_string(traces.size()) + " ranks";
    result.warnings.emplace_back(
        "From execution traces, which record neither times nor steps: each file counts as one step.");
    if (const std::size_t others = passedOver(analysis, tracesFor(analysis).size()); others > 0)
        result.warnings.push_back(
            "Not counted: " + countText(static_cast<std::int64_t>(others), "execution trace")
            + " of ranks with several traces. Of each rank the last one by name counts.");
    return result;
}

/// Set if the traces contain no call of any kind: then nothing was recorded and 0 would be a guess, unless a
/// source states that the run has one rank.
std::optional<MetricResult> withoutCalls(const TraceModel& model,
                                         const std::vector<const ExecutionTrace*>& traces)
{
    const auto hasCalls = [](const ExecutionTrace* trace) { return !trace->calls.empty(); };
    if (std::any_of(traces.begin(), traces.end(), hasCalls) || toldWorldSize(model) == 1)
        return std::nullopt;
    MetricResult result = MetricResult::missingInput(
        std::string(notRecorded)
        + "the execution traces contain no recognised collective call (record_param_comms, c10d::..., "
          "gloo:..., mpi:..., ucc:..., xccl:...).");
    result.source = "et";
    return result;
}

const char* callsText(const ExecutionTrace& trace)
{
    const bool isOfCpu = !trace.calls.empty() && trace.calls.front().meta.isOfCpu();
    return isOfCpu ? "c10d call" : "record_param_comms call";
}

template<typename Count>
Value::Object objectOf(const std::map<std::string, Count>& counts)
{
    Value::Object object;
    for (const auto& [name, count] : counts)
        object.emplace_back(name, count);
    return object;
}

} // namespace

std::optional<MetricResult> countedInExecutionTraces(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    const auto traces = tracesFor(analysis);
    if (traces.empty())
        return std::nullopt;
    if (auto without = withoutCalls(model, traces))
        return without;
    if (model.worldSize == 1 && !model.isWorldSizeLeast) {
        MetricResult result
            = MetricResult::notApplicable("The run has one rank (world size 1, by " + model.worldSizeSource
                                          + "), so it cannot communicate with other ranks.");
        result.source = "et";
        return result;
    }
    MetricResult result = resultOf(analysis, {traces.front()}, {});
    std::map<std::string, std::int64_t> byType, byGroup;
    for (const ExecutionTrace::Call& call : traces.front()->calls) {
        ++byType[std::string(kernelClassName(call.meta.kind))];
        const std::string_view group = model.text(call.meta.group ? call.meta.group : StringId{0});
        ++byGroup[group.empty() ? "unknown" : std::string(group)];
    }
    result.value = static_cast<double>(traces.front()->calls.size());
    Value::Object callsPerRank;
    for (const ExecutionTrace* trace : traces) {
        const auto calls = static_cast<std::int64_t>(trace->calls.size());
        callsPerRank.emplace_back(std::to_string(trace->rank), calls);
        result.rows.push_back({trace->rank, std::nullopt, static_cast<double>(calls)});
    }
    result.details = {{"rank", static_cast<std::int64_t>(traces.front()->rank)},
                      {"calls_by_type", objectOf(byType)},
                      {"calls_by_group", objectOf(byGroup)},
                      {"calls_per_rank", std::move(callsPerRank)}};
    result.inputs
        = {countText(static_cast<std::int64_t>(traces.front()->calls.size()), callsText(*traces.front()))
           + " among " + std::to_string(traces.front()->nodes) + " nodes (schema " + traces.front()->schema
           + ")."};
    return result;
}

std::optional<MetricResult> volumeInExecutionTraces(Analysis& analysis, std::optional<KernelClass> kind)
{
    const TraceModel& model = analysis.model();
    const auto traces = tracesFor(analysis);
    if (traces.empty())
        return std::nullopt;
    if (auto without = withoutCalls(model, traces))
        return without;
    constexpr double gigabyte = 1e9;
    MetricResult result = resultOf(analysis, traces, "mean of ranks");
    std::map<std::string, double> byType;
    double all = 0;
    std::int64_t calls = 0, unsized = 0;
    for (const ExecutionTrace* trace : traces) {
        double own = 0;
        for (const ExecutionTrace::Call& call : trace->calls) {
            if (kind && call.meta.kind != *kind)
                continue;
            ++calls;
            const std::string_view type
                = model.text(call.meta.elementType ? call.meta.elementType : StringId{0});
            const auto bytes = messageBytes(call.meta, type);
            unsized += bytes ? 0 : 1;
            own += static_cast<double>(bytes.value_or(0)) / gigabyte;
            byType[std::string(kernelClassName(call.meta.kind))]
                += static_cast<double>(bytes.value_or(0)) / gigabyte / static_cast<double>(traces.size());
        }
        all += own;
        result.rows.push_back({trace->rank, std::nullopt, own});
    }
    if (calls > 0 && calls == unsized)
        return MetricResult::notApplicable("The execution traces record no size for any of these calls.");
    result.value = all / static_cast<double>(traces.size());
    result.details = {{"calls_per_step", static_cast<double>(calls) / static_cast<double>(traces.size())},
                      {"calls_without_size", unsized}};
    if (!kind)
        result.details.emplace_back("gb_by_type", objectOf(byType));
    if (unsized > 0)
        result.warnings.push_back(std::to_string(unsized) + " of " + std::to_string(calls)
                                  + " calls have no size and count as 0 bytes.");
    result.inputs = {countText(calls, "call") + " of " + std::to_string(traces.size()) + " ranks."};
    return result;
}

} // namespace collscope
