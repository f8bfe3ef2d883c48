// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether the members of a group called the same operation with arguments that fit together.

#include "metrics/hang/hang_job.h"

#include <string>

namespace collscope {

struct ArgumentMismatch
{
    enum class Kind : std::uint8_t
    {
        Operation,
        ElementType,
        Size,
        Splits ///< the sums of what is sent and received differ
    };
    /// Ranks that gave the same.
    struct Side
    {
        std::string value; ///< "all_gather", "BFloat16", "4096 elements"
        std::vector<std::uint32_t> ranks; ///< of the job
    };
    Kind kind = Kind::Operation;
    std::vector<Side> sides; ///< the largest first; of Splits: one with all ranks
    /// Those of all sides but the largest, if that one has more than half of the ranks; else nobody.
    std::vector<std::uint32_t> accused;
};

/// Compares the operation first, then the type, then the size that must agree for this operation; the first
/// that differs is returned. Members whose dump does not have the call are not compared.
std::optional<ArgumentMismatch> argumentMismatch(const HangJob& job, std::uint32_t group,
                                                 std::int64_t number);

} // namespace collscope
