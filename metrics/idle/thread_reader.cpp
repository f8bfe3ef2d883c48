// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/idle/thread_reader.h"

#include "model/queries/slice_query.h"

#include <algorithm>
#include <iterator>

namespace collscope {

ThreadReader::ThreadReader(const TraceModel& model, const Timeline& timeline)
    : m_model(model)
    , m_timeline(timeline)
    , m_names(model)
{
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::CpuThread)
            continue;
        m_lanes[{track.pid, track.tid}].push_back(id);
        m_hasRuntimeCalls
            |= std::find(track.slices.category.begin(), track.slices.category.end(), SliceCategory::Runtime)
            != track.slices.category.end();
        // Kineto writes overhead that it cannot assign to a thread under the process -1.
        const bool isProfilers = track.pid && model.text(track.pid) == "-1" && !track.slices.isEmpty()
            && track.slices.category.front() == SliceCategory::Overhead;
        if (isProfilers)
            m_everywhere.push_back(id);
    }
}

bool ThreadReader::isSameThread(TrackId a, TrackId b) const
{
    return m_model.track(a).pid == m_model.track(b).pid && m_model.track(a).tid == m_model.track(b).tid;
}

/// A copy from the host takes the time of the CPU; one to memory that is not pinned returns when it is done.
NameMeaning ThreadReader::copyMeaning(SliceRef call) const
{
    const std::uint32_t correlation = m_model.track(call.track).slices.correlation[call.row];
    const SliceRef copy = correlation != 0 ? m_timeline.gpuSliceOf(correlation) : SliceRef();
    if (!copy)
        return NameMeaning::Work;
    const std::string_view name = m_model.nameOf(copy);
    const KernelDetail* const detail = m_model.detailOf(copy);
    const auto names = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
    constexpr std::int32_t hostToDevice = 1;
    if ((detail && detail->copyKind == hostToDevice) || names("HtoD"))
        return collscope::meaningOf(IdleCause::CopiesFromHost);
    return names("DtoH") && names("Pageable") ? collscope::meaningOf(IdleCause::Synchronises)
                                              : NameMeaning::Work;
}

/// The first call of a name on a track, if the next one is much shorter; else a none-slice.
SliceRef ThreadReader::longFirstCall(SliceRef call)
{
    const SliceColumns& slices = m_model.track(call.track).slices;
    const StringId name = slices.name[call.row];
    const auto [known, isNew] = m_firstCalls.try_emplace({call.track, name});
    if (!isNew)
        return known->second;
    constexpr std::int64_t muchShorter = 3;
    const auto first = std::find(slices.name.begin(), slices.name.end(), name);
    const auto next = std::find(first + 1, slices.name.end(), name);
    const auto rowOf = [&](auto place) { return static_cast<std::size_t>(place - slices.name.begin()); };
    if (next != slices.name.end()
        && slices.durationNs[rowOf(first)] >= muchShorter * slices.durationNs[rowOf(next)])
        known->second = {call.track, static_cast<std::uint32_t>(rowOf(first))};
    return known->second;
}

NameMeaning ThreadReader::meaningOf(SliceRef slice, const Track& track)
{
    const SliceColumns& slices = track.slices;
    const NameMeaning meaning = m_names.of(slices.category[slice.row], slices.name[slice.row]);
    if (meaning == NameMeaning::CopyCall)
        return copyMeaning(slice);
    if (meaning == NameMeaning::FirstCall)
        return longFirstCall(slice) == slice ? collscope::meaningOf(IdleCause::Compiles) : NameMeaning::Work;
    if (meaning == NameMeaning::ReadsBack) // of a tensor on the CPU it takes no time
        return m_hasRuntimeCalls ? NameMeaning::Work : collscope::meaningOf(IdleCause::Synchronises);
    return meaning;
}

