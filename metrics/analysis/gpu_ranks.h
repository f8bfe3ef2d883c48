// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The ranks of a selection that have GPU work to measure, and the GPU counters sampled during their windows.

#include "metrics/analysis/analysis.h"

namespace collscope {

/// The rows of a work table whose files contain GPU work, with a result to fill in.
struct GpuRanks
{
    const std::vector<RankBreakdown>& ranks; ///< of the analysis: of many ranks, they are large
    MetricResult result; ///< valueOf() the selection, with a warning about excluded ranks
    std::optional<MetricResult> failure; ///< of whole files, to return instead: no GPU work in any file
};
/// The ranks of Analysis::selection(), which have GPU work (MetricDescriptor::ranks). `reduction` as in
/// valueOf().
GpuRanks gpuRanks(Analysis& analysis, std::string reduction);
/// The ranks with GPU work in their files.
GpuRanks gpuRanksOfWholeFiles(Analysis& analysis, std::string reduction);

/// The result to return if no file of the selection contains GPU work, or if the selection failed; else
/// nullopt.
std::optional<MetricResult> gpuWorkMissing(Analysis& analysis, const Selection& selection);

/// Sets `result.value` to the mean over ranks of f(work) / steps, with rows per rank and step. f determines
/// the unit.
void setPerStep(GpuRanks& gpu, const std::function<double(const TimeBreakdown&)>& f);
/// Sets `result.value` to the mean over ranks of 100 x part / T, with rows per rank and step.
void setShareOfWindow(GpuRanks& gpu, const std::function<std::int64_t(const TimeBreakdown&)>& part);

/// Whether the streams with work belong to several GPUs, so that they are measured as one.
bool hasSeveralGpus(const TraceModel& model, const Timeline& timeline);

/// From the first begin to the last end of a kernel; nullopt without kernels.
std::optional<TimeRange> kernelSpan(const TraceModel& model, const Timeline& timeline);

/// Sum over ranks.
TimeBreakdown sumOf(const std::vector<RankBreakdown>& ranks);

/// Sum of the counter samples of one rank that were taken in its windows.
struct SampleSum
{
    double sum = 0;
    std::int64_t count = 0;
    std::string name; ///< name of one of the counters; empty = there is none

    /// nullopt without samples.
    std::optional<double> mean() const { return ratio(sum, static_cast<double>(count)); }
};
/// Samples of the counters of the rank's own GPUs whose name satisfies `matches`. O(log samples + samples in
/// the windows).
SampleSum sumSamples(const TraceModel& model, const RankWindows& rank,
                     const std::function<bool(std::string_view name)>& matches);

} // namespace collscope
