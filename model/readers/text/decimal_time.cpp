// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/text/decimal_time.h"

#include "model/text/lower_case.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <string>

namespace collscope {

namespace {

static_assert(std::endian::native == std::endian::little, "digits are read eight at a time");

std::string_view unquoted(std::string_view text)
{
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '"'; };
    while (!text.empty() && blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && blank(text.back()))
        text.remove_suffix(1);
    return text;
}

/// Returns digits x 10^-(digits.size() - pointAt), rounded half to even to an integer.
std::optional<std::uint64_t> roundedInteger(const std::string& digits, std::int64_t pointAt)
{
    constexpr std::uint64_t limit = std::numeric_limits<std::int64_t>::max();
    std::uint64_t value = 0;
    const auto count = static_cast<std::int64_t>(digits.size());
    for (std::int64_t i = 0; i < pointAt; ++i) {
        const auto digit
            = static_cast<std::uint64_t>(i < count ? digits[static_cast<std::size_t>(i)] - '0' : 0);
        if (value > (limit - digit) / 10)
            return value == 0 && digit == 0 ? std::optional<std::uint64_t>(0) : std::nullopt;
        value = value * 10 + digit;
    }
    if (pointAt < 0 || pointAt >= count)
        return value;
    const std::string rest = digits.substr(static_cast<std::size_t>(pointAt));
    const bool moreThanHalf
        = rest[0] > '5' || (rest[0] == '5' && rest.find_first_not_of('0', 1) != std::string::npos);
    const bool half = rest[0] == '5' && !moreThanHalf;
    const bool up = moreThanHalf || (half && value % 2 == 1);
    return up && value == limit ? std::nullopt : std::optional(value + (up ? 1 : 0));
}

/// Appends eight digits to `value` in one operation; false if one of them is not a digit.
bool eightDigits(const char* text, std::uint64_t& value)
{
    std::uint64_t word = 0;
    std::memcpy(&word, text, sizeof word);
    constexpr std::uint64_t zeros = 0x3030303030303030u;
    constexpr std::uint64_t highHalves = 0xF0F0F0F0F0F0F0F0u;
    if ((word & highHalves) != zeros || ((word + 0x0606060606060606u) & highHalves) != zeros)
        return false;
    word -= zeros;
    // Neighbouring digits are joined to pairs, pairs to groups of four, and these to eight.
    word = word * 10 + (word >> 8);
    word = ((word & 0x000000FF000000FFu) * 0x000F424000000064u
            + ((word >> 16) & 0x000000FF000000FFu) * 0x0000271000000001u)
        >> 32;
    value = value * 100'000'000 + word;
    return true;
}

/// Parses "4458676500019.396", the shape of almost every time stamp. nullopt for any other shape.
std::optional<std::uint64_t> threeDecimals(std::string_view text)
{
    constexpr std::size_t behindWhole = 4; // the point and three digits
    if (text.size() <= behindWhole || text.size() > 15 + behindWhole
        || text[text.size() - behindWhole] != '.')
        return std::nullopt;
    const std::size_t whole = text.size() - behindWhole;
    std::uint64_t value = 0;
    std::size_t i = 0;
    for (; i < whole % 8; ++i) {
        if (!isDigit(text[i]))
            return std::nullopt;
        value = value * 10 + static_cast<std::uint64_t>(text[i] - '0');
    }
    for (; i < whole; i += 8) {
        if (!eightDigits(text.data() + i, value))
            return std::nullopt;
    }
    for (++i; i < text.size(); ++i) {
        if (!isDigit(text[i]))
            return std::nullopt;
        value = value * 10 + static_cast<std::uint64_t>(text[i] - '0');
    }
    return value;
}

/// Parses up to 15 digits with at most 3 decimals and no exponent, the shape that every profiler writes.
/// nullopt for any other.
std::optional<std::uint64_t> plainNanoseconds(std::string_view text)
{
    std::uint64_t ns = 0;
    std::size_t i = 0;
    while (i < text.size() && i < 15 && isDigit(text[i]))
        ns = ns * 10 + static_cast<std::uint64_t>(text[i++] - '0');
    if (i == 0)
        return std::nullopt;
    ns *= 1000;
    if (i == text.size())
        return ns;
    const std::size_t decimals = text.size() - i - 1;
    if (text[i] != '.' || decimals == 0 || decimals > 3)
        return std::nullopt;
    std::uint64_t weight = 100;
    for (++i; i < text.size(); ++i, weight /= 10) {
        if (!isDigit(text[i]))
            return std::nullopt;
        ns += static_cast<std::uint64_t>(text[i] - '0') * weight;
    }
    return ns;
}

/// The exponent after the digits; 0 without one, nullopt if other text follows.
std::optional<std::int64_t> exponentAt(std::string_view text)
{
    if (text.empty())
        return 0;
    if (text[0] != 'e' && text[0] != 'E')
        return std::nullopt;
    text.remove_prefix(text.size() > 1 && text[1] == '+' ? 2 : 1);
    std::int64_t exponent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
    const bool plausible = exponent >= -400 && exponent <= 400;
    return error == std::errc() && end == text.data() + text.size() && plausible ? std::optional(exponent)
                                                                                 : std::nullopt;
}

/// Parses any decimal number.
std::optional<std::uint64_t> exactNanoseconds(std::string_view text)
{
    std::string digits;
    std::int64_t pointAt = -1;
    std::size_t at = 0;
    for (; at < text.size() && (isDigit(text[at]) || (text[at] == '.' && pointAt < 0)); ++at) {
        if (text[at] == '.')
            pointAt = static_cast<std::int64_t>(digits.size());
        else
            digits += text[at];
    }
    const auto exponent = exponentAt(text.substr(at));
    if (digits.empty() || !exponent)
        return std::nullopt;
    if (pointAt < 0)
        pointAt = static_cast<std::int64_t>(digits.size());
    return roundedInteger(digits, pointAt + *exponent + 3);
}

} // namespace

