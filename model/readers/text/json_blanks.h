// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstddef>
#include <string_view>

namespace collscope {

/// The whitespace that JSON allows between tokens (RFC 8259, section 2).
inline constexpr std::string_view jsonBlanks = " \t\r\n";

inline bool isJsonBlank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// Index of the first character from `at` on that is not a blank; the length of the text if there is none.
inline std::size_t afterBlanks(std::string_view text, std::size_t at)
{
    while (at < text.size() && isJsonBlank(text[at]))
        ++at;
    return at;
}

} // namespace collscope
