// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/whatif/rank_work.h"

#include "metrics/core/main_thread.h"
#include "metrics/idle/idle_cause.h"
#include "model/name_table.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

namespace collscope {

namespace {

/// Shorter calls of CallEffect::MayWait do not wait.
constexpr std::int64_t shortestWaitNs = 50'000;
/// A thread that resumes later than this after another one has paused does not do so because of it.
constexpr std::int64_t longestHandOffNs = 400'000;
constexpr std::int64_t shortestPauseNs = 1'000;
/// A launch that takes this long, with this much launched work ahead of it, waits for a place in the queue.
constexpr std::int64_t shortestBlockedLaunchNs = 100'000;
constexpr std::int64_t fewestQueued = 500;

class RankReader
{
public:
    RankReader(const TraceModel& model, const RunCollectives& run, RankWork& work)
        : m_model(model)
        , m_run(run)
        , m_work(work)
        , m_names(model)
    { }

    void readGpu();
    void readThreads(const std::function<bool()>& cancelled);
    void findHandOffs();

private:
    void readStream(const Track& track, TrackId id, std::uint32_t stream);
    void orderActivities();
    void readLaunches();
    void readThread(TrackId id, CpuThread& thread);
    void addCall(SliceRef slice, CpuThread& thread);
    void addWait(const WaitingCall& call, CpuThread& thread);
    bool isBlocked(const LaunchCall& launch) const;
    std::int64_t launchedAtEnd(std::uint32_t launch) const;
    void addMarks();
    void placeUnmarkedSteps(const CpuThread& thread);
    void orderPoints(std::vector<CpuPoint>& points) const;
    /// What a name means.
    struct NameUse
    {
        bool isKnown = false;
        bool loads = false; ///< input data
        CallEffect effect = CallEffect::None; ///< of a call
    };
    NameUse useOf(StringId name);
    std::uint32_t launchOf(SliceRef call) const;

    const TraceModel& m_model;
    const RunCollectives& m_run;
    RankWork& m_work;
    CauseNames m_names;
    std::map<std::pair<StringId, StringId>, std::size_t> m_threads; ///< pid, tid
    NameTable<NameUse> m_uses;
    std::vector<std::pair<SliceRef, std::uint32_t>> m_launches; ///< index of each, by slice
    /// The first work of a launch.
    struct FirstWork
    {
        std::int64_t startNs = std::numeric_limits<std::int64_t>::max();
        std::int64_t idleSinceNs = 0; ///< end of the work before it on its stream
    };
    std::vector<FirstWork> m_firstWork; ///< by launch
    std::vector<std::int64_t> m_starts; ///< of all launched activities, sorted
};

void RankReader::readGpu()
{
    std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t> streams;
    for (const TrackId id : m_work.timeline->tracks) {
        const Track& track = m_model.track(id);
        if (track.kind != TrackKind::GpuStream)
            continue;
        const auto [found, isNew]
            = streams.try_emplace({track.device, track.stream}, static_cast<std::uint32_t>(streams.size()));
        if (isNew)
            m_work.streams.push_back(
                {.device = track.device, .number = track.stream, .communicates = track.communication});
        readStream(track, id, found->second);
    }
    orderActivities();
    readLaunches();
}

void RankReader::readStream(const Track& track, TrackId id, std::uint32_t stream)
{
    const SliceColumns& slices = track.slices;
    for (std::uint32_t row = 0; row < slices.size(); ++row) {
        if (!isGpuWork(slices.category[row]))
            continue;
        GpuActivity activity{.slice = {id, row}, .range = m_work.onAxis(slices.range(row)), .stream = stream};
        activity.kind = slices.kernelClass[row];
        if (activity.communicates()) {
            const std::optional<std::uint32_t> instance = m_run.instanceOf(activity.slice);
            if (instance && m_run.matching.instances[*instance].memberCount > 1)
                activity.collective = *instance;
        }
        m_work.activities.push_back(activity);
    }
}

void RankReader::orderActivities()
{
    std::vector<GpuActivity>& all = m_work.activities;
    std::sort(all.begin(), all.end(), [](const GpuActivity& a, const GpuActivity& b) {
        return std::tie(a.stream, a.range.beginNs, a.range.endNs, a.slice)
            < std::tie(b.stream, b.range.beginNs, b.range.endNs, b.slice);
    });
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        GpuStream& stream = m_work.streams[all[i].stream];
        if (stream.count++ == 0)
            stream.first = i;
    }
    m_work.byEnd.resize(all.size());
    for (std::uint32_t i = 0; i < all.size(); ++i)
        m_work.byEnd[i] = i;
    std::sort(m_work.byEnd.begin(), m_work.byEnd.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::tie(all[a].range.endNs, a) < std::tie(all[b].range.endNs, b);
    });
}

