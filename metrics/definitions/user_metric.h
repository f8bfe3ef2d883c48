// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// User-defined metrics: a ratio or a sum of built-in metrics and of times, bytes and counts of chosen events.
// Plain data and its evaluation; app/files/user_metrics.h reads it from a file.

#include "metrics/core/event_filter.h"

namespace collscope {

/// One summand of a numerator or denominator, a number per rank.
struct UserTerm
{
    enum class Kind
    {
        EventUnion, ///< seconds during which at least one of the events ran
        EventSum, ///< seconds, sum of the durations
        EventBytes, ///< of the events that start in the window
        EventCount, ///< of the events that start in the window
        WindowTime, ///< seconds of the window: sum over its steps
        WindowSteps, ///< number of steps
        Metric, ///< the rank's value if the metric has values per rank, else the metric's value
        Number
    } kind
        = Kind::Number;
    double factor = 1.0;
    EventFilter events; ///< for the kinds Event...
    MetricRequest metric; ///< a built-in one
    double number = 0; ///< Kind::Number

    bool isOfEvents() const { return kind <= Kind::EventCount; }
    bool isOfWindow() const { return kind == Kind::WindowTime || kind == Kind::WindowSteps; }
    std::string text() const;
};

struct UserMetric
{
    std::string id; ///< lower_case
    std::string title, unit, meaning; ///< title and meaning are never empty
    MetricDirection direction = MetricDirection::Neutral;
    std::vector<UserTerm> numerator; ///< summed; at least one
    std::vector<UserTerm> denominator; ///< summed; empty = none
    double factor = 1.0;
    /// How the ranks' numbers become one.
    enum class Reduce
    {
        Mean,
        Pooled, ///< numerators of all ranks together / denominators of all ranks together
        Max,
        Min,
        Sum,
        Values ///< without ranks: the metrics' own values (only for terms that are metrics and numbers)
    } reduce
        = Reduce::Mean;
    std::string file; ///< where it is defined
    std::int64_t line = 0;

    bool needsTimeline() const; ///< whether a term uses events or windows
    std::string formula() const; ///< in words
    std::string definedIn() const; ///< "my.toml, line 3"
};

/// Computes the metric; `analysis` supplies ranks and windows. If a term has no value, the metric has none,
/// for the same reason. Ranks excluded by a term do not count.
MetricResult computeUserMetric(Analysis& analysis, const UserMetric& metric);

} // namespace collscope
