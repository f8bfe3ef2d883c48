// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/counters/counted_bytes.h"

#include "metrics/counters/nvlink_intervals.h"

#include <algorithm>
#include <set>

namespace collscope {

namespace {

std::int64_t lagOf(const LinkSeries& series)
{
    std::vector<std::int64_t> distances;
    std::optional<std::int64_t> last;
    for (std::size_t i = 0; i < series.bytes.size(); ++i) {
        if (series.bytes[i] == 0)
            continue;
        if (last)
            distances.push_back(series.endNs[i] - *last);
        last = series.endNs[i];
    }
    if (distances.empty())
        return series.medianPeriodNs;
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    return std::max(series.medianPeriodNs, *middle);
}

} // namespace

CountedBytes::CountedBytes(const NvlinkDevice& device)
{
    for (const LinkSeries* series : selectSeries(device, std::nullopt, std::nullopt)) {
        if (series->bytes.empty())
            continue;
        Link& link = m_links.emplace_back();
        link.series = series;
        link.lagNs = lagOf(*series);
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
        std::lower_bound(begins.begin(), begins.end(), range.beginNs + lagNs) - begins.begin());
    const auto last
        = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), range.endNs) - ends.begin());
    return {first, std::max(first, last)};
}

std::pair<std::size_t, std::size_t> CountedBytes::Link::possible(TimeRange range) const
{
    const auto& begins = series->beginNs;
    const auto& ends = series->endNs;
    const auto first
        = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), range.beginNs) - ends.begin());
    const auto last = static_cast<std::size_t>(
        std::lower_bound(begins.begin(), begins.end(), range.endNs + lagNs) - begins.begin());
    return {first, std::max(first, last)};
}

ByteBounds CountedBytes::Link::bytes(TimeRange range) const
{
    const auto [sureFirst, sureLast] = sure(range);
    const auto [first, last] = possible(range);
    return {before[sureLast] - before[sureFirst], before[last] - before[first]};
}

bool CountedBytes::counts(LinkDirection direction) const
{
    std::set<std::uint32_t> all, own;
    for (const Link& link : m_links) {
        all.insert(link.series->link);
        if (link.series->direction == direction)
            own.insert(link.series->link);
    }
    return !own.empty() && own == all;
}

bool CountedBytes::mayHaveReset(TimeRange range) const
{
    return std::any_of(m_links.begin(), m_links.end(), [&](const Link& link) {
        const auto [first, last] = link.possible(range);
        const auto begin = link.series->bytes.begin();
        return link.series->resets > 0
            && std::find(begin + static_cast<std::ptrdiff_t>(first),
                         begin + static_cast<std::ptrdiff_t>(last), std::uint64_t{0})
            != begin + static_cast<std::ptrdiff_t>(last);
    });
}

bool CountedBytes::covers(TimeRange range) const
{
    return !m_links.empty() && std::all_of(m_links.begin(), m_links.end(), [&](const Link& link) {
        return link.series->beginNs.front() <= range.beginNs
            && link.series->endNs.back() >= range.endNs + link.lagNs;
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
