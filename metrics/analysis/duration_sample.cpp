// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/duration_sample.h"

#include "model/units.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace collscope {

namespace {

template<typename T>
T nthOf(std::vector<T>& values, std::size_t k)
{
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(k);
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

} // namespace

void DurationSample::add(std::int64_t ns)
{
    assert(ns >= 0);
    if (ns <= std::numeric_limits<std::uint16_t>::max())
        m_shortest.push_back(static_cast<std::uint16_t>(ns));
    else if (ns <= std::numeric_limits<std::uint32_t>::max())
        m_short.push_back(static_cast<std::uint32_t>(ns));
    else
        m_long.push_back(ns);
    m_sumUs += nsToUs(ns);
}

SampleFigures DurationSample::figures()
{
    SampleFigures figures;
    figures.count = size();
    if (figures.count == 0)
        return figures;
    figures.mean = m_sumUs / static_cast<double>(size());
    figures.median = percentileUs(0.5);
    figures.p95 = percentileUs(0.95);
    figures.smallest = percentileUs(0);
    figures.largest = percentileUs(1);
    return figures;
}

/// As percentileOf().
double DurationSample::percentileUs(double p)
{
    const double at = p * static_cast<double>(size() - 1);
    const auto k = static_cast<std::size_t>(at);
    const double below = nsToUs(nth(k));
    if (k + 1 == size())
        return below;
    return below + (nsToUs(nth(k + 1)) - below) * (at - static_cast<double>(k));
}

std::int64_t DurationSample::nth(std::size_t k)
{
    if (k < m_shortest.size())
        return std::int64_t{nthOf(m_shortest, k)};
    k -= m_shortest.size();
    return k < m_short.size() ? std::int64_t{nthOf(m_short, k)} : nthOf(m_long, k - m_short.size());
}

} // namespace collscope
