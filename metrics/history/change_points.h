// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where the level of a series changes for good, and what only looks like it. The method is in README.md.

#include "metrics/history/slow_end.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace collscope {

/// What a change must be to count.
struct ChangeRules
{
    double least = 0.03; ///< of the smaller level
    double leastSpreads = 2; ///< in robust standard deviations of the values around their level
    double significance = 1e-4; ///< of all tests of a series together
};

/// Fewer values do not show a level. The test may need more: fewestToldValues().
constexpr std::size_t fewestHistoryValues = 20;
/// A level lasts at least this many values; what is shorter is an outlier.
constexpr std::size_t fewestLevelValues = 5;

/// A step from one level to another.
struct ChangePoint
{
    std::size_t index = 0; ///< the first value of the new level
    std::size_t earliest = 0, latest = 0; ///< the change is between these, as far as the values tell
    double before = 0, after = 0; ///< medians of the levels
    double probability = 1; ///< of ranks as different by chance (Mann-Whitney), if values were independent
};

/// A change without a step: the values move from one level to the other gradually.
struct GradualChange
{
    std::size_t begin = 0, end = 0; ///< values in between
    double before = 0, after = 0;
};

/// Slow values at regular distances, such as checkpoints.
struct PeriodicSlowdown
{
    std::size_t every = 0; ///< values from one to the next
    std::size_t count = 0; ///< how many there are
    double typical = 0, slow = 0; ///< medians of the others and of the slow ones
};

struct SeriesShape
{
    bool isTold = false; ///< false: fewer than fewestToldValues()
    std::vector<ChangePoint> changes;
    std::vector<GradualChange> gradual;
    std::optional<PeriodicSlowdown> periodic;
    /// Slow values at the end that are not a level of their own: whether they last is not known yet.
    std::optional<SlowEnd> slowEnd;
    double spread = 0; ///< robust standard deviation of the values around their level
    double noise = 0; ///< that of independent neighbours, from differences
};

/// The least number of values of which two equally long levels without overlap pass the test. In fewer, no
/// change could be found.
std::size_t fewestToldValues(const ChangeRules& rules = {});

/// The shape of a series of positive values in the order of time, in O(n log n).
SeriesShape shapeOf(std::span<const double> values, const ChangeRules& rules = {});

/// The two-sided probability that two samples without a difference have rank sums as different as these
/// (Mann and Whitney 1947; normal approximation with correction for ties). 1 if a sample is empty.
/// `inflation`: how many values count as one, because neighbours resemble each other.
double rankSumProbability(std::span<const double> a, std::span<const double> b, double inflation = 1);

} // namespace collscope
