// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis.h"
#include "model/slice_query.h"

#include <map>

namespace collscope {

namespace {

struct Counts
{
    std::int64_t calls = 0;
    std::map<std::string, std::int64_t> byType, byGroup;
    std::vector<std::pair<std::int64_t, std::int64_t>> byStep; ///< step number, calls
};

/// Communication kernels that start in a step's window [begin, end).
Counts count(const TraceModel& model, const RankWindows& windows, std::vector<SliceRef>* evidence)
{
    Counts counts;
    for (const RankWindows::Part& part : windows.parts) {
        for (const Step& step : part.steps) {
            std::int64_t calls = 0;
            for (const TrackId id : part.timeline->tracks) {
                const Track& track = model.track(id);
                if (track.kind != TrackKind::GpuStream)
                    continue;
                const SliceColumns& slices = track.slices;
                for (std::size_t row = firstStartingAt(slices, step.range.beginNs);
                     row < slices.size() && slices.startNs[row] < step.range.endNs; ++row) {
                    if (!isCommunication(slices.kernelClass[row]))
                        continue;
                    ++calls;
                    const SliceRef slice{id, static_cast<std::uint32_t>(row)};
                    ++counts.byType[std::string(kernelClassName(slices.kernelClass[row]))];
                    const CollectiveCall* call = model.collectiveOf(slice);
                    const std::string_view group = call ? model.text(call->group) : std::string_view();
                    ++counts.byGroup[group.empty() ? "unknown" : std::string(group)];
                    if (evidence)
                        evidence->push_back(slice);
                }
            }
            counts.calls += calls;
            counts.byStep.emplace_back(step.number, calls);
        }
    }
    return counts;
}

/// CPU-side c10d calls per step: several coalesced ones can make one kernel.
std::int64_t issuedCalls(const TraceModel& model, const RankWindows& windows)
{
    std::int64_t issued = 0;
    for (const RankWindows::Part& part : windows.parts) {
        for (const CollectiveCall& call : part.timeline->collectives) {
            if (call.onGpu || !call.slice)
                continue;
            const std::int64_t start = model.rangeOf(call.slice).beginNs;
            for (const Step& step : part.steps)
                issued += step.range.contains(start) && model.text(call.name) != "barrier" ? 1 : 0;
        }
    }
    return issued;
}

Value::Object perStep(const std::map<std::string, std::int64_t>& counts, double steps)
{
    Value::Object object;
    for (const auto& [name, calls] : counts)
        object.emplace_back(name, static_cast<double>(calls) / steps);
    return object;
}

MetricResult compute(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    const MetricOptions& options = analysis.options();
    const Selection& selection = analysis.selection();
    if (selection.failure)
        return *selection.failure;
    if (model.worldSize == 1)
        return MetricResult::notApplicable("The run has one rank (world size 1, by " + model.worldSizeSource
                                           + "): nobody to communicate with.");
    // The seed's tool counts on one GPU; calls are the same on every rank of a symmetric job, sums over ranks
    // are in detail.
    const RankWindows& chosen = selection.ranks.front();
    MetricResult result;
    result.state = MetricState::Value;
    result.scope = "rank " + std::to_string(chosen.rank);
    result.window = selection.window;
    result.reduction = "one rank";
    result.source = selection.source;
    result.warnings = selection.warnings;

    Value::Object callsPerRank;
    std::int64_t total = 0;
    Counts own;
    for (const RankWindows& windows : selection.ranks) {
        const bool isChosen = &windows == &chosen;
        Counts counts = count(model, windows, isChosen && options.wantEvidence ? &result.evidence : nullptr);
        const double average = static_cast<double>(counts.calls) / static_cast<double>(windows.stepCount());
        callsPerRank.emplace_back(std::to_string(windows.rank), counts.calls);
        total += counts.calls;
        result.rows.push_back({windows.rank, std::nullopt, average});
        if (isChosen)
            own = std::move(counts);
    }
    const auto steps = static_cast<double>(chosen.stepCount());
    result.value = static_cast<double>(own.calls) / steps;
    for (const auto& [step, calls] : own.byStep)
        result.rows.push_back({chosen.rank, step, static_cast<double>(calls)});
    if (options.wantEvidence) {
        for (const RankWindows::Part& part : chosen.parts) {
            for (const Step& step : part.steps)
                result.evidenceRanges.push_back(step.range);
        }
    }
    result.details = {{"rank", static_cast<std::int64_t>(chosen.rank)},
                      {"steps", chosen.stepCount()},
                      {"calls_by_type", perStep(own.byType, steps)},
                      {"calls_by_group", perStep(own.byGroup, steps)},
                      {"collectives_issued", static_cast<double>(issuedCalls(model, chosen)) / steps},
                      {"total_calls", total},
                      {"calls_per_rank", std::move(callsPerRank)}};
    result.inputs = {std::to_string(own.calls) + " communication kernels start in "
                     + std::to_string(chosen.stepCount()) + " steps of rank " + std::to_string(chosen.rank)};
    if (own.calls == 0)
        result.warnings.emplace_back("No kernel of this rank was recognised as communication.");
    return result;
}

constexpr MetricAlias aliases[] = {{"coll_call_num_16"}, {"nccl_calls"}};

} // namespace

extern const MetricDescriptor collCallNumMetric;
const MetricDescriptor collCallNumMetric{"coll_call_num",
                                         "Collective calls per step",
                                         "Communication",
                                         "count",
                                         MetricDirection::Neutral,
                                         "a timeline (Kineto or nsys) of a run with more than one rank",
                                         "Communication kernels per step on one GPU.",
                                         "number of communication kernels that start in a step, averaged "
                                         "over the steps, of one rank (--rank, else the lowest)",
                                         aliases,
                                         compute};

} // namespace collscope
