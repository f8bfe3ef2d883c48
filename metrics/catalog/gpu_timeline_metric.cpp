// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// GPU times of each rank as TraceLens defines them: see metrics/analysis/gpu_timeline.h.

#include "metrics/analysis/gpu_ranks.h"
#include "metrics/analysis/gpu_timeline.h"
#include "metrics/catalog/catalog.h"

#include <algorithm>

namespace collscope {

namespace {

/// Times divided by `count`, as "<row>_ms" in the order of the report, then "<row>_percent" of the total.
Value::Object rowsOf(const GpuTimeline& times, double count)
{
    Value::Object object;
    for (const GpuTimelineRow& row : gpuTimelineRows())
        object.emplace_back(std::string(row.name) + "_ms", nsToMs(times.*row.ns) / count);
    for (const GpuTimelineRow& row : gpuTimelineRows()) {
        const auto percent
            = ratio(static_cast<double>(times.*row.ns), static_cast<double>(times.totalNs), 100.0);
        object.emplace_back(std::string(row.name) + "_percent", orNull(percent));
    }
    return object;
}

MetricResult withoutEvents(const Selection& selection, std::int64_t unlinked)
{
    if (unlinked > 0)
        return noValue(selection, MetricState::NotApplicable,
                       "None of the " + std::to_string(unlinked)
                           + " GPU events has a launch link (a runtime call with its correlation id and a "
                             "complete ac2g flow, or a graph launch): omit --linked-only.");
    return noValue(selection, MetricState::NotApplicable,
                   "The files contain no GPU events (kernels, copies or memsets).");
}

MetricResult gpuTimeline(Analysis& analysis)
{
    const Selection& selection = analysis.wholeFiles();
    const TraceModel& model = analysis.model();
    const bool linkedOnly = analysis.options().linkedOnly;
    MetricResult result = valueOf(analysis, selection, "mean of ranks");
    GpuTimelineMeter meter(model);
    GpuTimeline all;
    double ranks = 0;
    std::int64_t unlinked = 0;
    Value::Object perRank;
    for (const RankWindows& rank : selection.ranks) {
        GpuTimeline own;
        for (const RankWindows::Part& part : rank.parts)
            own += meter.measure(*part.timeline, linkedOnly, analysis.options().cancelled);
        unlinked += own.unlinked;
        if (own.events == 0)
            continue;
        ranks += 1;
        all += own;
        Value::Object object = rowsOf(own, 1.0);
        object.emplace_back("gpu_events", own.events);
        if (linkedOnly)
            object.emplace_back("unlinked_gpu_events", own.unlinked);
        perRank.emplace_back(std::to_string(rank.rank), std::move(object));
        if (rank.parts.size() > 1)
            result.warnings.push_back("Rank " + std::to_string(rank.rank) + " has "
                                      + std::to_string(rank.parts.size())
                                      + " files: their times are summed.");
        if (std::any_of(rank.parts.begin(), rank.parts.end(),
                        [&](const RankWindows::Part& part) { return hasSeveralGpus(model, *part.timeline); }))
            result.warnings.push_back("The file of rank " + std::to_string(rank.rank)
                                      + " contains work of several GPUs: it is measured as one GPU.");
    }
    if (all.events == 0)
        return withoutEvents(selection, unlinked);
    result.details = rowsOf(all, ranks);
    result.details.emplace_back("gpu_events", all.events);
    if (linkedOnly)
        result.details.emplace_back("unlinked_gpu_events", unlinked);
    result.details.emplace_back("per_rank", std::move(perRank));
    result.inputs
        = {std::to_string(all.events) + " GPU events"
               + (linkedOnly ? " with a launch link (" + std::to_string(unlinked) + " without are excluded)."
                             : " (all, with or without a launch link)."),
           "Communication: kernels identified as such by name or metadata. Copies: memcpys and the copy "
           "kernels of ROCm. Computation: all other kernels and memsets."};
    addEvidence(analysis, selection, result,
                [](const SliceColumns& slices, std::size_t row) { return isGpuWork(slices.category[row]); });
    return result;
}

} // namespace

const MetricDescriptor gpuTimelineMetric{
    .id = "gpu_timeline",
    .title = "GPU timeline",
    .group = "GPU",
    .unit = "ms",
    .needs = "a timeline (Kineto or nsys)",
    .meaning
    = "Time that each GPU spent from its first to its last event: computing, exposed communication, exposed "
      "copies, idle.",
    .definition
    = "computation |Q|, exposed communication |C \\ Q|, exposed copies |M \\ Q \\ C|, busy |B|, idle = total "
      "- "
      "busy, total = last end - first start of a GPU event, |C|, |M|; whole file, per rank, then mean of "
      "ranks; computation + exposed + idle = total",
    .ranks = &Analysis::wholeFiles,
    .compute = gpuTimeline,
};

} // namespace collscope
