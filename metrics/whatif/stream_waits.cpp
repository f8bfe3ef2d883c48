// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Order on the streams of a GPU, launches, and waits of streams for each other. The trace contains the calls
// that make a stream wait, but not for what: PyTorch's habits tell.

#include "metrics/whatif/rank_graph_builder.h"

#include <algorithm>
#include <map>

namespace collscope {

namespace {

constexpr std::int64_t longestLaunchNs = 50'000;
constexpr std::int64_t longestGapNs = 10'000;
constexpr std::int64_t launchedWellBeforeNs = 30'000;
constexpr std::int64_t soonNs = 5'000;
constexpr std::int64_t longestHandoverNs = 20'000;
constexpr std::uint32_t mostWaitsLookedAt = 64;

bool copiesToDevice(const TraceModel& model, const GpuActivity& activity)
{
    return activity.kind == KernelClass::Copy
        && model.nameOf(activity.slice).find("HtoD") != std::string_view::npos;
}

void measureConstants(RankGraphBuilder& builder)
{
    const RankWork& work = builder.work();
    std::vector<std::int64_t> launches, gaps;
    for (const GpuStream& stream : work.streams) {
        for (std::uint32_t i = stream.first; i < stream.first + stream.count; ++i) {
            const GpuActivity& activity = work.activities[i];
            if (activity.launch == noIndex)
                continue;
            const std::int64_t launchedNs = work.launchNs(activity);
            const std::int64_t startNs = activity.range.beginNs;
            const bool isIdle = i == stream.first || work.activities[i - 1].range.endNs <= launchedNs;
            if (isIdle && startNs >= launchedNs)
                launches.push_back(startNs - launchedNs);
            if (i == stream.first || launchedNs >= startNs - launchedWellBeforeNs)
                continue;
            // Longer ones are waits for something else.
            const std::int64_t gapNs
                = std::max<std::int64_t>(startNs - work.activities[i - 1].range.endNs, 0);
            if (gapNs <= longestGapNs)
                gaps.push_back(gapNs);
        }
    }
    builder.setLaunchNs(std::min(percentileNs(std::move(launches), 0.1), longestLaunchNs));
    builder.setGapNs(percentileNs(std::move(gaps), 0.5));
}

/// Finds which collectives the launches of a thread wait for, in the order of the calls.
class WaitsForCollectives
{
public:
    explicit WaitsForCollectives(RankGraphBuilder& builder)
        : m_builder(builder)
        , m_work(builder.work())
    { }

    void run();

private:
    struct Event
    {
        std::int64_t ns;
        std::uint32_t thread;
        std::uint32_t launch; ///< noIndex: a call that makes a stream wait
        std::uint32_t correlation; ///< of such a call
    };
    std::vector<Event> events() const;
    bool isStated(const Event& event);
    void launch(std::uint32_t launch, std::size_t& waits);
    void waitFor(std::uint32_t activity, std::size_t count);

