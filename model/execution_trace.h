// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Communication in a PyTorch execution trace: the calls, their sizes and groups. Execution traces do not
// contain times.

#include "model/collective.h"

#include <string>
#include <vector>

namespace collscope {

/// One torch_et_<rank>.json. The calls are in the order of the file, which is the order in which they were
/// made.
struct ExecutionTrace
{
    struct Call
    {
        CollectiveCall meta; ///< without a slice, and not on a GPU
        std::int64_t recordId = 0; ///< rf_id: the `External id` of the same call in a Kineto trace; 0 = none
    };

    SourceId source;
    std::int32_t rank = 0;
    std::string schema; ///< "1.1.1-chakra.0.0.4"
    std::int64_t pid = 0; ///< of the process, 0 = not stated
    std::uint64_t nodes = 0;
    /// The calls that communicate, without "wait", "init" and "startcoalescing". They have an `order` if they
    /// are operators (c10d::allreduce_), because no GPU library recorded any calls.
    std::vector<Call> calls;
};

} // namespace collscope
