// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Sampled values over time, independent of the file format, for drawing and querying in charts.

#include "model/columns.h"
#include "model/nvlink.h"

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace collscope {

/// A step function over time: value[i] is valid on [timeNs[i], timeNs[i + 1]). NaN: nothing was sampled
/// there. The last value is NaN; two NaN are never adjacent.
struct StepFunction
{
    std::vector<std::int64_t> timeNs;
    std::vector<double> value; ///< GB/s

    /// 0 without samples.
    double highest() const;
};

/// Samples of one curve, read in place and kept alive: value(i) is valid on range(i). Ranges are sorted and
/// do not overlap. Gaps between ranges and NaN values mean that nothing was sampled. Cheap to copy.
class SampledCurve
{
public:
    SampledCurve() = default;
    /// All constructors are O(samples): they precompute the extremes of each block of samples.
    explicit SampledCurve(std::shared_ptr<const StepFunction> steps);
    /// In GB/s.
    explicit SampledCurve(std::shared_ptr<const LinkSeries> link);
    /// A sample covers the time since the previous one; after a pause, one median period.
    explicit SampledCurve(std::shared_ptr<const CounterSeries> counter);

    std::size_t size() const { return m_ends.size(); }
    TimeRange range(std::size_t i) const;
    double value(std::size_t i) const;
    /// The first sample that ends after a time; size() if there is none. O(log samples).
    std::size_t firstEndingAfter(std::int64_t timeNs) const;
    /// The sample that covers a time; nullopt if nothing was sampled there.
    std::optional<std::size_t> sampleAt(std::int64_t timeNs) const;

    struct Extremes
    {
        double low = std::numeric_limits<double>::infinity();
        double high = -std::numeric_limits<double>::infinity();
        bool isEmpty() const { return low > high; }
    };
    /// Extremes of the samples [first, last), ignoring NaN. O(samples / 64).
    Extremes extremes(std::size_t first, std::size_t last) const;
    /// 0 without samples.
    double highest() const;
    /// The lowest value above 0, as the start of a logarithmic axis; nullopt if there is none.
    std::optional<double> lowestPositive() const { return m_lowestPositive; }

private:
    void summarise();

    std::shared_ptr<const void> m_owner;
    std::span<const std::int64_t> m_begins; ///< empty: each sample starts where the previous one ends
    std::span<const std::int64_t> m_ends;
    std::span<const double> m_values;
    std::span<const std::uint64_t> m_bytes; ///< used instead of values
    std::int64_t m_periodNs = 0; ///< median, for samples with end times only
    std::shared_ptr<const std::vector<Extremes>> m_blocks;
    std::optional<double> m_lowestPositive;
};

} // namespace collscope
