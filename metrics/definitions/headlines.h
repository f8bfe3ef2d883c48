// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The few metrics that are shown above all others.

#include "metrics/core/metric.h"

#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace collscope {

using MetricResults = std::vector<std::pair<MetricRequest, MetricResult>>;

struct HeadlineMetric
{
    std::size_t index = 0; ///< into the results
    std::optional<double> costShare; ///< 0 to 1, of the step: of times that a faster run would not have
};

/// The groups of which all numbers are 0, such as communication in a run without any: they would push what
/// was measured out of sight.
std::set<std::string_view> groupsOfZeros(const MetricResults& results);

/// At most eight that have a value, in the order of a table: time, throughput, then what costs time.
std::vector<HeadlineMetric> headlineMetrics(const MetricResults& results);

} // namespace collscope
