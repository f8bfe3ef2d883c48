// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Time ranges and named unit conversions. Times are int64 nanoseconds everywhere; every bandwidth is decimal
// GB/s.

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace collscope {

/// Half-open interval [beginNs, endNs) in nanoseconds. Invariant of every function here: beginNs <= endNs.
struct TimeRange
{
    std::int64_t beginNs = 0;
    std::int64_t endNs = 0;

    constexpr std::int64_t lengthNs() const { return endNs - beginNs; }
    constexpr bool isEmpty() const { return endNs <= beginNs; }
    constexpr bool contains(std::int64_t timeNs) const { return beginNs <= timeNs && timeNs < endNs; }
    constexpr bool overlaps(TimeRange other) const { return beginNs < other.endNs && other.beginNs < endNs; }
    /// The common part; empty (begin == end) if the ranges do not overlap.
    constexpr TimeRange intersected(TimeRange other) const
    {
        const std::int64_t begin = std::max(beginNs, other.beginNs);
        return {begin, std::max(begin, std::min(endNs, other.endNs))};
    }
    constexpr TimeRange united(TimeRange other) const
    {
        return {std::min(beginNs, other.beginNs), std::max(endNs, other.endNs)};
    }
    friend constexpr bool operator==(TimeRange, TimeRange) = default;
};

/// Bytes per nanosecond is GB/s (1e9 bytes per 1e9 ns). 0 for an empty interval.
constexpr double gigabytesPerSecond(std::uint64_t bytes, std::int64_t durationNs)
{
    return durationNs > 0 ? static_cast<double>(bytes) / static_cast<double>(durationNs) : 0.0;
}

constexpr double nsToUs(std::int64_t ns)
{
    return static_cast<double>(ns) / 1e3;
}
constexpr double nsToMs(std::int64_t ns)
{
    return static_cast<double>(ns) / 1e6;
}
constexpr double nsToSeconds(std::int64_t ns)
{
    return static_cast<double>(ns) / 1e9;
}
/// Seconds that are a multiple of 1 ns give the double nearest to that time in ms: 0.0069 s is 6.9 ms,
/// whereas a product gives 6.8999999999999995.
inline double secondsToMs(double seconds)
{
    constexpr double exactIntegers = 9007199254740992.0; // 2^53
    const double ns = std::round(seconds * 1e9);
    return std::abs(ns) < exactIntegers && ns / 1e9 == seconds ? ns / 1e6 : seconds * 1e3;
}

} // namespace collscope
