// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Metrics computed from PyTorch execution traces if a run has no timeline: the traces list calls with their
// sizes, but record no times.

#include "metrics/analysis/analysis.h"

namespace collscope {

/// Calls of one rank (--rank, else the lowest). nullopt if the run has a timeline or no execution trace.
std::optional<MetricResult> countedInExecutionTraces(Analysis& analysis);

/// Decimal gigabytes of the messages of a kind (nullopt: of all kinds), mean over ranks. nullopt if the run
/// has a timeline or no execution trace.
std::optional<MetricResult> volumeInExecutionTraces(Analysis& analysis, std::optional<KernelClass> kind);

} // namespace collscope