void RankReader::readLaunches()
{
    std::vector<SliceRef> calls;
    calls.reserve(m_work.activities.size());
    for (const GpuActivity& activity : m_work.activities) {
        const std::uint32_t correlation
            = m_model.track(activity.slice.track).slices.correlation[activity.slice.row];
        calls.push_back(correlation != 0 ? m_work.timeline->launchOf(correlation) : SliceRef());
    }
    std::vector<SliceRef> launches = calls;
    std::sort(launches.begin(), launches.end());
    launches.erase(std::unique(launches.begin(), launches.end()), launches.end());
    std::erase(launches, SliceRef());
    m_work.launches.reserve(launches.size());
    for (const SliceRef call : launches)
        m_work.launches.push_back({.slice = call, .range = m_work.onAxis(m_model.rangeOf(call))});
    std::sort(m_work.launches.begin(), m_work.launches.end(), [](const LaunchCall& a, const LaunchCall& b) {
        return std::tie(a.range.beginNs, a.slice) < std::tie(b.range.beginNs, b.slice);
    });
    for (std::uint32_t i = 0; i < m_work.launches.size(); ++i) {
        LaunchCall& launch = m_work.launches[i];
        launch.ofGraph = m_model.nameOf(launch.slice).find("GraphLaunch") != std::string_view::npos;
        m_launches.emplace_back(launch.slice, i);
    }
    std::sort(m_launches.begin(), m_launches.end());
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (!calls[i])
            continue;
        m_work.activities[i].launch = launchOf(calls[i]);
        m_work.inLaunchOrder.push_back(static_cast<std::uint32_t>(i));
        m_starts.push_back(m_work.activities[i].range.beginNs);
    }
    std::sort(m_starts.begin(), m_starts.end());
    m_firstWork.resize(m_work.launches.size());
    for (const std::uint32_t index : m_work.inLaunchOrder) {
        const GpuActivity& activity = m_work.activities[index];
        FirstWork& first = m_firstWork[activity.launch];
        if (activity.range.beginNs >= first.startNs)
            continue;
        const bool isFirst = index == m_work.streams[activity.stream].first;
        first
            = {activity.range.beginNs,
               isFirst ? std::numeric_limits<std::int64_t>::min() : m_work.activities[index - 1].range.endNs};
    }
    std::sort(m_work.inLaunchOrder.begin(), m_work.inLaunchOrder.end(),
              [&](std::uint32_t a, std::uint32_t b) {
                  const GpuActivity& first = m_work.activities[a];
                  const GpuActivity& second = m_work.activities[b];
                  return std::tie(first.launch, first.range.beginNs, a)
                      < std::tie(second.launch, second.range.beginNs, b);
              });
}

RankReader::NameUse RankReader::useOf(StringId name)
{
    NameUse& use = m_uses[name];
    if (use.isKnown)
        return use;
    const std::string_view text = m_model.text(name);
    use = {.isKnown = true,
           .loads = text.find("DataLoader") != std::string_view::npos,
           .effect = callEffectOf(text)};
    // Calls of other runtimes that wait for the GPU: Level Zero, Unified Runtime.
    const bool waits = m_names.of(SliceCategory::Runtime, name) == meaningOf(IdleCause::Synchronises);
    if (use.effect == CallEffect::None && waits)
        use.effect = CallEffect::WaitsForWork;
    return use;
}

/// Index into RankWork::launches; noIndex if the call launches nothing.
std::uint32_t RankReader::launchOf(SliceRef call) const
{
    const auto found = std::lower_bound(m_launches.begin(), m_launches.end(), std::pair(call, 0U));
    return found != m_launches.end() && found->first == call ? found->second : noIndex;
}

