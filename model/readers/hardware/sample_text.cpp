// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/hardware/sample_text.h"

#include "model/text/lower_case.h"
#include "model/text/trimmed.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

namespace collscope {

namespace {

constexpr double unknownSample = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t sampleNsPerSecond = 1'000'000'000;
constexpr std::size_t mostSampleCells = 512;

/// What tools print where they have no value.
bool saysUnknown(std::string_view text)
{
    static constexpr std::array<std::string_view, 12> words{"",
                                                            "-",
                                                            "n/a",
                                                            "[n/a]",
                                                            "[not supported]",
                                                            "not supported",
                                                            "[not found]",
                                                            "[unknown error]",
                                                            "nan",
                                                            "[insufficient permissions]",
                                                            "[gpu requires reset]",
                                                            "[gpu is lost]"};
    const std::string lower = lowered(text);
    return std::find(words.begin(), words.end(), lower) != words.end();
}

/// DCGM's blank values (dcgm_structs.h: DCGM_INT32_BLANK, DCGM_INT64_BLANK, DCGM_FP64_BLANK and the fifteen
/// after each of them) mean that a field is not known or not supported.
bool isBlankOfDcgm(double value)
{
    constexpr double int32Blank = 2147483632.0, fp64Blank = 140737488355328.0,
                     int64Blank = 9.2233720368547e18;
    const auto isAt = [&](double blank) { return value >= blank && value < blank + 16; };
    return isAt(int32Blank) || isAt(fp64Blank) || value >= int64Blank;
}

bool isUnit(std::string_view text)
{
    static constexpr std::array<std::string_view, 7> units{"", "W", "MHz", "%", "C", "°C", "mW"};
    return std::find(units.begin(), units.end(), text) != units.end();
}

template<typename Number>
bool takeDigits(std::string_view& text, std::size_t count, Number& number)
{
    if (text.size() < count
        || !std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(count),
                        [](char c) { return isDigit(c); }))
        return false;
    std::from_chars(text.data(), text.data() + count, number);
    text.remove_prefix(count);
    return true;
}

bool takeChar(std::string_view& text, std::string_view oneOf)
{
    if (text.empty() || oneOf.find(text.front()) == std::string_view::npos)
        return false;
    text.remove_prefix(1);
    return true;
}

/// ns of the digits after a decimal sign, which are removed, and the size of the last one.
std::pair<std::int64_t, std::int64_t> takeFraction(std::string_view& text)
{
    std::int64_t ns = 0, unit = sampleNsPerSecond;
    while (!text.empty() && isDigit(text.front())) {
        if (unit > 1) {
            unit /= 10;
            ns += (text.front() - '0') * unit;
        }
        text.remove_prefix(1);
    }
    return {ns, unit};
}

/// Seconds since the epoch with decimals, or an integer of ms, µs or ns, told apart by its size: 2000 to
/// 2099.
std::optional<Stamp> epochStamp(std::string_view text)
{
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits < 9 || digits > 19)
        return std::nullopt;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + digits, number);
    if (error != std::errc())
        return std::nullopt;
    text.remove_prefix(digits);
    constexpr std::int64_t first = 946'684'800, last = 4'102'444'800; // 2000 and 2100
    std::int64_t unit = sampleNsPerSecond;
    while (unit > 1 && number >= last * (sampleNsPerSecond / unit))
        unit /= 1000;
    const std::int64_t perSecond = sampleNsPerSecond / unit;
    if (number < first * perSecond || number >= last * perSecond)
        return std::nullopt;
    Stamp stamp{StampKind::Utc, number * unit, unit};
    if (unit == sampleNsPerSecond && takeChar(text, ".,")) {
        const auto [ns, resolution] = takeFraction(text);
        stamp.ns += ns;
        stamp.resolutionNs = resolution;
    }
    return text.empty() ? std::optional(stamp) : std::nullopt;
}

/// "Z", "UTC", "+01:00", "-0400": ns east of Greenwich; nullopt for other text.
std::optional<std::int64_t> sampleZoneNs(std::string_view text)
{
    if (text == "Z" || text == "UTC" || text == "GMT")
        return 0;
    const bool isWest = text.starts_with('-');
    int hours = 0, minutes = 0;
    if (!takeChar(text, "+-") || !takeDigits(text, 2, hours))
        return std::nullopt;
    takeChar(text, ":");
    if (!text.empty() && !takeDigits(text, 2, minutes))
        return std::nullopt;
    if (!text.empty() || hours > 14 || minutes > 59)
        return std::nullopt;
    const std::int64_t ns = (std::int64_t{hours} * 60 + minutes) * 60 * sampleNsPerSecond;
    return isWest ? -ns : ns;
}

} // namespace

