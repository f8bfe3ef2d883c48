// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Every other name of a metric: what CCL-Bench, HTA and other tools call it, with their units and keys. A
// name with the ending of a tool ("_16", "_group_6") needs a row only where it differs from the name without.

#include "metrics/catalog/catalog.h"
#include "metrics/memory/rank_memory.h"

#include <algorithm>

namespace collscope {

namespace {

/// Rows of one metric stand together.
constexpr MetricAlias aliases[] = {
    {.id = "gpu_utilization", .metric = "aggregate_gpu_utilization"},
    {.id = "bandwidth_utilization_allgather", .metric = "allgather_bus_bandwidth"},
    {.id = "bandwidth_utilization_allgather_group_6", .metric = "allgather_bus_bandwidth"},
    {.id = "bandwidth_utilization_allreduce", .metric = "allreduce_bus_bandwidth"},
    {.id = "bandwidth_utilization_allreduce_group_6", .metric = "allreduce_bus_bandwidth"},
    {.id = "bandwidth_utilization_alltoall", .metric = "alltoall_bus_bandwidth"},
    {.id = "bandwidth_utilization_alltoall_group_6", .metric = "alltoall_bus_bandwidth"},
    {.id = "avg_comm_bandwidth_GBps", .metric = "avg_comm_bandwidth_gbps"},
    {.id = "iteration_wall_clock_time", .metric = "avg_step_time"},
    {.id = "iter_time",
     .metric = "avg_step_time",
     .unit = "ms",
     .factor = 1000.0,
     .details = iterationDetails},
    {.id = "iter_time_16",
     .metric = "avg_step_time",
     .unit = "ms",
     .factor = 1000.0,
     .details = iterationDetails},
    {.id = "iteration_time", .metric = "avg_step_time"},
    {.id = "bandwidth_utilization_peertopeer", .metric = "stage_link_utilization"},
    {.id = "bandwidth_utilization_peertopeer_group_6", .metric = "stage_link_utilization"},
    {.id = "pipeline_bubble", .metric = "bubble_size_pipeline"},
    {.id = "pipeline_bubble_16", .metric = "bubble_size_pipeline"},
    {.id = "coll_call_num_16", .metric = "coll_call_num"},
    {.id = "nccl_calls", .metric = "coll_call_num"},
    {.id = "num_comm_ops", .metric = "coll_call_num"},
    {.id = "compute_comm_overlap", .metric = "comm_comp_overlap"},
    {.id = "communication_overlap_ratio", .metric = "comm_comp_overlap", .unit = "ratio", .factor = 0.01},
    {.id = "comm_comp_overlap_16",
     .metric = "comm_comp_overlap",
     .unit = "ratio",
     .factor = 0.01,
     .details = overlapDetails},
    {.id = "overlap", .metric = "comm_comp_overlap"},
    {.id = "avg_overlap_percent", .metric = "comm_comp_overlap"},
    {.id = "comm_volume", .metric = "communication_volume"},
    {.id = "collective_vol_total_gb", .metric = "communication_volume"},
    {.id = "hardware_saturation_16", .metric = "hardware_saturation", .details = memoryOfRanks},
    {.id = "hockney_inverse_beta_Bps", .metric = "hockney_inverse_beta_bps"},
    {.id = "itl", .metric = "inter_token_latency"},
    {.id = "kernel", .metric = "kernel_breakdown"},
    {.id = "mfu_percent", .metric = "mfu"},
    {.id = "outputThroughput", .metric = "output_throughput"},
    {.id = "throughput_group_6", .metric = "output_throughput"},
    {.id = "bandwidth_utilization_reducescatter", .metric = "reducescatter_bus_bandwidth"},
    {.id = "bandwidth_utilization_reducescatter_group_6", .metric = "reducescatter_bus_bandwidth"},
    {.id = "avg_latency", .metric = "request_latency"},
    {.id = "requestThroughput", .metric = "request_throughput"},
    {.id = "straggler_lag", .metric = "straggler"},
    {.id = "straggler_lag_16", .metric = "straggler"},
    {.id = "sync_overhead", .metric = "synchronization_overhead"},
    {.id = "throughput_tokens", .metric = "throughput_tokens_sec"},
    {.id = "throughput", .metric = "throughput_tokens_sec"},
    {.id = "throughput_tokens_16", .metric = "throughput_tokens_sec"},
    {.id = "expert_load_balance", .metric = "token_to_expert_assignment"},
    {.id = "accurate_comm_time", .metric = "total_communication_time", .unit = "ms", .factor = 1000.0},
    {.id = "TPOT", .metric = "tpot"},
    {.id = "tpot_group_6", .metric = "tpot", .unit = "ms", .factor = 1e3},
    {.id = "traffic_distribution_16", .metric = "traffic_distribution"},
    {.id = "phase_windows", .metric = "traffic_window"},
    {.id = "last_loss", .metric = "training_loss"},
    {.id = "phase_breakdown", .metric = "training_phases"},
    {.id = "TTFT", .metric = "ttft"},
    {.id = "ttft_group_6", .metric = "ttft", .unit = "ms", .factor = 1e3},
};

} // namespace

std::span<const MetricAlias> allAliases()
{
    return aliases;
}

std::span<const MetricAlias> aliasesOf(std::string_view metric)
{
    const auto isOfMetric = [&](const MetricAlias& alias) { return alias.metric == metric; };
    const auto first = std::find_if(std::begin(aliases), std::end(aliases), isOfMetric);
    return {first, std::find_if_not(first, std::end(aliases), isOfMetric)};
}

} // namespace collscope
