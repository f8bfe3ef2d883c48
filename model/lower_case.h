// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Names of kernels, files and fields are compared without case. ASCII only, whatever the locale.

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

} // namespace collscope
