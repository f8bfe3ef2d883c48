// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/witnesses/network_counters.h"

#include <algorithm>
#include <array>

namespace collscope {

namespace {

/// Separates the parts of a name; names in files do not contain it, or have a blank instead.
constexpr char separator = '\t';
constexpr std::string_view cardMark = "network card", switchMark = "network switch";

std::string part(std::string_view text)
{
    std::string cleaned(text);
    std::replace(cleaned.begin(), cleaned.end(), separator, ' ');
    return cleaned;
}

} // namespace

std::string networkCounterName(const NetworkCounter& counter)
{
    std::string name(counter.kind == NetworkCounter::Kind::Card ? cardMark : switchMark);
    for (const std::string* text : {&counter.device, &counter.quantity, &counter.unit})
        name += separator + part(*text);
    return name;
}

std::optional<NetworkCounter> networkCounterOf(std::string_view name)
{
    std::array<std::string_view, 4> parts;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t end = name.find(separator);
        if ((end == std::string_view::npos) != (i + 1 == parts.size()))
            return std::nullopt;
        parts[i] = name.substr(0, end);
        name.remove_prefix(end == std::string_view::npos ? name.size() : end + 1);
    }
    if (parts[0] != cardMark && parts[0] != switchMark)
        return std::nullopt;
    return NetworkCounter{parts[0] == cardMark ? NetworkCounter::Kind::Card : NetworkCounter::Kind::Switch,
                          std::string(parts[1]), std::string(parts[2]), std::string(parts[3])};
}

} // namespace collscope
