// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/operators/operator_launchers.h"

#include "metrics/core/launch_links.h"
#include "metrics/operators/operator_categories.h"
#include "model/text/lower_case.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

namespace collscope {

namespace {

/// Maximum overlap of a slice with its preceding sibling, because clocks are read at slightly different
/// times.
constexpr std::int64_t siblingOverlapNs = 1000;

/// The union of intervals that arrive in any order. Joining two unions costs the time of the smaller one, so
/// joining a tree of n intervals takes O(n log^2 n) regardless of its depth.
class BusyTime
{
public:
    void add(TimeRange range)
    {
        ++m_added;
        if (range.isEmpty())
            return;
        auto next = m_ends.upper_bound(range.beginNs);
        if (next != m_ends.begin() && std::prev(next)->second >= range.beginNs)
            --next;
        while (next != m_ends.end() && next->first <= range.endNs) {
            range = range.united({next->first, next->second});
            m_ns -= next->second - next->first;
            next = m_ends.erase(next);
        }
        m_ends.emplace_hint(next, range.beginNs, range.endNs);
        m_ns += range.lengthNs();
    }
    std::int64_t ns() const { return m_ns; }

    /// Adds the intervals of `other` to `own`; either may be null.
    static void join(std::unique_ptr<BusyTime>& own, std::unique_ptr<BusyTime> other)
    {
        if (!own || (other && other->m_added > own->m_added))
            std::swap(own, other);
        if (!other)
            return;
        for (const auto& [beginNs, endNs] : other->m_ends)
            own->add({beginNs, endNs});
        own->m_added += other->m_added - other->m_ends.size();
    }

private:
    std::map<std::int64_t, std::int64_t> m_ends; ///< by start; disjoint, not touching
    std::int64_t m_ns = 0;
    std::size_t m_added = 0;
};

/// Whether a kernel of this name belongs to NCCL or RCCL, whose time is not attributed to operators.
bool isCollectiveLibrary(std::string_view name)
{
    const std::string lower = lowered(name);
    return lower.find("nccl") != std::string::npos || lower.find("rccl") != std::string::npos;
}

} // namespace

/// The slices of a thread that are open at one time, outermost first.
class OperatorLaunchers::Stack
{
public:
    explicit Stack(std::vector<OperatorLauncher>& launchers)
        : m_launchers(launchers)
    { }
    ~Stack() { close(0); }
    Stack(const Stack&) = delete;
    Stack& operator=(const Stack&) = delete;

    /// Closes the slices that ended before `slice` and opens it; false if it does not nest.
    bool open(const HostSlice& slice, bool passesThrough)
    {
        while (!m_open.empty() && m_open.back().slice.range.endNs <= slice.range.beginNs)
            close(m_open.size() - 1);
        if (!m_open.empty() && m_open.back().slice.range.endNs < slice.range.endNs) {
            if (m_open.back().slice.range.endNs - slice.range.beginNs >= siblingOverlapNs)
                return false;
            close(m_open.size() - 1);
        }
        const std::size_t self = m_open.size();
        const std::size_t around = m_open.empty() ? nobody : m_open.back().innermostOperator;
        m_open.push_back({slice, slice.isOperator && !passesThrough ? self : around, none, nullptr});
        return true;
    }
    /// The open operator credited with launches of the innermost slice, or that slice itself.
    const HostSlice& launcher() const { return m_open[launcherIndex()].slice; }
    /// Its entry among the launchers; `none` until set.
    std::uint32_t& entry() { return m_open[launcherIndex()].launcher; }
    void addWork(TimeRange range)
    {
        if (!m_open.back().busy)
            m_open.back().busy = std::make_unique<BusyTime>();
        m_open.back().busy->add(range);
    }

private:
    static constexpr auto nobody = static_cast<std::size_t>(-1);
    struct Open
    {
        HostSlice slice;
        std::size_t innermostOperator; ///< position of the innermost operator at or around it, or `nobody`
        std::uint32_t launcher;
        std::unique_ptr<BusyTime> busy; ///< union of all work launched inside it so far
    };

