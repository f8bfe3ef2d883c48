// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which ranks of a selection have GPU work to measure, and GPU counters sampled during its windows.

#include "metrics/analysis.h"

namespace collscope {

/// The rows of a work table whose files hold GPU work, with a result to fill in.
struct GpuRanks
{
    std::vector<RankBreakdown> ranks;
    MetricResult result; ///< valueOf() the selection, with a warning about ranks that were left out
    std::optional<MetricResult> failure; ///< to return instead: no selection, or no GPU work in any file
};
/// Ranks with GPU work of the windows (or of the whole files). `reduction` as in valueOf().
GpuRanks gpuRanks(Analysis& analysis, std::string reduction);
GpuRanks gpuRanksOfWholeFiles(Analysis& analysis, std::string reduction);

/// The result to return where no file of the selection holds GPU work, or where the selection failed.
std::optional<MetricResult> gpuWorkMissing(Analysis& analysis, const Selection& selection);

/// Mean over ranks of f(work) / steps, in `result.value`, with rows per rank and step. f gives the unit.
void setPerStep(GpuRanks& gpu, const std::function<double(const TimeBreakdown&)>& f);
/// Mean over ranks of 100 x part / T, the same way.
void setShareOfWindow(GpuRanks& gpu, const std::function<std::int64_t(const TimeBreakdown&)>& part);

/// Sum over ranks.
TimeBreakdown sumOf(const std::vector<RankBreakdown>& ranks);

/// Samples of the counters of one rank that were taken in its windows.
struct SampleSum
{
    double sum = 0;
    std::int64_t count = 0;
    std::string name; ///< of one such counter; empty = there is none

    /// nullopt without samples.
    std::optional<double> mean() const { return ratio(sum, static_cast<double>(count)); }
};
/// Counters of the rank's own GPUs whose name `matches`. O(log samples + samples in the windows).
SampleSum sumSamples(const TraceModel& model, const RankWindows& rank,
                     const std::function<bool(std::string_view name)>& matches);

} // namespace collscope
