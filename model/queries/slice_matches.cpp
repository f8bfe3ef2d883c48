// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/queries/slice_matches.h"

#include <algorithm>
#include <utility>

namespace collscope {

SliceRef SliceMatches::at(std::size_t index) const
{
    const auto after
        = std::upper_bound(tracks.begin(), tracks.end(), index,
                           [](std::size_t wanted, const InTrack& track) { return wanted < track.before; });
    const InTrack& track = *(after - 1);
    return {track.track, track.rows[index - track.before]};
}

bool SliceMatches::contains(SliceRef slice) const
{
    const auto track = std::lower_bound(tracks.begin(), tracks.end(), slice.track,
                                        [](const InTrack& in, TrackId wanted) { return in.track < wanted; });
    return track != tracks.end() && track->track == slice.track
        && std::binary_search(track->rows.begin(), track->rows.end(), slice.row);
}

TrackMatches::TrackMatches(const SliceMatches& matches, TrackId track)
{
    const auto found
        = std::lower_bound(matches.tracks.begin(), matches.tracks.end(), track,
                           [](const SliceMatches::InTrack& in, TrackId wanted) { return in.track < wanted; });
    if (found != matches.tracks.end() && found->track == track)
        m_rows = found->rows;
}

bool TrackMatches::contains(std::uint32_t row)
{
    std::size_t from = 0;
    std::size_t to = m_at;
    if (m_at < m_rows.size() && m_rows[m_at] < row) {
        from = m_at;
        std::size_t step = 1;
        while (from + step < m_rows.size() && m_rows[from + step] < row) {
            from += step;
            step *= 2;
        }
        to = std::min(from + step + 1, m_rows.size());
    } else if (m_at < m_rows.size() && m_rows[m_at] == row) {
        return true;
    }
    const auto at = [this](std::size_t index) { return m_rows.begin() + static_cast<std::ptrdiff_t>(index); };
    m_at = static_cast<std::size_t>(std::lower_bound(at(from), at(to), row) - m_rows.begin());
    return m_at < m_rows.size() && m_rows[m_at] == row;
}

std::vector<SliceRef> longestOf(const TraceModel& model, const SliceMatches& matches, std::size_t most)
{
    std::vector<std::pair<std::int64_t, SliceRef>> byLength;
    byLength.reserve(matches.size());
    for (const SliceMatches::InTrack& track : matches.tracks) {
        for (const std::uint32_t row : track.rows)
            byLength.emplace_back(-model.track(track.track).slices.range(row).lengthNs(),
                                  SliceRef{track.track, row});
    }
    most = std::min(most, byLength.size());
    const auto middle = byLength.begin() + static_cast<std::ptrdiff_t>(most);
    std::nth_element(byLength.begin(), middle, byLength.end());
    std::sort(byLength.begin(), middle);
    std::vector<SliceRef> longest;
    longest.reserve(most);
    for (std::size_t i = 0; i < most; ++i)
        longest.push_back(byLength[i].second);
    return longest;
}

MatchCollector::MatchCollector(const TraceModel& model)
    : m_model(model)
    , m_matches(std::make_shared<SliceMatches>())
    , m_names(model.strings.size(), false)
{ }

void MatchCollector::add(TrackId track, std::uint32_t row)
{
    if (m_matches->tracks.empty() || m_matches->tracks.back().track != track)
        m_matches->tracks.push_back({track, {}, m_matches->size()});
    m_matches->tracks.back().rows.push_back(row);
    const SliceColumns& slices = m_model.track(track).slices;
    m_matches->totalNs += slices.durationNs[row];
    const std::uint32_t name = slices.name[row].value;
    if (!m_names[name]) {
        m_names[name] = true;
        ++m_matches->names;
    }
}

SliceMatchesPtr MatchCollector::finish()
{
    m_matches->longest = longestOf(m_model, *m_matches, SliceMatches::mostListed);
    return std::exchange(m_matches, nullptr);
}

} // namespace collscope
