// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The steps that the ranks of a run have in common.

#include "model/trace_model.h"

#include <utility>

namespace collscope {

/// Whether step numbers of this source come from the traced program, so that the same number on another rank
/// is the same step. Steps that are merely counted may start anywhere.
bool areNumbered(StepSource source);

/// A step by its profiler iteration and number.
using StepKey = std::pair<std::int64_t, std::int64_t>;
/// The keys that all lists contain, sorted; the lists need not be sorted. O(n log n).
std::vector<StepKey> commonKeys(std::vector<std::vector<StepKey>> lists);

struct StepNumbers
{
    struct Ranks
    {
        std::vector<std::int32_t> ranks; ///< ascending
        std::size_t count = 0; ///< number of steps on each of them
    };
    std::vector<std::int32_t> marked, unmarked; ///< ranks with step markers, and without; ascending
    bool differ = false; ///< between marked ranks; false if steps are merely counted
    std::size_t common = 0; ///< number of steps that all marked ranks have
    Ranks fewest, most;
};

/// Uses the timelines of each rank that metrics read: Kineto, else nsys.
StepNumbers stepNumbers(const TraceModel& model);

} // namespace collscope
