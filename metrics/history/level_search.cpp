// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/history/level_search.h"

#include "metrics/core/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace collscope {

namespace {

constexpr std::size_t mostSeriesParts = 1024;
constexpr std::size_t shortestPartLevel = 3; // in parts

/// The ranks of the values, the mean rank where values are equal, scaled to mean 0 and variance 1.
std::vector<double> scaledRanks(const std::vector<double>& values)
{
    const std::size_t count = values.size();
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(count);
    for (std::size_t begin = 0; begin < count;) {
        std::size_t end = begin;
        while (end < count && values[order[end]] == values[order[begin]])
            ++end;
        for (std::size_t i = begin; i < end; ++i)
            ranks[order[i]] = 0.5 * static_cast<double>(begin + end - 1);
        begin = end;
    }
    const double mean = meanOf(ranks);
    const double deviation = std::max(standardDeviationOf(ranks), 1e-9);
    for (double& rank : ranks)
        rank = (rank - mean) / deviation;
    return ranks;
}

/// The variance of neighbours around a common level, from the median of their differences.
double noiseVariance(const std::vector<double>& values)
{
    std::vector<double> differences;
    for (std::size_t i = 1; i < values.size(); ++i)
        differences.push_back(std::abs(values[i] - values[i - 1]));
    const double deviation = 1.4826 / std::sqrt(2.0) * medianOf(std::move(differences));
    return std::clamp(deviation * deviation, 0.01, 1.0);
}

/// Squared errors around the mean of any part, from sums.
class SquaredErrors
{
public:
    explicit SquaredErrors(const std::vector<double>& values)
        : m_sums(values.size() + 1)
        , m_squares(values.size() + 1)
    {
        for (std::size_t i = 0; i < values.size(); ++i) {
            m_sums[i + 1] = m_sums[i] + values[i];
            m_squares[i + 1] = m_squares[i] + values[i] * values[i];
        }
    }
    double of(std::size_t begin, std::size_t end) const
    {
        const double sum = m_sums[end] - m_sums[begin];
        return m_squares[end] - m_squares[begin] - sum * sum / static_cast<double>(end - begin);
    }

private:
    std::vector<double> m_sums, m_squares;
};

std::vector<std::size_t> pelt(const std::vector<double>& values)
{
    const std::size_t count = values.size();
    const SquaredErrors errors(values);
    const double penalty = 4 * noiseVariance(values) * std::log(static_cast<double>(count));
    std::vector<double> best(count + 1, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> last(count + 1, 0), candidates{0};
    best[0] = -penalty;
    for (std::size_t end = shortestPartLevel; end <= count; ++end) {
        for (const std::size_t begin : candidates) {
            const double cost = best[begin] + errors.of(begin, end) + penalty;
            if (cost < best[end]) {
                best[end] = cost;
                last[end] = begin;
            }
        }
        std::erase_if(candidates, [&](std::size_t begin) {
            return best[begin] + errors.of(begin, end) > best[end] + penalty;
        });
        if (end + 1 >= 2 * shortestPartLevel)
            candidates.push_back(end + 1 - shortestPartLevel);
    }
    std::vector<std::size_t> boundaries;
    for (std::size_t end = last[count]; end > 0; end = last[end])
        boundaries.push_back(end);
    std::reverse(boundaries.begin(), boundaries.end());
    return boundaries;
}

} // namespace

std::vector<std::size_t> levelBoundaries(std::span<const double> values)
{
    const std::size_t perPart = (values.size() + mostSeriesParts - 1) / mostSeriesParts;
    if (values.size() < 2 * shortestPartLevel)
        return {};
    std::vector<double> parts;
    for (std::size_t begin = 0; begin < values.size(); begin += perPart) {
        const std::span<const double> own = values.subspan(begin, std::min(perPart, values.size() - begin));
        parts.push_back(medianOf({own.begin(), own.end()}));
    }
    std::vector<std::size_t> boundaries = pelt(scaledRanks(parts));
    for (std::size_t& boundary : boundaries)
        boundary *= perPart;
    return boundaries;
}

} // namespace collscope
