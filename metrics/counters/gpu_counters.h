// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The samples that Nsight Systems took of each GPU (GPU_METRICS: NVLink, PCIe, SMs, DRAM, clocks) and those
// of hardware records, arranged for a chart.

#include "metrics/core/sampled_curve.h"
#include "model/trace_model.h"

#include <functional>
#include <string>
#include <string_view>

namespace collscope {

struct GpuCounter
{
    std::string name; ///< "SMs Active"
    std::string unit; ///< "%", "MHz": the part in brackets of the name in the file
    SampledCurve samples;
};

/// Its samples in short; those that are NaN do not count.
struct CounterSummary
{
    std::int64_t samples = 0;
    double mean = 0; ///< of the samples; 0 without any
    std::size_t highest = 0; ///< the first sample that is as high as any
};
/// O(samples).
CounterSummary summaryOf(const SampledCurve& samples);

/// A maximum of an NVLink counter that deserves a marker.
struct CounterPeak
{
    std::size_t counter = 0; ///< into SampledGpu::counters
    TimeRange range; ///< on the clock of SampledGpu::timeline
    double value = 0;
};

/// Counters that are drawn in one chart: at least two of the same unit, or a single one under its own name.
struct CounterGroup
{
    std::string name; ///< "NVLink"
    std::string unit;
    std::vector<std::size_t> counters; ///< into SampledGpu::counters
    /// Peaks of NVLink counters, most prominent first, without overlap. Empty for other counters, and for a
    /// GPU without work, whose peaks no kernel caused.
    std::vector<CounterPeak> peaks = {};
};

/// A time in which something held back a GPU, or a moment at which it reported an error.
struct GpuRemark
{
    TimeRange range; ///< on the clock of SampledGpu::timeline; of a moment: as precisely as it is known
    bool isMoment = false;
    std::string text; ///< "throttled: power cap", "Xid 79: GPU has fallen off the bus"
};

struct SampledGpu
{
    std::size_t timeline = 0; ///< timeline whose clock the samples use
    std::int32_t rank = 0;
    std::int32_t device = 0; ///< number on its host
    bool isOfRank = true; ///< false: a GPU without work, with samples in the file's first timeline
    std::vector<GpuCounter> counters; ///< by name
    std::vector<CounterGroup> groups; ///< NVLink, PCIe, DRAM, SM, then each counter alone
    std::string label = {}; ///< "GPU 3 of node07", of a hardware record; empty: from a trace
    std::vector<GpuRemark> remarks = {}; ///< by time
};
using SampledGpus = std::vector<SampledGpu>;

/// O(timelines).
bool hasGpuCounters(const TraceModel& model);
/// Whether a counter of a GPU is about NVLink, by the names of Nsight's metric sets.
bool isNvlinkCounter(std::string_view name);
/// Whether some of the counters are NVLink counters. O(counters).
bool hasNvlinkCounters(const TraceModel& model);
/// O(samples). At most peaksPerGpu peaks per group. nullptr if cancelled.
std::shared_ptr<const SampledGpus> sampledGpus(const TraceModelPtr& model, int peaksPerGpu,
                                               const std::function<bool()>& cancelled);

} // namespace collscope
