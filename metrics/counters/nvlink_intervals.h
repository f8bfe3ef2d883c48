// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Arithmetic on NVLink samples, shared by metrics and the chart.

#include "metrics/analysis/analysis.h"
#include "metrics/core/sampled_curve.h"
#include "metrics/counters/nvlink_ranks.h"

namespace collscope {

/// One sampling interval of one link and direction.
struct LinkInterval
{
    const LinkSeries* series = nullptr;
    std::size_t index = 0;
    TimeRange range() const { return {series->beginNs[index], series->endNs[index]}; }
    std::uint64_t bytes() const { return series->bytes[index]; }
    double gigabytesPerSecond() const { return collscope::gigabytesPerSecond(bytes(), range().lengthNs()); }
};

/// "2023-11-14T22:13:20.002Z" for ns since the epoch.
std::string isoTime(std::int64_t epochNs);
/// "2023-11-14T22:13:20.002Z, 100 us, 92.3 GB/s on link 1, tx". `axisZeroNs`: the run's zero of the axis; if
/// it is not known, the time on the axis is shown.
std::string intervalText(const LinkInterval& interval, std::optional<std::int64_t> axisZeroNs);

/// The NVF1 file for a rank or GPU: the one known to be of the rank; else the only one that names the GPU, if
/// its rank is another one that is not open; else the only file (with a `warning`).
struct NvlinkChoice
{
    const NvlinkDevice* device = nullptr;
    std::string name; ///< NvlinkRanks::nameOf()
    GpuRank place; ///< its rank, if that is known
    std::string warning; ///< empty if nothing is doubtful
    std::string missing; ///< reason if device is null
};
NvlinkChoice chooseNvlink(const TraceModel& model, std::optional<std::int32_t> gpu);
/// The same with the ranks of nvlinkRanksOf().
NvlinkChoice chooseNvlink(Analysis& analysis, std::optional<std::int32_t> gpu);
/// The ranks of the model's NVLink files, found once per analysis.
const NvlinkRanks& nvlinkRanksOf(Analysis& analysis);
/// Lets another analysis of the same model use the ranks that were found.
void shareNvlinkRanks(Analysis& from, Analysis& to);

/// Per-link data series that match link and direction, in record order.
std::vector<const LinkSeries*> selectSeries(const NvlinkDevice& device, std::optional<std::uint32_t> link,
                                            std::optional<LinkDirection> direction);

/// The `count` intervals of highest throughput among the series, highest first; ties in series order, then
/// time.
std::vector<LinkInterval> topIntervals(const std::vector<const LinkSeries*>& series, int count);

/// Sum over the links of one direction that were sampled at a time; NaN if none was.
StepFunction aggregateThroughput(const NvlinkDevice& device, LinkDirection direction);

/// A local maximum of the throughput of one GPU that deserves a marker.
struct NvlinkPeak
{
    std::size_t device = 0; ///< index into TraceModel::nvlink
    LinkDirection direction = LinkDirection::Tx;
    TimeRange range; ///< the plateau: the adjacent steps of at least 95 % of the maximum
    double gigabytesPerSecond = 0; ///< aggregate over links
};
/// Peaks of all devices by prominence, most prominent first, at most `count`.
std::vector<NvlinkPeak> findPeaks(const TraceModel& model, int count);

} // namespace collscope
