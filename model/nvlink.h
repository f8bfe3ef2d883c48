// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// NVLink counters of one GPU, sampled through NVML (NVF1 files): bytes per interval and link.

#include "model/ids.h"
#include "model/units.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace collscope {

enum class LinkDirection : std::uint8_t
{
    Tx,
    Rx
};

/// One link and direction: interval i is [beginNs[i], endNs[i]) and moved bytes[i]. Intervals are sorted and
/// have a positive length: the bytes of a zero-length interval are added to the next one (or the last). Times
/// are on the run's axis.
struct LinkSeries
{
    static constexpr std::uint32_t allLinks = 0xFFFFFFFFu;
    std::uint32_t link = 0; ///< 0..17, or allLinks for NVML's aggregate scope
    LinkDirection direction = LinkDirection::Tx;
    bool raw = false; ///< NVML fields 140/141: includes protocol overhead; separate from the data series
    std::vector<std::int64_t> beginNs, endNs;
    std::vector<std::uint64_t> bytes;
    std::vector<bool> gap; ///< the interval is more than 10x the median period
    std::uint64_t resets = 0; ///< times that the counter went backwards; those intervals count 0 bytes
    std::int64_t medianPeriodNs = 0;

    /// Data outside the intervals, needed to explain the output of tools that count it.
    struct FailedRead
    {
        std::int64_t timeNs = 0;
        std::uint64_t bytes = 0; ///< value in the record, although NVML states that the read failed
    };
    std::vector<FailedRead> failedReads; ///< sorted
    std::uint64_t firstBytes = 0; ///< the counter at the start of the first interval
    std::uint64_t foldedBytes = 0; ///< of zero-length intervals, counted in a neighbour

    /// True for the series that metrics use: data bytes of one link.
    bool isPerLinkData() const { return !raw && link != allLinks; }
};

/// All series of one NVF1 file, in the order of their first record.
struct NvlinkDevice
{
    std::optional<int> gpu; ///< from the file name, the only place that states it
    SourceId source;
    bool hasWallClock = true; ///< NVML timestamps are microseconds since the epoch
    std::vector<LinkSeries> series;
    TimeRange range() const;
};

} // namespace collscope
