// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Compares short texts without a function call: a load compares about ten million of them.

#include <cstdint>
#include <cstring>
#include <string_view>

namespace collscope {

namespace detail {

template<typename Word>
bool sameEnds(const char* a, const char* b, std::size_t size)
{
    Word frontA, frontB, backA, backB;
    std::memcpy(&frontA, a, sizeof frontA);
    std::memcpy(&frontB, b, sizeof frontB);
    std::memcpy(&backA, a + size - sizeof backA, sizeof backA);
    std::memcpy(&backB, b + size - sizeof backB, sizeof backB);
    return ((frontA ^ frontB) | (backA ^ backB)) == 0;
}

} // namespace detail

/// a == b. Up to 16 characters are compared as two words that may overlap.
inline bool sameText(std::string_view a, std::string_view b)
{
    const std::size_t size = b.size(); // of a literal: known at compile time
    if (a.size() != size)
        return false;
    if (size > 2 * sizeof(std::uint64_t))
        return std::memcmp(a.data(), b.data(), size) == 0;
    if (size >= sizeof(std::uint64_t))
        return detail::sameEnds<std::uint64_t>(a.data(), b.data(), size);
    if (size >= sizeof(std::uint32_t))
        return detail::sameEnds<std::uint32_t>(a.data(), b.data(), size);
    for (std::size_t i = 0; i < size; ++i) {
        if (a[i] != b[i])
            return false;
    }
    return true;
}

} // namespace collscope
