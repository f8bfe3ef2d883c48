// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All that is asked of one GPU's memory at any moment, worked out once: what views read.

#include "metrics/memory/allocations.h"
#include "metrics/memory/replay.h"
#include "metrics/sampled_curve.h"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace collscope {

struct MemoryHistory
{
    MemoryDeviceRef of;
    MemoryLevels levels;
    std::vector<MemoryAllocation> allocations; ///< by address, then begin
    /// Of each allocation the places at which it is active: a scan for a moment reads a fifth of the bytes.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> lifetimes;
    std::vector<MemoryMapping> mappings;
    std::size_t peak = 0; ///< the first place at which most was allocated
    std::vector<std::size_t> outOfMemory; ///< places behind such events
    SampledCurve reserved, active, allocated; ///< GB, over the time of the events

    std::size_t places() const { return levels.size(); }
    /// Indices of the allocations that are active at a place, by address. O(allocations).
    std::vector<std::uint32_t> activeAt(std::size_t place) const;
};
using MemoryHistoryPtr = std::shared_ptr<const MemoryHistory>;

/// GPUs with a memory snapshot, by rank; of each rank the snapshot that its metrics read.
std::vector<MemoryDeviceRef> memoryDevices(const TraceModel& model);

/// O(events log events). nullptr if cancelled.
MemoryHistoryPtr memoryHistory(const TraceModel& model, MemoryDeviceRef of,
                               const std::function<bool()>& cancelled);

} // namespace collscope
