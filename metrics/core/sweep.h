// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One pass over all GPU streams of a timeline that measures how long each combination of kinds of work was
// active. Every union, intersection and difference of busy times is a sum of these figures, exact in ns, so
// identities such as computation + exposed communication + exposed copies + idle = total hold exactly.
// See step-partition.md.

#include "model/queries/slice_query.h"
#include "model/trace_model.h"

#include <array>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace collscope {

/// Kinds of GPU work, one bit each.
enum ActiveKind : unsigned
{
    ActiveCommunication = 1,
    ActiveCompute = 2,
    ActiveCopy = 4,
    ActiveSet = 8,
    ActiveKernel = ActiveCommunication | ActiveCompute,
    ActiveAnything = 15,
};

/// ns[m] = time during which exactly the kinds of mask m were active; ns[0] = idle.
struct ActiveTimes
{
    std::array<std::int64_t, 16> ns{};

    /// Union of the kinds, while none of `except` is active.
    std::int64_t anyOf(unsigned kinds, unsigned except = 0) const
    {
        std::int64_t sum = 0;
        for (unsigned mask = 1; mask < ns.size(); ++mask)
            sum += (mask & kinds) != 0 && (mask & except) == 0 ? ns[mask] : 0;
        return sum;
    }
    /// Time during which all of the kinds (and possibly others) were active.
    std::int64_t allOf(unsigned kinds) const
    {
        std::int64_t sum = 0;
        for (unsigned mask = 1; mask < ns.size(); ++mask)
            sum += (mask & kinds) == kinds ? ns[mask] : 0;
        return sum;
    }
    std::int64_t idle() const { return ns[0]; }
    std::int64_t total() const { return anyOf(ActiveAnything) + idle(); }
    ActiveTimes& operator+=(const ActiveTimes& other)
    {
        for (std::size_t mask = 0; mask < ns.size(); ++mask)
            ns[mask] += other.ns[mask];
        return *this;
    }
};

/// The default kind of a GPU slice: communication, compute, copy or set; 0 = not counted.
inline unsigned activeKindOf(const SliceColumns& slices, std::size_t row)
{
    switch (slices.category[row]) {
    case SliceCategory::Kernel:
        return isCommunication(slices.kernelClass[row]) ? ActiveCommunication : ActiveCompute;
    case SliceCategory::Memcpy: // a collective may move its data with copies
        return isCommunication(slices.kernelClass[row]) ? ActiveCommunication : ActiveCopy;
    case SliceCategory::Memset:
        return ActiveSet;
    default:
        return 0;
    }
}

// Predicates on GPU slices, for evidence and filters.
inline bool isKernelSlice(const SliceColumns& slices, std::size_t row)
{
    return slices.category[row] == SliceCategory::Kernel;
}
inline bool communicates(const SliceColumns& slices, std::size_t row)
{
    return activeKindOf(slices, row) == ActiveCommunication;
}
inline bool computes(const SliceColumns& slices, std::size_t row)
{
    return activeKindOf(slices, row) == ActiveCompute;
}

/// Calls f(track, slices, row) for the GPU slices that overlap a window, stream by stream, until f returns
/// false. Returns whether f never did.
template<typename F>
bool forEachGpuSlice(const TraceModel& model, const Timeline& timeline, TimeRange window, const F& f)
{
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::GpuStream)
            continue;
        const SliceColumns& slices = track.slices;
        for (std::size_t row = firstReaching(slices, window.beginNs);
             row < slices.size() && slices.startNs[row] < window.endNs; ++row) {
            if (!f(id, slices, row))
                return false;
        }
    }
    return true;
}

/// The GPU streams of a timeline while they are swept over a window; see sweep().
template<typename KindOf>
class StreamSweep
{
public:
    StreamSweep(const TraceModel& model, const Timeline& timeline, TimeRange window, const KindOf& kindOf)
        : m_window(window)
        , m_kindOf(kindOf)
        , m_nowNs(window.beginNs)
    {
        for (const TrackId id : timeline.tracks) {
            const Track& track = model.track(id);
            if (track.kind != TrackKind::GpuStream)
                continue;
            Cursor cursor{&track, firstReaching(track.slices, window.beginNs), 0, 0};
            if (seek(cursor))
                m_cursors.push_back(cursor);
        }
    }

