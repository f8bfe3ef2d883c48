// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/text/valid_text.h"

#include "model/text/printable_text.h"

namespace collscope {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD"; // U+FFFD

std::string valid(std::string_view text, bool isPlain)
{
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const auto [bytes, isValid] = takeSequence(text);
        if (!isValid || bytes == "\xEF\xBF\xBE" || bytes == "\xEF\xBF\xBF")
            result += replacement;
        else if (isPlain && printableLine(bytes) != bytes)
            result += '_';
        else
            result += bytes;
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
