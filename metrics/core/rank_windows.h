// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Selects the timelines and step windows that a metric counts: one source per rank, inner steps by default.

#include "metrics/core/clock_map.h"
#include "metrics/core/selection.h"

namespace collscope {

/// Selects ranks and windows. Several ranks are restricted to one job and to their common steps
/// (common_steps.h). `clocks`: converts options.range from the axis to each timeline's own time.
Selection selectRanks(const TraceModel& model, const MetricOptions& options, const ClockMap& clocks);
/// True if the selection has no step markers and no range was chosen: values per step do not exist.
bool hasNoSteps(const Selection& selection);
/// Keeps the ranks whose files contain GPU work; a warning names the others. Sets a failure if none remain.
Selection withGpuWork(const TraceModel& model, Selection selection);
/// Keeps the ranks whose collectives can be compared: ranks with GPU work; if no rank has any, ranks with
/// collectives of a CPU backend (model/cpu_calls.h). A warning names the others. Sets a failure if none
/// remain: for a run on CPUs that collectives are missing, else the failure of withGpuWork().
Selection withCalls(const TraceModel& model, Selection selection);
/// The reason why ranks without GPU work have no GPU metrics: they ran on CPUs, or GPUs were not recorded.
/// The only place that decides this.
MetricResult withoutGpuWork(const TraceModel& model, const std::vector<RankWindows>& ranks);
/// True if no rank has GPU work and the files show that none of them used a GPU.
bool isCpuRun(const TraceModel& model, const std::vector<RankWindows>& ranks);
/// True if a CPU backend ran collectives of the rank. O(1) in practice.
bool hasCpuCalls(const RankWindows& rank);
/// True if any file of the rank contains a kernel, copy or memset. O(1) in practice.
bool hasGpuWork(const TraceModel& model, const RankWindows& rank);
/// Selects the ranks with a timeline, with each timeline's full range as its only window; ignores steps and
/// range in the options. May include several jobs.
Selection selectWholeFiles(const TraceModel& model, const MetricOptions& options);

} // namespace collscope
