// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Case-insensitive comparison of names of kernels, files and fields. ASCII only, independent of the locale.

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

namespace collscope {

constexpr char lowered(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string lowered(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower)
        c = lowered(c);
    return lower;
}

constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

inline bool holdsAnyOf(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

} // namespace collscope
