// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/memory_snapshot.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace collscope {

namespace {

constexpr std::array<std::string_view, 10> actionNames{
    "alloc",        "free_requested", "free_completed", "segment_alloc",
    "segment_free", "segment_map",    "segment_unmap",  "oom",
    "snapshot",     "user_defined"};

std::int64_t sumOf(const std::vector<MemorySegment>& segments, std::int64_t MemorySegment::*bytes)
{
    return std::accumulate(
        segments.begin(), segments.end(), std::int64_t{0},
        [bytes](std::int64_t sum, const MemorySegment& segment) { return sum + segment.*bytes; });
}

} // namespace

std::optional<MemoryAction> memoryActionOf(std::string_view name)
{
    const auto found = std::find(actionNames.begin(), actionNames.end(), name);
    return found == actionNames.end() ? std::nullopt
                                      : std::optional(static_cast<MemoryAction>(found - actionNames.begin()));
}

TimeRange MemorySnapshot::range() const
{
    std::optional<TimeRange> all;
    for (const MemoryDevice& device : devices) {
        if (device.events.size() == 0)
            continue;
        const TimeRange own{device.events.timeNs.front(), device.events.timeNs.back()};
        all = all ? all->united(own) : own;
    }
    return all.value_or(TimeRange());
}

std::int64_t MemoryDevice::reservedBytes() const
{
    return sumOf(segments, &MemorySegment::totalBytes);
}

std::int64_t MemoryDevice::allocatedBytes() const
{
    return sumOf(segments, &MemorySegment::allocatedBytes);
}

std::int64_t MemoryDevice::activeBytes() const
{
    return sumOf(segments, &MemorySegment::activeBytes);
}

} // namespace collscope
