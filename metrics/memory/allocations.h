// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The lifetime of each allocation of a snapshot, and the allocations alive at a place in its events.

#include "model/trace_model.h"

#include <span>
#include <string>
#include <vector>

namespace collscope {

/// A block of memory held by a tensor. Places are those of MemoryLevels: the number of events before.
struct MemoryAllocation
{
    static constexpr std::uint32_t before = 0; ///< allocated before the recording started
    static constexpr std::uint32_t never = UINT32_MAX; ///< not freed before the snapshot

    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    StackId stack; ///< where it was allocated; none if not recorded
    std::uint32_t begin = before; ///< first place at which it is allocated
    std::uint32_t freed = never; ///< first place at which it is freed
    std::uint32_t reusable = never; ///< first place at which its block can be reused

    bool isAllocatedAt(std::size_t place) const { return begin <= place && place < freed; }
    bool isActiveAt(std::size_t place) const { return begin <= place && place < reusable; }
};

/// All allocations of a device: the freed ones in the order of their frees, then those alive. O(events log
/// events).
std::vector<MemoryAllocation> allocationsOf(const MemoryDevice& device);
/// Allocations of a device of this snapshot. For a truncated snapshot only those described by its segments,
/// because its events do not lead to its end.
std::vector<MemoryAllocation> allocationsOf(const MemorySnapshot& snapshot, const MemoryDevice& device);

/// Memory that the device gave the allocator, by place as in MemoryAllocation.
struct MemoryMapping
{
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    std::uint32_t begin = MemoryAllocation::before;
    std::uint32_t end = MemoryAllocation::never;
    const MemorySegment* segment = nullptr; ///< of the snapshot; nullptr if it was returned before
};
/// Segments of the snapshot, then returned segments. Parts of expandable segments that were returned are
/// listed separately.
std::vector<MemoryMapping> mappingsOf(const MemoryDevice& device);

/// Allocations of one call stack that are alive at the same time.
struct StackUse
{
    StackId stack;
    std::int64_t bytes = 0;
    std::size_t count = 0;
};
/// Allocations alive at a place, by stack, most bytes first.
std::vector<StackUse> usesAt(const std::vector<MemoryAllocation>& allocations, std::size_t place);
/// Like usesAt() above, limited to the allocations with the given indices: those active at the place are
/// enough.
std::vector<StackUse> usesAt(const std::vector<MemoryAllocation>& allocations,
                             std::span<const std::uint32_t> some, std::size_t place);

/// The most informative frame of a stack: the innermost one in Python code outside PyTorch and other
/// installed libraries, else the innermost in Python, else the innermost with a file. nullptr if there is
/// none.
const StackFrame* tellingFrame(const TraceModel& model, const MemorySnapshot& snapshot, StackId stack);
/// "forward (model.py:42)"; "not recorded" without a stack.
std::string stackText(const TraceModel& model, const MemorySnapshot& snapshot, StackId stack);
/// "forward  /job/model.py:42"; for code without a file only its name.
std::string frameText(const TraceModel& model, const StackFrame& frame);

} // namespace collscope
