// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The bytes of a fuzz input as a sequence of choices, so that any input describes something sound.

#include <cstdint>
#include <span>
#include <string>

namespace collscope {

/// Takes choices from the front of the input; 0 when it has ended.
class Choices
{
public:
    explicit Choices(std::span<const std::uint8_t> bytes)
        : m_rest(bytes)
    { }

    /// 0 .. count - 1
    std::size_t below(std::size_t count)
    {
        const std::size_t high = byte();
        return (high * 256 + byte()) % count;
    }
    /// Up to `longest` bytes of the input.
    std::string text(std::size_t longest)
    {
        std::string taken;
        for (std::size_t length = below(longest + 1); length > 0 && !m_rest.empty(); --length)
            taken += static_cast<char>(byte());
        return taken;
    }

private:
    std::uint8_t byte()
    {
        if (m_rest.empty())
            return 0;
        const std::uint8_t taken = m_rest.front();
        m_rest = m_rest.subspan(1);
        return taken;
    }

    std::span<const std::uint8_t> m_rest;
};

} // namespace collscope
