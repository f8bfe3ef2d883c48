// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The partition of every step of every rank into compute, communication, waiting, copies and idle time: each
// nanosecond has one owner. See README.md.

#include "metrics/findings/exposed_calls.h"
#include "metrics/findings/gpu_gaps.h"

namespace collscope {

/// The parts of a step, in the order in which one hides the next.
enum class Part : std::uint8_t
{
    Compute, ///< kernels that compute, and memsets
    Communication, ///< exposed, while data moved
    Waiting, ///< exposed, until the last rank arrived
    Copy, ///< exposed
    Idle
};
constexpr std::size_t partCount = static_cast<std::size_t>(Part::Idle) + 1;
/// "compute", "communication", "waiting", "copy", "idle": the words of the JSON.
std::string_view partName(Part part);

/// Times of the parts in ns. They add up to the window.
struct PartTimes
{
    std::array<std::int64_t, partCount> ns{};

    std::int64_t of(Part part) const { return ns[static_cast<std::size_t>(part)]; }
    void add(Part part, std::int64_t more) { ns[static_cast<std::size_t>(part)] += more; }
    std::int64_t total() const;
    PartTimes& operator+=(const PartTimes& other);
};

/// Idle time by cause in ns. It adds up to the idle part.
using IdleTimes = std::array<std::int64_t, idleCauseCount>;

/// Exposed copies of one name on one rank.
struct CopyShare
{
    StringId name;
    std::int64_t ns = 0;
    std::int64_t count = 0; ///< copies with an exposed part
    SliceRef longest; ///< the copy with the longest exposed stretch
    TimeRange longestRange; ///< that stretch, in the timeline's own time
};

/// One rank in one window.
struct StepShare
{
    Step step;
    std::uint32_t part = 0; ///< into RankShare::gaps and RankWindows::parts
    PartTimes parts;
    IdleTimes idle{};
};

/// One rank over all its windows.
struct RankShare
{
    std::int32_t rank = 0;
    std::vector<StepShare> steps;
    std::vector<const Timeline*> timelines; ///< one per iteration of the profiler
    std::vector<TimelineGaps> gaps; ///< of each timeline, over the whole trace
    std::vector<CopyShare> copies;
};

struct Partition
{
    std::vector<RankShare> ranks; ///< as in Analysis::selection()
    ExposedCalls calls; ///< of the whole run; shares only in the windows
    PartTimes parts; ///< sum over ranks and steps
    IdleTimes idle{}; ///< likewise
    std::int64_t cells = 0; ///< number of (rank, step)
    std::int64_t windowNs = 0; ///< sum of the windows; the sum of `parts`
    std::int64_t unsplit = 0; ///< counted calls whose waits are unknown

    /// The mean over ranks and steps, rounded so that the parts add up to stepNs() exactly.
    PartTimes perStep() const;
    std::int64_t stepNs() const { return cells > 0 ? windowNs / cells : 0; }
};

/// The partition of Analysis::selection(), computed once. Empty where that is a failure, incomplete where the
/// computation was cancelled. O(slices).
const Partition& partitionOf(Analysis& analysis);

} // namespace collscope
