// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/counters/gpu_counters.h"

#include "metrics/core/prominent_peaks.h"
#include "metrics/counters/recorded_gpus.h"
#include "metrics/counters/sampled_network.h"
#include "metrics/hardware/network_series.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace collscope {

namespace {

constexpr std::size_t largestGroup = 12; ///< a chart with more lines is not readable
constexpr std::string_view nvlinkFamily = "NVLink";

std::string unitName(CounterUnit unit)
{
    switch (unit) {
    case CounterUnit::Percent:
        return "%";
    case CounterUnit::Bytes:
        return "B";
    case CounterUnit::BytesPerSecond:
        return "B/s";
    case CounterUnit::Watts:
        return "W";
    case CounterUnit::Megahertz:
        return "MHz";
    case CounterUnit::Count:
        break;
    }
    return {};
}

/// "SMs Active [Throughput %]" -> name and unit. The unit given by the reader is guessed from the same text.
GpuCounter counterOf(const TraceModelPtr& model, const CounterSeries& series)
{
    const std::string_view text = model->text(series.name);
    GpuCounter counter{std::string(text), unitName(series.unit),
                       SampledCurve(std::shared_ptr<const CounterSeries>(model, &series))};
    const std::size_t bracket = text.rfind(" [");
    if (bracket != std::string_view::npos && bracket > 0 && text.ends_with(']')) {
        counter.name = text.substr(0, bracket);
        counter.unit = text.substr(bracket + 2, text.size() - bracket - 3);
        if (counter.unit.ends_with('%'))
            counter.unit = "%";
    }
    return counter;
}

std::string_view familyOf(std::string_view counter)
{
    struct Family
    {
        std::string_view begin, name;
    };
    static constexpr std::array families{Family{"NVLink", nvlinkFamily}, Family{"PCI", "PCIe"},
                                         Family{"DRAM", "DRAM"}, Family{"SM", "SM"}, Family{"Tensor", "SM"}};
    for (const Family& family : families) {
        if (counter.starts_with(family.begin))
            return family.name;
    }
    return {};
}

/// Several counters rise together during a transfer: one marker is enough.
void findNvlinkPeaks(const SampledGpu& gpu, CounterGroup& group, int count)
{
    std::vector<StepFunction> functions;
    for (const std::size_t counter : group.counters)
        functions.push_back(stepFunctionOf(gpu.counters[counter].samples));
    for (const ProminentPeak& peak : prominentPeaks(functions, count)) {
        const bool isKnown
            = std::any_of(group.peaks.begin(), group.peaks.end(),
                          [&](const CounterPeak& other) { return other.range.overlaps(peak.range); });
        if (!isKnown)
            group.peaks.push_back({group.counters[peak.function], peak.range, peak.value});
    }
}

std::vector<CounterGroup> groupsOf(const std::vector<GpuCounter>& counters)
{
    std::vector<CounterGroup> groups;
    for (const std::string_view family :
         {nvlinkFamily, std::string_view("PCIe"), std::string_view("DRAM"), std::string_view("SM")}) {
        CounterGroup group;
        for (std::size_t i = 0; i < counters.size() && group.counters.size() < largestGroup; ++i) {
            if (familyOf(counters[i].name) != family
                || (!group.counters.empty() && counters[i].unit != group.unit))
                continue;
            group.unit = counters[i].unit;
            group.counters.push_back(i);
        }
        group.name = family;
        if (group.counters.size() > 1)
            groups.push_back(std::move(group));
    }
    for (std::size_t i = 0; i < counters.size(); ++i)
        groups.push_back({counters[i].name, counters[i].unit, {i}});
    return groups;
}

} // namespace

CounterSummary summaryOf(const SampledCurve& samples)
{
    CounterSummary summary;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double value = samples.value(i);
        if (std::isnan(value))
            continue;
        if (summary.samples == 0 || value > samples.value(summary.highest))
            summary.highest = i;
        ++summary.samples;
        summary.mean += (value - summary.mean) / static_cast<double>(summary.samples);
    }
    return summary;
}

bool hasGpuCounters(const TraceModel& model)
{
    return hasRecordedGpus(model)
        || std::any_of(model.timelines.begin(), model.timelines.end(), [](const Timeline& timeline) {
               return timeline.kind == SourceKind::Nsys && !timeline.counters.empty();
           });
}

bool isNvlinkCounter(std::string_view name)
{
    return familyOf(name) == nvlinkFamily;
}

bool hasNvlinkCounters(const TraceModel& model)
{
    return std::any_of(model.timelines.begin(), model.timelines.end(), [&](const Timeline& timeline) {
        return timeline.kind == SourceKind::Nsys
            && std::any_of(timeline.counters.begin(), timeline.counters.end(),
                           [&](const CounterSeries& series) {
                               return familyOf(model.text(series.name)) == nvlinkFamily;
                           });
    });
}

std::shared_ptr<const SampledGpus> sampledGpus(const TraceModelPtr& model, int peaksPerGpu,
                                               const std::function<bool()>& cancelled)
{
    auto gpus = std::make_shared<SampledGpus>();
    for (std::size_t t = 0; t < model->timelines.size(); ++t) {
        const Timeline& timeline = model->timelines[t];
        if (timeline.kind != SourceKind::Nsys)
            continue;
        const std::size_t first = gpus->size();
        for (const CounterSeries& series : timeline.counters) {
            if (cancelled())
                return nullptr;
            if (isNetworkSeries(*model, timeline, series))
                continue;
            const auto of = [&](const SampledGpu& gpu) { return gpu.device == series.device; };
            auto gpu = std::find_if(gpus->begin() + static_cast<std::ptrdiff_t>(first), gpus->end(), of);
            if (gpu == gpus->end())
                gpu = gpus->insert(gpu,
                                   SampledGpu{t,
                                              timeline.rank,
                                              series.device,
                                              series.device < 0 || series.device == timeline.device,
                                              {},
                                              {}});
            gpu->counters.push_back(counterOf(model, series));
        }
    }
    for (SampledGpu& gpu : *gpus) {
        std::sort(gpu.counters.begin(), gpu.counters.end(),
                  [](const GpuCounter& a, const GpuCounter& b) { return a.name < b.name; });
        gpu.groups = groupsOf(gpu.counters);
        for (CounterGroup& group : gpu.groups) {
            if (cancelled())
                return nullptr;
            if (gpu.isOfRank && familyOf(gpu.counters[group.counters.front()].name) == nvlinkFamily)
                findNvlinkPeaks(gpu, group, peaksPerGpu);
        }
    }
    addRecordedGpus(model, *gpus);
    addNetworkDevices(model, *gpus, cancelled);
    return cancelled() ? nullptr : gpus;
}

} // namespace collscope
