// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether the windows of several ranks are of the same work: step numbers may be counted from elsewhere.

#include "metrics/analysis.h"

namespace collscope {

/// The reason why the ends of the ranks' windows cannot be compared: most collectives of a rank lie in other
/// steps than on the ranks that share them, so that the windows are of different times. Nothing where they
/// agree, or where there are no steps or a range was chosen. O(calls).
std::optional<MetricResult> needsSameSteps(Analysis& analysis);

} // namespace collscope
