// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Memory in use by a GPU's allocator at every event of a snapshot.

#include "model/trace_model.h"

#include <optional>
#include <vector>

namespace collscope {

/// Bytes. Element i is before event i of the device; the last, of index events.size(), is at the snapshot.
struct MemoryLevels
{
    std::vector<std::int64_t> allocated; ///< held by tensors
    std::vector<std::int64_t> active; ///< allocated, plus freed blocks that a stream may still use
    std::vector<std::int64_t> reserved; ///< reserved from the device

    std::size_t size() const { return allocated.size(); }
};

/// The change of the three levels caused by an event.
struct MemoryChange
{
    std::int64_t allocated = 0, active = 0, reserved = 0;
};
MemoryChange changeOf(MemoryAction action, std::int64_t bytes);

/// Replays the events backwards from the sizes of the segments, which are known, to the start of the
/// recording, where they are not. O(events). `reaches`: false if the file ends before the events do
/// (isCutOff); then only the levels at the snapshot are known.
MemoryLevels memoryLevels(const MemoryDevice& device, bool reaches = true);

/// The place of the first maximum.
std::size_t peakOf(const std::vector<std::int64_t>& levels);

/// The place whose levels are valid at a time: the number of events up to it.
std::size_t placeAt(const MemoryEvents& events, std::int64_t timeNs);

/// The snapshot of each rank used by its metrics: the last iteration, and for that iteration the one written
/// when memory ran out. `rank`: only the snapshot of this rank.
std::vector<const MemorySnapshot*> memorySnapshots(const TraceModel& model,
                                                   std::optional<std::int32_t> rank = std::nullopt);

/// Contents of the segments of a device.
struct MemoryUse
{
    std::int64_t reserved = 0, active = 0, allocated = 0, requested = 0;
    std::int64_t inactive = 0, largestInactive = 0; ///< bytes in inactive blocks, and in the largest of them
    std::int64_t inactiveSplit = 0; ///< inactive bytes of segments partly in use: cannot be returned
    std::int64_t privatePools = 0; ///< reserved by private pools (CUDA graphs)
    std::int64_t expandable = 0; ///< reserved by expandable segments
    std::size_t segments = 0;

    MemoryUse& operator+=(const MemoryUse& other);
};
MemoryUse memoryUse(const MemoryDevice& device);

} // namespace collscope
