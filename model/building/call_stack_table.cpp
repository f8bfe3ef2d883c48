// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/building/call_stack_table.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::size_t mostFrames = 4096; ///< of a growing stack
constexpr std::size_t mostFramesInAll = std::size_t{1} << 27;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value)
{
    constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15u;
    hash = (hash ^ value) * multiplier;
    return hash ^ hash >> 32;
}

} // namespace

std::uint64_t CallStackTable::FrameHash::operator()(const StackFrame& frame) const
{
    return mixed(mixed(mixed(0, frame.function.value), frame.file.value),
                 static_cast<std::uint64_t>(frame.line));
}

std::span<const std::uint32_t> CallStackTable::framesOf(std::uint32_t stack) const
{
    return std::span<const std::uint32_t>(m_stackFrames)
        .subspan(m_stackBegins[stack], m_stackBegins[stack + 1] - m_stackBegins[stack]);
}

std::uint32_t CallStackTable::stackOf(std::span<const std::uint32_t> frames)
{
    std::uint64_t hash = 0;
    for (const std::uint32_t frame : frames)
        hash = mixed(hash, frame + 1u);
    const auto [begin, end] = m_stackByHash.equal_range(hash);
    for (auto known = begin; known != end; ++known) {
        const auto own = framesOf(known->second);
        if (std::equal(own.begin(), own.end(), frames.begin(), frames.end()))
            return known->second;
    }
    if (m_stackFrames.size() + frames.size() > mostFramesInAll) {
        m_hasEndlessStacks = true;
        return 0;
    }
    const auto stack = static_cast<std::uint32_t>(m_stackBegins.size() - 1);
    m_stackFrames.insert(m_stackFrames.end(), frames.begin(), frames.end());
    m_stackBegins.push_back(static_cast<std::uint32_t>(m_stackFrames.size()));
    m_stackByHash.emplace(hash, stack);
    return stack;
}

std::uint32_t CallStackTable::extended(std::uint32_t stack, std::span<const std::uint32_t> more)
{
    const auto before = framesOf(stack);
    if (before.size() >= mostFrames) { // one that grows frame by frame takes memory for each of its lengths
        m_hasEndlessStacks = true;
        return stack;
    }
    std::vector<std::uint32_t> frames(before.begin(), before.end());
    frames.insert(frames.end(), more.begin(), more.end());
    return stackOf(frames);
}

CallStacks CallStackTable::take()
{
    CallStacks stacks{m_frames.take(), std::move(m_stackFrames), std::move(m_stackBegins)};
    m_stackFrames.clear();
    m_stackBegins = {0};
    m_stackByHash.clear();
    return stacks;
}

} // namespace collscope