std::optional<std::int64_t> nanosecondsFromMicroseconds(std::string_view text)
{
    // Numbers written by profilers need neither trimming nor a sign.
    while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ')
        text.remove_suffix(1);
    if (const auto usual = threeDecimals(text))
        return static_cast<std::int64_t>(*usual);
    if (const auto plain = plainNanoseconds(text))
        return static_cast<std::int64_t>(*plain);
    text = unquoted(text);
    const bool negative = text.starts_with('-');
    if (negative)
        text.remove_prefix(1);
    auto magnitude = plainNanoseconds(text);
    if (!magnitude)
        magnitude = exactNanoseconds(text);
    if (!magnitude)
        return std::nullopt;
    return negative ? -static_cast<std::int64_t>(*magnitude) : static_cast<std::int64_t>(*magnitude);
}

bool isDecimalNumber(std::string_view text)
{
    text = unquoted(text);
    text.remove_prefix(text.starts_with('-') ? 1 : 0);
    std::size_t digits = 0;
    std::size_t points = 0;
    for (; !text.empty() && (isDigit(text[0]) || (text[0] == '.' && points == 0)); text.remove_prefix(1))
        ++(text[0] == '.' ? points : digits);
    if (digits == 0 || text.empty())
        return digits > 0;
    if (text[0] != 'e' && text[0] != 'E')
        return false;
    text.remove_prefix(text.size() > 1 && (text[1] == '+' || text[1] == '-') ? 2 : 1);
    return !text.empty() && std::all_of(text.begin(), text.end(), isDigit);
}

std::optional<std::int64_t> integerFromText(std::string_view text)
{
    constexpr std::size_t surelyFits = 18;
    if (!text.empty() && text.size() <= surelyFits) {
        std::int64_t value = 0;
        std::size_t digits = 0;
        for (; digits < text.size() && isDigit(text[digits]); ++digits)
            value = value * 10 + (text[digits] - '0');
        if (digits == text.size())
            return value;
    }
    text = unquoted(text);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc())
        return std::nullopt;
    const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
    // Some writers print every number as a double: 7.0 is the integer 7.
    const bool zeroFraction
        = rest.starts_with('.') && rest.find_first_not_of('0', 1) == std::string_view::npos;
    return rest.empty() || zeroFraction ? std::optional(value) : std::nullopt;
}

} // namespace collscope