    std::size_t launcherIndex() const
    {
        const std::size_t op = m_open.back().innermostOperator;
        return op != nobody ? op : m_open.size() - 1;
    }
    /// Closes all but the outermost `count` slices.
    void close(std::size_t count)
    {
        while (m_open.size() > count) {
            Open closed = std::move(m_open.back());
            m_open.pop_back();
            if (!closed.busy)
                continue;
            if (closed.launcher != none)
                m_launchers[closed.launcher].subtreeNs = closed.busy->ns();
            if (!m_open.empty())
                BusyTime::join(m_open.back().busy, std::move(closed.busy));
        }
    }

    std::vector<Open> m_open;
    std::vector<OperatorLauncher>& m_launchers;
};

OperatorLaunchers::OperatorLaunchers(const TraceModel& model, const Timeline& timeline, bool linkedOnly,
                                     const std::function<bool()>& cancelled)
    : m_model(model)
    , m_timeline(timeline)
{
    collectWork(linkedOnly, cancelled);
    // The overflow lanes of a thread are separate tracks of the same thread.
    std::map<std::pair<StringId, StringId>, std::vector<TrackId>> threads;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::CpuThread)
            continue;
        threads[{track.pid, track.tid}].push_back(id);
        const std::vector<SliceCategory>& categories = track.slices.category;
        // In a reduced run, the remaining operators are not the ones that launched the kernels.
        m_hasOperators = m_hasOperators
            || (!model.isReduced()
                && std::find(categories.begin(), categories.end(), SliceCategory::CpuOp) != categories.end());
    }
    for (const auto& [thread, lanes] : threads) {
        if (cancelled())
            break;
        readThread(lanes, cancelled);
    }
    measureLaunchers();
}

void OperatorLaunchers::collectWork(bool linkedOnly, const std::function<bool()>& cancelled)
{
    std::optional<LaunchLinks> links;
    if (linkedOnly)
        links.emplace(m_model, m_timeline);
    for (const TrackId id : m_timeline.tracks) {
        const Track& track = m_model.track(id);
        if (track.kind != TrackKind::GpuStream)
            continue;
        for (std::uint32_t row = 0; row < track.slices.size(); ++row) {
            if ((row & 0xFFFFu) == 0 && cancelled())
                return;
            const std::uint32_t correlation = track.slices.correlation[row];
            if (correlation == 0 || !isGpuWork(track.slices.category[row]))
                continue;
            const SliceRef call = links ? links->launchOf(correlation) : m_timeline.launchOf(correlation);
            if (call)
                m_work.push_back({call, {id, row}, track.slices.range(row)});
        }
    }
    std::sort(m_work.begin(), m_work.end(), [](const Work& a, const Work& b) {
        return a.call != b.call ? a.call < b.call : a.slice < b.slice;
    });
}

std::vector<OperatorLaunchers::HostSlice>
OperatorLaunchers::hostSlices(const std::vector<TrackId>& lanes) const
{
    const auto firstWorkAt = [&](SliceRef call) {
        return std::lower_bound(m_work.begin(), m_work.end(), call,
                                [](const Work& work, SliceRef wanted) { return work.call < wanted; });
    };
    std::vector<HostSlice> thread;
    if (std::none_of(lanes.begin(), lanes.end(), [&](TrackId lane) {
            const auto first = firstWorkAt({lane, 0});
            return first != m_work.end() && first->call.track == lane;
        }))
        return thread; // the thread does not launch GPU work
    for (const TrackId lane : lanes) {
        const SliceColumns& slices = m_model.track(lane).slices;
        auto work = firstWorkAt({lane, 0});
        for (std::uint32_t row = 0; row < slices.size(); ++row) {
            const SliceRef self{lane, row};
            while (work != m_work.end() && work->call < self)
                ++work;
            const bool launches = work != m_work.end() && work->call == self;
            const SliceCategory category = slices.category[row];
            if (category == SliceCategory::CpuOp && !m_hasOperators)
                continue;
            if (!launches && category != SliceCategory::CpuOp && category != SliceCategory::Runtime)
                continue;
            thread.push_back({slices.range(row), self,
                              launches ? static_cast<std::uint32_t>(work - m_work.begin()) : none,
                              category == SliceCategory::CpuOp});
        }
    }
    // Parents first; if a call lasts exactly as long as its operator, the operator is the parent.
    const auto key = [](const HostSlice& s) {
        return std::tuple(s.range.beginNs, -s.range.endNs, !s.isOperator, s.slice);
    };
    std::sort(thread.begin(), thread.end(),
              [&](const HostSlice& a, const HostSlice& b) { return key(a) < key(b); });
    return thread;
}

