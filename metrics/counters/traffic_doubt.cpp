// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/counters/traffic_doubt.h"

namespace collscope {

namespace {

struct TrafficDoubtRow
{
    std::string_view name, text;
};
constexpr TrafficDoubtRow trafficDoubtRows[trafficDoubtCount] = {
    {"none", "nothing"},
    {"no_counters", "no NVLink file is known to be of their rank"},
    {"no_wall_clock", "their trace has no wall clock to compare with the counters"},
    {"role_unknown",
     "they send, receive, broadcast or reduce: what a GPU sends depends on its role and on the algorithm"},
    {"one_rank", "their group has one rank, so that nothing leaves the GPU"},
    {"cpu_backend", "the CPU makes them (gloo), so that their size does not tell what crosses NVLink"},
    {"unsized", "the trace has no message size or no group size of them"},
    {"uneven", "their parts differ in size, so that their size does not tell what leaves the GPU"},
    {"several_nodes", "their group spans nodes: what crosses NVLink depends on the algorithm"},
    {"nodes_unknown", "nothing says whether the ranks of their group share a node"},
    {"overlapping", "other calls on the GPU, or copies between GPUs, ran at the same time"},
    {"not_counted", "the counters of their GPU have no bytes sent of each link"},
    {"unreadable", "NVML could not read some counters of their GPU, so that bytes may be missing"},
    {"reset", "a counter of their GPU may have begun anew meanwhile, so that bytes are missing"},
    {"too_short", "no sample of the counters surely lies within them"},
    {"not_sampled", "the counters do not cover them"},
};

} // namespace

std::string_view trafficDoubtText(TrafficDoubt doubt)
{
    return trafficDoubtRows[static_cast<std::size_t>(doubt)].text;
}

std::string_view trafficDoubtName(TrafficDoubt doubt)
{
    return trafficDoubtRows[static_cast<std::size_t>(doubt)].name;
}

} // namespace collscope
