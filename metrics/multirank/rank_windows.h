// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which timelines and which step windows a metric counts: one source per rank, inner steps by default.

#include "metrics/metric.h"
#include "metrics/multirank/clock_map.h"

namespace collscope {

/// One rank as a metric sees it: its timelines (one per iteration) and the windows to count in each.
struct RankWindows
{
    std::int32_t rank = 0;
    struct Part
    {
        const Timeline* timeline = nullptr;
        std::vector<Step> steps; ///< the steps (or the range) that count
    };
    std::vector<Part> parts;

    std::int64_t stepCount() const;
    std::int64_t windowNs() const; ///< sum of the windows' lengths
};

/// The window of runs whose files mark no steps.
constexpr std::string_view wholeTraceWindowName = "whole trace";
/// The warning where some files mark steps and others do not.
constexpr std::string_view unmarkedFilesWarning
    = "Some files mark no steps: the whole of each counts as one step.";

/// The selection for a timeline metric, or the result to return instead (reason filled in).
struct Selection
{
    std::vector<RankWindows> ranks;
    std::string source; ///< "kineto", "nsys", "kineto+nsys"
    std::string window; ///< "inner steps", ...
    std::string scope;
    std::vector<std::string> warnings;
    std::optional<MetricResult> failure;
    bool isOfCpu = false; ///< withCalls() of a run on CPUs: a CPU backend ran the collectives

    /// What its calls are, for sentences.
    std::string_view callsText() const
    {
        return isOfCpu ? "collectives on the CPU" : "communication kernels";
    }
};
/// "rank 3", "8 ranks".
std::string scopeOf(const std::vector<RankWindows>& ranks);
/// Of several ranks: ranks of one job with the steps that all of them have, see common_steps.h.
/// `clocks`: from the axis that options.range is on to each timeline's own time.
Selection selectRanks(const TraceModel& model, const MetricOptions& options, const ClockMap& clocks);
/// True if no file of the selection marks steps and no range was chosen: there is nothing to be had per step.
bool hasNoSteps(const Selection& selection);
/// Of these, the ranks whose files hold GPU work; a warning names the others. A failure if there are none.
Selection withGpuWork(const TraceModel& model, Selection selection);
/// Of these, the ranks whose collectives can be compared: those with GPU work; where no rank has any, those
/// whose collectives a CPU backend ran (model/cpu_calls.h). A warning names the others. A failure if there
/// are none: of a run on CPUs that the trace has no collectives, else that of withGpuWork().
Selection withCalls(const TraceModel& model, Selection selection);
/// Why ranks without any GPU work have no metrics of GPUs: because they ran on CPUs, or because the GPUs
/// were not recorded. The one place that decides it.
MetricResult withoutGpuWork(const TraceModel& model, const std::vector<RankWindows>& ranks);
/// True if no rank has GPU work and the files say that none of them used a GPU.
bool isCpuRun(const TraceModel& model, const std::vector<RankWindows>& ranks);
/// True if a CPU backend ran collectives of the rank. O(1) in practice.
bool hasCpuCalls(const RankWindows& rank);
/// True if any file of the rank holds a kernel, copy or memset. O(1) in practice.
bool hasGpuWork(const TraceModel& model, const RankWindows& rank);
/// The ranks that have a timeline, each timeline's whole range as its only window, whatever the options say
/// about steps; also of several jobs.
Selection selectWholeFiles(const TraceModel& model, const MetricOptions& options);

} // namespace collscope
