// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/text/shell_word.h"

namespace collscope {

std::string shellWord(std::string_view text)
{
    constexpr std::string_view plain
        = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+%@";
    // zsh takes a word that begins with = for a program.
    if (!text.empty() && text.front() != '=' && text.find_first_not_of(plain) == std::string_view::npos)
        return std::string(text);
    std::string word = "'";
    for (const char c : text) {
        if (c == '\'')
            word.append("'\\''");
        else
            word.append(1, c);
    }
    return word + "'";
}

} // namespace collscope
