// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The kernels of a GPU that ran during an interval. Used by the metric and by the Peak kernels table.

#include "metrics/core/metric.h"

namespace collscope {

struct KernelOverlap
{
    SliceRef slice;
    TimeRange range; ///< of the kernel
    std::int64_t overlapNs = 0;
    double overlapPercent = 0; ///< of the interval
    bool communication = false;
};

using KernelOverlapsPtr = std::shared_ptr<const std::vector<KernelOverlap>>;

/// The timelines whose kernels belong to a GPU for this purpose: timelines with a wall clock from nsys, else
/// from Kineto; several if several profiler iterations are loaded. Otherwise empty, with a reason.
struct KernelSource
{
    std::vector<const Timeline*> timelines;
    std::string missing; ///< reason if there is none
    MetricState state = MetricState::MissingInput; ///< state of the result if there is none
};
KernelSource chooseKernelSource(const TraceModel& model, std::int32_t gpu, ProfileMode mode);

/// Kernels of the timelines that overlap the interval, largest overlap first (then by start).
std::vector<KernelOverlap> kernelsDuring(const TraceModel& model, std::span<const Timeline* const> timelines,
                                         TimeRange interval, bool communicationOnly);

} // namespace collscope
