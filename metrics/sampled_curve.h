// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Sampled values over time, whichever file they come from: what charts draw and ask.

#include "model/columns.h"
#include "model/nvlink.h"

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace collscope {

/// A step function over time: value[i] holds on [timeNs[i], timeNs[i + 1]). NaN: nothing was sampled there;
/// the last value is NaN. Beside a NaN there is never another.
struct StepFunction
{
    std::vector<std::int64_t> timeNs;
    std::vector<double> value; ///< GB/s

    /// 0 without samples.
    double highest() const;
};

/// Samples of one curve, read where they lie and kept alive: value(i) holds on range(i). Ranges are sorted
/// and do not overlap. Where two do not touch, or the value is NaN, nothing was sampled. Cheap to copy.
class SampledCurve
{
public:
    SampledCurve() = default;
    /// All of them O(samples): they note the extremes of each few samples.
    explicit SampledCurve(std::shared_ptr<const StepFunction> steps);
    /// In GB/s.
    explicit SampledCurve(std::shared_ptr<const LinkSeries> link);
    /// A sample is what was counted since the one before it; after a pause, since one median period before.
    explicit SampledCurve(std::shared_ptr<const CounterSeries> counter);

    std::size_t size() const { return m_ends.size(); }
    TimeRange range(std::size_t i) const;
    double value(std::size_t i) const;
    /// The first sample that ends after a time; size() if there is none. O(log samples).
    std::size_t firstEndingAfter(std::int64_t timeNs) const;
    /// The sample that covers a time; nullopt where nothing was sampled.
    std::optional<std::size_t> sampleAt(std::int64_t timeNs) const;

    struct Extremes
    {
        double low = std::numeric_limits<double>::infinity();
        double high = -std::numeric_limits<double>::infinity();
        bool isEmpty() const { return low > high; }
    };
    /// Of the samples [first, last), but NaN. O(samples / 64).
    Extremes extremes(std::size_t first, std::size_t last) const;
    /// 0 without samples.
    double highest() const;
    /// The lowest value above 0; nullopt if there is none: where a logarithmic axis can begin.
    std::optional<double> lowestPositive() const { return m_lowestPositive; }

private:
    void summarise();

    std::shared_ptr<const void> m_owner;
    std::span<const std::int64_t> m_begins; ///< empty: each sample begins where the one before ends
    std::span<const std::int64_t> m_ends;
    std::span<const double> m_values;
    std::span<const std::uint64_t> m_bytes; ///< instead of values
    std::int64_t m_periodNs = 0; ///< median, of samples that say only when they end
    std::shared_ptr<const std::vector<Extremes>> m_blocks;
    std::optional<double> m_lowestPositive;
};

} // namespace collscope
