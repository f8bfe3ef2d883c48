// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/track_waits.h"

#include <algorithm>

namespace collscope {

TrackWaits::TrackWaits(const RunCollectives& run, const GroupLanes& groups, const ClockMap& clocks,
                       TrackId track, TimelineId timeline)
    : m_groups(&groups)
    , m_clocks(&clocks)
    , m_timeline(timeline)
{
    const auto first
        = std::partition_point(run.places.begin(), run.places.end(),
                               [&](const RunCollectives::Place& place) { return place.slice.track < track; });
    const auto last = std::partition_point(first, run.places.end(), [&](const RunCollectives::Place& place) {
        return place.slice.track == track;
    });
    m_places = {first, last};
}

std::optional<std::int64_t> TrackWaits::arrivedNs(std::uint32_t row)
{
    if (m_places.empty() || m_places.front().slice.row > row)
        return std::nullopt;
    // Rows of successive places differ, so the place is at most as many entries ahead as its row is.
    const std::size_t ahead = std::min<std::size_t>(row - m_places.front().slice.row, m_places.size() - 1);
    if (m_places[ahead].slice.row == row) {
        m_places = m_places.subspan(ahead);
    } else {
        const auto end = m_places.begin() + static_cast<std::ptrdiff_t>(ahead) + 1;
        const auto found = std::partition_point(
            m_places.begin(), end, [&](const RunCollectives::Place& place) { return place.slice.row < row; });
        m_places = m_places.subspan(static_cast<std::size_t>(found - m_places.begin()));
    }
    if (m_places.empty() || m_places.front().slice.row != row)
        return std::nullopt;
    const CollectiveSpan* span = m_groups->span(m_places.front().instance);
    if (!span || span->contradicts || !span->waits
        || (span->onlyWaiter && span->onlyWaiter != m_places.front().slice))
        return std::nullopt;
    return m_clocks->fromAxis(m_timeline.value, span->arrivedNs);
}

} // namespace collscope
