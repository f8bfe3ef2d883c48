// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The partition of every step of every rank into compute, communication, waiting, copies and idle time: each
// nanosecond has one owner. See README.md.

#include "metrics/idle/gpu_gap.h"
#include "metrics/partition/exposed_calls.h"
#include "metrics/partition/part_times.h"
#include "model/partition_summary.h"

namespace collscope {

/// Idle time by cause in ns. It adds up to the idle part.
using IdleTimes = std::array<std::int64_t, idleCauseCount>;

/// One rank in one window.
struct StepShare
{
    Step step;
    PartTimes parts;
    std::uint32_t part = 0; ///< into RankShare::gaps and RankWindows::parts
    bool isSummarized = false; ///< of a timeline without events: RankSums has the rest of what is known
    bool followsLast = false; ///< of a summary: its window follows that of the rank's step before
};

/// One rank over all its windows.
struct RankShare
{
    std::int32_t rank = 0;
    std::vector<StepShare> steps;
    std::vector<const Timeline*> timelines; ///< one per iteration of the profiler
    std::vector<TimelineGaps> gaps; ///< of each timeline, over the whole trace
    std::vector<CopyShare> copies;
    IdleTimes idle{}; ///< of all windows
    // Of summaries:
    std::int64_t counted = 0, unsplit = 0; ///< calls, which are not in Partition::calls
    std::int64_t overheadNs = 0; ///< in which the profiler itself works

    /// Index of a timeline; timelines.size() if it is not one of this rank's.
    std::size_t partOf(const Timeline& timeline) const;
    /// The window that contains a moment, in the timeline's own time; nullptr: none does.
    const StepShare* stepAt(const Timeline& timeline, std::int64_t ns) const;
};

/// What sums over a partition are about.
struct CountedTime
{
    std::int64_t cells = 0; ///< number of (rank, step)
    std::string window; ///< "inner steps", "whole trace"
    std::string scope; ///< "4 ranks"
    bool isPerStep = false; ///< the windows are steps: neither a range nor the whole trace
};

struct Partition : SplitCalls
{
    std::vector<RankShare> ranks; ///< as in Analysis::selection()
    ExposedCalls calls; ///< of the whole run; shares only in the windows
    PartTimes parts; ///< sum over ranks and steps
    IdleTimes idle{}; ///< likewise
    std::int64_t cells = 0; ///< number of (rank, step)
    std::int64_t windowNs = 0; ///< sum of the windows; the sum of `parts`

    /// False if the waiting part is not known: see SplitCalls.
    bool areWaitsKnown() const { return tellWaits(parts.of(Part::Waiting)); }

    /// One rank; nullptr if it is not selected. O(log ranks).
    const RankShare* shareOf(std::int32_t rank) const;
    /// The mean over ranks and steps, rounded so that the parts add up to stepNs() exactly.
    PartTimes perStep() const;
    std::int64_t stepNs() const { return cells > 0 ? windowNs / cells : 0; }
};

/// The partition of Analysis::selection(), computed once. Empty where that is a failure, incomplete where the
/// computation was cancelled. O(slices).
const Partition& partitionOf(Analysis& analysis);

/// The words for Analysis::selection(), which must not be a failure.
CountedTime countedTimeOf(Analysis& analysis);

} // namespace collscope
