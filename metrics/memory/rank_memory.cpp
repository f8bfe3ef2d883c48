// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/memory/rank_memory.h"

#include "metrics/analysis/analysis.h"
#include "metrics/memory/replay.h"

#include <utility>

namespace collscope {

namespace {

constexpr double bytesPerGb = 1e9;

/// Mean over the time from the first event to the last; nullopt if that time is 0.
std::optional<double> meanOverTime(const MemoryEvents& events, const std::vector<std::int64_t>& levels)
{
    double sum = 0;
    double length = 0;
    for (std::size_t i = 0; i + 1 < events.size(); ++i) {
        const auto ns = static_cast<double>(events.timeNs[i + 1] - events.timeNs[i]);
        sum += static_cast<double>(levels[i + 1]) * ns;
        length += ns;
    }
    return length > 0 ? std::optional(sum / length) : std::nullopt;
}

} // namespace

Value::Object memoryOfRanks(Analysis& analysis, const MetricResult&)
{
    Value::Object peaks;
    Value::Object means;
    Value::Array byRank;
    for (const MemorySnapshot* snapshot : memorySnapshots(analysis.model(), analysis.options().rank)) {
        std::optional<std::int64_t> peak;
        std::optional<double> mean;
        for (const MemoryDevice& device : snapshot->devices) {
            const MemoryLevels levels = memoryLevels(device, !snapshot->isCutOff);
            const std::int64_t own = levels.allocated[peakOf(levels.allocated)];
            if (peak && own <= *peak)
                continue;
            peak = own;
            mean = snapshot->hasTimes && !snapshot->isCutOff ? meanOverTime(device.events, levels.allocated)
                                                             : std::nullopt;
        }
        if (!peak)
            continue;
        const std::string rank = std::to_string(snapshot->rank);
        const double peakGb = static_cast<double>(*peak) / bytesPerGb;
        peaks.emplace_back(rank, peakGb);
        if (mean)
            means.emplace_back(rank, *mean / bytesPerGb);
        byRank.emplace_back(Value::Array{static_cast<std::int64_t>(snapshot->rank), peakGb});
    }
    if (peaks.empty())
        return {};
    return {{"peak_memory_gb", std::move(peaks)},
            {"avg_memory_gb", std::move(means)},
            {"memory_by_rank", std::move(byRank)}};
}

} // namespace collscope
