// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/queries/location_text.h"

#include "model/text/trimmed.h"

#include <charconv>

namespace collscope {

namespace {

/// The number, if the text is one of at most `mostDigits` digits and nothing else.
std::optional<std::int64_t> integerOf(std::string_view text, std::size_t mostDigits)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::size_t digits = text.size() - (text.starts_with('-') ? 1 : 0);
    const bool isWhole = error == std::errc() && end == text.data() + text.size() && digits <= mostDigits;
    return isWhole ? std::optional(number) : std::nullopt;
}

/// "begin-end" in ns. Both may be negative.
std::optional<TimeRange> rangeOf(std::string_view text)
{
    constexpr std::size_t mostDigits = 18; // more might not fit into 64 bits
    const std::size_t dash = text.find('-', 1);
    if (dash == std::string_view::npos)
        return std::nullopt;
    const auto begin = integerOf(text.substr(0, dash), mostDigits);
    const auto end = integerOf(text.substr(dash + 1), mostDigits);
    return begin && end && *begin <= *end ? std::optional(TimeRange{*begin, *end}) : std::nullopt;
}

/// What follows the '@'. The track may contain colons.
std::optional<Location> withoutRun(std::string_view text)
{
    Location location;
    const std::size_t last = text.rfind(':');
    if (last != std::string_view::npos) {
        constexpr std::size_t mostDigits = 9; // of a rank
        const std::size_t first = text.find(':');
        const auto rank = integerOf(text.substr(0, first), mostDigits);
        if (first == last || !rank || *rank < 0 || text.starts_with('-'))
            return std::nullopt;
        location.rank = static_cast<std::int32_t>(*rank);
        location.track = text.substr(first + 1, last - first - 1);
        text.remove_prefix(last + 1);
    }
    const auto range = text.empty() ? std::nullopt : rangeOf(text);
    if (!range)
        return std::nullopt;
    location.range = *range;
    return location;
}

} // namespace

std::optional<Location> parseLocation(std::string_view text)
{
    text = trimmed(text);
    // The title of a run may contain an '@', and so may the name of a track.
    for (std::size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1)) {
        auto location = withoutRun(text.substr(at + 1));
        if (!location)
            continue;
        location->run = text.substr(0, at);
        return location;
    }
    return std::nullopt;
}

std::string locationText(const Location& location)
{
    const std::string place
        = location.rank ? std::to_string(*location.rank) + ":" + location.track + ":" : std::string();
    return location.run + "@" + place + std::to_string(location.range.beginNs) + "-"
        + std::to_string(location.range.endNs);
}

} // namespace collscope
