// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/nesting.h"

namespace collscope {

namespace {

constexpr int deepest = 512;

} // namespace

bool isNestedTooDeep(std::string_view json)
{
    int depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < json.size() && depth <= deepest; ++i) {
        const char c = json[i];
        if (inString && c == '\\')
            ++i; // whatever is escaped, it ends nothing
        else if (c == '"')
            inString = !inString;
        else if (!inString && (c == '{' || c == '['))
            ++depth;
        else if (!inString && (c == '}' || c == ']'))
            --depth;
    }
    return depth > deepest;
}

bool hasTooManyDots(std::string_view toml)
{
    // A dotted key stands in one line. Dots of numbers and texts are counted too: that needs no parser, which
    // could be fooled, and no configuration has so many in a line.
    int dots = 0;
    for (const char c : toml) {
        dots = c == '\n' ? 0 : dots + (c == '.' ? 1 : 0);
        if (dots > deepest)
            return true;
    }
    return false;
}

} // namespace collscope
