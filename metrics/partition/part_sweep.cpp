// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/partition/part_sweep.h"

#include <algorithm>
#include <limits>

namespace collscope {

PartSweep::PartSweep(const TraceModel& model, const Timeline& timeline, ExposedCalls& calls,
                     std::vector<CopyShare>& copies)
    : m_model(model)
    , m_calls(calls)
    , m_copies(copies)
    , m_timeline(timeline)
    , m_kinds(model)
{
    for (const TrackId id : timeline.tracks) {
        if (model.track(id).kind == TrackKind::GpuStream)
            m_streams.push_back(id);
    }
}

std::size_t PartSweep::copyIndex(StringId name, TrackId track)
{
    const auto found = std::find_if(m_copies.begin(), m_copies.end(), [&](const CopyShare& share) {
        return share.name == name && share.track == track;
    });
    const auto index = static_cast<std::size_t>(found - m_copies.begin());
    if (found == m_copies.end())
        m_copies.push_back({.name = name, .timeline = &m_timeline, .track = track, .places = {}});
    return index;
}

/// Kind and owner of the cursor's slice.
void PartSweep::classify(Cursor& cursor)
{
    const unsigned kind = m_kinds.kindOf(*cursor.slices, cursor.row);
    cursor.kind = kind == ActiveCommunication ? Part::Communication
        : kind == ActiveCopy                  ? Part::Copy
                                              : Part::Compute;
    cursor.owner = none;
    if (cursor.kind == Part::Copy)
        cursor.owner = copyIndex(cursor.slices->name[cursor.row], cursor.track);
    if (cursor.kind != Part::Communication)
        return;
    const SliceRef slice{cursor.track, static_cast<std::uint32_t>(cursor.row)};
    const std::vector<CallTiming>& times = m_calls.times;
    while (cursor.call < times.size() && times[cursor.call].slice < slice)
        ++cursor.call;
    if (cursor.call < times.size() && times[cursor.call].slice == slice)
        cursor.owner = cursor.call;
    else if (cursor.call > 0 && times[cursor.call - 1].slice.track == cursor.track)
        cursor.owner = cursor.call - 1; // a further copy of the same collective
}

/// Goes to the next slice in the window that takes time; false if there is none.
bool PartSweep::seek(Cursor& cursor)
{
    const SliceColumns& slices = *cursor.slices;
    for (; cursor.row < slices.size() && slices.startNs[cursor.row] < m_window.endNs; ++cursor.row) {
        if (slices.range(cursor.row).intersected(m_window).isEmpty()
            || m_kinds.kindOf(slices, cursor.row) == 0)
            continue;
        classify(cursor);
        cursor.nextNs = std::max(slices.startNs[cursor.row], m_window.beginNs);
        return true;
    }
    return false;
}

/// Shares a range equally among the streams in a part; what cannot be divided goes to the first ones.
void PartSweep::share(Part part, TimeRange range)
{
    const std::int64_t streams = m_active[static_cast<std::size_t>(part)];
    const std::int64_t each = range.lengthNs() / streams;
    std::int64_t rest = range.lengthNs() % streams;
    for (Cursor& cursor : m_cursors) {
        if (cursor.part != part)
            continue;
        const std::int64_t ns = each + (rest-- > 0 ? 1 : 0);
        cursor.stretch = range.beginNs == cursor.stretch.endNs ? cursor.stretch.united(range) : range;
        cursor.owned.add({ns, cursor.stretch});
    }
}

/// Gives the time up to a moment to the first active part.
void PartSweep::advance(std::int64_t ns)
{
    const TimeRange range{m_nowNs, ns};
    m_nowNs = ns;
    if (range.isEmpty())
        return;
    const auto active
        = std::find_if(m_active.begin(), m_active.end(), [](std::int64_t streams) { return streams > 0; });
    const Part part = active != m_active.end() ? static_cast<Part>(active - m_active.begin()) : Part::Idle;
    m_times.add(part, range.lengthNs());
    if (part != Part::Compute && part != Part::Idle)
        share(part, range);
}

void PartSweep::enter(Cursor& cursor, Part part)
{
    cursor.part = part;
    ++m_active[static_cast<std::size_t>(part)];
    cursor.nextNs = std::min(cursor.slices->endNs(cursor.row), m_window.endNs);
    cursor.owned = {};
    cursor.stretch = {};
    if (cursor.kind == Part::Communication && cursor.owner != none)
        m_calls.shares[cursor.owner].isCounted = true;
    if (part != Part::Waiting)
        return;
    const std::int64_t waitedNs = cursor.slices->startNs[cursor.row] + m_calls.times[cursor.owner].waitNs;
    cursor.nextNs = std::min(cursor.nextNs, waitedNs);
}

void PartSweep::leave(Cursor& cursor)
{
    --m_active[static_cast<std::size_t>(cursor.part)];
    if (cursor.owned.ns > 0 && cursor.owner != none) {
        if (cursor.part == Part::Communication)
            m_calls.shares[cursor.owner].moving.add(cursor.owned);
        else if (cursor.part == Part::Waiting)
            m_calls.shares[cursor.owner].waiting.add(cursor.owned);
        else
            finishCopy(cursor);
    }
    cursor.part = Part::Idle;
}

void PartSweep::finishCopy(Cursor& cursor)
{
    CopyShare& share = m_copies[cursor.owner];
    share.ns += cursor.owned.ns;
    ++share.count;
    share.places.add(
        {m_timeline.rank, cursor.owned.longest, {cursor.track, static_cast<std::uint32_t>(cursor.row)}});
}

/// Changes what a stream does at its next moment; false after its last slice in the window.
bool PartSweep::step(Cursor& cursor)
{
    const std::int64_t nowNs = cursor.nextNs;
    advance(nowNs);
    const std::int64_t endNs = std::min(cursor.slices->endNs(cursor.row), m_window.endNs);
    if (cursor.part == Part::Idle) {
        const bool isCall = cursor.kind == Part::Communication && cursor.owner != none
            && m_calls.times[cursor.owner].slice.row == cursor.row;
        const std::int64_t waitNs = isCall ? m_calls.times[cursor.owner].waitNs : 0;
        const bool waits = cursor.slices->startNs[cursor.row] + waitNs > nowNs && waitNs > 0;
        enter(cursor, waits ? Part::Waiting : cursor.kind);
        return true;
    }
    const bool waited = cursor.part == Part::Waiting;
    leave(cursor);
    if (waited && nowNs < endNs) {
        enter(cursor, Part::Communication);
        return true;
    }
    ++cursor.row;
    return seek(cursor);
}

PartTimes PartSweep::run(TimeRange window, const std::function<bool()>& cancelled)
{
    m_window = window;
    m_nowNs = window.beginNs;
    m_times = {};
    m_active = {};
    m_cursors.clear();
    for (const TrackId id : m_streams) {
        const SliceColumns& slices = m_model.track(id).slices;
        Cursor cursor{.track = id,
                      .slices = &slices,
                      .row = firstReaching(slices, window.beginNs),
                      .owned = {},
                      .stretch = {}};
        cursor.call = m_calls.firstAt({id, static_cast<std::uint32_t>(cursor.row)});
        if (seek(cursor))
            m_cursors.push_back(cursor);
    }
    std::uint32_t turns = 0;
    while (!m_cursors.empty()) {
        if ((++turns & 0xFFFFu) == 0 && cancelled())
            return m_times;
        const auto next
            = std::min_element(m_cursors.begin(), m_cursors.end(),
                               [](const Cursor& a, const Cursor& b) { return a.nextNs < b.nextNs; });
        if (!step(*next))
            m_cursors.erase(next);
    }
    advance(window.endNs);
    return m_times;
}

} // namespace collscope