std::optional<double> sampleNumber(std::string_view text)
{
    // Most values are small integers.
    constexpr std::size_t smallDigits = 9;
    std::uint32_t small = 0;
    std::size_t digits = 0;
    for (; digits < text.size() && digits <= smallDigits && isDigit(text[digits]); ++digits)
        small = 10 * small + static_cast<std::uint32_t>(text[digits] - '0');
    if (digits > 0 && digits == text.size() && digits <= smallDigits)
        return small;
    text = trimmed(text);
    if (text.empty())
        return unknownSample;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        std::uint64_t bits = 0;
        const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
        constexpr std::uint64_t exact = std::uint64_t{1} << 53;
        const bool isWhole = error == std::errc() && end == text.data() + text.size() && bits < exact;
        return isWhole ? std::optional(static_cast<double>(bits)) : std::nullopt;
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || !std::isfinite(value))
        return saysUnknown(text) ? std::optional(unknownSample) : std::nullopt;
    if (isBlankOfDcgm(value))
        return unknownSample;
    if (end == text.data() + text.size())
        return value;
    const std::string_view unit = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
    if (!isUnit(unit))
        return std::nullopt;
    return unit == "mW" ? value / 1000 : value;
}

std::optional<std::int32_t> gpuIndexOf(std::string_view text)
{
    constexpr std::int32_t mostGpus = 1024;
    std::int32_t index = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
    const bool isIndex = error == std::errc() && end == text.data() + text.size() && index >= 0;
    return isIndex && index < mostGpus ? std::optional(index) : std::nullopt;
}

std::optional<std::int64_t> calendarNs(int year, unsigned month, unsigned day, std::string_view clock)
{
    const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{month},
                                           std::chrono::day{day}};
    int hours = 0, minutes = 0, seconds = 0;
    if (!date.ok() || !takeDigits(clock, 2, hours) || !takeChar(clock, ":") || !takeDigits(clock, 2, minutes)
        || !takeChar(clock, ":") || !takeDigits(clock, 2, seconds) || !clock.empty() || hours > 23
        || minutes > 59 || seconds > 60)
        return std::nullopt;
    const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
    return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * sampleNsPerSecond;
}

std::optional<Stamp> stampOf(std::string_view text)
{
    text = trimmed(text);
    if (const auto epoch = epochStamp(text))
        return epoch;
    int year = 0;
    unsigned month = 0, day = 0;
    if (!takeDigits(text, 4, year))
        return std::nullopt;
    const bool hasSigns = takeChar(text, "/-");
    if (!takeDigits(text, 2, month) || (hasSigns && !takeChar(text, "/-")) || !takeDigits(text, 2, day)
        || !takeChar(text, " T"))
        return std::nullopt;
    text = trimmed(text);
    constexpr std::size_t clockSize = 8; // "18:10:27"
    const auto ns = calendarNs(year, month, day, text.substr(0, clockSize));
    if (!ns || year < 2000 || year > 2099)
        return std::nullopt;
    text.remove_prefix(clockSize);
    Stamp stamp{StampKind::Local, *ns, sampleNsPerSecond};
    if (takeChar(text, ".,")) {
        const auto [more, resolution] = takeFraction(text);
        stamp.ns += more;
        stamp.resolutionNs = resolution;
    }
    text = trimmed(text);
    if (text.empty())
        return stamp;
    const auto zone = sampleZoneNs(text);
    if (!zone)
        return std::nullopt;
    stamp.kind = StampKind::Utc;
    stamp.ns -= *zone;
    return stamp;
}

void splitCells(std::string_view line, std::vector<std::string_view>& cells)
{
    cells.clear();
    const char* at = line.data();
    const char* const end = at + line.size();
    // Cells are a few characters long: a loop finds their ends faster than a search does.
    const auto skipTo = [&](char sign) {
        while (at != end && *at != sign)
            ++at;
    };
    const auto isBlank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (cells.size() < mostSampleCells) {
        while (at != end && isBlank(*at))
            ++at;
        const bool isQuoted = at != end && *at == '"';
        const char* begin = isQuoted ? ++at : at;
        skipTo(isQuoted ? '"' : ',');
        const char* last = at;
        while (!isQuoted && last != begin && isBlank(last[-1]))
            --last;
        cells.emplace_back(begin, static_cast<std::size_t>(last - begin));
        skipTo(',');
        if (at == end)
            return;
        ++at;
    }
}

void splitWords(std::string_view line, std::vector<std::string_view>& words)
{
    constexpr std::string_view separators = " \t\r,";
    words.clear();
    while (words.size() < mostSampleCells) {
        line.remove_prefix(std::min(line.find_first_not_of(separators), line.size()));
        if (line.empty())
            return;
        const std::size_t end = std::min(line.find_first_of(separators), line.size());
        words.push_back(line.substr(0, end));
        line.remove_prefix(end);
    }
}

std::string_view takeLine(std::string_view& text)
{
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

std::string_view firstLine(std::string_view head)
{
    if (head.starts_with("\xEF\xBB\xBF"))
        head.remove_prefix(3);
    while (!head.empty()) {
        const std::string_view line = trimmed(takeLine(head));
        if (!line.empty())
            return line;
    }
    return {};
}

} // namespace collscope
