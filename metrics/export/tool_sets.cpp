// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/tool_sets.h"

#include <algorithm>
#include <array>

namespace collscope {

namespace {

constexpr std::string_view throughput[]
    = {"throughput_tokens_sec", "samples_per_sec", "avg_step_time", "per_rank_throughput", "mfu"};
constexpr std::string_view communication[] = {"communication",
                                              "total_communication_time",
                                              "communication_frequency",
                                              "communication_breakdown",
                                              "communication_efficiency",
                                              "communication_fraction",
                                              "coll_call_num",
                                              "traffic_distribution",
                                              "collective_vol_allreduce_gb",
                                              "collective_vol_allgather_gb",
                                              "collective_vol_reducescatter_gb",
                                              "collective_vol_alltoall_gb",
                                              "collective_vol_total_gb",
                                              "bandwidth_utilization_allreduce_group_6",
                                              "bandwidth_utilization_allgather_group_6",
                                              "bandwidth_utilization_reducescatter_group_6",
                                              "bandwidth_utilization_alltoall_group_6"};
constexpr std::string_view memory[] = {"memory_peak", "memory_reserved", "memory_efficiency",
                                       "memory_fragmentation", "memory_allocation_pattern"};
constexpr std::string_view overlap[]
    = {"comm_comp_overlap", "exposed_communication_time", "bubble_time", "pipeline_efficiency"};
constexpr std::string_view phases[] = {"training_phases", "forward_time", "backward_time", "optimizer_time"};
constexpr std::string_view fsdp[]
    = {"fsdp", "fsdp_overhead", "fsdp_prefetch_efficiency", "fsdp_communication_time", "fsdp_copy_time"};
constexpr std::string_view straggler[]
    = {"straggler",          "load_imbalance_ratio", "load_imbalance_percent", "synchronization_overhead",
       "iteration_time_std", "variability_metrics"};
constexpr std::string_view kernel[]
    = {"kernel_time",      "kernel_breakdown", "dominant_kernel_concentration",
       "break_down_steps", "moe_fraction",     "mean_sm_coverage"};
constexpr std::string_view utilization[] = {"aggregate_gpu_utilization",
                                            "gpu_idle_time",
                                            "compute_efficiency",
                                            "cpu_overhead",
                                            "gpu_timeline",
                                            "sm",
                                            "memory_bandwidth_utilization",
                                            "compute_intensity"};

constexpr std::array<ToolSet, 9> sets{{{"throughput", throughput},
                                       {"communication", communication},
                                       {"memory", memory},
                                       {"overlap", overlap},
                                       {"training_phases", phases},
                                       {"fsdp", fsdp},
                                       {"straggler", straggler},
                                       {"kernel", kernel},
                                       {"gpu_utilization", utilization}}};

} // namespace

std::span<const ToolSet> allToolSets()
{
    return sets;
}

const ToolSet* findToolSet(std::string_view name)
{
    const auto found
        = std::find_if(sets.begin(), sets.end(), [&](const ToolSet& set) { return set.name == name; });
    return found == sets.end() ? nullptr : &*found;
}

} // namespace collscope
