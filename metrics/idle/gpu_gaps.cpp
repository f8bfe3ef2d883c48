// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/idle/gap_domain.h"
#include "metrics/idle/gap_judge.h"
#include "metrics/idle/gpu_gap.h"

#include <algorithm>
#include <limits>

namespace collscope {

namespace {

/// Walks the GPU events of a timeline in the order of their begin.
class GpuEventWalk
{
public:
    GpuEventWalk(const TraceModel& model, const Timeline& timeline)
        : m_model(model)
    {
        for (const TrackId id : timeline.tracks) {
            if (model.track(id).kind != TrackKind::GpuStream)
                continue;
            if (Cursor cursor{id, 0}; seek(cursor))
                m_cursors.push_back(cursor);
        }
    }

    /// Calls f(slice, range) until it returns false.
    template<typename F>
    void run(const F& f)
    {
        while (!m_cursors.empty()) {
            const auto [first, secondNs] = nextCursor();
            Cursor& cursor = m_cursors[first];
            bool alive = true;
            do { // The same stream is often next several times.
                const SliceRef slice{cursor.track, cursor.row};
                if (!f(slice, m_model.track(cursor.track).slices.range(cursor.row)))
                    return;
                ++cursor.row;
                alive = seek(cursor);
            } while (alive && cursor.beginNs <= secondNs);
            if (!alive)
                m_cursors.erase(m_cursors.begin() + static_cast<std::ptrdiff_t>(first));
        }
    }

private:
    struct Cursor
    {
        TrackId track;
        std::uint32_t row = 0;
        std::int64_t beginNs = 0;
    };

    /// Goes to the next event that takes time; false if there is none.
    bool seek(Cursor& cursor) const
    {
        const SliceColumns& slices = m_model.track(cursor.track).slices;
        while (cursor.row < slices.size()
               && (!isGpuWork(slices.category[cursor.row]) || slices.durationNs[cursor.row] == 0))
            ++cursor.row;
        if (cursor.row == slices.size())
            return false;
        cursor.beginNs = slices.startNs[cursor.row];
        return true;
    }

    std::pair<std::size_t, std::int64_t> nextCursor() const
    {
        std::size_t first = 0;
        std::int64_t secondNs = std::numeric_limits<std::int64_t>::max();
        for (std::size_t i = 1; i < m_cursors.size(); ++i) {
            if (m_cursors[i].beginNs < m_cursors[first].beginNs) {
                secondNs = m_cursors[first].beginNs;
                first = i;
            } else {
                secondNs = std::min(secondNs, m_cursors[i].beginNs);
            }
        }
        return {first, secondNs};
    }

    const TraceModel& m_model;
    std::vector<Cursor> m_cursors;
};

/// Adds the idle time in a range, cut where a step begins or ends: the work that the GPU waits for there is
/// not known.
void addCut(const Timeline& timeline, TimeRange idle, std::vector<GpuGap>& gaps)
{
    std::vector<std::int64_t> cuts;
    for (const Step& step : timeline.steps) {
        for (const std::int64_t ns : {step.range.beginNs, step.range.endNs}) {
            if (ns > idle.beginNs && ns < idle.endNs)
                cuts.push_back(ns);
        }
    }
    cuts.push_back(idle.endNs);
    std::sort(cuts.begin(), cuts.end());
    for (const std::int64_t ns : cuts) {
        if (ns > idle.beginNs)
            gaps.push_back({.range = {idle.beginNs, ns}, .next = {}, .shown = {}, .name = {}, .thread = {}});
        idle.beginNs = ns;
    }
}

} // namespace

TimeRange gapDomainOf(const Timeline& timeline, const std::vector<Step>& windows)
{
    TimeRange domain = timeline.range;
    for (const Step& step : timeline.steps)
        domain = domain.united(step.range);
    for (const Step& window : windows)
        domain = domain.united(window.range);
    return domain;
}

TimelineGaps findGaps(const TraceModel& model, const Timeline& timeline, const std::vector<Step>& windows,
                      const std::function<bool()>& cancelled)
{
    TimelineGaps result;
    const TimeRange domain = gapDomainOf(timeline, windows);
    GapJudge judge(model, timeline);
    std::int64_t busyUntilNs = domain.beginNs;
    SliceRef last; // the event that ended last
    // Before the first event the GPU is idle since the first step; what lies before that is another gap.
    const std::int64_t firstStepNs
        = timeline.steps.empty() ? domain.beginNs : timeline.steps.front().range.beginNs;
    std::uint32_t turns = 0;
    GpuEventWalk(model, timeline).run([&](SliceRef slice, TimeRange range) {
        if (!last && firstStepNs > busyUntilNs && firstStepNs < range.beginNs) {
            addCut(timeline, {busyUntilNs, firstStepNs}, result.gaps);
            busyUntilNs = firstStepNs;
        }
        if (range.beginNs > busyUntilNs) {
            result.gaps.push_back({.range = {busyUntilNs, range.beginNs},
                                   .next = slice,
                                   .shown = {},
                                   .name = {},
                                   .thread = {}});
            judge.noteBefore(last);
        }
        if (range.endNs >= busyUntilNs) {
            busyUntilNs = range.endNs;
            last = slice;
        }
        return (++turns & 0xFFFFu) != 0 || !cancelled();
    });
    if (busyUntilNs < domain.endNs)
        addCut(timeline, {busyUntilNs, domain.endNs}, result.gaps);
    judge.judge(result, last, cancelled);
    return result;
}

} // namespace collscope