void RankReader::readThreads(const std::function<bool()>& cancelled)
{
    for (const TrackId id : m_work.timeline->tracks) {
        const Track& track = m_model.track(id);
        if (track.kind != TrackKind::CpuThread || cancelled())
            continue;
        const auto [found, isNew] = m_threads.try_emplace({track.pid, track.tid}, m_work.threads.size());
        if (isNew)
            m_work.threads.emplace_back();
        readThread(id, m_work.threads[found->second]);
    }
    for (CpuThread& thread : m_work.threads) {
        std::sort(thread.busy.begin(), thread.busy.end(),
                  [](TimeRange a, TimeRange b) { return a.beginNs < b.beginNs; });
        std::size_t kept = 0;
        for (const TimeRange range : thread.busy) {
            if (kept > 0 && range.beginNs <= thread.busy[kept - 1].endNs + shortestPauseNs)
                thread.busy[kept - 1].endNs = std::max(thread.busy[kept - 1].endNs, range.endNs);
            else
                thread.busy[kept++] = range;
        }
        thread.busy.resize(kept);
    }
    addMarks();
}

void RankReader::readThread(TrackId id, CpuThread& thread)
{
    const SliceColumns& slices = m_model.track(id).slices;
    std::int64_t loadedUntilNs = std::numeric_limits<std::int64_t>::min();
    for (std::uint32_t row = 0; row < slices.size(); ++row) {
        const TimeRange range = m_work.onAxis(slices.range(row));
        const SliceCategory category = slices.category[row];
        if (range.beginNs >= loadedUntilNs && useOf(slices.name[row]).loads) {
            loadedUntilNs = range.endNs;
            thread.points.push_back({range.beginNs, CpuPoint::Kind::BeginsLoading});
            thread.points.push_back({range.endNs, CpuPoint::Kind::EndsLoading});
            thread.busy.push_back(range);
        }
        const bool isCall = category == SliceCategory::Runtime;
        if (isCall && useOf(slices.name[row]).effect == CallEffect::Polls)
            continue;
        if (isCall || category == SliceCategory::CpuOp)
            thread.busy.push_back(range);
        if (isCall)
            addCall({id, row}, thread);
        thread.calls += category == SliceCategory::CpuOp ? 1 : 0;
    }
}

void RankReader::addCall(SliceRef slice, CpuThread& thread)
{
    const TimeRange range = m_work.onAxis(m_model.rangeOf(slice));
    const CallEffect effect = useOf(m_model.track(slice.track).slices.name[slice.row]).effect;
    WaitingCall call{.slice = slice, .range = range, .effect = effect};
    if (const std::uint32_t launch = launchOf(slice); launch != noIndex) {
        thread.points.push_back({range.beginNs, CpuPoint::Kind::Launch, launch});
        ++thread.calls;
        call.launch = launch;
        if (isBlocked(m_work.launches[launch]))
            return addWait(call, thread);
        if (const std::int64_t ns = launchedAtEnd(launch))
            thread.points.push_back({ns, CpuPoint::Kind::LaunchEnds, launch});
    }
    if (effect == CallEffect::MakesStreamWait)
        thread.points.push_back({range.beginNs, CpuPoint::Kind::StreamWait,
                                 m_model.track(slice.track).slices.correlation[slice.row]});
    const bool waits = effect == CallEffect::WaitsForDevice || effect == CallEffect::WaitsForWork
        || (effect == CallEffect::MayWait && (range.lengthNs() >= shortestWaitNs || call.launch != noIndex));
    if (waits)
        addWait(call, thread);
}

void RankReader::addWait(const WaitingCall& call, CpuThread& thread)
{
    const auto index = static_cast<std::uint32_t>(m_work.waits.size());
    m_work.waits.push_back(call);
    if (call.launch == noIndex)
        thread.points.push_back({call.range.beginNs, CpuPoint::Kind::Waits, index});
    thread.points.push_back({call.range.endNs, CpuPoint::Kind::Returns, index});
}

/// The first launch of a kernel loads it; then the call launches it. When that was, in ns; 0: a call without
/// that.
std::int64_t RankReader::launchedAtEnd(std::uint32_t launch) const
{
    constexpr std::int64_t usualLaunchNs = 10'000;
    const TimeRange call = m_work.launches[launch].range;
    const FirstWork& first = m_firstWork[launch];
    const bool isLate = first.startNs - shortestWaitNs >= std::max(call.beginNs, first.idleSinceNs);
    return call.lengthNs() >= shortestWaitNs && isLate ? std::min(call.endNs, first.startNs - usualLaunchNs)
                                                       : 0;
}

