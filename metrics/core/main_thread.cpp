// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/core/main_thread.h"

#include "metrics/core/step_summaries.h"
#include "model/interval_set.h"
#include "model/queries/slice_query.h"

#include <algorithm>

namespace collscope {

namespace {

/// Union of the slices of a kind on one track in a window. Rows are sorted by start, so this is linear.
template<typename Counts>
IntervalSet unionOf(const Track& track, TimeRange window, const Counts& counts)
{
    std::vector<TimeRange> ranges;
    const SliceColumns& slices = track.slices;
    for (std::size_t row = firstReaching(slices, window.beginNs);
         row < slices.size() && slices.startNs[row] < window.endNs; ++row) {
        if (!counts(slices.category[row]))
            continue;
        const TimeRange range = slices.range(row).intersected(window);
        if (range.isEmpty())
            continue;
        if (!ranges.empty() && range.beginNs <= ranges.back().endNs)
            ranges.back().endNs = std::max(ranges.back().endNs, range.endNs);
        else
            ranges.push_back(range);
    }
    return IntervalSet(std::move(ranges));
}

bool isOperator(SliceCategory category)
{
    return category == SliceCategory::CpuOp;
}

bool isCall(SliceCategory category)
{
    return category == SliceCategory::Runtime;
}

/// Union over several tracks, merged in pairs: each interval is copied O(log tracks) times.
IntervalSet united(std::vector<IntervalSet> sets)
{
    while (sets.size() > 1) {
        std::vector<IntervalSet> half;
        for (std::size_t i = 0; i + 1 < sets.size(); i += 2)
            half.push_back(sets[i].united(sets[i + 1]));
        if (sets.size() % 2 != 0)
            half.push_back(std::move(sets.back()));
        sets = std::move(half);
    }
    return sets.empty() ? IntervalSet() : std::move(sets.front());
}

/// The track with the most operator time.
const Track* busiestTrack(const TraceModel& model, const Timeline& timeline)
{
    const Track* busiest = nullptr;
    std::int64_t most = 0;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::CpuThread)
            continue;
        const std::int64_t ns = unionOf(track, timeline.range, isOperator).lengthNs();
        if (ns > most) {
            most = ns;
            busiest = &track;
        }
    }
    return busiest;
}

bool holdsOperators(const std::vector<const Track*>& lanes)
{
    return std::any_of(lanes.begin(), lanes.end(), [](const Track* lane) {
        const std::vector<SliceCategory>& categories = lane->slices.category;
        return std::any_of(categories.begin(), categories.end(), isOperator);
    });
}

CpuWork measureStep(const TraceModel& model, const Timeline& timeline, const std::vector<const Track*>& lanes,
                    TimeRange window)
{
    std::vector<IntervalSet> operators;
    std::vector<IntervalSet> calls;
    for (const Track* lane : lanes) {
        operators.push_back(unionOf(*lane, window, isOperator));
        calls.push_back(unionOf(*lane, window, isCall));
    }
    const IntervalSet allOperators = united(std::move(operators));
    const IntervalSet allCalls = united(std::move(calls));
    std::vector<IntervalSet> streams;
    for (const TrackId id : timeline.tracks) {
        if (model.track(id).kind == TrackKind::GpuStream)
            streams.push_back(unionOf(model.track(id), window, isGpuWork));
    }
    CpuWork work;
    work.windowNs = window.lengthNs();
    work.operatorNs = allOperators.lengthNs();
    work.callNs = allCalls.lengthNs();
    work.selfNs = allOperators.subtracted(allCalls).lengthNs();
    work.launchBoundNs = allOperators.subtracted(united(std::move(streams))).lengthNs();
    return work;
}

CpuWork summarizedStep(const TraceModel& model, const TimelineSummary& summary, const WindowSummary& window)
{
    CpuWork work;
    work.windowNs = window.range.lengthNs();
    work.selfNs = window.selfNs;
    work.operatorNs = window.operatorNs;
    work.callNs = window.callNs;
    work.launchBoundNs = window.launchBoundNs;
    work.thread = summary.thread ? model.text(summary.thread) : std::string_view();
    work.isMarked = summary.isThreadMarked;
    work.hasOperators = summary.hasOperators;
    return work;
}

} // namespace

std::vector<const Track*> threadLanes(const TraceModel& model, const Timeline& timeline, const Track& track)
{
    std::vector<const Track*> lanes;
    for (const TrackId id : timeline.tracks) {
        const Track& other = model.track(id);
        if (other.kind == TrackKind::CpuThread && other.pid == track.pid && other.tid == track.tid)
            lanes.push_back(&other);
    }
    return lanes;
}

const Track* stepThread(const TraceModel& model, const Timeline& timeline)
{
    for (const Step& step : timeline.steps) {
        for (const TrackId id : timeline.tracks) {
            const Track& track = model.track(id);
            if (track.kind != TrackKind::CpuThread)
                continue;
            const SliceColumns& slices = track.slices;
            for (std::size_t row = firstStartingAt(slices, step.range.beginNs);
                 row < slices.size() && slices.startNs[row] == step.range.beginNs; ++row) {
                if (step.name.value != 0 && slices.name[row] == step.name)
                    return &track;
            }
        }
    }
    return nullptr;
}

CpuWork& CpuWork::operator+=(const CpuWork& other)
{
    windowNs += other.windowNs;
    selfNs += other.selfNs;
    operatorNs += other.operatorNs;
    callNs += other.callNs;
    launchBoundNs += other.launchBoundNs;
    if (thread.empty())
        thread = other.thread;
    isMarked &= other.isMarked;
    hasOperators |= other.hasOperators;
    return *this;
}

std::vector<CpuWork> measureMainThread(const TraceModel& model, const RankWindows& rank,
                                       const std::function<bool()>& cancelled)
{
    std::vector<CpuWork> steps;
    for (const RankWindows::Part& part : rank.parts) {
        const Timeline& timeline = *part.timeline;
        if (timeline.summary) {
            const StepSummaries summaries(timeline);
            for (const Step& step : part.steps)
                steps.push_back(summarizedStep(model, *timeline.summary, summaries.of(step)));
            continue;
        }
        const Track* main = stepThread(model, timeline);
        std::vector<const Track*> lanes
            = main ? threadLanes(model, timeline, *main) : std::vector<const Track*>();
        const bool isMarked = holdsOperators(lanes);
        if (!isMarked) {
            main = busiestTrack(model, timeline);
            lanes = main ? threadLanes(model, timeline, *main) : std::vector<const Track*>();
        }
        for (const Step& step : part.steps) {
            if (cancelled())
                return steps;
            CpuWork work = measureStep(model, timeline, lanes, step.range);
            work.thread = main ? model.text(main->name) : std::string_view();
            work.isMarked = isMarked;
            work.hasOperators = main != nullptr;
            steps.push_back(std::move(work));
        }
    }
    return steps;
}

} // namespace collscope