    RankGraphBuilder& m_builder;
    const RankWork& m_work;
    std::size_t m_next = 0; ///< into RankWork::inLaunchOrder
    std::map<std::int32_t, std::uint32_t>
        m_lastOther; ///< by device: last launched on a stream that does not communicate
    std::map<std::int32_t, std::vector<std::uint32_t>> m_stated; ///< what the next work of a stream waits for
    std::vector<std::uint32_t> m_open; ///< collectives that nothing has waited for, in launch order
};

std::vector<WaitsForCollectives::Event> WaitsForCollectives::events() const
{
    std::vector<Event> events;
    for (std::uint32_t thread = 0; thread < m_work.threads.size(); ++thread) {
        for (const CpuPoint& point : m_work.threads[thread].points) {
            if (point.kind == CpuPoint::Kind::Launch)
                events.push_back({point.ns, thread, point.index, 0});
            else if (point.kind == CpuPoint::Kind::StreamWait)
                events.push_back({point.ns, thread, noIndex, point.index});
        }
    }
    std::stable_sort(events.begin(), events.end(),
                     [](const Event& a, const Event& b) { return a.ns < b.ns; });
    return events;
}

void WaitsForCollectives::run()
{
    std::vector<std::size_t> waits(m_work.threads.size());
    for (const Event& event : events()) {
        if (event.launch != noIndex)
            launch(event.launch, waits[event.thread]);
        else if (!isStated(event))
            ++waits[event.thread];
    }
}

/// Whether the profiler tells what a call makes which stream wait for; the next work of that stream does.
bool WaitsForCollectives::isStated(const Event& event)
{
    const SyncDetail* const sync = m_work.syncOf(event.correlation);
    if (!sync || sync->stream < 0 || sync->waitedStream < 0)
        return false;
    const std::uint32_t awaited = m_work.awaitedBy(m_builder.model(), *sync, event.ns);
    if (awaited != noIndex)
        m_stated[sync->stream].push_back(awaited);
    return true;
}

void WaitsForCollectives::launch(std::uint32_t launch, std::size_t& waits)
{
    while (m_next < m_work.inLaunchOrder.size()
           && m_builder.activity(m_work.inLaunchOrder[m_next]).launch < launch)
        ++m_next;
    for (bool isFirst = true; m_next < m_work.inLaunchOrder.size(); ++m_next, isFirst = false) {
        const std::uint32_t index = m_work.inLaunchOrder[m_next];
        const GpuActivity& activity = m_builder.activity(index);
        if (activity.launch != launch)
            break;
        auto& stated = m_stated[m_work.streams[activity.stream].number];
        for (const std::uint32_t awaited : stated)
            m_builder.connect(m_builder.endOf(awaited), m_builder.arrivalOf(index),
                              m_builder.constants().gapNs + soonNs, EdgeKind::StreamWait);
        stated.clear();
        if (activity.communicates()) {
            // c10d makes the stream of a collective wait for what its thread has launched so far.
            const auto last = m_lastOther.find(m_work.streams[activity.stream].device);
            if (last != m_lastOther.end() && m_builder.activity(last->second).stream != activity.stream
                && !copiesToDevice(m_builder.model(), m_builder.activity(last->second)))
                m_builder.connect(m_builder.endOf(last->second), m_builder.arrivalOf(index),
                                  m_builder.constants().gapNs, EdgeKind::StreamWait);
            m_open.push_back(index);
        } else if (isFirst && waits > 0) {
            waitFor(index, waits);
        }
        if (!m_work.streams[activity.stream].communicates)
            m_lastOther[m_work.streams[activity.stream].device] = index;
    }
    waits = 0;
}

/// Each call makes the stream wait for one collective: first those that ended just before it went on, then
/// those launched last.
void WaitsForCollectives::waitFor(std::uint32_t activity, std::size_t count)
{
    const GpuActivity& own = m_builder.activity(activity);
    const auto endNs = [&](std::uint32_t open) { return m_builder.activity(open).range.endNs; };
    std::vector<std::uint32_t> chosen;
    for (const bool justEnded : {true, false}) {
        for (std::size_t i = m_open.size(); i > 0 && chosen.size() < count; --i) {
            const std::uint32_t open = m_open[i - 1];
            const std::int64_t beforeNs = own.range.beginNs - endNs(open);
            if (m_builder.activity(open).stream == own.stream || beforeNs < -toleranceNs
                || (beforeNs <= soonNs) != justEnded)
                continue;
            chosen.push_back(open);
        }
    }
    for (const std::uint32_t open : chosen) {
        m_builder.connect(m_builder.endOf(open), m_builder.arrivalOf(activity),
                          m_builder.constants().gapNs + soonNs, EdgeKind::StreamWait);
        std::erase(m_open, open);
    }
}

/// Work that starts later than what is known allows, just when work of another stream has ended, waited for
/// that.
void addHandovers(RankGraphBuilder& builder)
{
    const RankWork& work = builder.work();
    for (const std::uint32_t index : work.inLaunchOrder) {
        const GpuActivity& own = builder.activity(index);
        const std::optional<std::int64_t> allowedNs = builder.allowedNs(builder.arrivalOf(index));
        if (!allowedNs || own.range.beginNs - *allowedNs <= soonNs)
            continue;
        auto other = std::partition_point(work.byEnd.begin(), work.byEnd.end(), [&](std::uint32_t ended) {
            return builder.activity(ended).range.endNs <= own.range.beginNs + toleranceNs;
        });
        for (std::uint32_t looks = 0; looks < mostWaitsLookedAt && other != work.byEnd.begin(); ++looks) {
            --other;
            const GpuActivity& ended = builder.activity(*other);
            if (ended.range.endNs < own.range.beginNs - longestHandoverNs)
                break;
            if (ended.stream == own.stream || ended.launch == noIndex || ended.launch >= own.launch
                || work.streams[ended.stream].device != work.streams[own.stream].device)
                continue;
            builder.connect(builder.endOf(*other), builder.arrivalOf(index), longestHandoverNs,
                            EdgeKind::Handover);
            break;
        }
    }
}

/// `to` starts when so much of `from` is done.
ReplayEdge afterPartOf(std::uint32_t from, std::uint32_t to, std::int64_t doneNs, std::int64_t durationNs)
{
    const double share = std::max(static_cast<double>(doneNs) / static_cast<double>(durationNs), 0.0);
    const auto part = static_cast<std::uint16_t>(share * ReplayEdge::wholePart);
    return {.from = from, .to = to, .lagNs = doneNs - partNs(durationNs, part), .part = part};
}

} // namespace

void addStreams(RankGraphBuilder& builder, const std::vector<std::uint32_t>& launchNodes)
{
    measureConstants(builder);
    const RankWork& work = builder.work();
    std::vector<bool> begun(work.launches.size());
    for (const std::uint32_t index : work.inLaunchOrder) {
        const std::uint32_t launch = builder.activity(index).launch;
        if (begun[launch] || launchNodes[launch] == noIndex)
            continue; // the work of a graph follows its first kernel
        begun[launch] = true;
        builder.connect(launchNodes[launch], builder.arrivalOf(index), builder.constants().launchNs,
                        EdgeKind::Launch);
    }
    for (const GpuStream& stream : work.streams) {
        for (std::uint32_t i = stream.first + 1; i < stream.first + stream.count; ++i) {
            const std::uint32_t from = builder.endOf(i - 1);
            const std::uint32_t to = builder.arrivalOf(i);
            const RunNode& earlier = builder.node(from);
            const std::int64_t doneNs = builder.node(to).startNs - earlier.startNs;
            // The next one may begin before this one ends, where the program allows it: after a part of it.
            if (doneNs >= earlier.durationNs)
                builder.add({.from = from, .to = to, .lagNs = builder.constants().gapNs});
            else if (earlier.durationNs > 0)
                builder.add(afterPartOf(from, to, doneNs, earlier.durationNs));
            else
                builder.add({.from = from, .to = to, .lagNs = doneNs});
        }
    }
}

void addStreamWaits(RankGraphBuilder& builder)
{
    WaitsForCollectives(builder).run();
    addHandovers(builder);
}

} // namespace collscope
