// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/gate/noisy_change.h"

#include "metrics/core/statistics.h"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace collscope {

namespace {

/// 15 % of the values at each end, and at least one: a step that saves a checkpoint is not typical.
std::size_t trimmedAtEachEnd(std::size_t count)
{
    return std::max<std::size_t>(1, count * 15 / 100);
}

/// Whether two values of that size are the same but for their last digits.
bool isRounding(double difference, double value)
{
    constexpr double digits = 1e-12;
    return std::abs(difference) <= digits * std::abs(value);
}

/// The values of one run as Yuen's test sees them.
struct TrimmedSample
{
    double mean = 0; ///< of the values that are left
    double left = 0; ///< their number
    double squares = 0; ///< sum of squared deviations of the winsorized values from their mean
    double neighbours = 0; ///< sum of products of the deviations of neighbours in time
    double count = 0;

    explicit TrimmedSample(const std::vector<double>& values)
        : count(static_cast<double>(values.size()))
    {
        const std::size_t trimmed = trimmedAtEachEnd(values.size());
        std::vector<double> sorted = values;
        std::sort(sorted.begin(), sorted.end());
        const auto ends = static_cast<std::ptrdiff_t>(trimmed);
        const std::vector<double> kept(sorted.begin() + ends, sorted.end() - ends);
        mean = meanOf(kept);
        left = static_cast<double>(kept.size());
        if (isRounding(kept.back() - kept.front(), mean)) { // no noise at all, as of a count
            mean = kept.front();
            return;
        }
        std::vector<double> winsorized = values;
        for (double& value : winsorized)
            value = std::clamp(value, kept.front(), kept.back());
        const double middle = meanOf(winsorized);
        for (std::size_t i = 0; i < winsorized.size(); ++i) {
            const double deviation = winsorized[i] - middle;
            squares += deviation * deviation;
            neighbours += i > 0 ? deviation * (winsorized[i - 1] - middle) : 0;
        }
    }

    double autocorrelation() const { return squares > 0 ? neighbours / squares : 0; }
    double meanSquaredError() const { return squares / (left * (left - 1)); }
};

/// How many steps tell as much as one independent step. In a short series, neighbours seem to resemble each
/// other less than they do, by (1 + 3r) / n on average; 1 / n more is added for caution.
double stepsPerIndependentStep(const TrimmedSample& base, const TrimmedSample& test)
{
    constexpr double most = 0.95;
    if (base.squares == 0 && test.squares == 0)
        return 1;
    const double all = base.count + test.count;
    const double seen = (base.count * base.autocorrelation() + test.count * test.autocorrelation()) / all;
    const double shorter = std::min(base.count, test.count);
    const double likely = std::clamp(seen + (2 + 3 * seen) / shorter, 0.0, most);
    return (1 + likely) / (1 - likely);
}

} // namespace

NoisyChange noisyChange(const std::vector<double>& base, const std::vector<double>& test, double confidence)
{
    const TrimmedSample own(base), other(test);
    const double inflation = stepsPerIndependentStep(own, other);
    const double ownSteps = own.left / inflation, otherSteps = other.left / inflation;
    NoisyChange change{own.mean, other.mean, 0, 0, std::min(ownSteps, otherSteps)};
    const double ownError = own.meanSquaredError() * inflation;
    const double otherError = other.meanSquaredError() * inflation;
    const double error = ownError + otherError;
    double reach = 0;
    if (change.effectiveSteps < fewestEffectiveSteps) {
        reach = std::numeric_limits<double>::infinity();
    } else if (error > 0) {
        const double freedom = error * error
            / (ownError * ownError / (ownSteps - 1) + otherError * otherError / (otherSteps - 1));
        const boost::math::students_t distribution(freedom);
        reach = boost::math::quantile(boost::math::complement(distribution, (1 - confidence) / 2))
            * std::sqrt(error);
    }
    change.low = change.difference() - reach;
    change.high = change.difference() + reach;
    return change;
}

std::vector<std::size_t> unusualSteps(const std::vector<double>& values, bool areHigh)
{
    constexpr double far = 6; // standard deviations of the others
    const TrimmedSample sample(values);
    const double limit = far * std::sqrt(sample.squares / (sample.count - 1));
    const auto distance
        = [&](std::size_t i) { return areHigh ? values[i] - sample.mean : sample.mean - values[i]; };
    std::vector<std::size_t> unusual;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (distance(i) > limit && !isRounding(distance(i), sample.mean))
            unusual.push_back(i);
    }
    return unusual;
}

std::size_t episodesOf(const std::vector<std::size_t>& steps)
{
    std::size_t episodes = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (i == 0 || steps[i] != steps[i - 1] + 1)
            ++episodes;
    }
    return episodes;
}

double chanceOfAsMany(StepCounts base, StepCounts test)
{
    if (test.unusual == 0)
        return 1;
    const auto all = static_cast<double>(base.all + test.all);
    const boost::math::binomial distribution(static_cast<double>(base.unusual + test.unusual),
                                             static_cast<double>(test.all) / all);
    return boost::math::cdf(boost::math::complement(distribution, static_cast<double>(test.unusual - 1)));
}

} // namespace collscope
