// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/text/nesting.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr int deepest = 512;
constexpr std::size_t mostLists = std::size_t{8} << 20; ///< about 64 bytes each
constexpr std::size_t mostValues = std::size_t{64} << 20; ///< 16 bytes each

} // namespace

bool isOutsizeJson(std::string_view json)
{
    int depth = 0;
    int mostDeep = 0;
    std::size_t lists = 0;
    std::size_t commas = 0;
    bool inString = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (inString && c == '\\')
            ++i; // an escaped character does not end the string
        else if (c == '"')
            inString = !inString;
        else if (inString)
            continue;
        else if (c == '{' || c == '[') {
            ++lists;
            mostDeep = std::max(mostDeep, ++depth);
        } else if (c == '}' || c == ']')
            --depth;
        else if (c == ',')
            ++commas;
    }
    return mostDeep > deepest || lists > mostLists || commas > mostValues;
}

bool hasTooManyDots(std::string_view toml)
{
    // A dotted key is on one line. Dots in numbers and strings are counted too: this needs no parser, which
    // could be misled, and no configuration has this many dots on a line.
    int dots = 0;
    for (const char c : toml) {
        dots = c == '\n' ? 0 : dots + (c == '.' ? 1 : 0);
        if (dots > deepest)
            return true;
    }
    return false;
}

} // namespace collscope