/// Adds the slices of a lane to those of other lanes, both sorted.
void ThreadReader::collectLane(TrackId lane, TimeRange range)
{
    const Track& track = m_model.track(lane);
    const std::size_t others = m_items.size();
    forEachOverlapping(track.slices, range, [&](std::size_t row) {
        const TimeRange own = track.slices.range(row);
        const SliceRef slice{lane, static_cast<std::uint32_t>(row)};
        if (own.isEmpty() || !track.slices.name[row])
            return;
        m_items.push_back(
            {own, slice, track.slices.name[row], track.slices.category[row], meaningOf(slice, track)});
    });
    const auto before = [](const Item& a, const Item& b) {
        return a.range.beginNs != b.range.beginNs ? a.range.beginNs < b.range.beginNs
                                                  : a.range.endNs > b.range.endNs;
    };
    const auto middle = m_items.begin() + static_cast<std::ptrdiff_t>(others);
    if (others == 0 || middle == m_items.end() || !before(*middle, *(middle - 1)))
        return;
    m_merged.clear();
    std::merge(m_items.begin(), middle, middle, m_items.end(), std::back_inserter(m_merged), before);
    m_items.swap(m_merged);
}

void ThreadReader::collect(TrackId thread, TimeRange range)
{
    m_items.clear();
    const Track& named = m_model.track(thread);
    if (const auto found = m_lanes.find({named.pid, named.tid}); found != m_lanes.end()) {
        for (const TrackId lane : found->second)
            collectLane(lane, range);
    }
    for (const TrackId lane : m_everywhere)
        collectLane(lane, range);
}

/// Unions, in one pass over items sorted by begin.
void ThreadReader::addCoverage(TimeRange range, ThreadLook& look) const
{
    std::array<std::int64_t, namedCauseCount> longestNs{};
    std::int64_t recordedUntilNs = range.beginNs;
    std::int64_t namedUntilNs = range.beginNs;
    std::int64_t waitedUntilNs = range.beginNs;
    std::int64_t longestWaitNs = 0;
    const auto cover = [](TimeRange part, std::int64_t& coveredUntilNs, std::int64_t& ns) {
        ns += std::max<std::int64_t>(0, part.endNs - std::max(part.beginNs, coveredUntilNs));
        coveredUntilNs = std::max(coveredUntilNs, part.endNs);
    };
    for (const Item& item : m_items) {
        const TimeRange part = item.range.intersected(range);
        if (item.meaning != NameMeaning::Annotation)
            cover(part, recordedUntilNs, look.recordedNs);
        if (item.meaning == NameMeaning::Waits) {
            cover(part, waitedUntilNs, look.waitedNs);
            if (part.lengthNs() > longestWaitNs) {
                longestWaitNs = part.lengthNs();
                look.waitedSlice = item.slice;
            }
        }
        if (!isCause(item.meaning))
            continue;
        cover(part, namedUntilNs, look.namedNs);
        const auto cause = static_cast<std::size_t>(causeOf(item.meaning));
        if (part.lengthNs() > longestNs[cause]) {
            longestNs[cause] = part.lengthNs();
            look.causeSlice[cause] = item.slice;
        }
        const bool isRunningAtBegin = item.range.beginNs <= range.beginNs && item.range.endNs > range.beginNs;
        if (causeOf(item.meaning) == IdleCause::Synchronises && isRunningAtBegin)
            look.synchronising = item.slice;
    }
}

void ThreadReader::addSelf(std::size_t item, std::int64_t ns, ThreadLook& look)
{
    const Item& of = m_items[item];
    if (ns <= 0)
        return;
    // The innermost named one: garbage that is collected inside of a loader does not load.
    const auto named = std::find_if(m_open.rbegin(), m_open.rend(),
                                    [&](std::size_t open) { return isCause(m_items[open].meaning); });
    if (named != m_open.rend())
        look.causeNs[static_cast<std::size_t>(causeOf(m_items[*named].meaning))] += ns;
    if (of.meaning == NameMeaning::Annotation)
        return;
    m_itemSelfNs[item] += ns;
    if (of.meaning == NameMeaning::Waits)
        return;
    std::int64_t& sum = m_selfNs[of.name];
    sum += ns;
    if (sum > look.busiestNs) {
        look.busiestNs = sum;
        look.busiest = of.name;
    }
}

