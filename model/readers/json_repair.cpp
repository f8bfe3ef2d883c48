// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/json_repair.h"

#include <cstdio>
#include <initializer_list>

namespace collscope {

namespace {

/// Length of the valid UTF-8 sequence at the front, 0 if it is none (overlong forms and surrogates are none).
std::size_t utf8Length(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto continues = [&](std::size_t i) { return i < text.size() && (byte(i) & 0xC0u) == 0x80u; };
    const unsigned char first = byte(0);
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return continues(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        if (!continues(1) || !continues(2))
            return 0;
        const bool overlong = first == 0xE0 && byte(1) < 0xA0;
        const bool surrogate = first == 0xED && byte(1) >= 0xA0;
        return overlong || surrogate ? 0 : 3;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        if (!continues(1) || !continues(2) || !continues(3))
            return 0;
        const bool overlong = first == 0xF0 && byte(1) < 0x90;
        const bool tooLarge = first == 0xF4 && byte(1) >= 0x90;
        return overlong || tooLarge ? 0 : 4;
    }
    return 0;
}

/// Length of a literal that JSON does not know, 0 if there is none at the front.
std::size_t nonNumberLength(std::string_view text)
{
    for (const std::string_view word :
         {"-Infinity", "Infinity", "-inf", "inf", "-NaN", "NaN", "-nan", "nan"}) {
        if (text.starts_with(word))
            return word.size();
    }
    return 0;
}

/// Drops the comma that `text` ends with, apart from blanks; false if it does not.
bool dropTrailingComma(std::string& text)
{
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    if (last == std::string::npos || text[last] != ',')
        return false;
    text.erase(last, 1);
    return true;
}

} // namespace

RepairedJson repairJson(std::string_view object)
{
    RepairedJson result;
    std::string& out = result.text;
    out.reserve(object.size() + 16);
    bool inString = false;
    for (std::size_t i = 0; i < object.size();) {
        const char c = object[i];
        const std::size_t length = utf8Length(object.substr(i));
        if (length == 0) {
            out += "\xEF\xBF\xBD";
            result.invalidUtf8 = true;
            ++i;
        } else if (inString && static_cast<unsigned char>(c) < 0x20) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x",
                          static_cast<unsigned>(static_cast<unsigned char>(c)));
            out += escape;
            result.controlCharacters = true;
            ++i;
        } else if (inString && c == '\\' && i + 1 < object.size() && utf8Length(object.substr(i + 1)) == 1) {
            out.append(object.substr(i, 2));
            i += 2;
        } else if (const std::size_t word = inString ? 0 : nonNumberLength(object.substr(i)); word > 0) {
            out += "null";
            result.notANumber = true;
            i += word;
        } else {
            if (c == '"')
                inString = !inString;
            else if (!inString && (c == '}' || c == ']') && dropTrailingComma(out))
                result.trailingComma = true;
            out.append(object.substr(i, length));
            i += length;
        }
    }
    return result;
}

} // namespace collscope
