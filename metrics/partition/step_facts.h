// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What findings ask about steps besides their partition: from the events, or as a summary has it.

#include "metrics/partition/partition.h"
#include "model/interval_set.h"

namespace collscope {

/// How far the GPU is behind the CPU at a moment: the time until it has done all that was launched before. A
/// stream starts its work in the order of the launches. Work whose launch is not in the file was launched
/// before the file begins.
/// In ns; O(streams x log n + slices that were launched before).
std::int64_t behindNs(const TraceModel& model, const Timeline& timeline, std::int64_t timeNs);
/// When the profiler itself works on any thread: events of Kineto's category "overhead", such as the requests
/// and flushes of CUPTI's buffers. O(slices).
IntervalSet overheadOf(const TraceModel& model, const Timeline& timeline);
/// Whether Python functions were recorded.
bool hasPython(const TraceModel& model, const Timeline& timeline);

/// The compute kernels that were launched in one step.
struct LaunchedCompute
{
    std::int64_t ns = 0; ///< their durations
    bool isKnown = false; ///< some launch is in the step
};
/// By step of a rank with events. O(GPU slices x log n).
std::vector<LaunchedCompute> launchedCompute(const TraceModel& model, const RankShare& rank);

/// By how much the GPU falls behind the CPU in a span of steps of one of the rank's timelines, in ns.
std::int64_t fallsBehindNs(const TraceModel& model, const RankShare& rank, std::size_t part, TimeRange span);
/// The time in a rank's windows in which the profiler works. O(slices).
std::int64_t overheadNs(const TraceModel& model, const RankShare& rank);
bool hasPython(const TraceModel& model, const RankShare& rank);
/// By step: the compute time of the kernels that were launched in it; empty if no launch is known. Where the
/// CPU is ahead of the GPU, the time between two markers shows how far, and not how much there was to do.
std::vector<double> launchedComputeOf(const TraceModel& model, const RankShare& rank);

} // namespace collscope