/// Each moment belongs to the slice around it that began last.
void ThreadReader::addSelfTimes(TimeRange range, ThreadLook& look)
{
    m_itemSelfNs.assign(m_items.size(), 0);
    m_open.clear();
    std::int64_t nowNs = range.beginNs;
    const auto advance = [&](std::int64_t untilNs) {
        while (!m_open.empty()) {
            const std::int64_t endNs = std::min(m_items[m_open.back()].range.endNs, untilNs);
            addSelf(m_open.back(), endNs - nowNs, look);
            nowNs = std::max(nowNs, endNs);
            if (m_items[m_open.back()].range.endNs > untilNs)
                break;
            m_open.pop_back();
        }
        nowNs = std::max(nowNs, untilNs);
    };
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        advance(std::max(m_items[i].range.beginNs, range.beginNs));
        m_open.push_back(i);
    }
    advance(range.endNs);
    std::int64_t longestNs = 0;
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        m_selfNs[m_items[i].name] = 0;
        if (m_items[i].name == look.busiest && m_itemSelfNs[i] > longestNs) {
            longestNs = m_itemSelfNs[i];
            look.busiestSlice = m_items[i].slice;
        }
    }
}

ThreadLook ThreadReader::look(TrackId thread, TimeRange range)
{
    ThreadLook look;
    collect(thread, range);
    addCoverage(range, look);
    addSelfTimes(range, look);
    return look;
}

RepeatedCalls ThreadReader::repeated(TrackId thread, TimeRange range)
{
    collect(thread, range);
    RepeatedCalls most;
    const Item* first = nullptr;
    for (const Item& item : m_items) {
        if (item.meaning == NameMeaning::Annotation || !range.contains(item.range.beginNs))
            continue;
        const std::int64_t count = ++m_selfNs[item.name]; // here as a counter
        if (count > most.count)
            most = {item.name, count, {}};
    }
    for (const Item& item : m_items) {
        m_selfNs[item.name] = 0;
        if (!first && item.name == most.name && range.contains(item.range.beginNs))
            first = &item;
    }
    for (const Item& item : m_items) {
        if (!first || &item == first)
            break;
        const bool isAround = item.range.endNs >= first->range.endNs && item.name != first->name;
        if (isAround
            && (item.category == SliceCategory::UserAnnotation || item.category == SliceCategory::CpuOp))
            most.under = item.name;
    }
    return most;
}

SliceRef ThreadReader::outermostOperator(TrackId thread, std::int64_t timeNs)
{
    collect(thread, {timeNs, timeNs + 1});
    const auto found = std::find_if(m_items.begin(), m_items.end(), [](const Item& item) {
        return item.category == SliceCategory::CpuOp && item.meaning != NameMeaning::Annotation;
    });
    return found != m_items.end() ? found->slice : SliceRef();
}

SliceRef ThreadReader::synchronisingBefore(SliceRef launch, std::int64_t timeNs)
{
    const Track& track = m_model.track(launch.track);
    constexpr std::uint32_t farthest = 8;
    for (std::uint32_t back = 1; back <= std::min(launch.row, farthest); ++back) {
        const SliceRef call{launch.track, launch.row - back};
        if (track.slices.category[call.row] != SliceCategory::Runtime)
            continue;
        const bool isOpen = track.slices.range(call.row).contains(timeNs);
        return isOpen && meaningOf(call, track) == collscope::meaningOf(IdleCause::Synchronises) ? call
                                                                                                 : SliceRef();
    }
    return {};
}

bool ThreadReader::isInCall(TrackId thread, std::int64_t fromNs, std::int64_t toNs)
{
    collect(thread, {fromNs, fromNs + 1});
    return std::any_of(m_items.begin(), m_items.end(), [&](const Item& item) {
        const bool isCall = item.category == SliceCategory::CpuOp || item.category == SliceCategory::Runtime;
        return isCall && item.meaning != NameMeaning::Annotation && item.meaning != NameMeaning::Waits
            && item.range.endNs >= toNs;
    });
}

std::vector<TrackId> ThreadReader::threads() const
{
    std::vector<TrackId> threads;
    for (const auto& [name, lanes] : m_lanes)
        threads.push_back(lanes.front());
    return threads;
}

SliceRef ThreadReader::operatorOf(SliceRef call) const
{
    const SliceColumns& slices = m_model.track(call.track).slices;
    constexpr std::uint32_t farthest = 256; // a launch is one of the first calls of its operator
    std::uint8_t depth = slices.depth[call.row];
    for (std::uint32_t back = 1; depth > 0 && back <= std::min(call.row, farthest); ++back) {
        const std::uint32_t row = call.row - back;
        if (slices.depth[row] >= depth)
            continue;
        if (slices.category[row] == SliceCategory::CpuOp)
            return {call.track, row};
        depth = slices.depth[row];
    }
    return {};
}

} // namespace collscope
