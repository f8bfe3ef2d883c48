// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Makes one damaged JSON object readable for a strict parser, without guessing at its meaning.

#include <string>
#include <string_view>

namespace collscope {

/// What a quote behind a backslash is.
enum class EscapedQuote
{
    IsText, ///< as JSON says
    MayEndString ///< the end of the string where only an end makes sense: "C:\", "pid": 1
};

struct RepairedJson
{
    std::string text;
    bool controlCharacters = false; ///< raw bytes below 0x20 inside strings, now \u00XX
    bool invalidUtf8 = false; ///< bytes that are no UTF-8, now U+FFFD
    bool loneSurrogates = false; ///< escaped ones without their other half, now U+FFFD
    bool notANumber = false; ///< NaN, Infinity outside strings, now null
    bool trailingComma = false; ///< a comma before a closing bracket, dropped
    bool unescapedQuotes = false; ///< quotes amid a string, now \"
    bool badEscapes = false; ///< backslashes that escape nothing JSON knows, now "\\"
    bool changed() const
    {
        return controlCharacters || invalidUtf8 || loneSurrogates || notANumber || trailingComma
            || unescapedQuotes || badEscapes;
    }
};

/// What every JSON parser accepts.
bool isValidJson(std::string_view text);
/// A quote ends a string only where what follows could follow a string there. What cannot be repaired comes
/// back as damaged as it was: the caller's parser decides.
RepairedJson repairJson(std::string_view object, EscapedQuote escaped = EscapedQuote::IsText);

} // namespace collscope