bool RankReader::isBlocked(const LaunchCall& launch) const
{
    if (launch.range.lengthNs() < shortestBlockedLaunchNs)
        return false;
    const auto launched = &launch - m_work.launches.data();
    const auto started
        = std::lower_bound(m_starts.begin(), m_starts.end(), launch.range.beginNs) - m_starts.begin();
    return launched - started >= fewestQueued;
}

/// The steps' begins and ends, on the thread that runs them.
void RankReader::addMarks()
{
    if (m_work.steps.empty() || m_work.threads.empty())
        return;
    std::size_t thread = 0;
    if (const Track* const marked = stepThread(m_model, *m_work.timeline)) {
        thread = m_threads[{marked->pid, marked->tid}];
    } else {
        const auto launches = [](const CpuThread& own) {
            return std::count_if(own.points.begin(), own.points.end(),
                                 [](const CpuPoint& point) { return point.kind == CpuPoint::Kind::Launch; });
        };
        for (std::size_t i = 1; i < m_work.threads.size(); ++i) {
            if (launches(m_work.threads[i]) > launches(m_work.threads[thread]))
                thread = i;
        }
    }
    placeUnmarkedSteps(m_work.threads[thread]);
    std::vector<CpuPoint>& points = m_work.threads[thread].points;
    for (std::uint32_t i = 0; i < m_work.steps.size(); ++i) {
        // By rounding, a step may begin just before the one before it ends.
        const std::int64_t endedNs = i > 0 ? m_work.steps[i - 1].range.endNs : m_work.steps[i].range.beginNs;
        const bool isContiguous = std::abs(m_work.steps[i].range.beginNs - endedNs) <= shortestPauseNs;
        points.push_back(
            {isContiguous ? endedNs : m_work.steps[i].range.beginNs, CpuPoint::Kind::Mark, 2 * i});
        points.push_back({m_work.steps[i].range.endNs, CpuPoint::Kind::Mark, 2 * i + 1});
    }
}

/// Nothing happens on the thread where a trace ends, where the GPU is done with a pass, or where the sequence
/// of kernels begins again: a step begins where the thread launches its first kernel, and ends with what the
/// thread did last.
void RankReader::placeUnmarkedSteps(const CpuThread& thread)
{
    const StepSource source = m_work.timeline->stepSource;
    const bool isDetected = source == StepSource::Detected;
    const bool isWhole = source == StepSource::WholeTrace;
    const bool isPass = source == StepSource::ExecuteContext || source == StepSource::ServerStep;
    if ((!isDetected && !isWhole && !isPass) || thread.busy.empty())
        return;
    const TimeRange busy{thread.busy.front().beginNs, thread.busy.back().endNs};
    auto next = m_work.inLaunchOrder.begin();
    const auto launchedAt = [&](std::int64_t ns) { // of a moment after those before
        next = std::find_if(next, m_work.inLaunchOrder.end(), [&](std::uint32_t index) {
            return m_work.activities[index].range.beginNs >= ns;
        });
        return next == m_work.inLaunchOrder.end()
            ? busy.endNs
            : std::max(m_work.launchNs(m_work.activities[*next]), busy.beginNs);
    };
    const auto doneBefore = [&](std::int64_t ns) {
        const auto after = std::partition_point(thread.busy.begin(), thread.busy.end(),
                                                [&](TimeRange own) { return own.beginNs < ns; });
        return after == thread.busy.begin() ? ns : std::min((after - 1)->endNs, ns);
    };
    for (std::size_t i = 0; i < m_work.steps.size(); ++i) {
        TimeRange& step = m_work.steps[i].range;
        if (isDetected) {
            step.beginNs = launchedAt(step.beginNs);
            step.endNs = launchedAt(step.endNs);
        } else if (isWhole) {
            step = busy;
        } else {
            const std::int64_t nextNs
                = i + 1 < m_work.steps.size() ? m_work.steps[i + 1].range.beginNs : step.endNs;
            step.endNs = std::max(doneBefore(std::min(step.endNs, nextNs)), step.beginNs);
        }
    }
}

