// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The clocks of a run from the summaries of its ranks: the same fit of the same ends as alignClocks(), which
// has all calls in memory. See ../matching/clock-alignment.md.

#include "metrics/matching/clock_alignment.h"
#include "metrics/summary/summarized_run.h"
#include "model/parallel.h"

namespace collscope {

/// Fits the clocks. Memory: the ends of at most 1000 collectives of each group. Error: a group of several
/// ranks needs detail and may tell about clocks; sends and receives do not.
Result<ClockAlignment> foldClocks(const SummarizedRun& run, const Parallel& parallel = {});

} // namespace collscope
