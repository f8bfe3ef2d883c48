// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/comparison/delta.h"

#include "metrics/core/statistics.h"

#include <cmath>

namespace collscope {

namespace {

constexpr std::size_t fewestSamples = 3;

double standardErrorOf(const std::vector<double>& values)
{
    return standardDeviationOf(values) / std::sqrt(static_cast<double>(values.size()));
}

bool isNoise(double difference, std::span<const double> base, std::span<const double> test, bool paired)
{
    if (base.size() < fewestSamples || test.size() < fewestSamples)
        return false;
    if (paired && base.size() == test.size()) {
        std::vector<double> differences;
        for (std::size_t i = 0; i < base.size(); ++i)
            differences.push_back(test[i] - base[i]);
        return std::abs(difference) <= 2 * standardErrorOf(differences);
    }
    const double own = standardErrorOf({base.begin(), base.end()});
    const double other = standardErrorOf({test.begin(), test.end()});
    return std::abs(difference) <= 2 * std::sqrt(own * own + other * other);
}

} // namespace

std::string_view deltaStatusName(DeltaStatus status)
{
    switch (status) {
    case DeltaStatus::Better:
        return "Better";
    case DeltaStatus::Worse:
        return "Worse";
    case DeltaStatus::Similar:
        return "Similar";
    case DeltaStatus::SimilarNoise:
        return "Similar (noise)";
    case DeltaStatus::Info:
        return "Info";
    case DeltaStatus::New:
        return "new";
    case DeltaStatus::Gone:
        return "gone";
    case DeltaStatus::NotApplicable:
        break;
    }
    return "n.a.";
}

Delta deltaOf(std::optional<double> base, std::optional<double> test, const DeltaRule& rule,
              std::span<const double> baseSamples, std::span<const double> testSamples, bool paired)
{
    Delta delta{base, test, DeltaStatus::NotApplicable, {}, {}, {}, {}};
    if (!base || !test) {
        delta.status = base ? DeltaStatus::Gone : test ? DeltaStatus::New : DeltaStatus::NotApplicable;
        return delta;
    }
    const double difference = *test - *base;
    delta.difference = difference;
    if (*base == 0) {
        if (*test != 0)
            return delta;
        delta.change = delta.improvement = 0;
    } else {
        const double gain = rule.direction == MetricDirection::HigherIsBetter ? difference : -difference;
        delta.change = difference == 0 ? 0 : difference / *base * 100; // never -0
        delta.improvement = gain == 0 ? 0 : gain / *base * 100;
        delta.ratio = *test / *base;
    }
    if (rule.direction == MetricDirection::Neutral)
        delta.status = DeltaStatus::Info;
    else if (std::abs(*delta.change) <= rule.thresholdPercent)
        delta.status = DeltaStatus::Similar;
    else if (std::abs(*delta.change) <= rule.cutPercent
             || isNoise(difference, baseSamples, testSamples, paired))
        delta.status = DeltaStatus::SimilarNoise;
    else
        delta.status = *delta.improvement > 0 ? DeltaStatus::Better : DeltaStatus::Worse;
    return delta;
}

Delta deltaOfRanks(std::optional<double> base, std::optional<double> test, const DeltaRule& rule,
                   const RankFigures& baseRanks, const RankFigures& testRanks)
{
    std::vector<double> baseSamples, testSamples;
    bool paired = baseRanks.size() == testRanks.size();
    for (const auto& [rank, figure] : baseRanks) {
        baseSamples.push_back(figure);
        paired &= testRanks.contains(rank);
    }
    for (const auto& [rank, figure] : testRanks)
        testSamples.push_back(figure);
    return deltaOf(base, test, rule, baseSamples, testSamples, paired);
}

} // namespace collscope
