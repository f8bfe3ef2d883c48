// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/history/change_points.h"

#include "metrics/core/statistics.h"
#include "metrics/history/level_search.h"
#include "metrics/history/period.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace collscope {

namespace {

/// From the median of absolute deviations to the standard deviation of a normal distribution.
constexpr double madToDeviation = 1.4826;

std::vector<double> valuesIn(std::span<const double> values, std::size_t begin, std::size_t end)
{
    return {values.begin() + static_cast<std::ptrdiff_t>(begin),
            values.begin() + static_cast<std::ptrdiff_t>(end)};
}

double medianIn(std::span<const double> values, std::size_t begin, std::size_t end)
{
    return begin < end ? medianOf(valuesIn(values, begin, end)) : 0;
}

/// A level between two boundaries.
struct SeriesLevel
{
    std::size_t begin = 0, end = 0;
    double median = 0;
    std::size_t size() const { return end - begin; }
};

/// How values lie around what they should be.
struct SeriesScatter
{
    double spread = 0; ///< robust standard deviation
    double likeness = 0; ///< correlation of neighbours
    /// Neighbours that resemble each other count less: with the correlation r, n values count as
    /// n (1 - r) / (1 + r).
    double inflation() const { return (1 + likeness) / (1 - likeness); }
};

SeriesScatter scatterOf(const std::vector<double>& deviations)
{
    SeriesScatter scatter;
    std::vector<double> sizes = deviations;
    for (double& size : sizes)
        size = std::abs(size);
    scatter.spread = madToDeviation * medianOf(std::move(sizes));
    double products = 0, squares = 0;
    const double limit = 3 * scatter.spread; // outliers say nothing about likeness
    for (std::size_t i = 0; i < deviations.size(); ++i) {
        const double own = std::clamp(deviations[i], -limit, limit);
        squares += own * own;
        products += i == 0 ? 0 : own * std::clamp(deviations[i - 1], -limit, limit);
    }
    scatter.likeness = squares > 0 ? std::clamp(products / squares, 0.0, 0.98) : 0;
    return scatter;
}

class ShapeSearch
{
public:
    ShapeSearch(std::span<const double> values, const ChangeRules& rules)
        : m_values(values)
        , m_rules(rules)
    { }

    SeriesShape find();

private:
    enum class Verdict
    {
        Nothing,
        Gradual,
        Step
    };
    void setLevels(const std::vector<std::size_t>& boundaries);
    void setSpread();
    std::size_t refined(const SeriesLevel& before, const SeriesLevel& after) const;
    void refineLevels();
    Verdict judge(std::size_t boundary, double& probability) const;
    bool isAbrupt(const SeriesLevel& before, const SeriesLevel& after) const;
    bool isSlope(std::size_t boundary, std::size_t side) const;
    double chance(const SeriesLevel& a, const SeriesLevel& b, double inflation) const;
    void findSlope(SeriesShape& shape) const;
    void dropWhatIsNothing();
    void interval(ChangePoint& change, const SeriesLevel& before, const SeriesLevel& after) const;
    void collect(SeriesShape& shape);
    void findPeriod(SeriesShape& shape) const;
    void turnIntoPeriod(SeriesShape& shape) const;

    std::span<const double> m_values;
    const ChangeRules& m_rules;
    std::vector<SeriesLevel> m_levels;
    SeriesScatter m_scatter; ///< around the levels
};

void ShapeSearch::setLevels(const std::vector<std::size_t>& boundaries)
{
    m_levels.clear();
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= boundaries.size(); ++i) {
        const std::size_t end = i < boundaries.size() ? boundaries[i] : m_values.size();
        m_levels.push_back({begin, end, medianIn(m_values, begin, end)});
        begin = end;
    }
}

void ShapeSearch::setSpread()
{
    std::vector<double> deviations;
    deviations.reserve(m_values.size());
    for (const SeriesLevel& level : m_levels) {
        for (std::size_t i = level.begin; i < level.end; ++i)
            deviations.push_back(m_values[i] - level.median);
    }
    m_scatter = scatterOf(deviations);
}

/// The probability of ranks as different by chance.
double ShapeSearch::chance(const SeriesLevel& a, const SeriesLevel& b, double inflation) const
{
    return rankSumProbability(m_values.subspan(a.begin, a.size()), m_values.subspan(b.begin, b.size()),
                              inflation);
}

