// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Collectives of which calls are missing: ranks of the job have no trace, or their calls could not be
// matched. What these were waited for is in the durations of those that waited.

#include "metrics/whatif/run_graph.h"

namespace collscope {

struct AbsentRanks
{
    bool areAny = false; ///< a collective lacks calls
    bool ofStages = false; ///< in a tensor- or pipeline-parallel group
    bool leaveOneAlone = false; ///< a collective has a single call
    /// Mean over ranks and steps of how much longer these collectives take than the shortest of their kind,
    /// as a share of the step. What is alone of its kind may have waited all the time. A wait that is always
    /// the same cannot be seen.
    double share = 0;
};
/// `stepNs`: mean length. O(calls).
AbsentRanks findAbsentRanks(const TraceModel& model, const RunCollectives& collectives, const RunGraph& run,
                            double stepNs);

} // namespace collscope
