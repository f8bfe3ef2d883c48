// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/duration_histogram.h"

#include "metrics/core/statistics.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

/// Minimum ratio of the ends of the axis. Smaller differences are drawn as equal.
constexpr double leastRatio = 1.02;

} // namespace

DurationFigures durationFigures(const std::vector<double>& durationsNs)
{
    if (durationsNs.empty())
        return {};
    const auto [shortest, longest] = std::minmax_element(durationsNs.begin(), durationsNs.end());
    return {std::llround(*shortest), std::llround(medianOf(durationsNs)),
            std::llround(percentileOf(durationsNs, 0.95)), std::llround(*longest)};
}

DurationHistogram::DurationHistogram(const std::vector<double>& durationsNs)
{
    if (durationsNs.empty())
        return;
    double shortest = 0;
    double longest = 1;
    bool hasZeros = false;
    for (const double ns : durationsNs) {
        hasZeros = hasZeros || ns < 1;
        longest = std::max(longest, ns);
        if (ns >= 1)
            shortest = shortest > 0 ? std::min(shortest, ns) : ns;
    }
    double begin = std::max(1.0, shortest);
    double end = longest + 1;
    if (end < begin * leastRatio) {
        const double middle = std::sqrt(begin * end);
        begin = std::min(begin, std::floor(middle / std::sqrt(leastRatio)));
        end = std::max(end, std::ceil(middle * std::sqrt(leastRatio)));
    }
    const std::size_t bins = std::min(mostBins, static_cast<std::size_t>(end - begin));
    m_logBegin = std::log(begin);
    m_logEnd = std::log(end);
    m_zerosShare = hasZeros ? 1.0 / static_cast<double>(bins + 1) : 0.0;
    if (hasZeros)
        m_edgesNs.push_back(0);
    for (std::size_t i = 0; i <= bins; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(bins);
        const double log = m_logBegin + share * (m_logEnd - m_logBegin);
        const std::int64_t edge = std::llround(i == 0 ? begin : i == bins ? end : std::exp(log));
        if (m_edgesNs.empty() || edge > m_edgesNs.back()) // skips bins narrower than a nanosecond
            m_edgesNs.push_back(edge);
    }
    m_counts.resize(m_edgesNs.size() - 1);
    for (const double ns : durationsNs) {
        const auto behind = std::upper_bound(m_edgesNs.begin(), m_edgesNs.end(), std::llround(ns));
        ++m_counts[static_cast<std::size_t>(behind - m_edgesNs.begin()) - 1];
    }
}

double DurationHistogram::positionOf(double ns) const
{
    if (ns < 1)
        return 0;
    const double share = (std::log(ns) - m_logBegin) / (m_logEnd - m_logBegin);
    return std::clamp(m_zerosShare + share * (1 - m_zerosShare), m_zerosShare, 1.0);
}

double DurationHistogram::durationAt(double position) const
{
    if (position < m_zerosShare)
        return 0;
    const double share = (position - m_zerosShare) / (1 - m_zerosShare);
    return std::exp(m_logBegin + std::min(share, 1.0) * (m_logEnd - m_logBegin));
}

} // namespace collscope