    ActiveTimes run(const std::function<bool()>& cancelled)
    {
        std::uint32_t turns = 0;
        while (!m_cursors.empty()) {
            const auto [first, secondNs] = nextCursor();
            // The same stream is often next several times: skip the search among the others meanwhile.
            Cursor& cursor = m_cursors[first];
            bool alive = true;
            do {
                if ((++turns & 0xFFFFu) == 0 && cancelled())
                    return m_times;
                alive = step(cursor);
            } while (alive && cursor.nextNs <= secondNs);
            if (!alive)
                m_cursors.erase(m_cursors.begin() + static_cast<std::ptrdiff_t>(first));
        }
        m_times.ns[m_mask] += m_window.endNs - m_nowNs;
        return m_times;
    }

private:
    /// One stream: inside a slice, or before the next one. Slices of a GPU track never overlap.
    struct Cursor
    {
        const Track* track;
        std::size_t row;
        std::int64_t nextNs; ///< time of entering or leaving the slice
        unsigned kind;
        bool inside = false;
    };

    /// Advances to the first counted slice from cursor.row on; false if there is none in the window.
    bool seek(Cursor& cursor) const
    {
        const SliceColumns& slices = cursor.track->slices;
        for (; cursor.row < slices.size() && slices.startNs[cursor.row] < m_window.endNs; ++cursor.row) {
            const TimeRange own = slices.range(cursor.row);
            const bool isInstant = own.isEmpty() && m_window.contains(own.beginNs);
            if (own.intersected(m_window).isEmpty() && !isInstant)
                continue;
            cursor.kind = m_kindOf(*cursor.track, cursor.row);
            if (cursor.kind == 0 || isInstant) // an instant takes no time
                continue;
            cursor.nextNs = std::max(slices.startNs[cursor.row], m_window.beginNs);
            return true;
        }
        return false;
    }

    /// The stream that changes next, and the time at which the one after it changes.
    std::pair<std::size_t, std::int64_t> nextCursor() const
    {
        std::size_t first = 0;
        std::int64_t secondNs = std::numeric_limits<std::int64_t>::max();
        for (std::size_t i = 1; i < m_cursors.size(); ++i) {
            if (m_cursors[i].nextNs < m_cursors[first].nextNs) {
                secondNs = m_cursors[first].nextNs;
                first = i;
            } else {
                secondNs = std::min(secondNs, m_cursors[i].nextNs);
            }
        }
        return {first, secondNs};
    }

    /// Enters or leaves the slice of a stream; false after the last one.
    bool step(Cursor& cursor)
    {
        m_times.ns[m_mask] += cursor.nextNs - m_nowNs;
        m_nowNs = cursor.nextNs;
        if (!cursor.inside) {
            if (++m_active[cursor.kind] == 1)
                m_mask |= cursor.kind;
            cursor.inside = true;
            cursor.nextNs = std::min(cursor.track->slices.endNs(cursor.row), m_window.endNs);
            return true;
        }
        if (--m_active[cursor.kind] == 0)
            m_mask &= ~cursor.kind;
        cursor.inside = false;
        ++cursor.row;
        return seek(cursor);
    }

    const TimeRange m_window;
    const KindOf& m_kindOf;
    std::vector<Cursor> m_cursors;
    ActiveTimes m_times;
    std::array<std::int32_t, 16> m_active{};
    unsigned m_mask = 0;
    std::int64_t m_nowNs;
};

/// Sweeps the GPU streams of a timeline over a window. `kindOf(track, row)` gives an ActiveKind bit, or 0 for
/// a slice that does not count. O(slices in the window), without an allocation per slice; stops early if
/// cancelled.
template<typename KindOf>
ActiveTimes sweep(const TraceModel& model, const Timeline& timeline, TimeRange window, const KindOf& kindOf,
                  const std::function<bool()>& cancelled)
{
    return StreamSweep<KindOf>(model, timeline, window, kindOf).run(cancelled);
}

} // namespace collscope
