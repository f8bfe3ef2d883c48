// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Number of bytes that collectives move.

#include "metrics/analysis/call_sums.h"
#include "metrics/analysis/execution_calls.h"
#include "metrics/analysis/known_communication.h"
#include "metrics/catalog/catalog.h"

namespace collscope {

namespace {

MetricResult volume(Analysis& analysis, std::optional<KernelClass> kind)
{
    if (auto known = volumeInExecutionTraces(analysis, kind))
        return std::move(*known);
    const Selection& selection = analysis.communicating();
    if (selection.failure)
        return *selection.failure;
    if (auto unknown = communicationUnknown(analysis, selection))
        return std::move(*unknown);
    const CallTable& table = callTable(analysis);
    if (auto reason = table.whyNoBytes(kind))
        return noValue(selection, MetricState::NotApplicable, std::move(*reason));
    MetricResult result = valueOf(analysis, selection, "mean of ranks");
    result.value = table.meanPerStep(gigabytesOf, kind);
    table.addRows(gigabytesOf, kind, result);
    result.details = {{"wire_gb", table.meanPerStep(wireGigabytesOf, kind)},
                      {"calls_per_step", table.meanPerStep(callsOf, kind)},
                      {"calls_without_size", table.all(kind).unsized}};
    if (!kind)
        result.details.emplace_back("gb_by_type", table.byType(gigabytesOf));
    result.inputs = {table.sentence(kind)};
    table.warnOfGaps(kind, result);
    addCallEvidence(analysis, result,
                    [&](const Call& call) { return call.bytes && (!kind || call.kind == *kind); });
    return result;
}

/// Adds the keys of ccl-torchtitan-train's comm_volume: bytes by parallelism, bytes per step, number of
/// steps.
void addTrafficKeys(Analysis& analysis, MetricResult& result)
{
    std::array<std::int64_t, parallelismKindCount> bytes{};
    std::int64_t total = 0;
    std::int64_t calls = 0;
    for (const RankCalls& rank : analysis.calls()) {
        for (const Call& call : rank.aroundWindow()) {
            if (!call.inWindow())
                continue;
            ++calls;
            const auto own = static_cast<std::int64_t>(call.bytes.value_or(0));
            bytes[static_cast<std::size_t>(call.parallelismKind)] += own;
            total += own;
        }
    }
    Value::Object fractions;
    for (int i = 0; i < parallelismKindCount; ++i) {
        const std::string name(parallelismKindName(static_cast<ParallelismKind>(i)));
        const std::int64_t own = bytes[static_cast<std::size_t>(i)];
        result.details.emplace_back(name + "_bytes", own);
        fractions.emplace_back(name,
                               ratio(static_cast<double>(own), static_cast<double>(total)).value_or(0.0));
    }
    result.details.emplace_back("total_bytes", total);
    result.details.emplace_back("fractions", std::move(fractions));
    result.details.emplace_back("total_comm_calls", calls);
    result.details.emplace_back("mode", "message sizes from the profiler");
    result.details.emplace_back("bytes_per_step", *result.value * 1e9);
    result.details.emplace_back("gb_per_step", *result.value);
    result.details.emplace_back("num_steps", analysis.communicating().ranks.front().stepCount());
}

MetricResult communicationVolume(Analysis& analysis)
{
    MetricResult result = volume(analysis, {});
    if (result.state == MetricState::Value && !analysis.model().timelines.empty())
        addTrafficKeys(analysis, result);
    return result;
}

template<KernelClass kind>
MetricResult volumeOf(Analysis& analysis)
{
    return volume(analysis, kind);
}

constexpr std::string_view needsKinetoSizes
    = "a Kineto trace with message sizes for its collectives (PyTorch 2.2 or later)";

constexpr MetricPart volumeParts[] = {
    {.id = "collective_vol_allreduce_gb",
     .title = "AllReduce volume",
     .meaning = "Bytes that one GPU reduces with AllReduce per step.",
     .compute = volumeOf<KernelClass::AllReduce>},
    {.id = "collective_vol_allgather_gb",
     .title = "AllGather volume",
     .meaning = "Bytes that one GPU gathers with AllGather per step.",
     .compute = volumeOf<KernelClass::AllGather>},
    {.id = "collective_vol_reducescatter_gb",
     .title = "ReduceScatter volume",
     .meaning = "Bytes that one GPU reduces with ReduceScatter per step.",
     .compute = volumeOf<KernelClass::ReduceScatter>},
    {.id = "collective_vol_alltoall_gb",
     .title = "AllToAll volume",
     .meaning = "Bytes that one GPU exchanges with all-to-all per step.",
     .compute = volumeOf<KernelClass::AllToAll>},
};

} // namespace

const MetricDescriptor communicationVolumeMetric{
    .id = "communication_volume",
    .title = "Communication volume",
    .group = "Communication",
    .unit = "GB",
    .needs = needsKinetoSizes,
    .meaning = "Bytes that one GPU communicates per step, in total and by parallelism.",
    .definition
    = "sum of message bytes S of the calls that start in the window / steps, per rank, then mean of ranks; S "
      "= Out for AllGather, else In; 1 GB = 1e9 bytes. Wire bytes (S \u00d7 bus factor) are in the details.",
    .parts = volumeParts,
    .compute = communicationVolume,
};

} // namespace collscope
