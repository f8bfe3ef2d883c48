// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/matching/clock_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace collscope {

namespace {

constexpr int mostSweeps = 1000;
/// In ns (or ns per ns x 1e9): too small to be visible.
constexpr double smallestStep = 1e-3;

} // namespace

void ClockGraph::add(std::size_t group, std::size_t clock, double measured, double weight)
{
    m_edges.push_back({group, clock, measured, weight});
    m_groups = std::max(m_groups, group + 1);
}

ClockGraph::Solution ClockGraph::solve() const
{
    Solution solution;
    solution.value.assign(m_clocks, 0);
    solution.component.assign(m_clocks, -1);
    solution.weight.assign(m_clocks, 0);
    std::vector<double> references(m_groups, 0);
    for (const Edge& edge : m_edges)
        solution.weight[edge.clock] += std::llround(edge.weight);
    spread(solution, references);
    settle(solution, references);
    return solution;
}

/// Sets initial values, outwards from the first clock of each component: exact if the measurements agree.
void ClockGraph::spread(Solution& solution, std::vector<double>& references) const
{
    std::vector<std::vector<std::size_t>> ofClock(m_clocks), ofGroup(m_groups);
    for (std::size_t e = 0; e < m_edges.size(); ++e) {
        ofClock[m_edges[e].clock].push_back(e);
        ofGroup[m_edges[e].group].push_back(e);
    }
    std::vector<bool> isKnown(m_groups, false);
    std::vector<std::size_t> waiting;
    for (std::size_t start = 0; start < m_clocks; ++start) {
        if (solution.component[start] >= 0 || ofClock[start].empty())
            continue;
        solution.component[start] = solution.components;
        waiting = {start};
        for (std::size_t at = 0; at < waiting.size(); ++at) {
            for (const std::size_t e : ofClock[waiting[at]]) {
                const std::size_t group = m_edges[e].group;
                if (isKnown[group])
                    continue;
                isKnown[group] = true;
                references[group] = solution.value[waiting[at]] - m_edges[e].measured;
                for (const std::size_t other : ofGroup[group]) {
                    const std::size_t clock = m_edges[other].clock;
                    if (solution.component[clock] >= 0)
                        continue;
                    solution.component[clock] = solution.components;
                    solution.value[clock] = references[group] + m_edges[other].measured;
                    waiting.push_back(clock);
                }
            }
        }
        ++solution.components;
    }
}

/// Updates references and clocks alternately, each to the weighted mean implied by the others, until they are
/// stable.
void ClockGraph::settle(Solution& solution, std::vector<double>& references) const
{
    std::vector<double> sum, weight;
    for (int sweep = 0; sweep < mostSweeps; ++sweep) {
        sum.assign(m_groups, 0);
        weight.assign(m_groups, 0);
        for (const Edge& edge : m_edges) {
            sum[edge.group] += edge.weight * (solution.value[edge.clock] - edge.measured);
            weight[edge.group] += edge.weight;
        }
        for (std::size_t group = 0; group < m_groups; ++group)
            references[group] = weight[group] > 0 ? sum[group] / weight[group] : 0;
        sum.assign(m_clocks, 0);
        weight.assign(m_clocks, 0);
        for (const Edge& edge : m_edges) {
            sum[edge.clock] += edge.weight * (references[edge.group] + edge.measured);
            weight[edge.clock] += edge.weight;
        }
        double largest = 0;
        for (std::size_t clock = 0; clock < m_clocks; ++clock) {
            if (weight[clock] <= 0)
                continue;
            largest = std::max(largest, std::abs(sum[clock] / weight[clock] - solution.value[clock]));
            solution.value[clock] = sum[clock] / weight[clock];
        }
        if (largest < smallestStep)
            break;
    }
    std::vector<double> zero(static_cast<std::size_t>(solution.components),
                             std::numeric_limits<double>::quiet_NaN());
    for (std::size_t clock = 0; clock < m_clocks; ++clock) {
        if (solution.component[clock] < 0)
            continue;
        double& first = zero[static_cast<std::size_t>(solution.component[clock])];
        if (std::isnan(first))
            first = solution.value[clock];
        solution.value[clock] -= first;
    }
}

} // namespace collscope
