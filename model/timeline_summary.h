// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the events of a timeline add up to. A run of thousands of ranks is merged from these in place of the
// events (model/partial/reduce-and-merge.md).

#include "model/collective.h"
#include "model/job_calls.h"
#include "model/partition_summary.h"
#include "model/stored_bytes.h"
#include "model/units.h"

#include <cstdint>
#include <string>
#include <vector>

namespace collscope {

/// Clipped durations of the kernels of one name.
struct NameBreakdown
{
    StringId name;
    KernelClass kernelClass = KernelClass::None; ///< of the first of them; user-defined rules may decide it
    std::int64_t ns = 0;
    std::int64_t communicationNs = 0; ///< part of `ns` in kernels that communicate
    std::int64_t calls = 0; ///< kernels that overlap the windows; counted in each step they overlap
    std::int64_t started = 0; ///< kernels that start in the windows, counted once
};

/// Copies of one direction (CUPTI copyKind; -1 = unknown) that start in the windows, unclipped.
struct CopyBreakdown
{
    std::int32_t kind = -1;
    std::int64_t bytes = 0, ns = 0, calls = 0;
};

/// Kernels and copies of one rank in some windows. Doubles are not known of a rank that was summarized.
struct KernelBreakdown
{
    std::vector<NameBreakdown> names; ///< of a rank: longest first; of a window: as they occur
    std::vector<CopyBreakdown> copies; ///< of a rank: by kind
    CopyBreakdown sets;
    std::int64_t unsizedCopies = 0; ///< copies without `bytes`: not in `copies`
    double coverageNs = 0; ///< sum of min(blocks per SM, 1) x clipped duration
    std::int64_t coverageKnownNs = 0; ///< total duration of the kernels with a known coverage
    double occupancyNs = 0; ///< sum of "est. achieved occupancy %" x clipped duration
    std::int64_t occupancyKnownNs = 0;
    std::int64_t lowCoverageNs = 0, highCoverageNs = 0; ///< coverage < 50 %, > 70 %
    std::int64_t kernelNs = 0; ///< sum of the clipped durations of all kernels
    std::int64_t kernels = 0, communicationKernels = 0; ///< those that overlap the windows
    std::int64_t byCollectiveName = 0; ///< communication kernels known by their `Collective name` argument
};

/// One window of a timeline: a step, or the whole of it. All times in ns.
struct WindowSummary
{
    TimeRange range;
    std::int64_t activeNs[16] = {}; ///< ActiveTimes::ns (metrics/core/sweep.h)
    std::int64_t kernelSumNs = 0, communicationSumNs = 0, communicationCalls = 0, kernelCalls = 0;
    KernelBreakdown kernels;
    // The thread of the steps (metrics/core/main_thread.h):
    std::int64_t selfNs = 0, operatorNs = 0, callNs = 0, launchBoundNs = 0;
    PartitionSummary partition;
};

/// The windows of the steps of one timeline, packed: all of them take some hundred KB for a rank.
/// unpackSteps() (model/partial/packed_steps.h) reads them.
struct PackedSteps
{
    std::uint32_t count = 0;
    std::vector<StringId> names; ///< those that occur, which the packed ones count
    std::int64_t shiftNs = 0; ///< from packed times to those of the timeline
    StoredBytes bytes; ///< deflated, with a checksum
};

/// In place of the events of one timeline. Times are those of the timeline, as its range.
struct TimelineSummary
{
    WindowSummary whole; ///< of the whole timeline
    PackedSteps steps; ///< in the order of the timeline's steps, or of those that detectedNs begins
    std::vector<std::int64_t> detectedNs; ///< of a timeline without marks: where its steps may begin and end
    TimeRange kernels; ///< from the first begin to the last end of a kernel; empty if it has none
    std::uint64_t gpuEvents = 0; ///< kernels, copies and memsets
    std::uint64_t digest = 0; ///< of all events: copies of a rank have the same
    bool hasSeveralGpus = false;
    bool communicates = false; ///< some kernel is known to communicate
    // As in CpuWork:
    StringId thread; ///< none if no thread runs operators
    bool isThreadMarked = true, hasOperators = false;
    PartitionKeys partition;
    JobCalls jobCalls; ///< until the recordings of the run have been found
    /// Its communication calls (metrics/summary/summarized_calls.h); empty: they are not known.
    StoredBytes calls;
};

} // namespace collscope