/// What lies in a call that waits comes after it: a step may end, by rounding, just before the call returns.
void RankReader::orderPoints(std::vector<CpuPoint>& points) const
{
    const auto isEarlier = [](const CpuPoint& a, const CpuPoint& b) {
        return std::tie(a.ns, a.kind) < std::tie(b.ns, b.kind);
    };
    std::stable_sort(points.begin(), points.end(), isEarlier);
    std::int64_t returnsNs = std::numeric_limits<std::int64_t>::min();
    for (CpuPoint& point : points) {
        if (point.kind == CpuPoint::Kind::Waits)
            returnsNs = std::max(returnsNs, m_work.waits[point.index].range.endNs);
        else if (point.kind != CpuPoint::Kind::Returns)
            point.ns = std::max(point.ns, returnsNs);
    }
    std::stable_sort(points.begin(), points.end(), isEarlier);
}

/// A thread that resumes just after another one has paused goes on with what that one began: forward,
/// autograd, optimizer.
void RankReader::findHandOffs()
{
    struct Begin
    {
        std::int64_t ns;
        std::size_t thread, interval;
    };
    constexpr std::size_t fewestCalls = 3;
    std::vector<Begin> begins;
    for (std::size_t thread = 0; thread < m_work.threads.size(); ++thread) {
        for (std::size_t i = 0;
             m_work.threads[thread].calls >= fewestCalls && i < m_work.threads[thread].busy.size(); ++i)
            begins.push_back({m_work.threads[thread].busy[i].beginNs, thread, i});
    }
    std::sort(begins.begin(), begins.end(), [](const Begin& a, const Begin& b) { return a.ns < b.ns; });
    std::vector<std::size_t> begun(m_work.threads.size()); // intervals, by thread
    std::vector<std::vector<std::int64_t>> pauses(m_work.threads.size());
    for (const Begin& begin : begins) {
        const std::vector<TimeRange>& own = m_work.threads[begin.thread].busy;
        const std::int64_t pausedNs
            = begin.interval > 0 ? own[begin.interval - 1].endNs : std::numeric_limits<std::int64_t>::min();
        std::size_t from = m_work.threads.size();
        std::int64_t latestNs = std::max(pausedNs, begin.ns - longestHandOffNs - 1);
        for (std::size_t other = 0; other < m_work.threads.size(); ++other) {
            if (other == begin.thread || begun[other] == 0)
                continue;
            const std::int64_t endNs = m_work.threads[other].busy[begun[other] - 1].endNs;
            if (endNs <= begin.ns && endNs > latestNs) {
                latestNs = endNs;
                from = other;
            }
        }
        begun[begin.thread] = begin.interval + 1;
        if (from == m_work.threads.size())
            continue;
        if (begin.interval > 0)
            pauses[begin.thread].push_back(pausedNs);
        pauses[from].push_back(latestNs);
        m_work.threads[begin.thread].points.push_back(
            {begin.ns, CpuPoint::Kind::Resumes, static_cast<std::uint32_t>(from)});
    }
    for (std::size_t thread = 0; thread < m_work.threads.size(); ++thread) {
        std::sort(pauses[thread].begin(), pauses[thread].end());
        pauses[thread].erase(std::unique(pauses[thread].begin(), pauses[thread].end()), pauses[thread].end());
        for (const std::int64_t ns : pauses[thread])
            m_work.threads[thread].points.push_back({ns, CpuPoint::Kind::Pauses});
        orderPoints(m_work.threads[thread].points);
    }
}

} // namespace

RankWork readRankWork(const TraceModel& model, const RunCollectives& run, const ClockMap& clocks,
                      const Timeline& timeline, std::vector<Step> steps,
                      const std::function<bool()>& cancelled)
{
    RankWork work;
    work.timeline = &timeline;
    work.clocks = &clocks;
    work.timelineIndex = model.indexOf(timeline);
    for (Step& step : steps)
        step.range = work.onAxis(step.range);
    work.steps = std::move(steps);
    RankReader reader(model, run, work);
    reader.readGpu();
    reader.readThreads(cancelled);
    reader.findHandOffs();
    return work;
}

} // namespace collscope
