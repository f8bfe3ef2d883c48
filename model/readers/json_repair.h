// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Makes one damaged JSON object readable for a strict parser, without guessing at its meaning.

#include <string>
#include <string_view>

namespace collscope {

struct RepairedJson
{
    std::string text;
    bool controlCharacters = false; ///< raw bytes below 0x20 inside strings, now \u00XX
    bool invalidUtf8 = false; ///< bytes that are no UTF-8, now U+FFFD
    bool notANumber = false; ///< NaN, Infinity outside strings, now null
    bool trailingComma = false; ///< a comma before a closing bracket, dropped
    bool changed() const { return controlCharacters || invalidUtf8 || notANumber || trailingComma; }
};

RepairedJson repairJson(std::string_view object);

} // namespace collscope
