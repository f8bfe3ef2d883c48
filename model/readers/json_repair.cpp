// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/json_repair.h"

#include "model/printable_text.h"

#include <cstdio>
#include <initializer_list>

namespace collscope {

namespace {

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
