// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Sorted, disjoint [begin, end) intervals in ns. Busy times are unions, never sums.

#include "model/units.h"

#include <cstdint>
#include <iterator>
#include <vector>

namespace collscope {

class IntervalSet
{
public:
    IntervalSet() = default;
    /// Union of any intervals, in any order. Empty intervals are dropped. O(n log n), O(n) when sorted.
    explicit IntervalSet(std::vector<TimeRange> intervals);

    const std::vector<TimeRange>& intervals() const { return m_intervals; }
    bool isEmpty() const { return m_intervals.empty(); }
    std::int64_t lengthNs() const;
    IntervalSet clipped(TimeRange window) const;
    IntervalSet intersected(const IntervalSet& other) const;
    IntervalSet united(const IntervalSet& other) const;
    IntervalSet subtracted(const IntervalSet& other) const;

private:
    std::vector<TimeRange> m_intervals;
};

} // namespace collscope