/// Where the change between two levels is: the index that fits both medians with the least sum of absolute
/// deviations.
std::size_t ShapeSearch::refined(const SeriesLevel& before, const SeriesLevel& after) const
{
    double sum = 0, least = 0;
    std::size_t best = before.begin;
    for (std::size_t i = before.begin; i < after.end; ++i) {
        sum += std::abs(m_values[i] - before.median) - std::abs(m_values[i] - after.median);
        if (sum < least) {
            least = sum;
            best = i + 1;
        }
    }
    return best;
}

/// Moves the boundaries to where they fit best.
void ShapeSearch::refineLevels()
{
    std::vector<std::size_t> boundaries;
    for (std::size_t i = 0; i + 1 < m_levels.size(); ++i) {
        const std::size_t place = refined(m_levels[i], m_levels[i + 1]);
        if (place > (boundaries.empty() ? 0 : boundaries.back()) && place < m_values.size())
            boundaries.push_back(place);
    }
    setLevels(boundaries);
    setSpread();
}

/// Whether the values beside the boundary are at the levels already. The number of values makes the noise of
/// their medians small beside the difference.
bool ShapeSearch::isAbrupt(const SeriesLevel& before, const SeriesLevel& after) const
{
    const double difference = after.median - before.median;
    const std::size_t shorter = std::min(before.size(), after.size());
    constexpr double noiseShare = 11.8; // of two medians: 0.15 of the difference
    const double wanted = std::pow(noiseShare * m_scatter.spread / std::abs(difference), 2);
    const std::size_t most = std::min<std::size_t>(60, std::max(shorter / 2, fewestLevelValues));
    const auto count = std::clamp(static_cast<std::size_t>(std::min(wanted, 1e6)), fewestLevelValues, most);
    const double jump = medianIn(m_values, after.begin, after.begin + std::min(count, after.size()))
        - medianIn(m_values, before.end - std::min(count, before.size()), before.end);
    return jump / difference >= 0.6 && !isSlope(after.begin, shorter);
}

/// Whether a straight line fits the values on both sides better than two levels do, by absolute deviations.
bool ShapeSearch::isSlope(std::size_t boundary, std::size_t side) const
{
    const std::size_t begin = boundary - side, third = std::max<std::size_t>(2 * side / 3, 2);
    const std::size_t end = boundary + side;
    const double first = medianIn(m_values, begin, begin + third),
                 last = medianIn(m_values, end - third, end);
    const double slope = (last - first) / static_cast<double>(2 * side - third);
    const double atBegin = first - slope * static_cast<double>(third - 1) / 2;
    const double low = medianIn(m_values, begin, boundary), high = medianIn(m_values, boundary, end);
    double line = 0, levels = 0;
    for (std::size_t i = begin; i < end; ++i) {
        line += std::abs(m_values[i] - (atBegin + slope * static_cast<double>(i - begin)));
        levels += std::abs(m_values[i] - (i < boundary ? low : high));
    }
    return line <= 1.02 * levels;
}

ShapeSearch::Verdict ShapeSearch::judge(std::size_t boundary, double& probability) const
{
    const SeriesLevel& before = m_levels[boundary];
    const SeriesLevel& after = m_levels[boundary + 1];
    probability = 1;
    if (before.size() < fewestLevelValues || after.size() < fewestLevelValues)
        return Verdict::Nothing;
    const double difference = std::abs(after.median - before.median);
    const double smaller = std::min(before.median, after.median);
    if (difference < m_rules.least * smaller || difference < m_rules.leastSpreads * m_scatter.spread)
        return Verdict::Nothing;
    constexpr std::size_t most = 2000; // values near the boundary: more do not make it surer
    const std::size_t begin = before.end - std::min(before.size(), most);
    const std::size_t end = after.begin + std::min(after.size(), most);
    probability = chance({begin, before.end}, {after.begin, end}, m_scatter.inflation());
    if (probability > m_rules.significance / static_cast<double>(m_levels.size() - 1))
        return Verdict::Nothing;
    return isAbrupt(before, after) ? Verdict::Step : Verdict::Gradual;
}

/// Joins levels that are not different, the least different first.
void ShapeSearch::dropWhatIsNothing()
{
    while (m_levels.size() > 1) {
        std::size_t worst = m_levels.size();
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i + 1 < m_levels.size(); ++i) {
            double probability = 1;
            const double difference = std::abs(m_levels[i + 1].median - m_levels[i].median);
            if (difference < least && judge(i, probability) == Verdict::Nothing) {
                least = difference;
                worst = i;
            }
        }
        if (worst == m_levels.size())
            return;
        std::vector<std::size_t> boundaries;
        for (std::size_t i = 0; i + 1 < m_levels.size(); ++i) {
            if (i != worst)
                boundaries.push_back(m_levels[i].end);
        }
        setLevels(boundaries);
        setSpread();
    }
}

