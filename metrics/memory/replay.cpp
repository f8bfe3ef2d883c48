// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/memory/replay.h"

#include <algorithm>
#include <map>

namespace collscope {

MemoryChange changeOf(MemoryAction action, std::int64_t bytes)
{
    switch (action) {
    case MemoryAction::Alloc:
        return {bytes, bytes, 0};
    case MemoryAction::FreeRequested:
        return {-bytes, 0, 0};
    case MemoryAction::FreeCompleted:
        return {0, -bytes, 0};
    case MemoryAction::SegmentAlloc:
    case MemoryAction::SegmentMap:
        return {0, 0, bytes};
    case MemoryAction::SegmentFree:
    case MemoryAction::SegmentUnmap:
        return {0, 0, -bytes};
    case MemoryAction::OutOfMemory:
    case MemoryAction::Snapshot:
    case MemoryAction::UserDefined:
        break;
    }
    return {};
}

MemoryLevels memoryLevels(const MemoryDevice& device, bool reaches)
{
    const std::size_t events = reaches ? device.events.size() : 0;
    MemoryLevels levels;
    for (std::vector<std::int64_t>* column : {&levels.allocated, &levels.active, &levels.reserved})
        column->resize(events + 1);
    levels.allocated.back() = device.allocatedBytes();
    levels.active.back() = device.activeBytes();
    levels.reserved.back() = device.reservedBytes();
    for (std::size_t i = events; i > 0; --i) {
        const MemoryChange change = changeOf(device.events.action[i - 1], device.events.bytes[i - 1]);
        levels.allocated[i - 1] = levels.allocated[i] - change.allocated;
        levels.active[i - 1] = levels.active[i] - change.active;
        levels.reserved[i - 1] = levels.reserved[i] - change.reserved;
    }
    return levels;
}

std::size_t peakOf(const std::vector<std::int64_t>& levels)
{
    return static_cast<std::size_t>(std::max_element(levels.begin(), levels.end()) - levels.begin());
}

std::size_t placeAt(const MemoryEvents& events, std::int64_t timeNs)
{
    return static_cast<std::size_t>(std::upper_bound(events.timeNs.begin(), events.timeNs.end(), timeNs)
                                    - events.timeNs.begin());
}

std::vector<const MemorySnapshot*> memorySnapshots(const TraceModel& model, std::optional<std::int32_t> rank)
{
    std::map<std::int32_t, const MemorySnapshot*> byRank; // in the model's order: the last one wins
    for (const MemorySnapshot& snapshot : model.memory) {
        if (!rank || snapshot.rank == *rank)
            byRank[snapshot.rank] = &snapshot;
    }
    std::vector<const MemorySnapshot*> snapshots;
    snapshots.reserve(byRank.size());
    for (const auto& [own, snapshot] : byRank)
        snapshots.push_back(snapshot);
    return snapshots;
}

MemoryUse& MemoryUse::operator+=(const MemoryUse& other)
{
    reserved += other.reserved;
    active += other.active;
    allocated += other.allocated;
    requested += other.requested;
    inactive += other.inactive;
    largestInactive = std::max(largestInactive, other.largestInactive);
    inactiveSplit += other.inactiveSplit;
    privatePools += other.privatePools;
    expandable += other.expandable;
    segments += other.segments;
    return *this;
}

MemoryUse memoryUse(const MemoryDevice& device)
{
    MemoryUse use;
    use.segments = device.segments.size();
    for (const MemorySegment& segment : device.segments) {
        use.reserved += segment.totalBytes;
        use.active += segment.activeBytes;
        use.allocated += segment.allocatedBytes;
        use.requested += segment.requestedBytes;
        use.privatePools += segment.isPrivate() ? segment.totalBytes : 0;
        use.expandable += segment.isExpandable ? segment.totalBytes : 0;
        const bool isUsed = segment.activeBytes > 0;
        for (const MemoryBlock& block : segment.blocks) {
            if (block.state != BlockState::Inactive)
                continue;
            use.inactive += block.bytes;
            use.largestInactive = std::max(use.largestInactive, block.bytes);
            use.inactiveSplit += isUsed ? block.bytes : 0;
        }
    }
    return use;
}

} // namespace collscope
