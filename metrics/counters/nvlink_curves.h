// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// NVLink throughput of a run as curves with their peaks: computed once from all samples, for charts.

#include "metrics/counters/nvlink_intervals.h"

#include <functional>

namespace collscope {

/// Sent and received throughput of one link, GB/s. A direction that was not sampled is empty.
struct LinkCurves
{
    std::uint32_t link = 0;
    SampledCurve tx, rx;
};

/// One GPU's links.
struct DeviceCurves
{
    SampledCurve tx, rx; ///< summed over the links
    std::vector<LinkCurves> links; ///< by number
};

struct NvlinkCurves
{
    std::vector<DeviceCurves> devices; ///< in the order of TraceModel::nvlink
    std::vector<NvlinkPeak> peaks; ///< of all devices, most prominent first
};

/// O(samples). At most peaksPerGpu peaks per GPU on average. nullptr if cancelled.
std::shared_ptr<const NvlinkCurves> nvlinkCurves(const TraceModelPtr& model, int peaksPerGpu,
                                                 const std::function<bool()>& cancelled);

/// Counter values at a point in time. They apply to a whole sampling interval, not only to this time.
struct LinkReading
{
    TimeRange range; ///< the longest interval of any link around it: links are read one after another
    std::optional<double> tx, rx; ///< GB/s, summed over the links; nullopt: not sampled at this time
};
/// Reading of the given links, or of all links if none are given; nullopt if none was sampled at this time.
/// O(links x log samples).
std::optional<LinkReading> readingAt(const DeviceCurves& device, std::span<const std::uint32_t> links,
                                     std::int64_t timeNs);

} // namespace collscope
