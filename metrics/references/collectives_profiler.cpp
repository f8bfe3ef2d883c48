// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// nsys_analyzer.py of the LLM Collectives Profiler. Despite its name it reads PyTorch profiles.

#include "metrics/core/statistics.h"
#include "metrics/references/tool_input.h"

#include <algorithm>

namespace collscope {

namespace {

using Number = Reference::Number;

constexpr std::string_view tool = "nsys_analyzer.py of the LLM Collectives Profiler";

/// The files of the chosen rank, or of all ranks.
std::vector<const Timeline*> chosenFiles(Analysis& analysis)
{
    std::vector<const Timeline*> files = kinetoFiles(analysis);
    const auto rank = analysis.options().rank;
    std::erase_if(files, [&](const Timeline* timeline) { return rank && timeline->rank != *rank; });
    return files;
}

NameTest holdsNccl(const TraceModel& model)
{
    return {model, [](std::string_view name) { return holdsAnyOf(name, {"nccl"}); }};
}

/// Batch x length x the configured steps / the traced time.
std::optional<Number> tokensPerSecond(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    const std::vector<const Timeline*> files = chosenFiles(analysis);
    if (files.empty() || !model.trainConfig)
        return std::nullopt;
    const TrainConfig& config = *model.trainConfig;
    if (!config.localBatchSize || !config.seqLen || !config.steps)
        return std::nullopt;
    std::int64_t spanNs = 0;
    for (const Timeline* timeline : files)
        spanNs = std::max(spanNs, timeline->range.lengthNs());
    const Mesh& mesh = analysis.workload().mesh; // resolves dp_shard = -1
    const auto batch = static_cast<double>(*config.localBatchSize * config.parallelism.dpReplicate.value_or(1)
                                           * config.parallelism.dpShard.value_or(mesh.dpShard));
    const double tokens = batch * static_cast<double>(*config.seqLen) * static_cast<double>(*config.steps);
    const auto rate = ratio(tokens, nsToSeconds(spanNs));
    return rate ? std::optional(Number{*rate, {}}) : std::nullopt;
}

/// Share of one file's "nccl" events, on any track, that is hidden by kernels.
std::optional<double> hiddenPercent(Analysis& analysis, const Timeline& timeline)
{
    NameTest isNccl = holdsNccl(analysis.model());
    std::vector<TimeRange> communication;
    std::vector<TimeRange> computation;
    const bool done = forEachEvent(analysis, timeline, [&](const Track& track, std::size_t row) {
        if (isNccl(track.slices.name[row]))
            communication.push_back(track.slices.range(row));
        else if (track.slices.category[row] == SliceCategory::Kernel)
            computation.push_back(track.slices.range(row));
    });
    if (!done)
        return std::nullopt;
    const IntervalSet all(std::move(communication));
    return ratio(static_cast<double>(all.intersected(IntervalSet(std::move(computation))).lengthNs()),
                 static_cast<double>(all.lengthNs()), 100.0);
}

std::optional<Number> overlap(Analysis& analysis)
{
    std::vector<double> shares;
    for (const Timeline* timeline : chosenFiles(analysis)) {
        if (const auto share = hiddenPercent(analysis, *timeline))
            shares.push_back(*share);
    }
    if (shares.empty())
        return std::nullopt;
    const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
    const double mean = rounded(meanOf(shares), 2);
    return Number{mean,
                  {{"avg_overlap_percent", mean},
                   {"min_overlap_percent", rounded(*least, 2)},
                   {"max_overlap_percent", rounded(*most, 2)}}};
}

/// Counts the kernel, the annotation and the annotation's copy on the GPU separately.
std::optional<Number> communicationOperations(Analysis& analysis)
{
    std::vector<double> counts;
    Value::Object perRank;
    NameTest isNccl = holdsNccl(analysis.model());
    for (const Timeline* timeline : chosenFiles(analysis)) {
        std::int64_t count = 0;
        const bool done = forEachEvent(analysis, *timeline, [&](const Track& track, std::size_t row) {
            count += isNccl(track.slices.name[row]) ? 1 : 0;
        });
        if (!done)
            return std::nullopt;
        counts.push_back(static_cast<double>(count));
        perRank.emplace_back(std::to_string(timeline->rank), count);
    }
    if (counts.empty())
        return std::nullopt;
    return Number{counts.front(), {{"per_rank", std::move(perRank)}}};
}

/// Mean over the calls of a file, then over the files; uses the number of files as the group size.
std::optional<Number> meanBandwidth(Analysis& analysis, KernelClass kind)
{
    const TraceModel& model = analysis.model();
    const auto n = static_cast<double>(kinetoFiles(analysis).size());
    std::vector<double> means;
    for (const Timeline* timeline : chosenFiles(analysis)) {
        std::vector<double> rates;
        for (const CollectiveCall& call : timeline->collectives) {
            const auto size = elementSizeBytes(model.text(call.elementType));
            const std::int64_t ns
                = call.onGpu && call.kind == kind ? model.rangeOf(call.slice).lengthNs() : 0;
            if (!size || !call.inElements || ns <= 0)
                continue;
            const double bytes = static_cast<double>(*call.inElements) * *size;
            const double factor = (kind == KernelClass::AllReduce ? 2.0 : 1.0) * (n - 1.0) / n;
            rates.push_back(bytes / static_cast<double>(ns) * factor);
        }
        if (!rates.empty())
            means.push_back(meanOf(rates));
    }
    return means.empty() ? std::nullopt : std::optional(Number{rounded(meanOf(means), 2), {}});
}

std::optional<Number> allGatherBandwidth(Analysis& analysis)
{
    return meanBandwidth(analysis, KernelClass::AllGather);
}
std::optional<Number> allReduceBandwidth(Analysis& analysis)
{
    return meanBandwidth(analysis, KernelClass::AllReduce);
}
std::optional<Number> reduceScatterBandwidth(Analysis& analysis)
{
    return meanBandwidth(analysis, KernelClass::ReduceScatter);
}

constexpr std::string_view bandwidthWhy
    = "it uses the number of files as the size of the process group, and prints two decimals";

constexpr Reference entries[] = {
    {"throughput_tokens_sec", "", tool,
     "it multiplies by the configured number of training steps, regardless of how many were traced",
     tokensPerSecond},
    {"comm_comp_overlap", "avg_overlap_percent", tool,
     "its communication includes annotations named nccl:*, on the CPU as well as on the GPU", overlap},
    {"coll_call_num", "num_comm_ops", tool,
     "it counts the kernel, the annotation and the annotation's copy on the GPU of one collective "
     "separately, over the whole file",
     communicationOperations},
    {"avg_allgather_bandwidth", "", tool,
     "it uses the number of files as the size of the process group and one rank's shard as the message, and "
     "prints two decimals",
     allGatherBandwidth},
    {"avg_allreduce_bandwidth", "", tool, bandwidthWhy, allReduceBandwidth},
    {"avg_reducescatter_bandwidth", "", tool, bandwidthWhy, reduceScatterBandwidth},
};

} // namespace

extern const ReferenceSet collectivesProfilerReferences;
const ReferenceSet collectivesProfilerReferences{entries};

} // namespace collscope
