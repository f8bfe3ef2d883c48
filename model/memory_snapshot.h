// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// CUDA memory as recorded by PyTorch's caching allocator (torch.cuda.memory._dump_snapshot): the segments and
// blocks at the time of the snapshot, and the events before it, oldest first.

#include "model/call_stacks.h"
#include "model/ids.h"
#include "model/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace collscope {

enum class MemoryAction : std::uint8_t
{
    Alloc,
    FreeRequested, ///< the tensor was freed
    FreeCompleted, ///< all streams are done with it: the block can be reused
    SegmentAlloc, ///< cudaMalloc
    SegmentFree, ///< cudaFree
    SegmentMap, ///< an expandable segment grew
    SegmentUnmap,
    OutOfMemory,
    Snapshot,
    UserDefined
};
/// The action with this name in the file: "alloc", "free_requested", ...
std::optional<MemoryAction> memoryActionOf(std::string_view name);

enum class BlockState : std::uint8_t
{
    Allocated, ///< in use by a tensor
    PendingFree, ///< freed, but a stream may still use it: active, but not allocated
    Inactive
};

struct MemoryBlock
{
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    std::int64_t requestedBytes = 0; ///< without the allocator's rounding; 0 if not stated in the file
    BlockState state = BlockState::Inactive;
    StackId stack; ///< where it was allocated; none if not recorded
};

struct MemorySegment
{
    std::uint64_t address = 0;
    std::int64_t totalBytes = 0; ///< reserved from the device
    std::int64_t allocatedBytes = 0, activeBytes = 0, requestedBytes = 0;
    std::int64_t stream = 0;
    std::pair<std::int64_t, std::int64_t>
        pool; ///< (0, 0) is the shared pool; others are private (CUDA graphs)
    bool isLarge = false; ///< in the pool of blocks over 1 MiB
    bool isExpandable = false;
    std::vector<MemoryBlock> blocks; ///< by address

    bool isPrivate() const { return pool != std::pair<std::int64_t, std::int64_t>(); }
};

/// The events, oldest first. Times are on the run's axis and increase: events with the same microsecond in
/// the file are a nanosecond apart. If the file has no times, all events are a microsecond apart.
struct MemoryEvents
{
    std::vector<std::int64_t> timeNs;
    std::vector<std::uint64_t> address; ///< for OutOfMemory: bytes that were free on the device
    std::vector<std::int64_t> bytes;
    std::vector<StackId> stack;
    std::vector<MemoryAction> action;

    std::size_t size() const { return action.size(); }
};

/// One GPU of a snapshot.
struct MemoryDevice
{
    std::int32_t device = 0; ///< as numbered by the process
    std::vector<MemorySegment> segments; ///< by address
    MemoryEvents events;

    std::int64_t reservedBytes() const;
    std::int64_t allocatedBytes() const;
    std::int64_t activeBytes() const;
};

struct MemoryAnnotation
{
    TimeRange range;
    StringId name;
    std::int32_t device = 0;
};

/// One snapshot file: one process, which is one rank.
struct MemorySnapshot
{
    SourceId source;
    std::int32_t rank = 0;
    std::int64_t iteration = -1; ///< from its folder or name, -1 = none
    bool atExit = false; ///< written because the process ran out of memory
    bool hasTimes = false; ///< every event has a time
    bool isOnAxis = false; ///< times are the run's wall clock, and so comparable with its timelines
    bool isCutOff = false; ///< the file ends early: the events do not lead to the state of the segments
    std::vector<MemoryDevice> devices; ///< those with segments or events, by number
    CallStacks stacks;
    std::vector<std::pair<std::string, std::string>> settings; ///< of the allocator, as text
    std::vector<MemoryAnnotation> annotations; ///< by start

    /// From the first to the last event; empty if there are fewer than two.
    TimeRange range() const;
};

/// One GPU of one snapshot: indices into TraceModel::memory and its devices.
struct MemoryDeviceRef
{
    std::size_t snapshot = 0, device = 0;
    friend bool operator==(const MemoryDeviceRef&, const MemoryDeviceRef&) = default;
};

} // namespace collscope
