// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/looks/time_ticks.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace collscope {

namespace {

struct Unit
{
    std::int64_t ns;
    int decimals; ///< that one nanosecond has
    const char* name;
};
constexpr std::array<Unit, 4> units{
    {{1, 0, "ns"}, {1000, 3, "\u00b5s"}, {1'000'000, 6, "ms"}, {1'000'000'000, 9, "s"}}};

} // namespace

std::int64_t niceTickNs(double leastNs)
{
    std::int64_t power = 1;
    while (static_cast<double>(power) * 10 < leastNs && power < 1'000'000'000'000'000)
        power *= 10;
    for (const std::int64_t factor : {1, 2, 5}) {
        if (static_cast<double>(power * factor) >= leastNs)
            return power * factor;
    }
    return power * 10;
}

std::string tickText(std::int64_t ns, std::int64_t stepNs)
{
    if (ns == 0)
        return "0";
    const std::int64_t size = std::max(std::abs(ns), stepNs);
    const auto unit = std::find_if(units.rbegin(), units.rend() - 1,
                                   [&](const Unit& larger) { return size >= larger.ns; });
    auto decimals = static_cast<std::size_t>(unit->decimals);
    for (std::int64_t step = stepNs; step >= 10 && decimals > 0; step /= 10)
        --decimals;
    std::string text = (ns < 0 ? "-" : "") + std::to_string(std::abs(ns) / unit->ns);
    if (decimals > 0) {
        const std::string rest = std::to_string(std::abs(ns) % unit->ns);
        text += "."
            + (std::string(static_cast<std::size_t>(unit->decimals) - rest.size(), '0') + rest)
                  .substr(0, decimals);
    }
    return text + " " + unit->name;
}

} // namespace collscope
