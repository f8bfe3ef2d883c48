// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/comparison/compared_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace collscope {

std::string timeText(double ms)
{
    static constexpr std::array<std::pair<double, const char*>, 4> units{
        {{1000, " s"}, {1, " ms"}, {1e-3, " us"}, {1e-6, " ns"}}};
    // 999.7 us are 1.00 ms in three digits.
    const auto unit = std::find_if(units.begin(), units.end() - 1,
                                   [ms](const auto& own) { return std::abs(ms) >= 0.9995 * own.first; });
    const double value = ms / unit->first;
    const int decimals = std::abs(value) >= 99.95 ? 0 : std::abs(value) >= 9.995 ? 1 : 2;
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data() + std::string(unit->second);
}

std::string shortPercentText(double percent)
{
    const double value = std::abs(percent);
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), value >= 9.95 ? "%.0f %%" : "%.1f %%", value);
    return text.data();
}

std::string countsText(double calls)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), calls == std::floor(calls) ? "%.0f" : "%.1f", calls);
    return text.data();
}

} // namespace collscope
