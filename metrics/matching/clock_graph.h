// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Clock offsets from offsets within groups: least squares over the graph of groups and clocks.

#include <cstdint>
#include <vector>

namespace collscope {

/// Each process group measures its clocks relative to its own reference. Clocks and references minimise
/// sum(weight x (clock - reference - measured)^2).
class ClockGraph
{
public:
    explicit ClockGraph(std::size_t clocks)
        : m_clocks(clocks)
    { }

    void add(std::size_t group, std::size_t clock, double measured, double weight);

    struct Solution
    {
        std::vector<double> value; ///< per clock; the first of each component is 0
        std::vector<std::int32_t> component; ///< -1: in no group
        std::vector<std::int64_t> weight; ///< sum of the weights of a clock's measurements
        std::int32_t components = 0;
    };
    Solution solve() const;

private:
    struct Edge
    {
        std::size_t group, clock;
        double measured, weight;
    };
    void spread(Solution& solution, std::vector<double>& references) const;
    void settle(Solution& solution, std::vector<double>& references) const;

    std::size_t m_clocks;
    std::size_t m_groups = 0;
    std::vector<Edge> m_edges;
};

} // namespace collscope
