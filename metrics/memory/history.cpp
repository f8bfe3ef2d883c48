// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/memory/history.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace collscope {

namespace {

/// Level i + 1 is valid from event i on; the last one lasts long enough for a pixel to show it.
SampledCurve curveOf(const MemoryEvents& events, const std::vector<std::int64_t>& levels)
{
    constexpr double gigabyte = 1e9;
    auto steps = std::make_shared<StepFunction>();
    if (levels.size() != events.size() + 1 || events.size() == 0)
        return {};
    steps->timeNs = events.timeNs;
    steps->timeNs.push_back(events.timeNs.back() + 1000);
    steps->value.reserve(levels.size());
    for (std::size_t i = 1; i < levels.size(); ++i)
        steps->value.push_back(static_cast<double>(std::max<std::int64_t>(levels[i], 0)) / gigabyte);
    steps->value.push_back(std::numeric_limits<double>::quiet_NaN());
    return SampledCurve(std::move(steps));
}

} // namespace

std::vector<std::uint32_t> MemoryHistory::activeAt(std::size_t place) const
{
    std::vector<std::uint32_t> indices;
    for (std::size_t i = 0; i < lifetimes.size(); ++i) {
        if (lifetimes[i].first <= place && place < lifetimes[i].second)
            indices.push_back(static_cast<std::uint32_t>(i));
    }
    return indices;
}

std::vector<MemoryDeviceRef> memoryDevices(const TraceModel& model)
{
    std::vector<MemoryDeviceRef> devices;
    for (const MemorySnapshot* snapshot : memorySnapshots(model)) {
        for (std::size_t device = 0; device < snapshot->devices.size(); ++device)
            devices.push_back({static_cast<std::size_t>(snapshot - model.memory.data()), device});
    }
    return devices;
}

MemoryHistoryPtr memoryHistory(const TraceModel& model, MemoryDeviceRef of,
                               const std::function<bool()>& cancelled)
{
    const MemorySnapshot& snapshot = model.memory[of.snapshot];
    const MemoryDevice& device = snapshot.devices[of.device];
    auto history = std::make_shared<MemoryHistory>();
    history->of = of;
    history->levels = memoryLevels(device, !snapshot.isCutOff);
    history->peak = peakOf(history->levels.allocated);
    if (cancelled())
        return nullptr;
    history->reserved = curveOf(device.events, history->levels.reserved);
    history->active = curveOf(device.events, history->levels.active);
    history->allocated = curveOf(device.events, history->levels.allocated);
    if (cancelled())
        return nullptr;
    history->allocations = allocationsOf(snapshot, device);
    if (!snapshot.isCutOff) {
        history->mappings = mappingsOf(device);
    } else {
        for (const MemorySegment& segment : device.segments)
            history->mappings.push_back({segment.address, segment.totalBytes, MemoryAllocation::before,
                                         MemoryAllocation::never, &segment});
    }
    std::sort(history->allocations.begin(), history->allocations.end(),
              [](const MemoryAllocation& a, const MemoryAllocation& b) {
                  return std::tuple(a.address, a.begin) < std::tuple(b.address, b.begin);
              });
    history->lifetimes.reserve(history->allocations.size());
    for (const MemoryAllocation& own : history->allocations)
        history->lifetimes.emplace_back(own.begin, own.reusable);
    for (std::size_t i = 0; i < device.events.size() && !snapshot.isCutOff; ++i) {
        if (device.events.action[i] == MemoryAction::OutOfMemory)
            history->outOfMemory.push_back(i + 1);
    }
    return cancelled() ? nullptr : history;
}

} // namespace collscope
