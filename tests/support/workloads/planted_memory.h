// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A memory snapshot made by an allocator that plays forward and keeps books, so that what a replay backwards
// finds can be compared with what happened. Written as PyTorch writes it: keys and frames are remembered.

#include <cstdint>
#include <string>

namespace collscope {

struct PlantedMemory
{
    std::string bytes; ///< of the file
    std::size_t events = 0;
    std::int64_t peakAllocated = 0, peakActive = 0, peakReserved = 0;
    std::int64_t allocated = 0, active = 0, reserved = 0; ///< at the snapshot
    std::int64_t peakTimeUs = 0; ///< of the first event that reaches peakAllocated; 0 = before the record
};

struct MemoryDescription
{
    std::size_t events = 1000;
    std::size_t cutEvents = 0; ///< so many of the first are lost, as in a ring buffer
    int device = 0;
    std::uint64_t seed = 1;
    int stacks = 50; ///< call stacks that allocate
    int frames = 12; ///< of each
    std::int64_t beginUs = 1'700'000'000'000'000;
};

/// Random, and the same for the same description.
PlantedMemory plantMemory(const MemoryDescription& description);

} // namespace collscope
