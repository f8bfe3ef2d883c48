// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether the windows of several ranks cover the same work: step numbers may start differently.

#include "metrics/analysis/analysis.h"

namespace collscope {

/// The reason why the ends of the ranks' windows cannot be compared: most collectives of a rank lie in
/// different steps than on the other ranks, so the windows cover different work. nullopt if they agree,
/// without steps, or if a range was chosen. O(calls).
std::optional<MetricResult> needsSameSteps(Analysis& analysis);

} // namespace collscope
