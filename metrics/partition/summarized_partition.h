// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The partition of a timeline as the sums that replace its events. What a partition of many ranks asks of
// them is in partition.cpp, and what findings ask, in step_facts.h and idle_sums.h.

#include "model/trace_model.h"

#include <span>

namespace collscope {

/// Sets PartitionSummary of each of the summaries, and the keys that they share. `windows`: those of the
/// summaries, in the time of the model: the whole timeline, then its steps. `names`: into which names in the
/// summary go. O(slices + gaps).
void summarizePartition(const TraceModel& model, const Timeline& timeline, const std::vector<Step>& windows,
                        StringTable& names, PartitionKeys& keys, std::span<WindowSummary> summaries);

} // namespace collscope
