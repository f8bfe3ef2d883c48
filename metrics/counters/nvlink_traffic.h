// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What collectives need to send over NVLink, against what the counters of each GPU say was sent meanwhile.

#include "metrics/analysis/analysis.h"
#include "metrics/counters/counted_bytes.h"
#include "metrics/counters/nvlink_ranks.h"
#include "metrics/counters/traffic_doubt.h"

#include <array>

namespace collscope {

/// The traffic of one call of one rank, which is alone on its GPU's links.
struct CallTraffic
{
    CallRef call;
    std::size_t device = 0; ///< index into TraceModel::nvlink
    double neededBytes = 0; ///< per direction: S x bus factor (nccl-tests, doc/PERFORMANCE.md)
    ByteBounds sent;
    std::optional<ByteBounds> received; ///< nullopt: not counted
    /// Decimal GB/s of the samples that surely lie in the transfer, after the last rank arrived: all links,
    /// the higher direction. nullopt: none lies in it, or not all ranks are known.
    std::optional<double> gigabytesPerSecond;
};

/// One link of one rank's GPU over the calls that can be told.
struct LinkTraffic
{
    std::int32_t rank = 0;
    std::size_t device = 0;
    std::uint32_t link = 0;
    std::int64_t calls = 0;
    double neededBytes = 0; ///< per direction, if the links of the GPU shared it evenly
    ByteBounds sent;
    std::optional<ByteBounds> received; ///< nullopt: not counted
};

/// One GPU from the begin of its first call in the window to the end of its last one, calls that are too
/// short for the counters included.
struct GpuTraffic
{
    std::int32_t rank = 0;
    std::size_t device = 0;
    TimeRange range; ///< of the timeline
    std::int64_t calls = 0;
    double neededBytes = 0; ///< per direction
    ByteBounds sent;
    std::optional<ByteBounds> received; ///< nullopt: not counted
    TrafficDoubt doubt = TrafficDoubt::None; ///< why the total cannot be told
    std::int64_t doubtful = 0; ///< calls, or copies between GPUs, with this doubt
};

struct NvlinkTraffic
{
    NvlinkRanks ranks;
    std::vector<CallTraffic> calls; ///< in the order of the collectives
    std::array<std::int64_t, trafficDoubtCount> doubts{}; ///< calls of the window by doubt
    std::vector<LinkTraffic> links; ///< by rank, then link; of GPUs with such calls
    std::vector<GpuTraffic> gpus; ///< by rank; those with counters
    bool isOneNodeGuessed = false; ///< that all ranks are on one node is a guess
    std::optional<double> peakPerDirection; ///< decimal GB/s of all links of a GPU
    std::string peakSource;
    std::int64_t shortestPeriodNs = 0; ///< median sampling periods of the files; 0: none
    std::int64_t longestPeriodNs = 0;
    std::int64_t longestLagNs = 0; ///< CountedBytes::Link::lagNs
    bool isCancelled = false;
};

/// O(calls x log samples + GPU slices). Of the collectives in the window.
NvlinkTraffic nvlinkTrafficOf(Analysis& analysis);

} // namespace collscope
