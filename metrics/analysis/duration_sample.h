// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace collscope {

/// Figures of durations, in microseconds: those that statistics.h gives. All are 0 if there are none.
struct SampleFigures
{
    std::size_t count = 0;
    double mean = 0, median = 0, p95 = 0, smallest = 0, largest = 0;
};

/// Collects very many durations: 2 bytes for each that is shorter than 65 us, 4 for one shorter than 4 s.
class DurationSample
{
public:
    void reserve(std::size_t count)
    {
        m_shortest.reserve(count);
        m_short.reserve(count); // takes no memory until it is used
    }
    /// Precondition: not negative.
    void add(std::int64_t ns);

    /// Reorders the durations. O(size).
    SampleFigures figures();

private:
    std::size_t size() const { return m_shortest.size() + m_short.size() + m_long.size(); }
    double percentileUs(double p);
    /// The k-th, counted from 0 by size.
    std::int64_t nth(std::size_t k);

    std::vector<std::uint16_t> m_shortest;
    std::vector<std::uint32_t> m_short; ///< what does not fit there
    std::vector<std::int64_t> m_long; ///< nor there
    double m_sumUs = 0; ///< in the order in which they were added
};

} // namespace collscope
