// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/findings/kernel_occurrences.h"

#include "model/interval_set.h"
#include "model/queries/slice_query.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

NameAndGrid kindOf(const TraceModel& model, SliceRef slice)
{
    NameAndGrid kernel{.name = model.track(slice.track).slices.name[slice.row].value};
    if (const KernelDetail* const detail = model.detailOf(slice)) {
        std::copy_n(detail->grid, kernel.grid.size(), kernel.grid.begin());
        std::copy_n(detail->block, kernel.block.size(), kernel.block.begin());
    }
    return kernel;
}

/// The part of a range in which a compute kernel of another stream runs.
std::int64_t coveredNs(const TraceModel& model, const Timeline& timeline, TrackId own, TimeRange range)
{
    std::vector<TimeRange> others;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (id == own || track.kind != TrackKind::GpuStream)
            continue;
        forEachOverlapping(track.slices, range, [&](std::size_t row) {
            if (isCompute(track.slices.kernelClass[row]))
                others.push_back(track.slices.range(row).intersected(range));
        });
    }
    return IntervalSet(std::move(others)).lengthNs();
}

} // namespace

double OnRank::meanNs(std::size_t begin, std::size_t end) const
{
    std::int64_t ns = 0;
    for (std::size_t i = begin; i < end; ++i)
        ns += all[i].range.lengthNs();
    return static_cast<double>(ns) / static_cast<double>(end - begin);
}

std::map<NameAndGrid, std::vector<OnRank>> occurrencesOf(const FindingInput& input,
                                                         const std::vector<std::uint32_t>& names)
{
    const TraceModel& model = input.analysis.model();
    std::map<NameAndGrid, std::vector<OnRank>> byGrid;
    for (std::size_t rank = 0; rank < input.partition.ranks.size(); ++rank) {
        const RankShare& share = input.partition.ranks[rank];
        for (const StepShare& step : share.steps) {
            for (const TrackId id : share.timelines[step.part]->tracks) {
                const Track& track = model.track(id);
                if (track.kind != TrackKind::GpuStream)
                    continue;
                forEachOverlapping(track.slices, step.step.range, [&](std::size_t row) {
                    // Whole runs: the part of one that the border of a step cuts off is not a short run.
                    if (!std::binary_search(names.begin(), names.end(), track.slices.name[row].value)
                        || !step.step.range.contains(track.slices.startNs[row]))
                        return;
                    std::vector<OnRank>& ranks = byGrid[kindOf(model, {id, static_cast<std::uint32_t>(row)})];
                    if (ranks.empty() || ranks.back().rank != rank)
                        ranks.push_back({rank, {}});
                    ranks.back().all.push_back({id, track.slices.range(row)});
                });
            }
        }
    }
    return byGrid;
}

double savedNs(const FindingInput& input, const OnRank& runs, double share)
{
    const TraceModel& model = input.analysis.model();
    double ns = 0;
    for (const Occurrence& run : runs.all) {
        const double keptNs = share * static_cast<double>(run.range.lengthNs());
        const TimeRange tail{run.range.beginNs + std::llround(keptNs), run.range.endNs};
        const std::int64_t hiddenNs = coveredNs(model, model.timelineOf({run.track, 0}), run.track, tail);
        ns += std::max(0.0, static_cast<double>(run.range.lengthNs() - hiddenNs) - keptNs);
    }
    return ns;
}

} // namespace collscope
