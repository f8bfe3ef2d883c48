// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/memory/profiled.h"

#include <algorithm>

namespace collscope {

namespace {

/// One GPU of one rank; both series have samples.
struct ProfiledMemory
{
    std::int32_t rank = 0, device = 0;
    const CounterSeries* allocated = nullptr;
    const CounterSeries* reserved = nullptr;
};

const CounterSeries* seriesOf(const TraceModel& model, const Timeline& timeline, std::string_view name,
                              std::int32_t device)
{
    const auto found
        = std::find_if(timeline.counters.begin(), timeline.counters.end(), [&](const CounterSeries& own) {
              return own.device == device && !own.value.empty() && model.text(own.name) == name;
          });
    return found == timeline.counters.end() ? nullptr : &*found;
}

std::vector<ProfiledMemory> profiledMemory(const Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    std::vector<ProfiledMemory> all;
    for (const Timeline& timeline : model.timelines) {
        if (timeline.kind != SourceKind::Kineto
            || (analysis.options().rank && *analysis.options().rank != timeline.rank))
            continue;
        for (const CounterSeries& own : timeline.counters) {
            const CounterSeries* allocated = seriesOf(model, timeline, allocatedCounter, own.device);
            if (model.text(own.name) == reservedCounter && !own.value.empty() && allocated)
                all.push_back({timeline.rank, own.device, allocated, &own});
        }
    }
    return all;
}

using MemoryFigure = std::optional<double> (*)(const ProfiledMemory& own);

/// The largest value of all GPUs.
std::optional<MetricResult> worstOf(Analysis& analysis, MemoryFigure figure)
{
    const std::vector<ProfiledMemory> all = profiledMemory(analysis);
    if (all.empty())
        return std::nullopt;
    MetricResult result;
    result.state = MetricState::Value;
    result.window = "whole file";
    result.source = "kineto";
    result.reduction = all.size() == 1 ? "one GPU" : "max of ranks and GPUs";
    result.scope = all.size() == 1 ? "rank " + std::to_string(all.front().rank)
                                   : countText(static_cast<std::int64_t>(all.size()), "GPU");
    Value::Object perDevice;
    for (const ProfiledMemory& own : all) {
        const auto value = figure(own);
        if (!value)
            continue;
        perDevice.emplace_back("rank " + std::to_string(own.rank) + ", GPU " + std::to_string(own.device),
                               *value);
        result.rows.push_back({own.rank, std::nullopt, *value});
        result.value = std::max(result.value.value_or(*value), *value);
    }
    if (!result.value)
        return MetricResult::notApplicable(
            "According to the profiler's [memory] events, no memory was reserved.");
    result.details = {{"per_device", std::move(perDevice)}};
    result.warnings.emplace_back("From the profiler's [memory] events, without a memory snapshot: they cover "
                                 "only the profiled time and do not record who allocated the memory.");
    return result;
}

} // namespace

std::optional<MetricResult> profiledPeak(Analysis& analysis)
{
    return worstOf(analysis, [](const ProfiledMemory& own) {
        return std::optional(*std::max_element(own.allocated->value.begin(), own.allocated->value.end()));
    });
}

std::optional<MetricResult> profiledReserved(Analysis& analysis)
{
    return worstOf(analysis,
                   [](const ProfiledMemory& own) { return std::optional(own.reserved->value.back()); });
}

std::optional<MetricResult> profiledFragmentation(Analysis& analysis)
{
    auto result = worstOf(analysis, [](const ProfiledMemory& own) {
        const double reserved = own.reserved->value.back();
        return ratio(reserved - own.allocated->value.back(), reserved);
    });
    if (!result || !result->value)
        return result;
    // For several GPUs the ratio is computed from their sums; the ratio of the worst GPU goes to the details.
    result->details.emplace_back("worst_gpu", *result->value);
    double unused = 0;
    double reserved = 0;
    const std::vector<ProfiledMemory> all = profiledMemory(analysis);
    for (const ProfiledMemory& own : all) {
        unused += own.reserved->value.back() - own.allocated->value.back();
        reserved += own.reserved->value.back();
    }
    result->value = ratio(unused, reserved);
    if (all.size() > 1)
        result->reduction = "pooled over ranks and GPUs";
    return result;
}

std::optional<double> profiledHostPeak(const Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    std::optional<double> most;
    for (const Timeline& timeline : model.timelines) {
        if (analysis.options().rank && *analysis.options().rank != timeline.rank)
            continue;
        if (const CounterSeries* host = seriesOf(model, timeline, hostAllocatedCounter, -1))
            most = std::max(most.value_or(0), *std::max_element(host->value.begin(), host->value.end()));
    }
    return most;
}

} // namespace collscope
