// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What Nsight Systems sampled of each GPU (GPU_METRICS: NVLink, PCIe, SMs, DRAM, clocks), put in order for a
// chart.

#include "metrics/sampled_curve.h"
#include "model/trace_model.h"

#include <functional>
#include <string>

namespace collscope {

struct GpuCounter
{
    std::string name; ///< "SMs Active"
    std::string unit; ///< "%", "MHz": what the file's name for it has in brackets
    SampledCurve samples;
};

/// A maximum of a counter of NVLink worth a marker.
struct CounterPeak
{
    std::size_t counter = 0; ///< into SampledGpu::counters
    TimeRange range; ///< on the clock of SampledGpu::timeline
    double value = 0;
};

/// Counters that belong on one picture, at least two of one unit; or one alone, under its own name.
struct CounterGroup
{
    std::string name; ///< "NVLink"
    std::string unit;
    std::vector<std::size_t> counters; ///< into SampledGpu::counters
    /// Of counters of NVLink, the most prominent first; they do not overlap. Empty for all others, and for a
    /// GPU without work: no kernel made them.
    std::vector<CounterPeak> peaks = {};
};

struct SampledGpu
{
    std::size_t timeline = 0; ///< on whose clock it is sampled
    std::int32_t rank = 0;
    std::int32_t device = 0; ///< on its host
    bool isOfRank = true; ///< false: a GPU without work, whose samples lie in the file's first timeline
    std::vector<GpuCounter> counters; ///< by name
    std::vector<CounterGroup> groups; ///< NVLink, PCIe, DRAM, SM, then each counter alone
};
using SampledGpus = std::vector<SampledGpu>;

/// O(timelines).
bool hasGpuCounters(const TraceModel& model);
/// True if some of them are of NVLink. O(counters).
bool hasNvlinkCounters(const TraceModel& model);
/// O(samples). Of each group at most peaksPerGpu peaks. nullptr once cancelled.
std::shared_ptr<const SampledGpus> sampledGpus(const TraceModelPtr& model, int peaksPerGpu,
                                               const std::function<bool()>& cancelled);

} // namespace collscope
