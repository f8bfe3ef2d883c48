// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Ranks of the job without a trace. What they were waited for is in the durations of those that waited.

#include "metrics/whatif/run_graph.h"

namespace collscope {

struct AbsentRanks
{
    bool areAny = false; ///< a collective lacks members
    bool ofStages = false; ///< members of tensor- or pipeline-parallel groups
    bool leaveOneAlone = false; ///< a collective has a single member with a trace
    /// Mean over ranks and steps of how much longer these collectives take than the shortest of their kind,
    /// as a share of the step.
    double share = 0;
};
/// `stepNs`: mean length. O(calls).
AbsentRanks findAbsentRanks(const RunCollectives& collectives, const RunGraph& run, double stepNs);

} // namespace collscope
