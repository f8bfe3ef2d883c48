// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/idle/gap_judge.h"

#include "metrics/core/main_thread.h"
#include "model/queries/slice_query.h"

#include <algorithm>

namespace collscope {

namespace {

/// A rule about a thread needs more than half of the gap.
bool isMostOf(std::int64_t ns, TimeRange gap)
{
    return 2 * ns > gap.lengthNs();
}

/// Whether the file contains CPU events that show activity, not only labels. A reduced one lacks most of
/// them.
bool holdsCpuEvents(const TraceModel& model, const Timeline& timeline)
{
    if (model.sources[timeline.source.value].isReduced)
        return false;
    const auto isActivity = [](SliceCategory category) {
        return category == SliceCategory::CpuOp || category == SliceCategory::Runtime
            || category == SliceCategory::Python;
    };
    return std::any_of(timeline.tracks.begin(), timeline.tracks.end(), [&](TrackId id) {
        const Track& track = model.track(id);
        return track.kind == TrackKind::CpuThread
            && std::any_of(track.slices.category.begin(), track.slices.category.end(), isActivity);
    });
}

/// The middle value; the lower one of two. 0 without values.
std::int64_t lowerMedian(std::vector<std::int64_t>& values)
{
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Twice the median, exact. 0 without values.
std::int64_t twiceMedian(std::vector<std::int64_t>& values)
{
    const std::int64_t lower = lowerMedian(values);
    if (values.size() % 2 != 0)
        return 2 * lower;
    const auto upper = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    return values.empty() ? 0 : lower + *std::min_element(upper, values.end());
}

/// The begins of all calls that launched GPU work, each once: a graph is one launch.
std::vector<std::int64_t> launchBegins(const TraceModel& model, const Timeline& timeline)
{
    std::vector<std::int64_t> begins;
    auto launch = timeline.launches.begin();
    for (const LaunchLink& work : timeline.gpuSlices) {
        while (launch != timeline.launches.end() && launch->correlation < work.correlation)
            ++launch;
        if (launch != timeline.launches.end() && launch->correlation == work.correlation)
            begins.push_back(model.rangeOf(launch->slice).beginNs);
    }
    if (!std::is_sorted(begins.begin(), begins.end()))
        std::sort(begins.begin(), begins.end());
    return begins;
}

} // namespace

GapJudge::GapJudge(const TraceModel& model, const Timeline& timeline)
    : m_model(model)
    , m_timeline(timeline)
    , m_reader(model, timeline)
    , m_hasCpuEvents(holdsCpuEvents(model, timeline))
{
    if (const Track* const marked = stepThread(model, timeline))
        m_stepThread = TrackId{static_cast<std::uint32_t>(marked - model.tracks.data())};
    std::vector<std::int64_t> times = launchBegins(model, timeline);
    for (std::size_t i = 0; i + 1 < times.size(); ++i)
        times[i] = times[i + 1] - times[i];
    if (!times.empty())
        times.pop_back();
    m_twiceIntervalNs = twiceMedian(times);
    findLaunchingThreads();
}

void GapJudge::findLaunchingThreads()
{
    if (m_stepThread)
        m_launching.push_back(m_stepThread);
    TrackId before;
    for (const LaunchLink& work : m_timeline.launches) {
        const TrackId track = work.slice.track;
        if (track == before)
            continue;
        before = track;
        if (std::none_of(m_launching.begin(), m_launching.end(),
                         [&](TrackId known) { return m_reader.isSameThread(known, track); }))
            m_launching.push_back(track);
    }
}

SliceRef GapJudge::launchOf(SliceRef event) const
{
    if (!event)
        return {};
    const std::uint32_t correlation = m_model.track(event.track).slices.correlation[event.row];
    return correlation != 0 ? m_timeline.launchOf(correlation) : SliceRef();
}

StringId GapJudge::nameOf(SliceRef slice) const
{
    return slice ? m_model.track(slice.track).slices.name[slice.row] : StringId();
}

/// The time from a launch to its event where nothing but the launch was missing.
void GapJudge::measureLatency(const TimelineGaps& gaps)
{
    std::vector<std::int64_t> latencies;
    for (const GpuGap& gap : gaps.gaps) {
        const SliceRef launch = launchOf(gap.next);
        if (!launch)
            continue;
        const std::int64_t launchedNs = m_model.rangeOf(launch).beginNs;
        if (gap.range.contains(launchedNs))
            latencies.push_back(gap.range.endNs - launchedNs);
    }
    m_latencyNs = lowerMedian(latencies);
}

bool GapJudge::isShort(std::int64_t ns) const
{
    return 2 * ns < m_twiceIntervalNs && ns < longestLaunchOverheadNs;
}

void GapJudge::judge(TimelineGaps& gaps, SliceRef last, const std::function<bool()>& cancelled)
{
    measureLatency(gaps);
    gaps.hasCpuEvents = m_hasCpuEvents;
    gaps.launchIntervalNs = m_twiceIntervalNs / 2;
    gaps.launchLatencyNs = m_latencyNs;
    auto before = m_before.begin();
    std::uint32_t turns = 0;
    for (std::size_t i = 0; i < gaps.gaps.size(); ++i) {
        GpuGap& gap = gaps.gaps[i];
        const bool hasBefore = gap.next && before != m_before.end();
        judgeOne(gap, hasBefore ? *before++ : SliceRef(), last, gaps, i);
        if ((++turns & 0xFFFu) == 0 && cancelled())
            return;
    }
}

/// The launch that a gap waits for: that of the next event or, if this is a tiny copy of another thread, of
/// the kernel behind it. A checkpoint that is saved in the background does not hold up the GPU.
SliceRef GapJudge::awaitedLaunch(const TimelineGaps& gaps, std::size_t index) const
{
    const GpuGap& gap = gaps.gaps[index];
    const SliceRef launch = launchOf(gap.next);
    constexpr std::size_t mostCopies = 64;
    constexpr std::int64_t tiny = 10; // a tenth of the gap
    for (std::size_t i = index; launch && i < std::min(gaps.gaps.size(), index + mostCopies); ++i) {
        const SliceRef next = gaps.gaps[i].next;
        if (!next)
            break;
        if (m_model.track(next.track).slices.category[next.row] == SliceCategory::Kernel) {
            const SliceRef awaited = launchOf(next);
            return awaited && !m_reader.isSameThread(awaited.track, launch.track) ? awaited : launch;
        }
        const bool isTiny = i + 1 < gaps.gaps.size()
            && tiny * (gaps.gaps[i + 1].range.beginNs - gaps.gaps[i].range.endNs) <= gap.range.lengthNs();
        if (!isTiny)
            break;
    }
    return launch;
}

void GapJudge::judgeOne(GpuGap& gap, SliceRef before, SliceRef last, const TimelineGaps& gaps,
                        std::size_t index)
{
    const SliceRef launch = launchOf(gap.next);
    if (!m_hasCpuEvents || (gap.next && !launch)) {
        gap.cause = IdleCause::NotRecorded;
        gap.name = nameOf(gap.next);
        return;
    }
    gap.wasQueued = launch && m_model.rangeOf(launch).endNs <= gap.range.beginNs;
    gap.isInsideGraph = launch && before && launchOf(before) == launch
        && m_model.nameOf(launch).find("GraphLaunch") != std::string_view::npos;
    if (isShort(gap.range.lengthNs()))
        return judgeShort(gap, launch);
    if (gap.wasQueued || startsLate(gap, launch))
        return judgeQueued(gap, before, launch);
    const SliceRef awaited = awaitedLaunch(gaps, index);
    const SliceRef lastLaunch = launchOf(last);
    const TrackId thread = awaited ? awaited.track : m_stepThread ? m_stepThread : lastLaunch.track;
    if (!thread) {
        gap.cause = IdleCause::Unexplained;
        return;
    }
    gap.thread = thread;
    if (judgeThread(gap, thread) || (awaited && judgeOtherThread(gap, awaited)) || judgeWait(gap, thread)) {
        judgeBlockedLaunch(gap, launch);
    } else {
        gap.cause = IdleCause::Outside;
        gap.name = nameOf(gap.next);
    }
    judgeCollector(gap);
}

/// A thread that collects garbage holds Python's lock: the others seem to work, or to do nothing.
void GapJudge::judgeCollector(GpuGap& gap)
{
    if (gap.cause != IdleCause::CpuBound && gap.cause != IdleCause::Waits && gap.cause != IdleCause::Outside
        && gap.cause != IdleCause::LoadsData)
        return;
    constexpr std::int64_t shortestNs = 10 * longestLaunchOverheadNs; // looks at many threads are slow
    if (gap.range.lengthNs() < shortestNs)
        return;
    constexpr auto collects = static_cast<std::size_t>(IdleCause::CollectsGarbage);
    for (const TrackId thread : m_reader.threads()) {
        const ThreadLook look = m_reader.look(thread, gap.range);
        if (!isMostOf(look.causeNs[collects], gap.range)
            || goesOnWithoutLock(gap, look.causeSlice[collects], look.causeNs[collects]))
            continue;
        gap.thread = thread;
        return judgeNamed(gap, IdleCause::CollectsGarbage, look.causeSlice[collects], look.causeNs[collects]);
    }
}

/// Whether what a gap shows does not need Python's lock, or not then. A Python frame on the stack does not
/// show that it runs.
bool GapJudge::goesOnWithoutLock(const GpuGap& gap, SliceRef collects, std::int64_t collectsNs) const
{
    if (!gap.shown)
        return false;
    switch (gap.cause) {
    case IdleCause::LoadsData:
        return collectsNs < gap.shownNs;
    case IdleCause::Waits: { // one that lasts longer would have lasted as long
        constexpr std::int64_t handOverNs = 100'000;
        return m_model.rangeOf(gap.shown).endNs > m_model.rangeOf(collects).endNs + handOverNs;
    }
    case IdleCause::CpuBound: { // PyTorch's operators give the lock back
        const SliceCategory kind = m_model.track(gap.shown.track).slices.category[gap.shown.row];
        return isMostOf(m_model.rangeOf(gap.shown).intersected(gap.range).lengthNs(), gap.range)
            && (kind == SliceCategory::CpuOp || kind == SliceCategory::Runtime);
    }
    default:
        return false;
    }
}

/// Blames the operator around the launch, unless the CPU waited for the GPU just before it.
void GapJudge::judgeShort(GpuGap& gap, SliceRef launch)
{
    const SliceRef waits
        = launch && !gap.wasQueued ? m_reader.synchronisingBefore(launch, gap.range.beginNs) : SliceRef();
    if (waits) {
        gap.thread = launch.track;
        return judgeNamed(gap, IdleCause::Synchronises, waits, gap.range.lengthNs());
    }
    gap.cause = IdleCause::LaunchOverhead;
    const SliceRef around = launch ? m_reader.operatorOf(launch) : SliceRef();
    gap.shown = around ? around : launch;
    gap.name = nameOf(gap.shown);
}

/// Whether the next event was in the queue for most of the gap, so that the CPU did not hold it up.
bool GapJudge::startsLate(const GpuGap& gap, SliceRef launch) const
{
    return launch && isMostOf(gap.range.endNs - m_model.rangeOf(launch).endNs - m_latencyNs, gap.range);
}

/// The next event was in the queue before the gap began, or soon after. An event of another stream that ends
/// just before it shows what it waited for, and so does a wait that was queued before it.
void GapJudge::judgeQueued(GpuGap& gap, SliceRef before, SliceRef launch)
{
    gap.name = nameOf(gap.next);
    gap.thread = launch.track;
    // No stream works in the gap: what another one had to do was done when the gap began, and to go on takes
    // no longer than a launch. A recorded wait may last longer, and is seen for most of the gap.
    const bool isJustDone = gap.range.lengthNs() <= m_latencyNs;
    const SliceRef wait = waitOnStream(gap.next, gap.range);
    if (wait && (isJustDone || isMostOf(m_model.rangeOf(wait).intersected(gap.range).lengthNs(), gap.range)))
        gap.shown = wait;
    else if (isJustDone)
        gap.shown = waitCallBefore(launch);
    const bool isHandedOver
        = before && m_model.track(before.track).stream != m_model.track(gap.next.track).stream && isJustDone;
    gap.cause = gap.shown || isHandedOver ? IdleCause::WaitsOnStream : IdleCause::Unexplained;
}

/// The wait that the profiler recorded on the stream of an event during a gap.
SliceRef GapJudge::waitOnStream(SliceRef next, TimeRange gap) const
{
    const Track& stream = m_model.track(next.track);
    SliceRef found;
    for (const TrackId id : m_timeline.tracks) {
        const Track& track = m_model.track(id);
        // Kineto writes these events beside the stream, with its process and number.
        if (track.kind != TrackKind::CpuThread || track.pid != stream.pid || track.tid != stream.tid)
            continue;
        forEachOverlapping(track.slices, gap, [&](std::size_t row) {
            if (m_model.text(track.slices.name[row]) == "Stream Wait Event")
                found = {id, static_cast<std::uint32_t>(row)};
        });
    }
    return found;
}

/// The call that makes a stream wait, if it is the last one before a launch: calls do not name their stream,
/// but a wait belongs to the work that is launched next.
SliceRef GapJudge::waitCallBefore(SliceRef launch) const
{
    const SliceColumns& slices = m_model.track(launch.track).slices;
    constexpr std::uint32_t farthest = 64;
    for (std::uint32_t back = 1; back <= std::min(launch.row, farthest); ++back) {
        const std::uint32_t row = launch.row - back;
        if (slices.category[row] != SliceCategory::Runtime)
            continue;
        const std::string_view name = m_model.text(slices.name[row]);
        if (name == "cudaStreamWaitEvent" || name == "hipStreamWaitEvent" || name == "cuStreamWaitEvent")
            return {launch.track, row};
        if (slices.correlation[row] != 0 && m_timeline.gpuSliceOf(slices.correlation[row]))
            return {}; // an earlier launch
    }
    return {};
}

void GapJudge::judgeNamed(GpuGap& gap, IdleCause cause, SliceRef shown, std::int64_t shownNs)
{
    gap.cause = cause;
    gap.shownNs = shownNs;
    gap.shown = shown;
    gap.name = nameOf(shown);
    if (cause != IdleCause::Synchronises)
        return;
    const SliceRef caller = m_reader.outermostOperator(shown.track, m_model.rangeOf(shown).beginNs);
    if (caller)
        gap.name = nameOf(caller);
}

/// Rules 2 to 4 of idle-causes.md. False if they say nothing.
bool GapJudge::judgeThread(GpuGap& gap, TrackId thread)
{
    const ThreadLook look = m_reader.look(thread, gap.range);
    for (std::size_t cause = 0; cause < namedCauseCount; ++cause) {
        if (!isMostOf(look.causeNs[cause], gap.range))
            continue;
        judgeNamed(gap, static_cast<IdleCause>(cause), look.causeSlice[cause], look.causeNs[cause]);
        return true;
    }
    if (!isMostOf(look.recordedNs, gap.range) || isMostOf(look.waitedNs, gap.range)) {
        const bool isEmptied = look.synchronising && !isMostOf(look.waitedNs, gap.range)
            && explains(look.synchronising, gap.range);
        if (isEmptied)
            judgeNamed(gap, IdleCause::Synchronises, look.synchronising, gap.range.lengthNs());
        return isEmptied;
    }
    // No kind of activity has half of the gap, and all together have: the largest.
    const auto most = static_cast<std::size_t>(std::max_element(look.causeNs.begin(), look.causeNs.end())
                                               - look.causeNs.begin());
    const std::int64_t workedNs = std::max<std::int64_t>(look.recordedNs - look.namedNs - look.waitedNs, 0);
    if (look.waitedNs > std::max(workedNs, look.causeNs[most])) {
        judgeNamed(gap, IdleCause::Waits, look.waitedSlice, look.waitedNs);
        return true;
    }
    if (look.causeNs[most] >= workedNs && look.causeNs[most] > 0) {
        judgeNamed(gap, static_cast<IdleCause>(most), look.causeSlice[most], look.causeNs[most]);
        return true;
    }
    gap.cause = IdleCause::CpuBound;
    gap.shownNs = workedNs;
    gap.name = look.busiest;
    gap.shown = look.busiestSlice;
    return true;
}

/// A call that waited for the GPU and ended early still emptied the queue. That costs the time to the next
/// launch and to its event, but not what else the thread does.
bool GapJudge::explains(SliceRef synchronising, TimeRange gap) const
{
    const std::int64_t inCallNs = m_model.rangeOf(synchronising).endNs - gap.beginNs;
    // Where launches are rare, the time between them is not what it takes to launch.
    constexpr std::int64_t longestPauseNs = 10 * longestLaunchOverheadNs;
    return isMostOf(inCallNs + std::min(m_twiceIntervalNs / 2, longestPauseNs) + m_latencyNs, gap);
}

/// The wait for something other than the GPU that the launching thread was in for most of the gap.
bool GapJudge::judgeWait(GpuGap& gap, TrackId thread)
{
    const ThreadLook look = m_reader.look(thread, gap.range);
    if (isMostOf(look.waitedNs, gap.range))
        judgeNamed(gap, IdleCause::Waits, look.waitedSlice, look.waitedNs);
    return isMostOf(look.waitedNs, gap.range);
}

/// A launch that takes most of the gap waits for the driver, which another thread may hold while it
/// allocates.
void GapJudge::judgeBlockedLaunch(GpuGap& gap, SliceRef launch)
{
    if (gap.cause != IdleCause::CpuBound || !launch || gap.shown != launch)
        return;
    for (const TrackId other : m_reader.threads()) {
        if (m_reader.isSameThread(other, launch.track))
            continue;
        const ThreadLook look = m_reader.look(other, gap.range);
        const auto allocates = static_cast<std::size_t>(IdleCause::Allocates);
        if (isMostOf(look.causeNs[allocates], gap.range))
            return judgeNamed(gap, IdleCause::Allocates, look.causeSlice[allocates], look.causeNs[allocates]);
    }
}

/// If the launching thread waited for another one, that one is judged: it was active until the launching
/// thread went on.
bool GapJudge::judgeOtherThread(GpuGap& gap, SliceRef launch)
{
    constexpr std::int64_t handOverNs = 100'000;
    const SliceColumns& slices = m_model.track(launch.track).slices;
    std::uint32_t row = launch.row;
    while (row > 0 && slices.depth[row] > 0)
        --row;
    const std::int64_t resumedNs = std::max(slices.startNs[row], gap.range.beginNs);
    for (const TrackId other : m_launching) {
        if (m_reader.isSameThread(other, launch.track))
            continue;
        const TimeRange handOver{resumedNs - handOverNs, resumedNs};
        if (m_reader.look(other, handOver).recordedNs == 0
            || m_reader.isInCall(other, handOver.beginNs, resumedNs + handOverNs))
            continue;
        const TrackId own = std::exchange(gap.thread, other);
        if (judgeThread(gap, other))
            return true;
        gap.thread = own;
    }
    return false;
}

} // namespace collscope