/// The change is as likely at other indices where the sum of absolute deviations is hardly larger: by at most
/// three spreads, which is where a normal distribution would make it 20 times less likely.
void ShapeSearch::interval(ChangePoint& change, const SeriesLevel& before, const SeriesLevel& after) const
{
    const double allowed = 3 * m_scatter.spread;
    const auto cost = [&](std::size_t i) {
        return std::abs(m_values[i] - before.median) - std::abs(m_values[i] - after.median);
    };
    change.earliest = change.latest = change.index;
    double sum = 0;
    for (std::size_t i = change.index; i > before.begin; --i) {
        sum -= cost(i - 1);
        if (sum > allowed)
            break;
        change.earliest = i - 1;
    }
    sum = 0;
    for (std::size_t i = change.index; i < after.end; ++i) {
        sum += cost(i);
        if (sum > allowed)
            break;
        change.latest = i + 1;
    }
}

void ShapeSearch::collect(SeriesShape& shape)
{
    for (std::size_t i = 0; i + 1 < m_levels.size(); ++i) {
        double probability = 1;
        const SeriesLevel& before = m_levels[i];
        const SeriesLevel& after = m_levels[i + 1];
        if (judge(i, probability) == Verdict::Step) {
            ChangePoint change;
            change.index = after.begin;
            change.before = before.median;
            change.after = after.median;
            change.probability = probability;
            interval(change, before, after);
            shape.changes.push_back(change);
            continue;
        }
        const bool goesOn = !shape.gradual.empty() && shape.gradual.back().end == before.end
            && (after.median > before.median) == (shape.gradual.back().after > shape.gradual.back().before);
        if (goesOn) {
            shape.gradual.back().end = after.end;
            shape.gradual.back().after = after.median;
        } else {
            shape.gradual.push_back({before.begin, after.end, before.median, after.median});
        }
    }
}

/// Values far above their level, at regular distances.
void ShapeSearch::findPeriod(SeriesShape& shape) const
{
    std::vector<std::size_t> begins;
    std::vector<double> slow, others;
    bool wasSlow = false;
    for (const SeriesLevel& level : m_levels) {
        const double limit = level.median + std::max(6 * m_scatter.spread, m_rules.least * level.median);
        for (std::size_t i = level.begin; i < level.end; ++i) {
            const bool isSlow = m_values[i] > limit;
            (isSlow ? slow : others).push_back(m_values[i]);
            if (isSlow && !wasSlow)
                begins.push_back(i);
            wasSlow = isSlow;
        }
    }
    const auto period = others.empty() ? std::nullopt : periodOf(begins, m_values.size());
    if (period)
        shape.periodic = PeriodicSlowdown{period->every, period->hits, medianOf(others), medianOf(slow)};
}

/// A slope that has no step anywhere.
void ShapeSearch::findSlope(SeriesShape& shape) const
{
    const std::size_t count = m_values.size(), third = count / 3;
    const SeriesLevel front{0, third, medianIn(m_values, 0, third)};
    const SeriesLevel back{count - third, count, medianIn(m_values, count - third, count)};
    const double difference = back.median - front.median;
    const double slope = difference / static_cast<double>(count - third);
    std::vector<double> deviations;
    for (std::size_t i = 0; i < count; ++i)
        deviations.push_back(m_values[i] - front.median
                             - slope * (static_cast<double>(i) - static_cast<double>(third - 1) / 2));
    const SeriesScatter scatter = scatterOf(deviations);
    const bool isLarge = std::abs(difference) >= m_rules.least * std::min(front.median, back.median)
        && std::abs(difference) >= m_rules.leastSpreads * scatter.spread
        && scatter.spread < m_scatter.spread; // the line explains what a level does not
    if (isLarge && chance(front, back, scatter.inflation()) <= m_rules.significance)
        shape.gradual.push_back({0, count, front.median, back.median});
}

