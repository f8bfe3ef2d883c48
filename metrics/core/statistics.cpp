// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/core/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

namespace collscope {

double meanOf(const std::vector<double>& values)
{
    assert(!values.empty());
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double medianOf(std::vector<double> values)
{
    assert(!values.empty());
    return percentileOf(std::move(values), 0.5);
}

double percentileOf(std::vector<double> values, double p)
{
    assert(!values.empty() && p >= 0 && p <= 1);
    const double at = p * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const auto nth = values.begin() + static_cast<std::ptrdiff_t>(below);
    // Only the two neighbours need their final positions: linear, instead of sorting millions of calls.
    std::nth_element(values.begin(), nth, values.end());
    if (nth + 1 == values.end())
        return *nth;
    const double above = *std::min_element(nth + 1, values.end());
    return *nth + (above - *nth) * (at - static_cast<double>(below));
}

double standardDeviationOf(const std::vector<double>& values)
{
    assert(!values.empty());
    if (values.size() < 2)
        return 0.0;
    // The mean may be a different double: equal values must not appear to vary by its rounding error.
    if (std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); }))
        return 0.0;
    const double mean = meanOf(values);
    double sum = 0;
    for (const double v : values)
        sum += (v - mean) * (v - mean);
    return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

} // namespace collscope
