// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Until when the communication kernels of one track wait for the other ranks.

#include "views/timeline/group_lanes.h"

namespace collscope {

/// For rows that are asked for in ascending order, as a row of the timeline is drawn: O(1) each where most
/// slices of the track are collectives.
class TrackWaits
{
public:
    TrackWaits() = default; ///< of a track that communicates with nobody
    TrackWaits(const RunCollectives& run, const GroupLanes& groups, const ClockMap& clocks, TrackId track,
               TimelineId timeline);

    /// When the last rank came to the collective of this slice, in the track's own time; nullopt if it is
    /// none, or nobody can say. Each row must be at least the one asked for before.
    std::optional<std::int64_t> arrivedNs(std::uint32_t row);

private:
    std::span<const RunCollectives::Place> m_places; ///< of the track, from the row asked for last
    const GroupLanes* m_groups = nullptr;
    const ClockMap* m_clocks = nullptr;
    TimelineId m_timeline;
};

} // namespace collscope
