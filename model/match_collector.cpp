// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/match_collector.h"

namespace collscope {

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
