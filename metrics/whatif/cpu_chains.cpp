// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Threads: what lies between two points of a thread is its own work, unless it waited there for the GPU or
// for another thread.

#include "metrics/whatif/rank_graph_builder.h"

#include <algorithm>
#include <map>

namespace collscope {

namespace {

/// A copy, allocation or release that ends this soon after work of the GPU waited for it.
constexpr std::int64_t longestReturnNs = 30'000;
constexpr std::int64_t longestUsualReturnNs = 100'000;
/// A call that copies for longer waits for its copy, also if it returns some time after it.
constexpr std::int64_t shortestCopyNs = 50'000;
constexpr std::uint32_t mostLooks = 64;

class ChainBuilder
{
public:
    explicit ChainBuilder(RankGraphBuilder& builder);

    void addThread(std::uint32_t thread);
    void connectThreads();
    std::vector<std::uint32_t> takeLaunchNodes() { return std::move(m_launchNodes); }
    void setStepEnds();

private:
    /// What a waiting call waited for; empty: nothing that was still running.
    std::vector<std::uint32_t> awaitedBy(const WaitingCall& call) const;
    std::uint32_t lastEnded(const WaitingCall& call) const;
    std::uint32_t ownCopy(const WaitingCall& call) const;
    std::vector<std::uint32_t> allLaunchedBefore(std::int64_t ns) const;
    void measureReturns();
    void addPoint(std::uint32_t thread, const CpuPoint& point);
    void addReturn(const CpuPoint& point);
    void addBlockedLaunch(const WaitingCall& call, std::uint32_t node);
    std::uint32_t addWork(const CpuPoint& point, NodeKind kind);

    struct Resumed
    {
        std::uint32_t node = 0, thread = 0;
        std::int64_t ns = 0;
    };

