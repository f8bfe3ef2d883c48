// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The GPU times of all ranks of a run as sheets.

#include "metrics/analysis/gpu_timeline.h"
#include "metrics/reports/run_values.h"

#include <map>

namespace collscope {

struct RankGpuTimeline
{
    std::int32_t rank = 0;
    GpuTimeline times; ///< of the rank's files; if it used several GPUs, the union over them
    std::map<std::int32_t, GpuTimeline>
        devices; ///< of each GPU, by its number; empty unless there are several
};

/// GPU times of every rank with GPU work, over whole files, by rank. Respects MetricOptions::linkedOnly and
/// cancelled. O(GPU events).
std::vector<RankGpuTimeline> gpuTimelines(Analysis& analysis);

enum class RankMean : std::uint8_t
{
    Arithmetic,
    Geometric ///< of times and percentages; a time of 0 counts as 1e-10, as in the tools that introduced it
};

/// type, time ms, percent: the eight rows of one rank, in the order of the individual report.
Sheet gpuTimelineSheet(const GpuTimeline& times);
/// The GPU times of a run: values, and Summary, All_Ranks_Combined, Per_Rank_Time_ms, Per_Rank_Percent; types
/// in alphabetical order. Summary: the means over the ranks, in which "percent" is the sum of the times over
/// the sum of the totals, because in a mean of percentages a short trace would count as much as a long one;
/// then the spread over the ranks and the rank with the longest time. Ranks with several GPUs add a fifth
/// sheet, Per_Device_Time_ms, with each GPU separately and percentages of its total.
RunSheets gpuTimelineSummary(const std::vector<RankGpuTimeline>& ranks, RankMean mean);

} // namespace collscope
