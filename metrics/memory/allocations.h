// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// From when to when each allocation of a snapshot lived, and what was alive at a place in its events.

#include "model/trace_model.h"

#include <span>
#include <string>
#include <vector>

namespace collscope {

/// A block of memory that a tensor held. Places are those of MemoryLevels: the number of events before.
struct MemoryAllocation
{
    static constexpr std::uint32_t before = 0; ///< allocated before the record begins
    static constexpr std::uint32_t never = UINT32_MAX; ///< not freed before the snapshot

    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    StackId stack; ///< where it was allocated; none if that is not recorded
    std::uint32_t begin = before; ///< first place at which it is allocated
    std::uint32_t freed = never; ///< first place at which it is not
    std::uint32_t reusable = never; ///< first place at which its block can be used again

    bool isAllocatedAt(std::size_t place) const { return begin <= place && place < freed; }
    bool isActiveAt(std::size_t place) const { return begin <= place && place < reusable; }
};

/// All of a device, in the order of their frees, then those that live. O(events log events).
std::vector<MemoryAllocation> allocationsOf(const MemoryDevice& device);
/// Of a device of this snapshot: of one that is cut off only what its segments say, because its events do not
/// lead to its end.
std::vector<MemoryAllocation> allocationsOf(const MemorySnapshot& snapshot, const MemoryDevice& device);

/// Memory that the device gave the allocator, by place as above.
struct MemoryMapping
{
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    std::uint32_t begin = MemoryAllocation::before;
    std::uint32_t end = MemoryAllocation::never;
    const MemorySegment* segment = nullptr; ///< of the snapshot; nullptr if it was given back before
};
/// Segments that are in the snapshot, then those that were given back; parts of expandable ones by themselves
/// where they were given back.
std::vector<MemoryMapping> mappingsOf(const MemoryDevice& device);

/// Allocations of one call stack that are alive together.
struct StackUse
{
    StackId stack;
    std::int64_t bytes = 0;
    std::size_t count = 0;
};
/// Those alive at a place by stack, most bytes first.
std::vector<StackUse> usesAt(const std::vector<MemoryAllocation>& allocations, std::size_t place);
/// The same of some of them only, by index: those active at the place are enough.
std::vector<StackUse> usesAt(const std::vector<MemoryAllocation>& allocations,
                             std::span<const std::uint32_t> some, std::size_t place);

/// The frame of a stack that says most: the innermost one in Python code that is not of PyTorch or another
/// installed library, else the innermost in Python, else in anything with a file. nullptr if there is none.
const StackFrame* tellingFrame(const TraceModel& model, const MemorySnapshot& snapshot, StackId stack);
/// "forward (model.py:42)"; "not recorded" where there is no stack.
std::string stackText(const TraceModel& model, const MemorySnapshot& snapshot, StackId stack);
/// "forward  /job/model.py:42", of code without a file its name alone.
std::string frameText(const TraceModel& model, const StackFrame& frame);
/// The frames of a stack, innermost first; empty if there is none.
std::vector<const StackFrame*> framesOf(const MemorySnapshot& snapshot, StackId stack);

} // namespace collscope
