// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What PyTorch's execution traces can answer where a run has no timeline: they list calls with their sizes,
// but record no times.

#include "metrics/analysis.h"

namespace collscope {

/// Calls of one rank (--rank, else the lowest). nullopt: the run has a timeline, or no execution trace.
std::optional<MetricResult> countedInExecutionTraces(Analysis& analysis);

/// Decimal gigabytes of the messages of a kind (nullopt: of all), mean over ranks. nullopt as above.
std::optional<MetricResult> volumeInExecutionTraces(Analysis& analysis, std::optional<KernelClass> kind);

} // namespace collscope
