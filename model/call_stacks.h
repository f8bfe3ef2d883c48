// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Call stacks, each of them and each of their frames kept once.

#include "model/ids.h"

#include <cstdint>
#include <vector>

namespace collscope {

/// One function on a call stack.
struct StackFrame
{
    StringId function, file;
    std::int32_t line = 0;
    friend bool operator==(const StackFrame&, const StackFrame&) = default;
};

using StackId = Id<struct StackTag>; ///< into the CallStacks beside it

struct CallStacks
{
    std::vector<StackFrame> frames;
    /// For each stack, indices into `frames`, innermost first: stack i is [stackBegins[i], stackBegins[i +
    /// 1]).
    std::vector<std::uint32_t> stackFrames, stackBegins;

    std::size_t size() const { return stackBegins.empty() ? 0 : stackBegins.size() - 1; }
    /// The frames of a stack, innermost first; empty if there is none.
    std::vector<const StackFrame*> framesOf(StackId stack) const;
};

} // namespace collscope
