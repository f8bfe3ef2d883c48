// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the partition of a window (metrics/partition/partition.h) adds up to, where events are not kept. All
// times in ns. Sums are exact integers: they do not depend on the order in which windows are added.

#include "model/ids.h"
#include "model/units.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace collscope {

/// Why a GPU was idle. The first ones are shown by the name of a CPU event, in the order of the rules.
enum class IdleCause : std::uint8_t
{
    Synchronises, ///< the launching thread waited for the GPU
    Allocates,
    LoadsData,
    Compiles,
    CollectsGarbage,
    Profiles, ///< calls of the profiler itself
    Saves, ///< writes a checkpoint
    WaitsForRanks, ///< in a collective of a CPU backend, or at a barrier
    CopiesFromHost, ///< the launching thread was in a copy to the GPU
    CpuBound, ///< the launching thread worked
    WaitsOnStream, ///< the next event was queued, and waited for another stream
    Waits, ///< the launching thread waited for something other than the GPU
    Outside, ///< little was recorded on the launching thread
    NotRecorded, ///< the file does not contain the launch
    LaunchOverhead, ///< no longer than it takes to launch
    Unexplained ///< the next event was queued, and the trace does not show what held it
};
constexpr std::size_t idleCauseCount = static_cast<std::size_t>(IdleCause::Unexplained) + 1;

/// A stretch inside a window.
struct PlaceInWindow
{
    std::int64_t afterNs = 0; ///< since the begin of the window
    std::int64_t lengthNs = 0; ///< 0: nothing

    TimeRange in(TimeRange window) const
    {
        return {window.beginNs + afterNs, window.beginNs + afterNs + lengthNs};
    }
};

/// What the CPU did in a gap of the GPU, as far as sentences tell it.
struct GapWords
{
    StringId repeated; ///< the calls repeated most; none: the thread was not judged
    std::int64_t repeats = 0;
    StringId under; ///< the operator or annotation around them
    StringId driverCall; ///< if a call of the runtime or driver shows the cause: its name
};

/// Idle time of one cause.
struct IdleSummary
{
    IdleCause cause = IdleCause::Unexplained;
    std::int64_t ns = 0;
    std::int64_t gaps = 0;
    std::int64_t insideGraphNs = 0; ///< between two kernels of one launch
    std::int64_t queuedNs = 0; ///< before work that was launched before the gap began
    std::int64_t shownNs = 0; ///< covered by the recorded events of the cause
    std::vector<std::pair<StringId, std::int64_t>> names; ///< the names that it is blamed on
    PlaceInWindow longest;
    GapWords words; ///< of the longest gap
};

/// Exposed copies of one name.
struct CopySummary
{
    StringId name;
    std::int64_t ns = 0;
    std::int64_t copies = 0; ///< with an exposed part
    PlaceInWindow longest;
};

/// What exposed communication is of.
struct ExposedKey
{
    StringId name; ///< of the call
    StringId group, groupRanks; ///< as in CollectiveCall; none: the trace names no group
};

/// Exposed communication of one key. Waits for other ranks are part of it: one rank does not show them.
struct ExposedSummary
{
    std::uint32_t key = 0; ///< into PartitionKeys::exposed
    std::int64_t ns = 0;
    std::int64_t calls = 0; ///< with an exposed part
    std::int64_t continued = 0; ///< of them: also exposed in the window before
    PlaceInWindow longest;
};

/// The partition of one window, and what findings say about it.
struct PartitionSummary
{
    std::int64_t computeNs = 0, communicationNs = 0, copyNs = 0; ///< what is left is idle
    std::vector<IdleSummary> idle; ///< by cause
    std::vector<CopySummary> copies;
    std::vector<ExposedSummary> exposed;
    std::int64_t calls = 0; ///< of communication, in the window
    std::int64_t continued = 0; ///< of `calls`: also in the window before
    std::int64_t alone = 0; ///< calls of groups of one rank, which do not wait
    std::int64_t continuedAlone = 0;
    std::int64_t overheadNs = 0; ///< in which the profiler itself works
    std::int64_t behindBeginNs = 0, behindEndNs = 0; ///< how far the GPU is behind the CPU
    std::int64_t launchedNs = 0; ///< duration of the compute kernels that were launched in it
    bool hasLaunches = false; ///< some of these launches are known
};

/// What the partitions of all windows of a timeline share.
struct PartitionKeys
{
    std::vector<ExposedKey> exposed;
    bool hasPython = false; ///< Python functions were recorded
};

} // namespace collscope
