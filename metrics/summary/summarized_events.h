// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a task of a distributed run leaves of a trace if thousands of ranks are merged: sums in place of
// events. See reduce-and-merge.md.

#include "model/building/fragment.h"
#include "model/partial/reduce_plan.h"

#include <functional>

namespace collscope {

/// Replaces the events of each timeline by its summary: what the metrics with MetricDescriptor::fromSummaries
/// need, for the whole timeline and for each of its steps. The sums are those that these metrics compute from
/// the events. Takes as much memory again as the fragment.
void summarizeEvents(TraceFragment& fragment);

/// What a task does to each trace that it read.
std::function<void(TraceFragment&)> reductionTo(Kept kept);

} // namespace collscope
