// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/counters/counted_bytes.h"

#include "metrics/counters/nvlink_intervals.h"

#include <algorithm>

namespace collscope {

CountedBytes::CountedBytes(const NvlinkDevice& device)
{
    for (const LinkSeries* series : selectSeries(device, std::nullopt, std::nullopt)) {
        if (series->bytes.empty())
            continue;
        Link& link = m_links.emplace_back();
        link.series = series;
        link.before.reserve(series->bytes.size() + 1);
        link.before.push_back(0);
        for (const std::uint64_t bytes : series->bytes)
            link.before.push_back(link.before.back() + bytes);
    }
}

std::pair<std::size_t, std::size_t> CountedBytes::Link::sure(TimeRange range) const
{
    const auto& begins = series->beginNs;
    const auto& ends = series->endNs;
    const auto first = static_cast<std::size_t>(
        std::lower_bound(begins.begin(), begins.end(), range.beginNs + series->medianPeriodNs)
        - begins.begin());
    const auto last
        = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), range.endNs) - ends.begin());
    return {first, std::max(first, last)};
}

ByteBounds CountedBytes::Link::bytes(TimeRange range) const
{
    const auto& begins = series->beginNs;
    const auto& ends = series->endNs;
    const auto [sureFirst, sureLast] = sure(range);
    const auto first
        = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), range.beginNs) - ends.begin());
    const auto last = static_cast<std::size_t>(
        std::lower_bound(begins.begin(), begins.end(), range.endNs + series->medianPeriodNs)
        - begins.begin());
    return {before[sureLast] - before[sureFirst], last > first ? before[last] - before[first] : 0};
}

bool CountedBytes::covers(TimeRange range) const
{
    return !m_links.empty() && std::all_of(m_links.begin(), m_links.end(), [&](const Link& link) {
        return link.series->beginNs.front() <= range.beginNs
            && link.series->endNs.back() >= range.endNs + link.series->medianPeriodNs;
    });
}

bool CountedBytes::tells(TimeRange range) const
{
    return !m_links.empty() && std::all_of(m_links.begin(), m_links.end(), [&](const Link& link) {
        const auto [first, last] = link.sure(range);
        return last > first;
    });
}

ByteBounds CountedBytes::bytes(TimeRange range, LinkDirection direction) const
{
    ByteBounds sum;
    for (const Link& link : m_links) {
        if (link.series->direction != direction)
            continue;
        const ByteBounds own = link.bytes(range);
        sum.least += own.least;
        sum.most += own.most;
    }
    return sum;
}

std::optional<double> CountedBytes::gigabytesPerSecond(TimeRange range, LinkDirection direction) const
{
    std::optional<double> sum;
    for (const Link& link : m_links) {
        if (link.series->direction != direction)
            continue;
        const auto [first, last] = link.sure(range);
        if (first == last)
            return std::nullopt;
        sum = sum.value_or(0)
            + collscope::gigabytesPerSecond(link.before[last] - link.before[first],
                                            link.series->endNs[last - 1] - link.series->beginNs[first]);
    }
    return sum;
}

} // namespace collscope
