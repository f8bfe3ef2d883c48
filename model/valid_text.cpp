// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/valid_text.h"

#include "model/printable_text.h"

namespace collscope {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD"; // U+FFFD

std::string valid(std::string_view text, bool isPlain)
{
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8Length(text);
        const std::string_view sequence = text.substr(0, length == 0 ? 1 : length);
        text.remove_prefix(sequence.size());
        if (length == 0 || sequence == "\xEF\xBF\xBE" || sequence == "\xEF\xBF\xBF")
            result += replacement;
        else if (isPlain && printableLine(sequence) != sequence)
            result += '_';
        else
            result += sequence;
    }
    return result;
}

} // namespace

std::string validText(std::string_view text)
{
    return valid(text, false);
}

std::string plainText(std::string_view text)
{
    return valid(text, true);
}

std::string_view textFront(std::string_view text, std::size_t bytes)
{
    std::size_t end = bytes < text.size() ? bytes : text.size();
    while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u)
        --end;
    return text.substr(0, end);
}

} // namespace collscope
