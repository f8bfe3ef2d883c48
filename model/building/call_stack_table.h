// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Collects call stacks while a file is read.

#include "model/call_stacks.h"
#include "model/containers/unique_rows.h"

#include <span>
#include <unordered_map>

namespace collscope {

/// Keeps each frame and each stack once, however often it occurs.
class CallStackTable
{
public:
    /// The row of a frame; added if missing.
    std::uint32_t rowOf(const StackFrame& frame) { return m_frames.rowOf(frame); }
    const StackFrame& frame(std::uint32_t row) const { return m_frames[row]; }
    /// The stack of these frames, innermost first; added if missing.
    std::uint32_t stackOf(std::span<const std::uint32_t> frames);
    std::span<const std::uint32_t> framesOf(std::uint32_t stack) const;
    /// The stack with more frames outside it. A stack that grew longer than any program's stays as it is.
    std::uint32_t extended(std::uint32_t stack, std::span<const std::uint32_t> more);
    /// Whether frames were omitted because there are more than in any program.
    bool hasEndlessStacks() const { return m_hasEndlessStacks; }
    /// Leaves the table empty.
    CallStacks take();

private:
    struct FrameHash
    {
        std::uint64_t operator()(const StackFrame& frame) const;
    };

    UniqueRows<StackFrame, FrameHash> m_frames;
    std::vector<std::uint32_t> m_stackFrames, m_stackBegins{0};
    std::unordered_multimap<std::uint64_t, std::uint32_t> m_stackByHash;
    bool m_hasEndlessStacks = false;
};

} // namespace collscope
