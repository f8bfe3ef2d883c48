// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/counters/sampled_network.h"

#include "metrics/core/duration_text.h"
#include "metrics/hardware/network_series.h"
#include "model/text/printable_text.h"

#include <algorithm>
#include <map>

namespace collscope {

namespace {

/// A chart with more lines is not readable.
constexpr std::size_t mostTrafficLines = 12;

/// Sent and received bytes in one chart, as far as anything was sent at all; then each counter alone.
void groupByUnit(SampledGpu& device)
{
    CounterGroup traffic{"Traffic", std::string(networkTrafficUnit), {}};
    for (std::size_t i = 0; i < device.counters.size() && traffic.counters.size() < mostTrafficLines; ++i) {
        if (device.counters[i].unit == networkTrafficUnit && device.counters[i].samples.highest() > 0)
            traffic.counters.push_back(i);
    }
    if (traffic.counters.size() > 1)
        device.groups.push_back(std::move(traffic));
    for (std::size_t i = 0; i < device.counters.size(); ++i)
        device.groups.push_back({device.counters[i].name, device.counters[i].unit, {i}});
}

/// Tells devices of one label apart, where the run can.
void nameApart(const TraceModel& model, SampledGpus& gpus, std::size_t first)
{
    const auto addToRepeated = [&](const std::function<std::string(const SampledGpu&)>& more) {
        std::map<std::string, int> uses;
        for (std::size_t i = first; i < gpus.size(); ++i)
            ++uses[gpus[i].label];
        for (std::size_t i = first; i < gpus.size(); ++i) {
            if (uses[gpus[i].label] > 1)
                gpus[i].label += more(gpus[i]);
        }
    };
    addToRepeated([&](const SampledGpu& device) {
        const StringId host = model.timelines[device.timeline].host;
        return host ? " of " + printableLine(shortened(model.text(host))) : std::string();
    });
    addToRepeated(
        [](const SampledGpu& device) { return ", recorded beside rank " + std::to_string(device.rank); });
}

} // namespace

void addNetworkDevices(const TraceModelPtr& model, SampledGpus& gpus, const std::function<bool()>& cancelled)
{
    const std::size_t first = gpus.size();
    std::map<std::pair<std::size_t, std::string>, std::size_t> known; // by timeline and label
    for (NetworkSeries& series : networkSeriesOf(*model)) {
        if (cancelled())
            return;
        std::string label = networkDeviceLabel(series.counter);
        const auto [device, isNew] = known.try_emplace({series.timeline, label}, gpus.size());
        if (isNew) {
            SampledGpu& added = gpus.emplace_back();
            added.timeline = series.timeline;
            added.rank = model->timelines[series.timeline].rank;
            added.device = -1;
            added.isOfRank = false;
            added.label = std::move(label);
        }
        gpus[device->second].counters.push_back(
            {std::move(series.counter.quantity), std::move(series.counter.unit),
             SampledCurve(std::shared_ptr<const CounterSeries>(model, series.samples))});
    }
    for (std::size_t i = first; i < gpus.size(); ++i) {
        std::sort(gpus[i].counters.begin(), gpus[i].counters.end(),
                  [](const GpuCounter& a, const GpuCounter& b) { return a.name < b.name; });
        groupByUnit(gpus[i]);
    }
    std::stable_sort(gpus.begin() + static_cast<std::ptrdiff_t>(first), gpus.end(),
                     [](const SampledGpu& a, const SampledGpu& b) { return a.label < b.label; });
    nameApart(*model, gpus, first);
}

} // namespace collscope