void OperatorLaunchers::readThread(const std::vector<TrackId>& lanes, const std::function<bool()>& cancelled)
{
    // TorchInductor's wrapper around fused code: the operator outside it is more informative.
    const StringId execute = m_model.strings.find("execute");
    Stack stack(m_launchers);
    std::size_t seen = 0;
    for (const HostSlice& slice : hostSlices(lanes)) {
        if ((++seen & 0xFFFFu) == 0 && cancelled())
            return;
        const bool passesThrough
            = execute && m_model.track(slice.slice.track).slices.name[slice.slice.row] == execute;
        const bool fits = stack.open(slice, passesThrough);
        if (slice.work == none)
            continue;
        std::uint32_t alone = none;
        std::uint32_t& launcher = fits ? stack.entry() : alone;
        if (launcher == none)
            launcher = addLauncher(fits ? stack.launcher() : slice);
        BusyTime own;
        for (std::size_t i = slice.work; i < m_work.size() && m_work[i].call == slice.slice; ++i) {
            m_work[i].launcher = launcher;
            if (fits)
                stack.addWork(m_work[i].range);
            else
                own.add(m_work[i].range);
        }
        if (!fits)
            m_launchers[launcher].subtreeNs = own.ns();
    }
}

std::uint32_t OperatorLaunchers::addLauncher(const HostSlice& slice)
{
    OperatorLauncher& launcher = m_launchers.emplace_back();
    launcher.slice = slice.slice;
    launcher.name = m_model.track(slice.slice.track).slices.name[slice.slice.row];
    launcher.isOperator = slice.isOperator;
    return static_cast<std::uint32_t>(m_launchers.size() - 1);
}

void OperatorLaunchers::measureLaunchers()
{
    std::erase_if(m_work, [](const Work& work) { return work.launcher == none; }); // only when cancelled
    std::sort(m_work.begin(), m_work.end(), [](const Work& a, const Work& b) {
        return std::tuple(a.launcher, a.range.beginNs, a.slice)
            < std::tuple(b.launcher, b.range.beginNs, b.slice);
    });
    std::vector<std::int8_t> collective(m_model.strings.size(), -1); // by StringId; -1: not determined yet
    std::int64_t reachedNs = 0; // the end of the union so far
    for (const Work& work : m_work) {
        OperatorLauncher& launcher = m_launchers[work.launcher];
        ++launcher.events;
        const StringId name = m_model.track(work.slice.track).slices.name[work.slice.row];
        std::int8_t& isCollective = collective[name.value];
        if (isCollective < 0)
            isCollective = isCollectiveLibrary(m_model.text(name)) ? 1 : 0;
        if (isCollective > 0)
            continue;
        if (!launcher.firstWork) {
            launcher.firstWork = work.slice;
            reachedNs = work.range.beginNs;
        }
        launcher.directNs
            += std::max<std::int64_t>(0, work.range.endNs - std::max(reachedNs, work.range.beginNs));
        reachedNs = std::max(reachedNs, work.range.endNs);
    }
    for (OperatorLauncher& launcher : m_launchers)
        launcher.category
            = operatorCategory(m_model.text(launcher.name),
                               launcher.firstWork ? m_model.nameOf(launcher.firstWork) : std::string_view());
    std::sort(m_work.begin(), m_work.end(), [](const Work& a, const Work& b) { return a.slice < b.slice; });
}

const OperatorLauncher* OperatorLaunchers::of(SliceRef gpuSlice) const
{
    const auto found
        = std::lower_bound(m_work.begin(), m_work.end(), gpuSlice,
                           [](const Work& work, SliceRef wanted) { return work.slice < wanted; });
    return found != m_work.end() && found->slice == gpuSlice ? &m_launchers[found->launcher] : nullptr;
}

} // namespace collscope
