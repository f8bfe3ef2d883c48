// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/partition/step_facts.h"

#include "metrics/partition/rank_sums.h"
#include "model/queries/slice_query.h"

#include <algorithm>

namespace collscope {

std::int64_t behindNs(const TraceModel& model, const Timeline& timeline, std::int64_t timeNs)
{
    std::int64_t untilNs = timeNs;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::GpuStream)
            continue;
        for (std::size_t row = firstReaching(track.slices, timeNs); row < track.slices.size(); ++row) {
            const std::uint32_t correlation = track.slices.correlation[row];
            const SliceRef launch = correlation != 0 ? timeline.launchOf(correlation) : SliceRef();
            if (launch && model.rangeOf(launch).beginNs >= timeNs)
                break;
            untilNs = std::max(untilNs, track.slices.endNs(row));
        }
    }
    return untilNs - timeNs;
}

IntervalSet overheadOf(const TraceModel& model, const Timeline& timeline)
{
    std::vector<TimeRange> events;
    for (const TrackId id : timeline.tracks) {
        const SliceColumns& slices = model.track(id).slices;
        for (std::size_t row = 0; row < slices.size(); ++row) {
            if (slices.category[row] == SliceCategory::Overhead)
                events.push_back(slices.range(row));
        }
    }
    return IntervalSet(std::move(events));
}

bool hasPython(const TraceModel& model, const Timeline& timeline)
{
    return std::any_of(timeline.tracks.begin(), timeline.tracks.end(), [&](TrackId id) {
        const auto& categories = model.track(id).slices.category;
        return std::find(categories.begin(), categories.end(), SliceCategory::Python) != categories.end();
    });
}

std::vector<LaunchedCompute> launchedCompute(const TraceModel& model, const RankShare& rank)
{
    std::vector<LaunchedCompute> launched(rank.steps.size());
    for (const Timeline* const timeline : rank.timelines) {
        for (const TrackId id : timeline->tracks) {
            const Track& track = model.track(id);
            for (std::size_t row = 0; track.kind == TrackKind::GpuStream && row < track.slices.size();
                 ++row) {
                const std::uint32_t correlation = track.slices.correlation[row];
                const bool counts = correlation != 0 && isCompute(track.slices.kernelClass[row]);
                const SliceRef launch = counts ? timeline->launchOf(correlation) : SliceRef();
                const StepShare* const step
                    = launch ? rank.stepAt(*timeline, model.rangeOf(launch).beginNs) : nullptr;
                if (!step)
                    continue;
                LaunchedCompute& own = launched[static_cast<std::size_t>(step - rank.steps.data())];
                own.isKnown = true;
                own.ns += track.slices.durationNs[row];
            }
        }
    }
    return launched;
}

std::int64_t fallsBehindNs(const TraceModel& model, const RankShare& rank, std::size_t part, TimeRange span)
{
    const Timeline& timeline = *rank.timelines[part];
    if (!timeline.summary)
        return behindNs(model, timeline, span.endNs) - behindNs(model, timeline, span.beginNs);
    std::int64_t ns = 0;
    const RankSums sums(rank);
    for (const StepShare& step : rank.steps) {
        if (step.part != part)
            continue;
        ns += step.step.range.endNs == span.endNs ? sums.of(step)->behindEndNs : 0;
        ns -= step.step.range.beginNs == span.beginNs ? sums.of(step)->behindBeginNs : 0;
    }
    return ns;
}

std::int64_t overheadNs(const TraceModel& model, const RankShare& rank)
{
    std::int64_t sumNs = rank.overheadNs;
    for (std::uint32_t part = 0; part < rank.timelines.size(); ++part) {
        const IntervalSet busy = overheadOf(model, *rank.timelines[part]);
        for (const StepShare& step : rank.steps) {
            if (step.part == part && !busy.isEmpty())
                sumNs += busy.clipped(step.step.range).lengthNs();
        }
    }
    return sumNs;
}

bool hasPython(const TraceModel& model, const RankShare& rank)
{
    return std::any_of(rank.timelines.begin(), rank.timelines.end(), [&](const Timeline* timeline) {
        return timeline->summary ? timeline->summary->partition.hasPython : hasPython(model, *timeline);
    });
}

std::vector<double> launchedComputeOf(const TraceModel& model, const RankShare& rank)
{
    std::vector<LaunchedCompute> launched = launchedCompute(model, rank);
    const RankSums sums(rank);
    for (std::size_t i = 0; i < launched.size(); ++i) {
        if (const PartitionSummary* const summary = sums.of(rank.steps[i]))
            launched[i] = {summary->launchedNs, summary->hasLaunches};
    }
    if (std::none_of(launched.begin(), launched.end(), [](const auto& step) { return step.isKnown; }))
        return {};
    std::vector<double> ns;
    for (const LaunchedCompute& step : launched)
        ns.push_back(static_cast<double>(step.ns));
    return ns;
}

} // namespace collscope
