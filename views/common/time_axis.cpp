// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/common/time_axis.h"

#include "metrics/looks/time_ticks.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

std::int64_t floorTo(std::int64_t value, std::int64_t step)
{
    const std::int64_t rest = value % step;
    return value - (rest < 0 ? rest + step : rest);
}

} // namespace

TimeAxis::TimeAxis(TimeRange range, double width)
    : m_range(range)
    , m_width(std::max(width, 1.0))
    , m_pixelsPerNs(m_width / static_cast<double>(std::max<std::int64_t>(range.lengthNs(), 1)))
{ }

std::int64_t TimeAxis::timeAt(double x) const
{
    return m_range.beginNs + static_cast<std::int64_t>(std::floor(x / m_pixelsPerNs));
}

std::int64_t TimeAxis::nsPerPixel() const
{
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(1.0 / m_pixelsPerNs)));
}

std::int64_t TimeAxis::tickStep(double minSpacing) const
{
    return niceTickNs(minSpacing / m_pixelsPerNs);
}

std::vector<TimeAxis::Tick> TimeAxis::ticks(std::int64_t stepNs, std::int64_t originNs) const
{
    const std::int64_t minor = std::max<std::int64_t>(1, stepNs / 5);
    std::vector<Tick> result;
    for (std::int64_t time = floorTo(m_range.beginNs + originNs, minor); time <= m_range.endNs + originNs;
         time += minor)
        result.push_back({time - originNs, xOf(time - originNs), floorTo(time, stepNs) == time});
    return result;
}

} // namespace collscope
