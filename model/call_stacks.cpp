// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/call_stacks.h"

namespace collscope {

std::vector<const StackFrame*> CallStacks::framesOf(StackId stack) const
{
    std::vector<const StackFrame*> found;
    if (!stack || stack.value >= size())
        return found;
    for (std::uint32_t i = stackBegins[stack.value]; i < stackBegins[stack.value + 1]; ++i)
        found.push_back(&frames[stackFrames[i]]);
    return found;
}

} // namespace collscope
