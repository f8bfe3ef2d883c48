// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <string_view>

namespace collscope {

/// Returns the text without white space at its ends.
inline std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view spaces = " \t\r\n\v\f";
    text.remove_prefix(std::min(text.find_first_not_of(spaces), text.size()));
    return text.substr(0, text.find_last_not_of(spaces) + 1);
}

} // namespace collscope
