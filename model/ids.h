// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Strong 32-bit indices: an id of one kind cannot be passed where another kind is expected.

#include <cstdint>
#include <limits>
#include <utility> // brings <compare>, which moc 6.4 cannot parse if it is included on its own

namespace collscope {

/// An index into one table of the model. `none` (all bits set) means that nothing is referenced.
template<typename Tag>
struct Id
{
    static constexpr std::uint32_t noneValue = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t value = noneValue;

    constexpr explicit operator bool() const { return value != noneValue; }
    friend constexpr bool operator==(Id, Id) = default;
    friend constexpr bool operator<(Id a, Id b) { return a.value < b.value; }
};

using StringId = Id<struct StringTag>; ///< index into StringTable; id 0 is always ""
using TrackId = Id<struct TrackTag>; ///< index into TraceModel::tracks
using TimelineId = Id<struct TimelineTag>; ///< index into TraceModel::timelines
using SourceId = Id<struct SourceTag>; ///< index into TraceModel::sources

/// One slice of the run: a row in the columns of one track. Metrics return it as evidence, and views select
/// it.
struct SliceRef
{
    TrackId track;
    std::uint32_t row = 0;

    constexpr explicit operator bool() const { return static_cast<bool>(track); }
    friend constexpr bool operator==(SliceRef, SliceRef) = default;
    friend constexpr bool operator<(SliceRef a, SliceRef b)
    {
        return a.track < b.track || (a.track == b.track && a.row < b.row);
    }
};

} // namespace collscope
