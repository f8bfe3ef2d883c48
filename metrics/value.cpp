// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/value.h"

#include <charconv>
#include <cmath>

namespace collscope {

std::string numberText(double value)
{
    char buffer[32];
    constexpr double exactIntegers = 9007199254740992.0; // 2^53
    if (std::trunc(value) == value && std::abs(value) < exactIntegers) {
        const auto end = std::to_chars(buffer, buffer + sizeof buffer, static_cast<std::int64_t>(value)).ptr;
        return {buffer, end};
    }
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    return {buffer, end};
}

} // namespace collscope
