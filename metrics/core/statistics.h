// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Means, medians, percentiles. Precondition of all functions: not empty.

#include <vector>

namespace collscope {

double meanOf(const std::vector<double>& values);
/// The middle value, or the mean of the two middle values.
double medianOf(std::vector<double> values);
/// The p-th percentile (p in 0..1) by linear interpolation between the neighbours.
double percentileOf(std::vector<double> values, double p);
/// With n - 1, as is usual in the field; 0 for a single value.
double standardDeviationOf(const std::vector<double>& values);

} // namespace collscope
