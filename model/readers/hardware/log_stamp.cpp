// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/hardware/log_stamp.h"

#include "model/text/lower_case.h"
#include "model/text/trimmed.h"

#include <algorithm>
#include <charconv>

namespace collscope {

namespace {

constexpr std::int64_t logNsPerSecond = 1'000'000'000;

std::optional<unsigned> logMonthOf(std::string_view word)
{
    constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const std::size_t at = word.size() == 3 ? months.find(word) : std::string_view::npos;
    return at != std::string_view::npos && at % 3 == 0 ? std::optional(static_cast<unsigned>(at / 3 + 1))
                                                       : std::nullopt;
}

template<typename Number = int>
std::optional<Number> logNumberOf(std::string_view word)
{
    Number number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() && end == word.data() + word.size() && number >= 0 ? std::optional(number)
                                                                                   : std::nullopt;
}

/// "Nov 23 12:34:56" with a year behind it or none, at words[first].
std::optional<Stamp> monthStamp(const std::vector<std::string_view>& words, std::size_t first, bool hasYear)
{
    if (words.size() < first + (hasYear ? 4 : 3))
        return std::nullopt;
    const auto month = logMonthOf(words[first]);
    const auto day = logNumberOf(words[first + 1]);
    constexpr int anyYear = 1972; // with a 29th of February
    const auto year = hasYear ? logNumberOf(words[first + 3]) : std::optional(anyYear);
    if (!month || !day || !year || (hasYear && (*year < 2000 || *year > 2099)))
        return std::nullopt;
    const auto ns = calendarNs(*year, *month, static_cast<unsigned>(*day), words[first + 2]);
    if (!ns)
        return std::nullopt;
    return Stamp{hasYear ? StampKind::Local : StampKind::LocalWithoutYear, *ns, logNsPerSecond};
}

/// What is between brackets: time since the start, or a date.
std::optional<Stamp> bracketStamp(std::string_view text)
{
    text = trimmed(text);
    std::vector<std::string_view> words;
    splitWords(text, words);
    if (words.size() == 5) // with the day of the week
        return monthStamp(words, 1, true);
    const std::size_t point = text.find('.');
    if (words.size() != 1 || point == std::string_view::npos || point == 0 || point > 10)
        return std::nullopt;
    constexpr std::size_t microDigits = 6;
    const std::string_view rest = text.substr(point + 1);
    const auto seconds = logNumberOf<std::int64_t>(text.substr(0, point)),
               micros = logNumberOf<std::int64_t>(rest);
    if (rest.size() != microDigits || !seconds || !micros)
        return std::nullopt;
    return Stamp{StampKind::SinceBoot, *seconds * logNsPerSecond + *micros * 1000, 1000};
}

/// Time and host of what precedes "kernel:".
void readFront(std::string_view text, LogPrefix& prefix)
{
    std::vector<std::string_view> words;
    splitWords(text, words);
    // splitWords() takes a comma for a separator, which ISO 8601 has before the decimals.
    const std::size_t blank = std::min(text.find(' '), text.size());
    std::size_t used = 0;
    if (const auto iso = stampOf(text.substr(0, blank))) {
        prefix.stamp = *iso;
        used = text.substr(0, blank).find(',') == std::string_view::npos ? 1 : 2;
    } else if (const auto month = monthStamp(words, 0, false)) {
        prefix.stamp = *month;
        used = 3;
    } else if (words.size() >= 4) { // the day of the week, date, time, zone
        const std::string when = std::string(words[1]) + " " + std::string(words[2]);
        const auto utc = words[3] == "UTC" ? stampOf(when + " UTC") : stampOf(when);
        if (!utc)
            return;
        prefix.stamp = *utc;
        used = 4;
    }
    if (used > 0 && words.size() == used + 1)
        prefix.host = words[used];
}

} // namespace

LogPrefix logPrefixOf(std::string_view text)
{
    LogPrefix prefix;
    text = trimmed(text);
    if (text.starts_with('<')) // the level, as a number
        text = trimmed(text.substr(std::min(text.find('>'), text.size() - 1) + 1));
    if (text.starts_with("kern ") && text.find(':') != std::string_view::npos) { // dmesg -x
        for (int i = 0; i < 2; ++i)
            text = trimmed(text.substr(std::min(text.find(':'), text.size() - 1) + 1));
    }
    if (const std::size_t open = text.rfind('['); open != std::string_view::npos && text.ends_with(']')) {
        if (const auto stamp = bracketStamp(text.substr(open + 1, text.size() - open - 2))) {
            prefix.stamp = *stamp;
            prefix.isOfKernel = true;
            text = trimmed(text.substr(0, open));
        }
    }
    if (text.ends_with("kernel:")) {
        prefix.isOfKernel = true;
        text = trimmed(text.substr(0, text.size() - std::string_view("kernel:").size()));
    }
    if (!text.empty())
        readFront(text, prefix);
    prefix.isOfKernel |= prefix.stamp.kind == StampKind::Utc || prefix.stamp.kind == StampKind::Local;
    return prefix;
}

} // namespace collscope
