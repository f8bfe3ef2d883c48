// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/leaderboard.h"

#include "metrics/calls/workload.h"

#include <algorithm>
#include <array>

namespace collscope {

namespace {

constexpr std::array<std::string_view, 25> dashboard{"avg_step_time",
                                                     "ttft",
                                                     "tpot",
                                                     "mfu",
                                                     "mean_sm_coverage",
                                                     "dominant_kernel_concentration",
                                                     "moe_fraction",
                                                     "average_memory_bandwidth",
                                                     "memory_transfer_overhead",
                                                     "communication_fraction",
                                                     "total_communication_time",
                                                     "compute_comm_overlap",
                                                     "bandwidth_utilization_allgather_group_6",
                                                     "bandwidth_utilization_allreduce_group_6",
                                                     "bandwidth_utilization_alltoall_group_6",
                                                     "bandwidth_utilization_reducescatter_group_6",
                                                     "bandwidth_utilization_peertopeer_group_6",
                                                     "load_imbalance_ratio",
                                                     "straggler",
                                                     "scale_up_bw_utility",
                                                     "collective_vol_allreduce_gb",
                                                     "collective_vol_allgather_gb",
                                                     "collective_vol_reducescatter_gb",
                                                     "collective_vol_alltoall_gb",
                                                     "collective_vol_total_gb"};

/// The degree of parallelism from the options, else from the card, else from the TOML.
Value degree(const TraceModel& model, std::optional<std::int64_t> Parallelism::*member)
{
    if (model.given.parallelism.*member)
        return *(model.given.parallelism.*member);
    if (model.card && model.card->parallelism.*member)
        return *(model.card->parallelism.*member);
    return model.trainConfig ? orNull(model.trainConfig->parallelism.*member) : Value();
}

/// A name without its folders; also for the path of a folder.
std::string lastPart(std::string path)
{
    while (path.size() > 1 && path.back() == '/')
        path.pop_back();
    return path.substr(path.find_last_of('/') + 1);
}

std::string workloadName(const TraceModel& model)
{
    if (!model.given.name.empty())
        return model.given.name;
    // A card describes its folder; the trace may be one or two folders below.
    if (model.card && model.card->path.find('/') != std::string::npos)
        return lastPart(model.card->path.substr(0, model.card->path.find_last_of('/')));
    return model.title;
}

/// total_count of the card, else the world size. A lower bound is not written, because this column is a
/// count.
Value totalCount(const TraceModel& model, const WorkloadCard& card)
{
    if (card.totalCount)
        return *card.totalCount;
    return model.isWorldSizeLeast ? Value() : orNull(model.worldSize);
}

} // namespace

std::span<const std::string_view> dashboardMetrics()
{
    return dashboard;
}

Value::Object cardFields(const TraceModel& model, const HardwareDatabase* hardware)
{
    const WorkloadCard card = model.card.value_or(WorkloadCard{});
    const Workload workload = describeWorkload(model, hardware);
    const std::string framework = !card.framework.empty() ? card.framework
        : model.trainConfig                               ? std::string("torchtitan")
                                                          : std::string();
    return {{"workload_name", workloadName(model)},
            {"description", card.description},
            {"hf_url", card.huggingFaceUrl},
            {"trace_url", card.traceUrl},
            {"model_family", workload.modelName},
            {"phase", workload.phase},
            {"precision", workload.precision},
            {"moe", orNull(workload.moe)},
            {"iteration", orNull(card.iteration)},
            {"batch_size", orNull(workload.globalBatch.value)},
            {"seq_len", orNull(workload.seqLen.value)},
            {"input_len", orNull(card.inputLen)},
            {"output_len", orNull(card.outputLen)},
            {"dataset", card.dataset},
            {"hardware_type", card.deviceType},
            {"hardware_model", card.deviceModel.empty() ? workload.deviceName : card.deviceModel},
            {"total_count", totalCount(model, card)},
            {"count_per_node", orNull(card.countPerNode)},
            {"network_topology", card.topology},
            {"bandwidth_scaleout", orNull(card.scaleOutGbps)},
            {"bandwidth_scaleup", orNull(card.scaleUpGbps)},
            {"driver_version", card.driverVersion},
            {"framework", framework},
            {"compiler", card.compilerTool},
            {"tp", degree(model, &Parallelism::tp)},
            {"pp", degree(model, &Parallelism::pp)},
            {"pp_mb", degree(model, &Parallelism::microBatches)},
            {"dp_replicate", degree(model, &Parallelism::dpReplicate)},
            {"dp_shard", degree(model, &Parallelism::dpShard)},
            {"ep", degree(model, &Parallelism::ep)},
            {"cp", degree(model, &Parallelism::cp)},
            {"comm_library", card.communicationLibrary},
            {"comm_library_ver", card.communicationLibraryVersion},
            {"protocol_selection", textsValue(card.protocols)},
            {"trace_types", textsValue(card.traceTypes)},
            {"metric_traces", textsValue(card.metricSpecificTraces)}};
}

Value leaderboardRow(const TraceModel& model, const Value::Object& card,
                     const std::vector<NamedResult>& results)
{
    Value::Object metrics;
    for (const std::string_view id : dashboard) {
        const auto found = std::find_if(results.begin(), results.end(),
                                        [&](const NamedResult& named) { return named.request.name == id; });
        metrics.emplace_back(id, found == results.end() ? Value() : orNull(found->result.value));
    }
    return Value::Object{{"trace", model.paths.empty() ? std::string() : model.paths.front()},
                         {"metadata", card},
                         {"metrics", std::move(metrics)}};
}

} // namespace collscope
