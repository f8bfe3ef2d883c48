// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Everything that views query about one GPU's memory over time, computed once.

#include "metrics/core/sampled_curve.h"
#include "metrics/memory/allocations.h"
#include "metrics/memory/replay.h"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace collscope {

struct MemoryHistory
{
    MemoryDeviceRef of;
    MemoryLevels levels;
    std::vector<MemoryAllocation> allocations; ///< by address, then start
    /// The places at which each allocation is active, stored separately: scanning them reads a fifth of the
    /// bytes.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> lifetimes;
    std::vector<MemoryMapping> mappings;
    std::size_t peak = 0; ///< the first place with the most allocated memory
    std::vector<std::size_t> outOfMemory; ///< places after out-of-memory events
    SampledCurve reserved, active, allocated; ///< GB, over the time of the events

    std::size_t places() const { return levels.size(); }
    /// Indices of the allocations active at a place, by address. O(allocations).
    std::vector<std::uint32_t> activeAt(std::size_t place) const;
};
using MemoryHistoryPtr = std::shared_ptr<const MemoryHistory>;

/// GPUs with a memory snapshot, by rank; for each rank the snapshot used by its metrics.
std::vector<MemoryDeviceRef> memoryDevices(const TraceModel& model);

/// O(events log events). nullptr if cancelled.
MemoryHistoryPtr memoryHistory(const TraceModel& model, MemoryDeviceRef of,
                               const std::function<bool()>& cancelled);

} // namespace collscope
