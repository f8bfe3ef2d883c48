// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How far a metric may change from one run to another, as the user writes it.

#include "metrics/definitions/metric_catalog.h"
#include "model/result.h"

namespace collscope {

/// "avg_step_time=+2%": it may be at most 2 % greater than in the baseline. "mfu=-2%": at most 2 % less.
struct ChangeLimit
{
    MetricRequest metric;
    bool isOnGrowth = true; ///< else on what it loses
    double percent = 0; ///< of the value in the baseline; not negative

    /// "+2 %".
    std::string text() const;
    /// A change in the direction of the limit is positive.
    double inItsDirection(double change) const { return isOnGrowth ? change : -change; }
};

/// An Error of kind Usage if the text is not METRIC=+X% or METRIC=-X%, if nobody knows the metric, or if its
/// change in that direction is an improvement.
Result<ChangeLimit> parseChangeLimit(const std::string& text, const MetricCatalog& catalog);

} // namespace collscope
