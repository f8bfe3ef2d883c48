// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The GPU times of all ranks of a run as sheets.

#include "metrics/analysis.h"
#include "metrics/gpu_timeline.h"
#include "metrics/reports/sheet.h"

#include <map>

namespace collscope {

struct RankGpuTimeline
{
    std::int32_t rank = 0;
    GpuTimeline times; ///< of the rank's files; where it used several GPUs, the union over them
    std::map<std::int32_t, GpuTimeline>
        devices; ///< of each GPU, by its number; empty unless there are several
};

/// Of every rank with GPU work, whole files, by rank. MetricOptions::linkedOnly and cancelled count. O(GPU
/// events).
std::vector<RankGpuTimeline> gpuTimelines(Analysis& analysis);

enum class RankMean : std::uint8_t
{
    Arithmetic,
    Geometric ///< of times and percents; a time of 0 counts as 1e-10, as in the tools that made it usual
};

/// type, time ms, percent: the eight rows of one rank, in the order of the individual report.
Sheet gpuTimelineSheet(const GpuTimeline& times);
/// Summary, All_Ranks_Combined, Per_Rank_Time_ms, Per_Rank_Percent; rows by type in alphabetical order.
/// Summary: "percent" is the sum of the times over the sum of the totals, because a mean of percents counts a
/// short trace as much as a long one; then the spread over the ranks and the rank with the longest time.
/// Ranks with several GPUs have a fifth sheet, Per_Device_Time_ms: each of them by itself, percents of its
/// own total.
Workbook gpuTimelineSummary(const std::vector<RankGpuTimeline>& ranks, RankMean mean);

} // namespace collscope
