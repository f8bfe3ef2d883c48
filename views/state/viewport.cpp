// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/state/viewport.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr std::int64_t shortestVisibleNs = 10;
constexpr std::size_t historyLength = 100;

/// Clamps a range to the allowed lengths and keeps at least part of the run visible.
TimeRange clampedTo(TimeRange run, TimeRange wanted)
{
    const std::int64_t longest = run.lengthNs() + run.lengthNs() / 5 + shortestVisibleNs;
    const std::int64_t length = std::clamp(wanted.lengthNs(), shortestVisibleNs, longest);
    const std::int64_t middle = wanted.beginNs + wanted.lengthNs() / 2;
    const std::int64_t begin
        = std::clamp(middle - length / 2, run.beginNs - length / 2, run.endNs - length / 2);
    return {begin, begin + length};
}

} // namespace

void Viewport::reset()
{
    m_back.clear();
    m_forward.clear();
    m_reach.reset();
    m_visible = m_run.model() ? clampedTo(m_run.range(), m_run.initialView()) : TimeRange{0, 1};
}

bool Viewport::isInitial() const
{
    return m_run.model() && m_visible == clampedTo(m_run.range(), m_run.initialView());
}

void Viewport::setVisibleRange(TimeRange range)
{
    if (m_run.model())
        range = clampedTo(m_reach ? m_run.range().united(*m_reach) : m_run.range(), range);
    if (range == m_visible || range.isEmpty())
        return;
    m_visible = range;
    emit visibleRangeChanged(m_visible);
}

void Viewport::zoomAround(std::int64_t centreNs, double factor)
{
    const auto scaled = [&](std::int64_t distance) {
        return static_cast<std::int64_t>(std::llround(static_cast<double>(distance) / factor));
    };
    const TimeRange wanted{centreNs - scaled(centreNs - m_visible.beginNs),
                           centreNs + scaled(m_visible.endNs - centreNs)};
    // At the closest zoom, a clamped range would drift away from the cursor.
    if (wanted.lengthNs() >= shortestVisibleNs || factor < 1)
        setVisibleRange(wanted);
}

void Viewport::panBy(std::int64_t deltaNs)
{
    setVisibleRange({m_visible.beginNs + deltaNs, m_visible.endNs + deltaNs});
}

void Viewport::showRange(TimeRange range, bool keepZoom)
{
    pushHistory();
    const std::int64_t middle = range.beginNs + range.lengthNs() / 2;
    const std::int64_t half
        = keepZoom ? m_visible.lengthNs() / 2 : range.lengthNs() * 6 / 10 + shortestVisibleNs;
    setVisibleRange({middle - half, middle + half});
}

void Viewport::showSlice(TimeRange range)
{
    // A slice that fills a tenth of the view is visible together with its neighbours.
    const bool goodSize
        = range.lengthNs() * 40 >= m_visible.lengthNs() && range.lengthNs() * 2 <= m_visible.lengthNs();
    if (goodSize)
        return showRange(range, true);
    const std::int64_t margin = range.lengthNs() * 4 + shortestVisibleNs;
    showRange({range.beginNs - margin, range.endNs + margin});
}

void Viewport::pushHistory()
{
    m_forward.clear();
    offerBack(m_visible);
}

void Viewport::offerBack(TimeRange range)
{
    if (!m_back.empty() && m_back.back() == range)
        return;
    m_back.push_back(range);
    if (m_back.size() > historyLength)
        m_back.erase(m_back.begin());
}

void Viewport::goBack()
{
    if (m_back.empty())
        return;
    m_forward.push_back(m_visible);
    const TimeRange previous = m_back.back();
    m_back.pop_back();
    setVisibleRange(previous);
}

void Viewport::goForward()
{
    if (m_forward.empty())
        return;
    m_back.push_back(m_visible);
    const TimeRange next = m_forward.back();
    m_forward.pop_back();
    setVisibleRange(next);
}

} // namespace collscope
