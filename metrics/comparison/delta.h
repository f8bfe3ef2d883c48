// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One value of two runs: how far apart they are, which is better, and whether the difference exceeds the
// scatter. Two percentages: `change` has the sign of the difference and is displayed; `improvement` is
// positive if the test is better. The workbook columns "percent_change" contain `improvement` because scripts
// expect it there.

#include "metrics/core/metric.h"

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
    SimilarNoise, ///< beyond it, but within the scatter of the ranks (or steps)
    Info, ///< neither better nor worse: busy time at equal work
    New, ///< in the test only
    Gone, ///< in the baseline only
    NotApplicable ///< no percentage of a baseline of 0
};
/// "Better", "Worse", "Similar", "Similar (noise)", "Info", "new", "gone", "n.a.".
std::string_view deltaStatusName(DeltaStatus status);

struct DeltaRule
{
    double thresholdPercent = 1.0;
    MetricDirection direction = MetricDirection::LowerIsBetter; ///< Neutral: no verdict, signs as for a time
    /// A change up to this value may result from where the captures were cut and counts as noise. Applies
    /// only beyond the threshold.
    double cutPercent = 0;
};

/// A value in the baseline and in the test.
struct Delta
{
    std::optional<double> base, test;
    DeltaStatus status = DeltaStatus::NotApplicable;
    std::optional<double> difference; ///< test - base
    std::optional<double> change; ///< the difference in percent of the base, with its sign; 0 if both are 0
    std::optional<double> improvement; ///< the change with positive = better
    std::optional<double> ratio; ///< test / base
};

/// `baseSamples`, `testSamples`: the value of each rank (or step), in the same order if `paired`. With at
/// least three samples each, a difference below twice its standard error is noise. If both runs have the same
/// ranks, the standard error is that of the differences rank by rank, because ranks differ from each other
/// for good reasons.
Delta deltaOf(std::optional<double> base, std::optional<double> test, const DeltaRule& rule,
              std::span<const double> baseSamples = {}, std::span<const double> testSamples = {},
              bool paired = false);

/// A value per rank.
using RankFigures = std::map<std::string, double>;
/// deltaOf() with the ranks as samples, paired if both runs have the same ranks.
Delta deltaOfRanks(std::optional<double> base, std::optional<double> test, const DeltaRule& rule,
                   const RankFigures& baseRanks, const RankFigures& testRanks);

} // namespace collscope