/// Changes up and down again and again at regular distances are a period of longer slow parts.
void ShapeSearch::turnIntoPeriod(SeriesShape& shape) const
{
    constexpr std::size_t fewest = 3;
    std::vector<std::size_t> ups;
    std::vector<double> low, high;
    for (std::size_t i = 0; i < shape.changes.size(); ++i) {
        const ChangePoint& change = shape.changes[i];
        const bool isUp = change.after > change.before;
        if (i > 0 && isUp == (shape.changes[i - 1].after > shape.changes[i - 1].before))
            return;
        if (isUp)
            ups.push_back(change.index);
        low.push_back(std::min(change.before, change.after));
        high.push_back(std::max(change.before, change.after));
    }
    if (ups.size() < fewest)
        return;
    std::vector<double> gaps;
    for (std::size_t i = 1; i < ups.size(); ++i)
        gaps.push_back(static_cast<double>(ups[i] - ups[i - 1]));
    const double typical = medianOf(gaps);
    const bool isRegular = std::all_of(gaps.begin(), gaps.end(), [typical](double gap) {
        return std::abs(gap - typical) <= std::max(2.0, 0.15 * typical);
    });
    if (!isRegular)
        return;
    shape.periodic = PeriodicSlowdown{static_cast<std::size_t>(std::llround(typical)), ups.size(),
                                      medianOf(low), medianOf(high)};
    shape.changes.clear();
}

SeriesShape ShapeSearch::find()
{
    SeriesShape shape;
    if (m_values.size() < fewestToldValues(m_rules))
        return shape;
    shape.isTold = true;
    setLevels(levelBoundaries(m_values));
    refineLevels();
    dropWhatIsNothing();
    refineLevels(); // levels that were joined have other medians: the place follows them
    dropWhatIsNothing();
    collect(shape);
    turnIntoPeriod(shape);
    if (!shape.periodic)
        findPeriod(shape);
    if (!shape.periodic && shape.changes.empty() && shape.gradual.empty())
        findSlope(shape);
    const SeriesLevel& last = m_levels.back();
    shape.slowEnd = slowEndOf(m_values.subspan(last.begin), last.median, m_scatter.spread, m_rules.least);
    shape.spread = m_scatter.spread;
    std::vector<double> differences;
    for (std::size_t i = 1; i < m_values.size(); ++i)
        differences.push_back(std::abs(m_values[i] - m_values[i - 1]));
    shape.noise = madToDeviation / std::sqrt(2.0) * medianOf(std::move(differences));
    return shape;
}

} // namespace

double rankSumProbability(std::span<const double> a, std::span<const double> b, double inflation)
{
    if (a.empty() || b.empty())
        return 1;
    std::vector<std::pair<double, bool>> all;
    all.reserve(a.size() + b.size());
    for (const double value : a)
        all.emplace_back(value, true);
    for (const double value : b)
        all.emplace_back(value, false);
    std::sort(all.begin(), all.end());
    const auto count = static_cast<double>(all.size());
    const auto sizeA = static_cast<double>(a.size()), sizeB = static_cast<double>(b.size());
    double rankSum = 0, ties = 0;
    for (std::size_t begin = 0; begin < all.size();) {
        std::size_t end = begin;
        while (end < all.size() && all[end].first == all[begin].first)
            ++end;
        const double rank = 0.5 * static_cast<double>(begin + 1 + end);
        const auto equal = static_cast<double>(end - begin);
        ties += equal * equal * equal - equal;
        for (std::size_t i = begin; i < end; ++i)
            rankSum += all[i].second ? rank : 0;
        begin = end;
    }
    const double u = rankSum - sizeA * (sizeA + 1) / 2;
    const double variance = inflation * sizeA * sizeB / 12 * (count + 1 - ties / (count * (count - 1)));
    if (!(variance > 0))
        return 1;
    const double distance = std::max(std::abs(u - sizeA * sizeB / 2) - 0.5, 0.0);
    return std::erfc(distance / std::sqrt(2 * variance));
}

std::size_t fewestToldValues(const ChangeRules& rules)
{
    std::size_t count = fewestHistoryValues;
    constexpr std::size_t most = 1000; // a significance of zero has no such number
    for (; count < most; ++count) {
        const auto a = static_cast<double>(count / 2), b = static_cast<double>(count - count / 2);
        const double distance = a * b / 2 - 0.5, variance = a * b / 12 * (a + b + 1);
        if (std::erfc(distance / std::sqrt(2 * variance)) <= rules.significance)
            break;
    }
    return count;
}

SeriesShape shapeOf(std::span<const double> values, const ChangeRules& rules)
{
    return ShapeSearch(values, rules).find();
}

} // namespace collscope
