// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Time until which the communication kernels of one track wait for other ranks.

#include "views/rows/group_lanes.h"

namespace collscope {

/// Look-up for rows in ascending order, as they are drawn. O(1) per row if most slices of the track are
/// collectives.
class TrackWaits
{
public:
    TrackWaits() = default; ///< for a track without communication
    TrackWaits(const RunCollectives& run, const GroupLanes& groups, const ClockMap& clocks, TrackId track,
               TimelineId timeline);

    /// When the last rank arrived at the collective of this slice, in the track's own time; nullopt if the
    /// slice is not a collective or the time is unknown. Each row must be at least the previous one.
    std::optional<std::int64_t> arrivedNs(std::uint32_t row);

private:
    std::span<const RunCollectives::Place> m_places; ///< remaining places from the last requested row
    const GroupLanes* m_groups = nullptr;
    const ClockMap* m_clocks = nullptr;
    TimelineId m_timeline;
};

} // namespace collscope
