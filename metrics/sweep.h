// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One pass over all GPU streams of a timeline that says how long each combination of kinds of work was
// active. Every union, intersection and difference of busy times is a sum of its figures, exact in ns, so
// that identities such as computation + exposed communication + exposed copies + idle = total hold with =.

#include "model/slice_query.h"
#include "model/trace_model.h"

#include <array>
#include <functional>
#include <limits>

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
    /// Time during which every one of the kinds was active (and maybe others).
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

/// What a GPU slice counts as by default: communication, compute, copy or set; 0 = nothing.
inline unsigned activeKindOf(const SliceColumns& slices, std::size_t row)
{
    switch (slices.category[row]) {
    case SliceCategory::Kernel:
        return isCommunication(slices.kernelClass[row]) ? ActiveCommunication : ActiveCompute;
    case SliceCategory::Memcpy:
        return ActiveCopy;
    case SliceCategory::Memset:
        return ActiveSet;
    default:
        return 0;
    }
}

// What a GPU slice is, for evidence and filters.
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

/// Calls f(track, slices, row) for the GPU slices that overlap a window, stream by stream, until f says
/// false; answers whether it never did.
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

/// Sweeps the GPU streams of a timeline over a window. `kindOf(track, row)` gives an ActiveKind bit, or 0 for
/// a slice that does not count. O(slices in the window), no allocation per slice; stops early when cancelled.
template<typename KindOf>
ActiveTimes sweep(const TraceModel& model, const Timeline& timeline, TimeRange window, const KindOf& kindOf,
                  const std::function<bool()>& cancelled)
{
    /// One stream on its way: inside a slice, or before the next one. Slices of a GPU track never overlap.
    struct Cursor
    {
        const Track* track;
        std::size_t row;
        std::int64_t nextNs; ///< when it enters or leaves the slice
        unsigned kind;
        bool inside = false;
    };
    const auto seek = [&](Cursor& cursor) { // true if there is a slice from cursor.row on
        const SliceColumns& slices = cursor.track->slices;
        for (; cursor.row < slices.size() && slices.startNs[cursor.row] < window.endNs; ++cursor.row) {
            if (slices.range(cursor.row).intersected(window).isEmpty())
                continue;
            cursor.kind = kindOf(*cursor.track, cursor.row);
            if (cursor.kind == 0)
                continue;
            cursor.nextNs = std::max(slices.startNs[cursor.row], window.beginNs);
            return true;
        }
        return false;
    };
    std::vector<Cursor> cursors;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::GpuStream)
            continue;
        Cursor cursor{&track, firstReaching(track.slices, window.beginNs), 0, 0};
        if (seek(cursor))
            cursors.push_back(cursor);
    }
    ActiveTimes times;
    std::array<std::int32_t, 16> active{};
    unsigned mask = 0;
    std::int64_t nowNs = window.beginNs;
    std::uint32_t turns = 0;
    while (!cursors.empty()) {
        std::size_t first = 0;
        std::int64_t secondNs = std::numeric_limits<std::int64_t>::max();
        for (std::size_t i = 1; i < cursors.size(); ++i) {
            if (cursors[i].nextNs < cursors[first].nextNs) {
                secondNs = cursors[first].nextNs;
                first = i;
            } else {
                secondNs = std::min(secondNs, cursors[i].nextNs);
            }
        }
        // The same stream is often next several times: no need to look at the others in between.
        Cursor& cursor = cursors[first];
        bool alive = true;
        do {
            if ((++turns & 0xFFFFu) == 0 && cancelled())
                return times;
            times.ns[mask] += cursor.nextNs - nowNs;
            nowNs = cursor.nextNs;
            if (cursor.inside) {
                if (--active[cursor.kind] == 0)
                    mask &= ~cursor.kind;
                cursor.inside = false;
                ++cursor.row;
                alive = seek(cursor);
            } else {
                if (++active[cursor.kind] == 1)
                    mask |= cursor.kind;
                cursor.inside = true;
                cursor.nextNs = std::min(cursor.track->slices.endNs(cursor.row), window.endNs);
            }
        } while (alive && cursor.nextNs <= secondNs);
        if (!alive)
            cursors.erase(cursors.begin() + static_cast<std::ptrdiff_t>(first));
    }
    times.ns[mask] += window.endNs - nowNs;
    return times;
}

} // namespace collscope
