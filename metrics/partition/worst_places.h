// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The longest of many stretches, to show where something happens.

#include "model/ids.h"
#include "model/units.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace collscope {

/// One of the worst places of a finding.
struct FindingPlace
{
    std::int32_t rank = 0;
    TimeRange range;
    SliceRef slice; ///< to go to; none: only the range
};

/// The longest stretches seen so far, longest first; of equal ones the latest of the highest rank, so that
/// the order does not depend on the order in which they are added.
class WorstPlaces
{
public:
    static constexpr std::size_t most = 12;

    /// Whether add() would keep it. O(1).
    bool wants(const FindingPlace& place) const
    {
        return !place.range.isEmpty() && (m_places.size() < most || isWorse(place, m_places.back()));
    }
    /// O(most), without an allocation once it is full.
    void add(const FindingPlace& place)
    {
        if (!wants(place))
            return;
        if (m_places.size() == most)
            m_places.pop_back();
        m_places.insert(std::upper_bound(m_places.begin(), m_places.end(), place, isWorse), place);
    }
    void join(const WorstPlaces& other)
    {
        for (const FindingPlace& place : other.m_places)
            add(place);
    }
    const std::vector<FindingPlace>& all() const { return m_places; }

private:
    static bool isWorse(const FindingPlace& a, const FindingPlace& b)
    {
        const auto key = [](const FindingPlace& place) {
            return std::tuple(place.range.lengthNs(), place.rank, place.range.beginNs);
        };
        return key(a) > key(b);
    }
    std::vector<FindingPlace> m_places;
};

} // namespace collscope