    RankGraphBuilder& m_builder;
    const RankWork& m_work;
    std::vector<std::uint32_t> m_launchNodes; ///< by launch
    std::vector<std::vector<std::uint32_t>> m_awaited; ///< activities, by wait
    std::vector<std::uint32_t> m_byStart; ///< launched activities
    std::vector<std::map<std::int64_t, std::uint32_t>> m_pauses; ///< nodes by time, by thread
    std::vector<Resumed> m_resumed;
    std::vector<std::uint32_t> m_marks; ///< node of each begin or end of a step
    std::uint32_t m_last = noIndex; ///< last node of the thread
    std::int64_t m_lastNs = 0;
    std::int32_t m_loading = 0;
};

ChainBuilder::ChainBuilder(RankGraphBuilder& builder)
    : m_builder(builder)
    , m_work(builder.work())
    , m_launchNodes(m_work.launches.size(), noIndex)
    , m_byStart(m_work.inLaunchOrder)
    , m_pauses(m_work.threads.size())
    , m_marks(2 * m_work.steps.size(), noIndex)
{
    std::sort(m_byStart.begin(), m_byStart.end(), [&](std::uint32_t a, std::uint32_t b) {
        return m_builder.activity(a).range.beginNs < m_builder.activity(b).range.beginNs;
    });
    m_awaited.reserve(m_work.waits.size());
    for (const WaitingCall& call : m_work.waits)
        m_awaited.push_back(awaitedBy(call));
    measureReturns();
}

/// The last work of each stream that was launched before a moment.
std::vector<std::uint32_t> ChainBuilder::allLaunchedBefore(std::int64_t ns) const
{
    std::vector<std::uint32_t> last;
    for (const GpuStream& stream : m_work.streams) {
        if (const std::uint32_t found = m_work.lastOn(stream, ns); found != noIndex)
            last.push_back(found);
    }
    return last;
}

/// The work that ended last before a call returned, of what was launched before it; noIndex if there is none.
std::uint32_t ChainBuilder::lastEnded(const WaitingCall& call) const
{
    auto found = std::partition_point(m_work.byEnd.begin(), m_work.byEnd.end(), [&](std::uint32_t index) {
        return m_builder.activity(index).range.endNs <= call.range.endNs + toleranceNs;
    });
    for (std::uint32_t looks = 0; looks < mostLooks && found != m_work.byEnd.begin(); ++looks) {
        --found;
        const GpuActivity& activity = m_builder.activity(*found);
        if (activity.launch != noIndex && m_work.launchNs(activity) < call.range.beginNs)
            return *found;
    }
    return noIndex;
}

/// The copy to the host that a call launches and waits for itself.
std::uint32_t ChainBuilder::ownCopy(const WaitingCall& call) const
{
    const auto found = std::partition_point(
        m_work.inLaunchOrder.begin(), m_work.inLaunchOrder.end(),
        [&](std::uint32_t index) { return m_builder.activity(index).launch < call.launch; });
    if (found == m_work.inLaunchOrder.end() || m_builder.activity(*found).launch != call.launch)
        return noIndex;
    const GpuActivity& copy = m_builder.activity(*found);
    const std::string_view name = m_builder.model().nameOf(copy.slice);
    // From memory that can be paged, or by a call that does not return before: AMD does not name the memory.
    const bool isToHost = name.find("DtoH") != std::string_view::npos;
    const bool fits = copy.range.endNs <= call.range.endNs + toleranceNs;
    return isToHost && fits ? *found : noIndex;
}

std::vector<std::uint32_t> ChainBuilder::awaitedBy(const WaitingCall& call) const
{
    std::vector<std::uint32_t> awaited;
    const SliceColumns& slices = m_builder.model().track(call.slice.track).slices;
    const SyncDetail* const sync = call.effect == CallEffect::WaitsForWork
        ? m_work.syncOf(slices.correlation[call.slice.row])
        : nullptr;
    const std::uint32_t stated
        = sync ? m_work.awaitedBy(m_builder.model(), *sync, call.range.beginNs) : noIndex;
    if (call.effect == CallEffect::WaitsForDevice) {
        awaited = allLaunchedBefore(call.range.beginNs);
    } else if (stated != noIndex) {
        awaited = {stated};
    } else if (call.launch != noIndex) {
        awaited = {ownCopy(call)};
    } else {
        awaited = {lastEnded(call)};
    }
    std::erase_if(awaited, [&](std::uint32_t index) {
        if (index == noIndex)
            return true;
        const std::int64_t endNs = m_builder.activity(index).range.endNs;
        const bool isOwn = call.launch != noIndex && call.range.lengthNs() >= shortestCopyNs;
        const bool isTooEarly
            = call.effect == CallEffect::MayWait && !isOwn && endNs < call.range.endNs - longestReturnNs;
        return isTooEarly || endNs > call.range.endNs + toleranceNs;
    });
    return awaited;
}

void ChainBuilder::measureReturns()
{
    std::vector<std::int64_t> returns;
    for (std::size_t i = 0; i < m_awaited.size(); ++i) {
        const TimeRange call = m_work.waits[i].range;
        std::int64_t endNs = call.beginNs;
        for (const std::uint32_t index : m_awaited[i])
            endNs = std::max(endNs, m_builder.activity(index).range.endNs);
        if (endNs > call.beginNs && call.endNs - endNs < longestUsualReturnNs)
            returns.push_back(std::max<std::int64_t>(call.endNs - endNs, 0));
    }
    m_builder.setReturnNs(percentileNs(std::move(returns), 0.5));
}

void ChainBuilder::addThread(std::uint32_t thread)
{
    const std::vector<CpuPoint>& points = m_work.threads[thread].points;
    if (points.empty())
        return;
    m_last = noIndex;
    m_lastNs = points.front().ns;
    m_loading = 0;
    if (points.front().kind != CpuPoint::Kind::Resumes)
        m_last = m_builder.addNode({.kind = NodeKind::Begin, .heldBy = HeldBy::Begin, .startNs = m_lastNs});
    for (const CpuPoint& point : points)
        addPoint(thread, point);
}

/// The thread's work up to a point.
std::uint32_t ChainBuilder::addWork(const CpuPoint& point, NodeKind kind)
{
    const std::uint32_t node
        = m_builder.addNode({.kind = kind,
                             .point = point.kind,
                             .startNs = m_lastNs,
                             .durationNs = std::max<std::int64_t>(point.ns - m_lastNs, 0)});
    if (m_last != noIndex)
        m_builder.add({.from = m_last, .to = node});
    m_last = node;
    m_lastNs = std::max(m_lastNs, point.ns);
    return node;
}

void ChainBuilder::addPoint(std::uint32_t thread, const CpuPoint& point)
{
    const NodeKind kind = m_loading > 0 ? NodeKind::Loading : NodeKind::Cpu;
    switch (point.kind) {
    case CpuPoint::Kind::Returns:
        return addReturn(point);
    case CpuPoint::Kind::Resumes: {
        const std::uint32_t node = m_builder.addNode({.kind = NodeKind::Resume, .startNs = point.ns});
        if (m_last != noIndex)
            m_builder.add({.from = m_last, .to = node});
        m_resumed.push_back({node, point.index, point.ns});
        m_last = node;
        m_lastNs = point.ns;
        return;
    }
    case CpuPoint::Kind::EndsLoading:
        addWork(point, kind);
        --m_loading;
        return;
    default:
        break;
    }
    const std::uint32_t node = addWork(point, kind);
    if (point.kind == CpuPoint::Kind::BeginsLoading)
        ++m_loading;
    else if (point.kind == CpuPoint::Kind::Launch || point.kind == CpuPoint::Kind::LaunchEnds)
        m_launchNodes[point.index] = node;
    else if (point.kind == CpuPoint::Kind::Pauses)
        m_pauses[thread][point.ns] = node;
    else if (point.kind == CpuPoint::Kind::Mark)
        m_marks[point.index] = node;
}

/// A call that waited takes as long as what it waited for; one that did not, takes as long as it took.
void ChainBuilder::addReturn(const CpuPoint& point)
{
    const WaitingCall& call = m_work.waits[point.index];
    const std::int64_t ownNs = std::max<std::int64_t>(point.ns - m_lastNs, 0);
    const std::uint32_t node
        = m_builder.addNode({.kind = NodeKind::Return, .slice = call.slice, .startNs = m_lastNs + ownNs});
    bool waited = false;
    const std::int64_t returnNs = m_builder.constants().returnNs;
    for (const std::uint32_t index : m_awaited[point.index]) {
        if (m_builder.connect(m_builder.endOf(index), node, returnNs, EdgeKind::Synchronize))
            waited = waited || m_builder.activity(index).range.endNs > call.range.beginNs;
    }
    const bool isBlocked
        = m_awaited[point.index].empty() && call.launch != noIndex && call.effect == CallEffect::None;
    if (isBlocked)
        addBlockedLaunch(call, node);
    // A call that is known to wait, and for which nothing is found, waited for what the trace does not show.
    const bool isHeld
        = !waited && !isBlocked && call.effect != CallEffect::MayWait && ownNs - returnNs > shortestHeldNs;
    if (m_last != noIndex)
        m_builder.add({.from = m_last,
                       .to = node,
                       .lagNs = waited || isBlocked || isHeld ? std::min(ownNs, returnNs) : ownNs,
                       .kind = EdgeKind::Synchronize});
    if (isHeld)
        m_builder.hold(node, HeldBy::Unexplained, ownNs - returnNs);
    m_last = node;
    m_lastNs += ownNs;
}

/// The queue of launches was full: the call returns when the GPU begins with the next of them.
void ChainBuilder::addBlockedLaunch(const WaitingCall& call, std::uint32_t node)
{
    const auto found = std::partition_point(m_byStart.begin(), m_byStart.end(), [&](std::uint32_t index) {
        return m_builder.activity(index).range.beginNs <= call.range.endNs;
    });
    if (found == m_byStart.begin())
        return;
    const std::uint32_t begun = m_builder.arrivalOf(*(found - 1));
    m_builder.add({.from = begun,
                   .to = node,
                   .lagNs = m_builder.node(node).startNs - m_builder.node(begun).startNs,
                   .kind = EdgeKind::Synchronize,
                   .part = 0});
}

void ChainBuilder::connectThreads()
{
    for (const Resumed& resumed : m_resumed) {
        const auto& pauses = m_pauses[resumed.thread];
        auto pause = pauses.upper_bound(resumed.ns);
        if (pause == pauses.begin())
            continue;
        --pause;
        m_builder.connect(pause->second, resumed.node, std::numeric_limits<std::int64_t>::max(),
                          EdgeKind::Resume);
    }
}

/// A step ends when its thread has got there and the GPU is done with what was launched before: a thread that
/// runs ahead must not hide the GPU.
void ChainBuilder::setStepEnds()
{
    std::vector<StepEnd> ends(m_marks.size());
    for (std::size_t i = 0; i < m_marks.size(); ++i) {
        const TimeRange step = m_work.steps[i / 2].range;
        const std::int64_t ns = i % 2 == 0 ? step.beginNs : step.endNs;
        if (m_marks[i] != noIndex)
            ends[i].push_back(m_marks[i]);
        for (const std::uint32_t index : allLaunchedBefore(ns))
            ends[i].push_back(m_builder.endOf(index));
    }
    m_builder.setEnds(std::move(ends));
}

} // namespace

std::vector<std::uint32_t> addThreads(RankGraphBuilder& builder)
{
    ChainBuilder chains(builder);
    for (std::uint32_t thread = 0; thread < builder.work().threads.size(); ++thread) {
        builder.beginThread();
        chains.addThread(thread);
    }
    builder.beginThread();
    chains.connectThreads();
    chains.setStepEnds();
    return chains.takeLaunchNodes();
}

} // namespace collscope
