// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What PyTorch's caching allocator recorded of CUDA memory (torch.cuda.memory._dump_snapshot): the segments
// and blocks at the moment of the snapshot, and what happened before it, oldest first.

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
    FreeRequested, ///< the tensor is gone
    FreeCompleted, ///< every stream is done with it: the block can be used again
    SegmentAlloc, ///< cudaMalloc
    SegmentFree, ///< cudaFree
    SegmentMap, ///< an expandable segment grew
    SegmentUnmap,
    OutOfMemory,
    Snapshot,
    UserDefined
};
/// As the file spells it: "alloc", "free_requested", ...
std::optional<MemoryAction> memoryActionOf(std::string_view name);

enum class BlockState : std::uint8_t
{
    Allocated, ///< a tensor has it
    PendingFree, ///< freed, but a stream may still use it: active, and not allocated
    Inactive
};

/// One function on a call stack.
struct StackFrame
{
    StringId function, file;
    std::int32_t line = 0;
    friend bool operator==(const StackFrame&, const StackFrame&) = default;
};

using StackId = Id<struct StackTag>; ///< into MemorySnapshot::stacks

struct MemoryBlock
{
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    std::int64_t requestedBytes = 0; ///< without the allocator's rounding; 0 if the file does not say
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
        pool; ///< (0, 0) is the shared pool, others are private (CUDA graphs)
    bool isLarge = false; ///< of the pool of blocks over 1 MiB
    bool isExpandable = false;
    std::vector<MemoryBlock> blocks; ///< by address

    bool isPrivate() const { return pool != std::pair<std::int64_t, std::int64_t>(); }
};

/// What happened, oldest first. Times are on the run's axis and increase: events that the file has in one
/// microsecond are a nanosecond apart. Where it has no times, all are a microsecond apart.
struct MemoryEvents
{
    std::vector<std::int64_t> timeNs;
    std::vector<std::uint64_t> address; ///< of OutOfMemory: bytes that were free on the device
    std::vector<std::int64_t> bytes;
    std::vector<StackId> stack;
    std::vector<MemoryAction> action;

    std::size_t size() const { return action.size(); }
};

/// One GPU of a snapshot.
struct MemoryDevice
{
    std::int32_t device = 0; ///< as the process numbers its GPUs
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
    std::int64_t iteration = -1; ///< of its folder or name, -1 = none
    bool atExit = false; ///< written because the process ran out of memory
    bool hasTimes = false; ///< every event has one
    bool isOnAxis = false; ///< times are the run's wall clock, so that they can be put beside its timelines
    bool isCutOff = false; ///< the file ends early: the events do not lead to the state of the segments
    std::vector<MemoryDevice> devices; ///< those with segments or events, by number
    std::vector<StackFrame> frames;
    /// Of each stack the places in `frames`, innermost first: stack i is [stackBegins[i], stackBegins[i +
    /// 1]).
    std::vector<std::uint32_t> stackFrames, stackBegins;
    std::vector<std::pair<std::string, std::string>> settings; ///< of the allocator, as text
    std::vector<MemoryAnnotation> annotations; ///< by begin

    /// Of all events; empty if there are less than two.
    TimeRange range() const;
    std::size_t stackCount() const { return stackBegins.empty() ? 0 : stackBegins.size() - 1; }
};

/// One GPU of one snapshot: places in TraceModel::memory and in its devices.
struct MemoryDeviceRef
{
    std::size_t snapshot = 0, device = 0;
    friend bool operator==(const MemoryDeviceRef&, const MemoryDeviceRef&) = default;
};

} // namespace collscope
