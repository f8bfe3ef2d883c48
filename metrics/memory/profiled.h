// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Memory of GPUs as the profiler's `[memory]` events state it (profile_memory=True), for runs without
// snapshots: how much while it profiled, and nothing about whose it was.

#include "metrics/analysis.h"

namespace collscope {

/// The most that was allocated on one GPU of any rank; nullopt without such events.
std::optional<MetricResult> profiledPeak(Analysis& analysis);
/// What was reserved behind the last event.
std::optional<MetricResult> profiledReserved(Analysis& analysis);
/// (reserved - allocated) / reserved behind the last event.
std::optional<MetricResult> profiledFragmentation(Analysis& analysis);

/// The most that the host of any rank had allocated, by the same events of type CPU; nullopt without any.
std::optional<double> profiledHostPeak(const Analysis& analysis);

} // namespace collscope
