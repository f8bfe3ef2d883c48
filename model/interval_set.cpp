// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/interval_set.h"

namespace collscope {

namespace {
bool beginsBefore(TimeRange a, TimeRange b)
{
    return a.beginNs < b.beginNs || (a.beginNs == b.beginNs && a.endNs < b.endNs);
}
} // namespace

IntervalSet::IntervalSet(std::vector<TimeRange> intervals)
{
    if (!std::is_sorted(intervals.begin(), intervals.end(), beginsBefore))
        std::sort(intervals.begin(), intervals.end(), beginsBefore);
    for (const TimeRange interval : intervals) {
        if (interval.isEmpty())
            continue;
        if (!m_intervals.empty() && interval.beginNs <= m_intervals.back().endNs)
            m_intervals.back().endNs = std::max(m_intervals.back().endNs, interval.endNs);
        else
            m_intervals.push_back(interval);
    }
}

std::int64_t IntervalSet::lengthNs() const
{
    std::int64_t sum = 0;
    for (const TimeRange interval : m_intervals)
        sum += interval.lengthNs();
    return sum;
}

IntervalSet IntervalSet::clipped(TimeRange window) const
{
    return intersected(IntervalSet({window}));
}

IntervalSet IntervalSet::intersected(const IntervalSet& other) const
{
    IntervalSet result;
    auto a = m_intervals.begin();
    auto b = other.m_intervals.begin();
    while (a != m_intervals.end() && b != other.m_intervals.end()) {
        const TimeRange both = a->intersected(*b);
        if (!both.isEmpty())
            result.m_intervals.push_back(both);
        if (a->endNs < b->endNs)
            ++a;
        else
            ++b;
    }
    return result;
}

IntervalSet IntervalSet::united(const IntervalSet& other) const
{
    std::vector<TimeRange> all;
    all.reserve(m_intervals.size() + other.m_intervals.size());
    std::merge(m_intervals.begin(), m_intervals.end(), other.m_intervals.begin(), other.m_intervals.end(),
               std::back_inserter(all), beginsBefore);
    return IntervalSet(std::move(all));
}

IntervalSet IntervalSet::subtracted(const IntervalSet& other) const
{
    IntervalSet result;
    auto hole = other.m_intervals.begin();
    for (TimeRange rest : m_intervals) {
        while (hole != other.m_intervals.end() && hole->endNs <= rest.beginNs)
            ++hole;
        for (auto h = hole; h != other.m_intervals.end() && h->beginNs < rest.endNs; ++h) {
            if (h->beginNs > rest.beginNs)
                result.m_intervals.push_back({rest.beginNs, h->beginNs});
            rest.beginNs = std::max(rest.beginNs, h->endNs);
        }
        if (!rest.isEmpty())
            result.m_intervals.push_back(rest);
    }
    return result;
}

} // namespace collscope
