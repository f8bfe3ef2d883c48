// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/core/duration_text.h"

#include "metrics/core/value.h"
#include "model/text/printable_text.h"
#include "model/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace collscope {

namespace {

constexpr std::size_t longestName = 60;

std::string fourDigits(double value)
{
    // to_chars, because the desktop locale could write a comma.
    std::array<char, 64> buffer{};
    const auto [end, error]
        = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 4);
    return error == std::errc() ? std::string(buffer.data(), end) : std::string();
}

/// The number of back-ticks in a row from a place on.
std::size_t backTicksAt(std::string_view text, std::size_t at)
{
    return std::min(text.find_first_not_of('`', at), text.size()) - at;
}

} // namespace

std::string timeText(std::int64_t ns)
{
    const std::int64_t size = std::abs(ns);
    if (size < 1000)
        return std::to_string(ns) + " ns";
    if (size < 1'000'000)
        return fourDigits(nsToUs(ns)) + " \u00b5s";
    if (size < 1'000'000'000)
        return fourDigits(nsToMs(ns)) + " ms";
    return numberText(std::round(nsToSeconds(ns) * 1000) / 1000) + " s";
}

std::string percentText(std::int64_t part, std::int64_t whole)
{
    const double percent = whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
    return std::to_string(std::llround(percent)) + " %";
}

std::string percentText(double percent)
{
    std::array<char, 64> buffer{};
    const auto [end, error]
        = std::to_chars(buffer.data(), buffer.data() + buffer.size(), percent, std::chars_format::fixed, 1);
    return error == std::errc() ? std::string(buffer.data(), end) + " %" : std::string();
}

std::string shortened(std::string_view text)
{
    if (text.size() <= longestName)
        return std::string(text);
    std::size_t end = longestName;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u)
        --end;
    return std::string(text.substr(0, end)) + "\u2026";
}

std::string quotedName(std::string_view name)
{
    const std::string text = shortened(printableLine(name));
    std::size_t longest = 0;
    for (std::size_t at = 0; at < text.size(); ++at)
        longest = std::max(longest, backTicksAt(text, at));
    const std::string ticks(longest + 1, '`');
    // Blanks keep a back-tick at an end of the name apart from those around it.
    const std::string blank(longest > 0 ? " " : "");
    return ticks + blank + text + blank + ticks;
}

std::vector<SentencePiece> sentencePieces(std::string_view sentence)
{
    std::vector<SentencePiece> pieces;
    std::size_t begin = 0; // of the text that no piece has yet
    for (std::size_t at = 0; at < sentence.size();) {
        const std::size_t ticks = backTicksAt(sentence, at);
        const std::size_t name = at + ticks;
        std::size_t end = name;
        while (ticks > 0 && end < sentence.size() && backTicksAt(sentence, end) != ticks)
            end += std::max<std::size_t>(backTicksAt(sentence, end), 1);
        if (ticks == 0 || end >= sentence.size()) {
            at += std::max<std::size_t>(ticks, 1);
            continue;
        }
        if (at > begin)
            pieces.push_back({sentence.substr(begin, at - begin)});
        const std::size_t blank = ticks > 1 && end > name + 2 ? 1 : 0;
        pieces.push_back({sentence.substr(name + blank, end - name - 2 * blank), true});
        at = begin = end + ticks;
    }
    if (begin < sentence.size())
        pieces.push_back({sentence.substr(begin)});
    return pieces;
}

} // namespace collscope
