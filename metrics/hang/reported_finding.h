// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A finding in words, with what it rests on.

#include "metrics/hang/hang_findings.h"

#include <string>

namespace collscope {

/// A finding as it is reported: ranks are those of the job.
struct ReportedFinding
{
    HangClass hangClass = HangClass::Cpu;
    std::vector<std::int32_t> ranks; ///< accused
    std::vector<std::int32_t> candidates;
    std::optional<std::uint32_t> group; ///< into HangVerdict::groups
    std::optional<std::int64_t> number; ///< of the call
    std::string text; ///< one or more sentences
    /// What the text rests on: a file, and a call in it.
    struct Witness
    {
        std::int32_t rank = 0;
        std::string file;
        std::optional<std::uint32_t> record; ///< number of the call in its process
        std::string text; ///< "pending", "not called"
    };
    std::vector<Witness> witnesses;
    /// A stack of an accused rank and one of a rank that waits, innermost first, if they were recorded.
    struct Stack
    {
        std::int32_t rank = 0;
        std::string source; ///< "flight recorder", "py-spy"
        std::vector<std::string> frames; ///< "train_step (model.py:42)"
    };
    std::vector<Stack> stacks;
    /// The outermost frame that differs between the two, as a distance from the outermost; nullopt: none.
    std::optional<std::size_t> firstDifference;
    std::string whatFirst; ///< what to do first
};

} // namespace collscope
