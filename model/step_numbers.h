// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which steps the ranks of a run have in common.

#include "model/trace_model.h"

#include <utility>

namespace collscope {

/// Whether the numbers of such steps are those of the program that was traced, so that a step of that number
/// on another rank is the same one. Steps that are merely counted may begin anywhere.
bool areNumbered(StepSource source);

/// A step by its profiler iteration and number.
using StepKey = std::pair<std::int64_t, std::int64_t>;
/// The keys that all lists hold, sorted; the lists need not be. O(n log n).
std::vector<StepKey> commonKeys(std::vector<std::vector<StepKey>> lists);

struct StepNumbers
{
    struct Ranks
    {
        std::vector<std::int32_t> ranks; ///< ascending
        std::size_t count = 0; ///< steps that each of them has
    };
    std::vector<std::int32_t> marked, unmarked; ///< ranks with step markers, and without; ascending
    bool differ = false; ///< of the marked ones; false where steps are merely counted
    std::size_t common = 0; ///< steps that all marked ranks have
    Ranks fewest, most;
};

/// Of each rank the timelines that metrics read: Kineto, else nsys.
StepNumbers stepNumbers(const TraceModel& model);

} // namespace collscope
