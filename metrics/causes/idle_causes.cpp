// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/idle_causes.h"

#include "metrics/core/main_thread.h"
#include "model/queries/slice_query.h"
#include "model/text/lower_case.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace collscope {

namespace {

bool mentions(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

/// Whether the text contains the word as a separate word, without an adjacent letter or digit.
bool holdsWord(std::string_view text, std::string_view word)
{
    const auto isPart
        = [&](std::size_t at) { return std::isalnum(static_cast<unsigned char>(text[at])) != 0; };
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !isPart(at - 1)) && (end == text.size() || !isPart(end)))
            return true;
    }
    return false;
}

bool startsWithAny(std::string_view text, std::initializer_list<std::string_view> beginnings)
{
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view beginning) { return text.starts_with(beginning); });
}

bool isAllocation(std::string_view lower)
{
    return startsWithAny(lower,
                         {"cudamalloc", "cudafree", "cudahostalloc", "cudahostregister", "cudahostunregister",
                          "cumemalloc", "cumemfree", "cumemcreate", "cumemmap", "cumemunmap", "cumemrelease",
                          "cumemaddress", "cumemsetaccess", "cumemhost", "hipmalloc", "hipfree",
                          "hiphostmalloc", "hiphostfree", "hipmem"})
        && !mentions(lower, "memcpy") && !mentions(lower, "memset");
}

bool isInput(std::string_view lower)
{
    return mentions(lower, "dataloader") || mentions(lower, "data_loader") || mentions(lower, "pin_memory")
        || holdsWord(lower, "next") || holdsWord(lower, "enumerate") || mentions(lower, "get_batch")
        || mentions(lower, "next_batch") || mentions(lower, "batch_generator");
}

/// A slice shows where the CPU was if it covers at least half of the time.
bool coversMost(std::int64_t ns, TimeRange window)
{
    return 2 * ns >= window.lengthNs();
}

} // namespace

/// The activity of one thread during a window.
struct CpuWitness::Look
{
    std::array<std::vector<TimeRange>, 4> ranges; ///< by NameKind up to Input
    std::array<SliceRef, 4> longest; ///< of each kind, the slice that covers most
    std::array<std::int64_t, 4> longestNs{};
    SliceRef innermost, outermost; ///< of the slices that cover most of the window
    std::int64_t innermostNs = 0, outermostNs = 0; ///< full durations
    std::int64_t coveredNs = 0; ///< by any slice
    StringId thread;

    std::int64_t ns(NameKind kind) const
    {
        return IntervalSet(ranges[static_cast<std::size_t>(kind)]).lengthNs();
    }
};

CpuWitness::CpuWitness(const TraceModel& model, const Timeline& timeline)
    : m_model(model)
    , m_timeline(timeline)
    , m_stepThread(stepThread(model, timeline))
    , m_hasEvents(!timeline.launches.empty())
{
    for (const Step& step : timeline.steps) {
        if (step.name && step.name.value != 0)
            m_kinds[step.name.value] = NameKind::Marker;
    }
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (m_hasEvents)
            break;
        m_hasEvents = track.kind == TrackKind::CpuThread
            && std::any_of(track.slices.name.begin(), track.slices.name.end(),
                           [&](StringId name) { return kindOf(name) != NameKind::Marker; });
    }
}

CpuWitness::NameKind CpuWitness::kindOf(StringId name)
{
    const auto [place, isNew] = m_kinds.try_emplace(name.value, NameKind::Other);
    if (!isNew)
        return place->second;
    const std::string lower = lowered(m_model.text(name));
    if (lower.starts_with("profilerstep#"))
        place->second = NameKind::Marker;
    else if (isAllocation(lower))
        place->second = NameKind::Allocation;
    else if (mentions(lower, "synchronize"))
        place->second = NameKind::Synchronisation;
    else if (mentions(lower, "memcpy"))
        place->second = NameKind::Copy;
    else if (isInput(lower))
        place->second = NameKind::Input;
    return place->second;
}

bool CpuWitness::copiesFromHost(SliceRef call) const
{
    const std::uint32_t correlation = m_model.track(call.track).slices.correlation[call.row];
    const SliceRef copy = correlation != 0 ? m_timeline.gpuSliceOf(correlation) : SliceRef();
    const KernelDetail* const detail = copy ? m_model.detailOf(copy) : nullptr;
    return copy && ((detail && detail->copyKind == 1) || mentions(m_model.nameOf(copy), "HtoD"));
}

CpuWitness::NameKind CpuWitness::kindOf(SliceRef slice)
{
    const NameKind kind = kindOf(m_model.track(slice.track).slices.name[slice.row]);
    if (kind != NameKind::Copy)
        return kind;
    return copiesFromHost(slice) ? NameKind::Input : NameKind::Other;
}

