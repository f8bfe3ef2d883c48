// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/core/value.h"

#include "model/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace collscope {

Value::Value() = default;
Value::Value(bool v)
    : m_data(v)
{ }
Value::Value(int v)
    : m_data(static_cast<std::int64_t>(v))
{ }
Value::Value(std::int64_t v)
    : m_data(v)
{ }
Value::Value(std::uint64_t v)
    : m_data(static_cast<std::int64_t>(v))
{ }
Value::Value(double v)
    : m_data(v)
{ }
Value::Value(Decimal v)
    : m_data(v)
{ }
Value::Value(std::string v)
    : m_data(std::move(v))
{ }
Value::Value(std::string_view v)
    : m_data(std::string(v))
{ }
Value::Value(const char* v)
    : m_data(std::string(v))
{ }
Value::Value(Array v)
    : m_data(std::move(v))
{ }
Value::Value(Object v)
    : m_data(std::move(v))
{ }
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

double Decimal::number() const
{
    double scale = 1;
    for (int i = 0; i < decimals; ++i)
        scale *= 10;
    return static_cast<double>(units) / scale;
}

Value microsecondsValue(std::int64_t ns)
{
    constexpr std::int64_t keptByDouble = 1'000'000'000'000'000; // 15 digits survive a round trip
    if (ns % 1000 == 0)
        return ns / 1000;
    return std::abs(ns) < keptByDouble ? Value(nsToUs(ns)) : Value(Decimal{ns, 3});
}

std::optional<double> numberOf(const Value& value)
{
    if (const auto* number = value.as<double>())
        return *number;
    if (const auto* integer = value.as<std::int64_t>())
        return static_cast<double>(*integer);
    if (const auto* decimal = value.as<Decimal>())
        return decimal->number();
    return std::nullopt;
}

bool beginsFormula(std::string_view text)
{
    const auto beginsWithOne = [&](auto&& list) {
        return std::find_if(std::begin(list), std::end(list),
                            [&](std::string_view one) { return text.starts_with(one); });
    };
    static constexpr std::array<std::string_view, 4> blanks{" ", "\u00a0", "\u3000", "\ufeff"};
    // Some programs remove a leading tab or line break.
    static constexpr std::array<std::string_view, 11> signs{
        "=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t", "\r", "\n"};
    for (auto blank = beginsWithOne(blanks); blank != blanks.end(); blank = beginsWithOne(blanks))
        text.remove_prefix(blank->size());
    return beginsWithOne(signs) != signs.end();
}

Value textOrNull(const std::string& text)
{
    return text.empty() ? Value() : Value(text);
}

Value textsValue(const std::vector<std::string>& texts)
{
    return Value::Array(texts.begin(), texts.end());
}

std::string countText(std::int64_t count, const char* what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string numberText(double value)
{
    if (value == 0)
        return "0"; // for -0 too
    // The range in which JavaScript and most JSON tools also write plain digits.
    constexpr double least = 1e-6;
    constexpr double most = 1e21;
    const double size = std::abs(value);
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   size >= least && size < most ? std::chars_format::fixed
                                                                : std::chars_format::scientific)
                         .ptr;
    return {buffer.data(), end};
}

namespace {

std::string decimalText(Decimal decimal)
{
    std::string digits = std::to_string(decimal.units);
    const std::string sign = decimal.units < 0 ? "-" : "";
    digits.erase(0, sign.size());
    const auto decimals = static_cast<std::size_t>(decimal.decimals);
    if (digits.size() <= decimals)
        digits.insert(0, decimals + 1 - digits.size(), '0');
    if (decimals > 0)
        digits.insert(digits.size() - decimals, 1, '.');
    while (decimals > 0 && digits.back() == '0')
        digits.pop_back();
    if (digits.back() == '.')
        digits.pop_back();
    return sign + digits;
}

} // namespace

std::string numberTextOf(const Value& value)
{
    if (const auto* whole = value.as<std::int64_t>())
        return std::to_string(*whole);
    if (const auto* number = value.as<double>())
        return std::isfinite(*number) ? numberText(*number) : std::string();
    const auto* decimal = value.as<Decimal>();
    return decimal ? decimalText(*decimal) : std::string();
}

std::string millisecondsText(std::int64_t ns)
{
    return numberText(nsToMs(ns)) + " ms";
}

} // namespace collscope
