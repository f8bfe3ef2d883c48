// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// GPU memory from the profiler's `[memory]` events (profile_memory=True), for runs without snapshots: the
// amount during the profiled time, without information about its owner.

#include "metrics/analysis/analysis.h"

namespace collscope {

/// The maximum allocated on one GPU of any rank; nullopt without these events.
std::optional<MetricResult> profiledPeak(Analysis& analysis);
/// The memory reserved after the last event.
std::optional<MetricResult> profiledReserved(Analysis& analysis);
/// (reserved - allocated) / reserved after the last event.
std::optional<MetricResult> profiledFragmentation(Analysis& analysis);

/// The maximum allocated on the host of any rank, from the same events of type CPU; nullopt if there are
/// none.
std::optional<double> profiledHostPeak(const Analysis& analysis);

} // namespace collscope
