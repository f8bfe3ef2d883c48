// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/text/wall_clock_text.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace collscope {

std::string wallClockText(std::int64_t ns)
{
    const auto seconds = static_cast<std::time_t>(ns / 1'000'000'000);
    std::tm parts = {};
    std::array<char, 40> text{};
    if (!::gmtime_r(&seconds, &parts)
        || std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts) == 0)
        return "an unknown time";
    return text.data();
}

std::string aboutText(std::int64_t ns)
{
    const double seconds = static_cast<double>(ns) / 1e9;
    constexpr double minute = 60;
    constexpr double hour = 60 * minute;
    constexpr double day = 24 * hour;
    std::array<char, 40> text{};
    if (seconds < 1)
        std::snprintf(text.data(), text.size(), "%.3g ms", seconds * 1000);
    else if (seconds < 2 * minute)
        std::snprintf(text.data(), text.size(), "%.3g s", seconds);
    else if (seconds < hour)
        std::snprintf(text.data(), text.size(), "%.0f min", seconds / minute);
    else if (seconds < 2 * day)
        std::snprintf(text.data(), text.size(), "%.1f hours", seconds / hour);
    else
        std::snprintf(text.data(), text.size(), "%.1f days", seconds / day);
    return text.data();
}

} // namespace collscope
