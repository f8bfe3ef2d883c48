// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One figure of two runs: how far apart, which is better, and whether it is more than scatter. Two percents:
// `change` has the sign of the difference and is what people read; `improvement` is positive where the test
// is better, which the columns "percent_change" of the workbooks hold because scripts expect it there.

#include "metrics/metric.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace collscope {

enum class DeltaStatus : std::uint8_t
{
    Better,
    Worse,
    Similar, ///< within the threshold
    SimilarNoise, ///< beyond it, but not beyond what the ranks (or steps) scatter by
    Info, ///< neither better nor worse: busy time at equal work
    New, ///< in the test only
    Gone, ///< in the baseline only
    NotApplicable ///< no percents of a baseline of 0
};
/// "Better", "Worse", "Similar", "Similar (noise)", "Info", "new", "gone", "n.a.".
std::string_view deltaStatusName(DeltaStatus status);

struct DeltaRule
{
    double thresholdPercent = 1.0;
    MetricDirection direction = MetricDirection::LowerIsBetter; ///< Neutral: no verdict, signs as of a time
    /// A change up to this may come from where the captures were cut: it is noise. Beyond the threshold only.
    double cutPercent = 0;
};

/// A figure in the baseline and in the test.
struct Delta
{
    std::optional<double> base, test;
    DeltaStatus status = DeltaStatus::NotApplicable;
    std::optional<double> difference; ///< test - base
    std::optional<double>
        change; ///< the difference in percent of the base, with its sign; 0 where both are 0
    std::optional<double> improvement; ///< the same, but positive = better
    std::optional<double> ratio; ///< test / base
};

/// `baseSamples`, `testSamples`: the figure of each rank (or step), in the same order where `paired`. With at
/// least three of each, a difference below twice its standard error is noise; where the same ranks are in
/// both runs, that of the differences rank by rank: ranks differ from each other for good reasons.
Delta deltaOf(std::optional<double> base, std::optional<double> test, const DeltaRule& rule,
              std::span<const double> baseSamples = {}, std::span<const double> testSamples = {},
              bool paired = false);

/// A figure of each rank.
using RankFigures = std::map<std::string, double>;
/// deltaOf() with the ranks as samples, paired where both runs have the same ones.
Delta deltaOfRanks(std::optional<double> base, std::optional<double> test, const DeltaRule& rule,
                   const RankFigures& baseRanks, const RankFigures& testRanks);

} // namespace collscope
