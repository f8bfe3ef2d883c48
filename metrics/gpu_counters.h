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

/// Counters that belong on one picture, at least two of one unit; or one alone, under its own name.
struct CounterGroup
{
    std::string name; ///< "NVLink"
    std::string unit;
    std::vector<std::size_t> counters; ///< into SampledGpu::counters
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
/// O(samples). nullptr once cancelled.
std::shared_ptr<const SampledGpus> sampledGpus(const TraceModelPtr& model,
                                               const std::function<bool()>& cancelled);

} // namespace collscope
