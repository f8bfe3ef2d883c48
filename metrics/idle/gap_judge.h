// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The rules that give a gap its cause, in the order of idle-causes.md.

#include "metrics/idle/gpu_gap.h"
#include "metrics/idle/thread_reader.h"

#include <functional>

namespace collscope {

class GapJudge
{
public:
    /// O(tracks + launches). Model and timeline must outlive the judge.
    GapJudge(const TraceModel& model, const Timeline& timeline);

    /// Notes the event that ended where a gap begins, for each gap with a next event, in their order; a
    /// none-slice for a gap before all events.
    void noteBefore(SliceRef before) { m_before.push_back(before); }
    /// Sets cause, shown, name and thread of all gaps, and what was measured of the launches. `last`: the
    /// event that ended last.
    void judge(TimelineGaps& gaps, SliceRef last, const std::function<bool()>& cancelled);

private:
    void findLaunchingThreads();
    void measureLatency(const TimelineGaps& gaps);
    SliceRef awaitedLaunch(const TimelineGaps& gaps, std::size_t index) const;
    void judgeOne(GpuGap& gap, SliceRef before, SliceRef last, const TimelineGaps& gaps, std::size_t index);
    void judgeQueued(GpuGap& gap, SliceRef before, SliceRef launch);
    bool judgeThread(GpuGap& gap, TrackId thread);
    bool explains(SliceRef synchronising, TimeRange gap) const;
    bool judgeWait(GpuGap& gap, TrackId thread);
    void judgeNamed(GpuGap& gap, IdleCause cause, SliceRef shown, std::int64_t shownNs);
    bool startsLate(const GpuGap& gap, SliceRef launch) const;
    void judgeCollector(GpuGap& gap);
    bool goesOnWithoutLock(const GpuGap& gap, SliceRef collects, std::int64_t collectsNs) const;
    bool judgeOtherThread(GpuGap& gap, SliceRef launch);
    void judgeBlockedLaunch(GpuGap& gap, SliceRef launch);
    void judgeShort(GpuGap& gap, SliceRef launch);
    SliceRef waitOnStream(SliceRef next, TimeRange gap) const;
    SliceRef waitCallBefore(SliceRef launch) const;
    StringId nameOf(SliceRef slice) const;
    SliceRef launchOf(SliceRef event) const;
    bool isShort(std::int64_t ns) const;

    const TraceModel& m_model;
    const Timeline& m_timeline;
    ThreadReader m_reader;
    TrackId m_stepThread; ///< none: no marker shows it
    std::vector<TrackId> m_launching; ///< one track of each thread that launches GPU work
    std::vector<SliceRef> m_before;
    bool m_hasCpuEvents = false;
    std::int64_t m_twiceIntervalNs = 0; ///< 2 x the median time between two launches; 0: unknown
    std::int64_t m_latencyNs = 0;
};

} // namespace collscope
