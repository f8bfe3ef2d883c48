// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/gpu_ranks.h"

#include "model/text/rank_ranges.h"

#include <algorithm>
#include <set>

namespace collscope {

namespace {

/// Analysis::wholeWork() of the ranks with GPU work.
struct FileWork
{
    std::vector<RankBreakdown> ranks;
    std::vector<std::int32_t> without; ///< the other ranks
    std::optional<MetricResult> failure; ///< no rank has any
};

FileWork workOfFiles(Analysis& analysis)
{
    const Selection& selection = analysis.wholeFiles();
    FileWork work;
    work.failure = gpuWorkMissing(analysis, selection);
    if (work.failure)
        return work;
    const std::vector<RankBreakdown>& all = analysis.wholeWork();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (hasGpuWork(analysis.model(), selection.ranks[i]))
            work.ranks.push_back(all[i]);
        else
            work.without.push_back(all[i].rank);
    }
    return work;
}

} // namespace

std::optional<MetricResult> gpuWorkMissing(Analysis& analysis, const Selection& selection)
{
    if (selection.failure)
        return selection.failure;
    const auto has = [&](const RankWindows& rank) { return hasGpuWork(analysis.model(), rank); };
    if (std::any_of(selection.ranks.begin(), selection.ranks.end(), has))
        return std::nullopt;
    const MetricResult failure = withoutGpuWork(analysis.model(), selection.ranks);
    return noValue(selection, failure.state, failure.reason);
}

GpuRanks gpuRanks(Analysis& analysis, std::string reduction)
{
    return {analysis.work(), valueOf(analysis, analysis.selection(), std::move(reduction)), {}};
}

GpuRanks gpuRanksOfWholeFiles(Analysis& analysis, std::string reduction)
{
    const Selection& selection = analysis.wholeFiles();
    const FileWork& work = analysis.table<FileWork>([&] { return workOfFiles(analysis); });
    if (work.failure)
        return {work.ranks, {}, work.failure};
    GpuRanks gpu{work.ranks, valueOf(analysis, selection, std::move(reduction)), {}};
    if (!work.without.empty())
        gpu.result.warnings.push_back(
            "Excluded because their files contain no GPU work: " + rankRangesText(work.without) + ".");
    return gpu;
}

void setPerStep(GpuRanks& gpu, const std::function<double(const TimeBreakdown&)>& f)
{
    gpu.result.value = meanOfRanks(gpu.ranks, gpu.result, [&](const RankBreakdown& rank) {
        return ratio(f(rank.total), rank.stepCount());
    });
    addStepRows(gpu.ranks, gpu.result,
                [&](const StepBreakdown& step) { return std::optional(f(step.work)); });
}

void setShareOfWindow(GpuRanks& gpu, const std::function<std::int64_t(const TimeBreakdown&)>& part)
{
    const auto share = [&](const TimeBreakdown& work) {
        return ratio(static_cast<double>(part(work)), static_cast<double>(work.windowNs), 100.0);
    };
    gpu.result.value
        = meanOfRanks(gpu.ranks, gpu.result, [&](const RankBreakdown& rank) { return share(rank.total); });
    addStepRows(gpu.ranks, gpu.result, [&](const StepBreakdown& step) { return share(step.work); });
}

bool hasSeveralGpus(const TraceModel& model, const Timeline& timeline)
{
    if (timeline.summary)
        return timeline.summary->hasSeveralGpus;
    std::set<std::int32_t> devices;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind == TrackKind::GpuStream && track.device >= 0 && !track.slices.isEmpty())
            devices.insert(track.device);
    }
    return devices.size() > 1;
}

/// Slices of a GPU track never overlap, so the last kernel in start order also ends last.
std::optional<TimeRange> kernelSpan(const TraceModel& model, const Timeline& timeline)
{
    if (timeline.summary)
        return timeline.summary->kernels.isEmpty() ? std::nullopt : std::optional(timeline.summary->kernels);
    std::optional<TimeRange> span;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::GpuStream)
            continue;
        std::size_t first = 0;
        std::size_t last = track.slices.size();
        while (first < last && !isKernelSlice(track.slices, first))
            ++first;
        while (last > first && !isKernelSlice(track.slices, last - 1))
            --last;
        if (first == last)
            continue;
        const TimeRange own{track.slices.startNs[first], track.slices.endNs(last - 1)};
        span = span ? span->united(own) : own;
    }
    return span;
}

TimeBreakdown sumOf(const std::vector<RankBreakdown>& ranks)
{
    TimeBreakdown all;
    for (const RankBreakdown& rank : ranks)
        all += rank.total;
    return all;
}

SampleSum sumSamples(const TraceModel& model, const RankWindows& rank,
                     const std::function<bool(std::string_view name)>& matches)
{
    SampleSum samples;
    for (const RankWindows::Part& part : rank.parts) {
        for (const CounterSeries& series : part.timeline->counters) {
            // Samples of idle GPUs are stored in the file's first timeline; they do not belong to this rank.
            const bool isOwn
                = series.device < 0 || part.timeline->device < 0 || series.device == part.timeline->device;
            if (!isOwn || !matches(model.text(series.name)))
                continue;
            samples.name = model.text(series.name);
            for (const Step& step : part.steps) {
                const auto first
                    = std::lower_bound(series.timeNs.begin(), series.timeNs.end(), step.range.beginNs);
                const auto last = std::lower_bound(first, series.timeNs.end(), step.range.endNs);
                for (auto at = first; at != last; ++at)
                    samples.sum += series.value[static_cast<std::size_t>(at - series.timeNs.begin())];
                samples.count += last - first;
            }
        }
    }
    return samples;
}

} // namespace collscope
