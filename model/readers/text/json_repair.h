// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Makes one damaged JSON object readable for a strict parser, without guessing its meaning.

#include <string>
#include <string_view>

namespace collscope {

/// The treatment of a quote after a backslash.
enum class EscapedQuote
{
    IsText, ///< part of the string, as in JSON
    MayEndString ///< the end of the string where only an end makes sense: "C:\", "pid": 1
};

struct RepairedJson
{
    std::string text;
    bool controlCharacters = false; ///< raw bytes below 0x20 inside strings, now \u00XX
    bool invalidUtf8 = false; ///< bytes that are not UTF-8, now U+FFFD
    bool loneSurrogates = false; ///< escaped surrogates without their other half, now U+FFFD
    bool notANumber = false; ///< NaN or Infinity outside strings, now null
    bool trailingComma = false; ///< a comma before a closing bracket, now removed
    bool unescapedQuotes = false; ///< quotes inside a string, now \"
    bool badEscapes = false; ///< backslashes that do not start a JSON escape, now "\\"
    bool changed() const
    {
        return controlCharacters || invalidUtf8 || loneSurrogates || notANumber || trailingComma
            || unescapedQuotes || badEscapes;
    }
};

/// Whether strict JSON parsers accept the text.
bool isValidJson(std::string_view text);
/// Repairs an object. A quote ends a string only if the text after it can follow a string at that place.
/// Damage that cannot be repaired is returned unchanged; the caller's parser decides.
RepairedJson repairJson(std::string_view object, EscapedQuote escaped = EscapedQuote::IsText);

} // namespace collscope
