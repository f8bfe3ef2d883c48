// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How long slices last: figures, and how many last how long.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace collscope {

/// Exact; all 0 of no slices.
struct DurationFigures
{
    std::int64_t shortestNs = 0;
    std::int64_t medianNs = 0; ///< rounded, as p95Ns is
    std::int64_t p95Ns = 0; ///< interpolated between the two neighbours
    std::int64_t longestNs = 0;
    friend bool operator==(const DurationFigures&, const DurationFigures&) = default;
};
/// Durations in ns. O(durations).
DurationFigures durationFigures(const std::vector<double>& durationsNs);

/// How many slices last how long, in bins that are equally wide on a logarithmic axis, as far as whole
/// nanoseconds allow. The axis reaches from the shortest to the longest, and a little further where these are
/// nearly the same. Durations of 0, which such an axis has no place for, have the bin before its beginning.
class DurationHistogram
{
public:
    static constexpr std::size_t mostBins = 240;

    DurationHistogram() = default;
    /// O(durations x log bins).
    explicit DurationHistogram(const std::vector<double>& durationsNs);

    bool isEmpty() const { return m_counts.empty(); }
    std::size_t bins() const { return m_counts.size(); }
    /// Bin i counts the durations from edge i up to, but without, edge i + 1. Edges ascend strictly.
    std::int64_t edgeNs(std::size_t edge) const { return m_edgesNs[edge]; }
    std::uint64_t count(std::size_t bin) const { return m_counts[bin]; }
    /// Where a duration stands on the axis: 0 at the first edge or before, 1 at the last or behind.
    double positionOf(double ns) const;
    /// The other way round; 0 for the whole of the bin of zeros.
    double durationAt(double position) const;

private:
    std::vector<std::int64_t> m_edgesNs;
    std::vector<std::uint64_t> m_counts;
    double m_logBegin = 0, m_logEnd = 1; ///< natural logarithms of the axis' ends, with the bin of zeros
    double m_zerosShare = 0; ///< of the axis, for the bin of zeros
};

} // namespace collscope