CpuWitness::Look CpuWitness::look(const Track& thread, TimeRange window, SliceRef launch)
{
    Look look;
    look.thread = thread.name;
    std::vector<TimeRange> covered;
    for (const Track* const lane : threadLanes(m_model, m_timeline, thread)) {
        const TrackId id{static_cast<std::uint32_t>(lane - m_model.tracks.data())};
        forEachOverlapping(lane->slices, window, [&](std::size_t row) {
            const SliceRef slice{id, static_cast<std::uint32_t>(row)};
            const TimeRange whole = lane->slices.range(row);
            const TimeRange part = whole.intersected(window);
            const NameKind kind = kindOf(slice);
            if (part.isEmpty() || slice == launch || kind == NameKind::Marker)
                return;
            covered.push_back(part);
            const auto i = static_cast<std::size_t>(kind);
            look.ranges[i].push_back(part);
            if (part.lengthNs() > look.longestNs[i]) {
                look.longestNs[i] = part.lengthNs();
                look.longest[i] = slice;
            }
            if (!coversMost(part.lengthNs(), window))
                return;
            if (!look.innermost || whole.lengthNs() < look.innermostNs) {
                look.innermost = slice;
                look.innermostNs = whole.lengthNs();
            }
            // A slice much longer than the window explains little: main(), a training loop.
            if (whole.lengthNs() <= 4 * window.lengthNs() && whole.lengthNs() > look.outermostNs) {
                look.outermost = slice;
                look.outermostNs = whole.lengthNs();
            }
        });
    }
    look.coveredNs = IntervalSet(std::move(covered)).lengthNs();
    return look;
}

IdleReason CpuWitness::reasonOf(const IntervalProfile::Gap& gap)
{
    IdleReason reason;
    reason.window = gap.range;
    if (!m_hasEvents)
        return reason;
    if (gap.next) {
        const Track& track = m_model.track(gap.next.track);
        if (const std::uint32_t correlation = track.slices.correlation[gap.next.row]; correlation != 0)
            reason.launch = m_timeline.launchOf(correlation);
    }
    reason.kind = IdleReason::Kind::Queued;
    const Track* thread = m_stepThread;
    if (reason.launch) {
        const TimeRange launch = m_model.rangeOf(reason.launch);
        thread = &m_model.track(reason.launch.track);
        reason.window
            = gap.range.intersected({gap.range.beginNs, std::max(launch.beginNs, gap.range.beginNs)});
        if (launch.beginNs <= gap.range.beginNs && launch.endNs > gap.range.beginNs) {
            // Inside the launch itself: a full queue, or a module that is loaded on first use.
            reason.window = gap.range.intersected(launch);
            reason.inside = reason.launch;
            reason.insideNs = reason.window.lengthNs();
        }
        if (!coversMost(reason.window.lengthNs(), gap.range)) {
            reason.window = gap.range;
            reason.inside = {};
            return reason;
        }
    }
    reason.kind = IdleReason::Kind::Cpu;
    reason.cause = Cause::SlowCpu;
    reason.thread = thread ? thread->name : StringId();
    if (reason.inside || !thread)
        return reason;
    Look seen = look(*thread, reason.window, reason.launch);
    // The thread that launches backward kernels is idle until the main thread calls it.
    if (!coversMost(seen.coveredNs, reason.window) && m_stepThread && m_stepThread != thread) {
        if (Look other = look(*m_stepThread, reason.window, reason.launch); other.coveredNs > seen.coveredNs)
            seen = std::move(other);
    }
    reason.thread = seen.thread;
    reason.coveredNs = seen.coveredNs;
    constexpr std::pair<NameKind, Cause> kinds[] = {{NameKind::Allocation, Cause::MemoryAllocation},
                                                    {NameKind::Synchronisation, Cause::Synchronisation},
                                                    {NameKind::Input, Cause::LateInput}};
    for (const auto& [kind, cause] : kinds) {
        if (const std::int64_t ns = seen.ns(kind); coversMost(ns, reason.window)) {
            reason.cause = cause;
            reason.inside = seen.longest[static_cast<std::size_t>(kind)];
            reason.insideNs = ns;
            break;
        }
    }
    if (!reason.inside && seen.innermost) {
        reason.inside = seen.innermost;
        reason.insideNs = m_model.rangeOf(seen.innermost).intersected(reason.window).lengthNs();
    }
    if (seen.outermost && seen.outermost != reason.inside
        && (!reason.inside || seen.outermostNs > m_model.rangeOf(reason.inside).lengthNs()))
        reason.around = seen.outermost;
    return reason;
}

} // namespace collscope
