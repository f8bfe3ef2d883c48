// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The distribution of slice durations: figures and a histogram.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace collscope {

/// Exact; all 0 without slices.
struct DurationFigures
{
    std::int64_t shortestNs = 0;
    std::int64_t medianNs = 0; ///< rounded, like p95Ns
    std::int64_t p95Ns = 0; ///< interpolated between the two neighbours
    std::int64_t longestNs = 0;
    friend bool operator==(const DurationFigures&, const DurationFigures&) = default;
};
/// Durations in ns. O(durations).
DurationFigures durationFigures(const std::vector<double>& durationsNs);

/// The number of slices per duration, in bins of equal width on a logarithmic axis, as far as whole
/// nanoseconds allow. The axis extends from the shortest to the longest duration, and slightly further if
/// these are nearly equal. Durations of 0, which have no place on this axis, are counted in a bin before its
/// beginning.
class DurationHistogram
{
public:
    static constexpr std::size_t mostBins = 240;

    DurationHistogram() = default;
    /// O(durations x log bins).
    explicit DurationHistogram(const std::vector<double>& durationsNs);

    bool isEmpty() const { return m_counts.empty(); }
    std::size_t bins() const { return m_counts.size(); }
    /// Bin i counts the durations from edge i (included) to edge i + 1 (excluded). Edges ascend strictly.
    std::int64_t edgeNs(std::size_t edge) const { return m_edgesNs[edge]; }
    std::uint64_t count(std::size_t bin) const { return m_counts[bin]; }
    /// Position of a duration on the axis: 0 at or before the first edge, 1 at or after the last.
    double positionOf(double ns) const;
    /// Inverse of positionOf(); 0 throughout the bin of zeros.
    double durationAt(double position) const;

private:
    std::vector<std::int64_t> m_edgesNs;
    std::vector<std::uint64_t> m_counts;
    double m_logBegin = 0, m_logEnd = 1; ///< natural logarithms of the axis ends, with the bin of zeros
    double m_zerosShare = 0; ///< share of the axis used by the bin of zeros
};

} // namespace collscope
