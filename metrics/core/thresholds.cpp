// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/core/thresholds.h"

namespace collscope {

std::optional<Thresholds> thresholdsOf(std::string_view metricId)
{
    struct Entry
    {
        std::string_view id;
        Thresholds thresholds;
    };
    static constexpr Entry entries[] = {
        {"avg_step_time", {10, 5}},
        {"ttft", {1, 0.2}},
        {"tpot", {0.2, 0.05}},
        {"mfu", {50, 25}},
        {"mean_sm_coverage", {80, 50}},
        {"dominant_kernel_concentration", {70, 40}},
        {"moe_fraction", {50, 20}},
        {"average_memory_bandwidth", {1000, 500}},
        {"memory_transfer_overhead", {20, 5}},
        {"communication_fraction", {50, 20}},
        {"total_communication_time", {5, 0.5}},
        {"comm_comp_overlap", {50, 20}},
        {"allgather_bus_bandwidth", {200, 50}},
        {"allreduce_bus_bandwidth", {200, 0.1}},
        {"alltoall_bus_bandwidth", {200, 50}},
        {"reducescatter_bus_bandwidth", {200, 50}},
        {"stage_link_utilization", {50, 20}},
        {"load_imbalance_ratio", {1.5, 1.1}},
        {"straggler", {0.2, 0.05}},
        {"scale_up_bw_utility", {10, 2}},
        {"collective_vol_allreduce_gb", {10, 1}},
        {"collective_vol_allgather_gb", {10, 1}},
        {"collective_vol_reducescatter_gb", {10, 1}},
        {"collective_vol_alltoall_gb", {5, 0.5}},
        {"communication_volume", {20, 2}},
    };
    for (const Entry& entry : entries) {
        if (entry.id == metricId)
            return entry.thresholds;
    }
    return std::nullopt;
}

} // namespace collscope
