// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// NVLink throughput of a run as curves with their peaks: worked out from all samples once, for charts.

#include "metrics/nvlink_intervals.h"

#include <functional>

namespace collscope {

/// What one link sent and received, GB/s. A direction that was not sampled is empty.
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
    std::vector<DeviceCurves> devices; ///< as TraceModel::nvlink
    std::vector<NvlinkPeak> peaks; ///< of all devices, the most prominent first
};

/// O(samples). Of each GPU at most peaksPerGpu peaks on average. nullptr once cancelled.
std::shared_ptr<const NvlinkCurves> nvlinkCurves(const TraceModelPtr& model, int peaksPerGpu,
                                                 const std::function<bool()>& cancelled);

/// What the counters say about a moment: it is true of a whole sampling interval, not of the moment.
struct LinkReading
{
    TimeRange range; ///< the longest interval of any link around it: links are read one after the other
    std::optional<double> tx, rx; ///< GB/s, summed over the links; nullopt: not sampled then
};
/// Of the given links, or of all if there are none given; nullopt if none was sampled then. O(links x log
/// samples).
std::optional<LinkReading> readingAt(const DeviceCurves& device, std::span<const std::uint32_t> links,
                                     std::int64_t timeNs);

} // namespace collscope
