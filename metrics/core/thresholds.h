// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The values from which CCL-Bench's dashboard colors a metric: rules of thumb, not physics.

#include <optional>
#include <string_view>

namespace collscope {

struct Thresholds
{
    double high = 0;
    double middle = 0;
};
/// By metric id, in the metric's own unit; nullopt for metrics that the dashboard does not color.
std::optional<Thresholds> thresholdsOf(std::string_view metricId);

} // namespace collscope
