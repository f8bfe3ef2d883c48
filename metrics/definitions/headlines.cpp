// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/definitions/headlines.h"

#include <algorithm>
#include <map>

namespace collscope {

namespace {

constexpr std::size_t most = 8;
constexpr std::string_view stepTimeId = "avg_step_time";

struct Wanted
{
    std::string_view metric;
    bool isCost = false; ///< a part of the step in which the GPU computes nothing
};
constexpr Wanted wanted[] = {{stepTimeId},
                             {"throughput_tokens_sec"},
                             {"output_throughput"},
                             {"ttft"},
                             {"tpot"},
                             {"mfu"},
                             {"aggregate_gpu_utilization"},
                             {"exposed_communication_time", true},
                             {"gpu_idle_time", true},
                             {"comm_comp_overlap"},
                             {"allreduce_bus_bandwidth"},
                             {"memory_peak"},
                             {"nvlink_all"}};

/// The value of a time in seconds; nullopt if the unit is not one of a time.
std::optional<double> secondsOf(const MetricResult& result)
{
    if (result.unit == "s")
        return *result.value;
    return result.unit == "ms" ? std::optional(*result.value / 1e3) : std::nullopt;
}

/// The result of a metric under its own id; results.end() if it has no value.
MetricResults::const_iterator resultOf(const MetricResults& results, std::string_view id)
{
    return std::find_if(results.begin(), results.end(), [&](const auto& entry) {
        return entry.first.name == id && entry.second.state == MetricState::Value && entry.second.value;
    });
}

} // namespace

std::set<std::string_view> groupsOfZeros(const MetricResults& results)
{
    constexpr int fewest = 3;
    std::map<std::string_view, std::pair<int, int>> counts; // zeros, others
    for (const auto& [request, result] : results) {
        if (result.state != MetricState::Value || !result.value)
            continue;
        auto& [none, some] = counts[request.metric->group];
        ++(*result.value == 0 ? none : some);
    }
    std::set<std::string_view> groups;
    for (const auto& [group, count] : counts) {
        if (count.first >= fewest && count.second == 0)
            groups.insert(group);
    }
    return groups;
}

std::vector<HeadlineMetric> headlineMetrics(const MetricResults& results)
{
    std::vector<HeadlineMetric> headlines;
    const std::set<std::string_view> zeros = groupsOfZeros(results);
    const auto step = resultOf(results, stepTimeId);
    const double stepSeconds = step != results.end() ? secondsOf(step->second).value_or(0) : 0;
    for (const Wanted& one : wanted) {
        const auto found = resultOf(results, one.metric);
        if (found == results.end() || headlines.size() == most || zeros.contains(found->first.metric->group))
            continue;
        HeadlineMetric& headline
            = headlines.emplace_back(HeadlineMetric{static_cast<std::size_t>(found - results.begin()), {}});
        const std::optional<double> seconds = secondsOf(found->second);
        if (one.isCost && seconds && stepSeconds > 0)
            headline.costShare = *seconds / stepSeconds;
    }
    return headlines;
}

} // namespace collscope
