// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/value.h"

#include "model/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

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

Value microsecondsValue(std::int64_t ns)
{
    return ns % 1000 == 0 ? Value(ns / 1000) : Value(nsToUs(ns));
}

std::optional<double> numberOf(const Value& value)
{
    if (const auto* number = value.as<double>())
        return *number;
    if (const auto* integer = value.as<std::int64_t>())
        return static_cast<double>(*integer);
    return std::nullopt;
}

bool beginsFormula(std::string_view text)
{
    const auto beginsWithOne = [&](auto&& list) {
        return std::find_if(std::begin(list), std::end(list),
                            [&](std::string_view one) { return text.starts_with(one); });
    };
    static constexpr std::array<std::string_view, 4> blanks{" ", "\u00a0", "\u3000", "\ufeff"};
    // Some programs drop a tab or a line end at the front.
    static constexpr std::array<std::string_view, 11> signs{
        "=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t", "\r", "\n"};
    for (auto blank = beginsWithOne(blanks); blank != blanks.end(); blank = beginsWithOne(blanks))
        text.remove_prefix(blank->size());
    return beginsWithOne(signs) != signs.end();
}

std::string countText(std::int64_t count, const char* what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string numberText(double value)
{
    char buffer[32];
    constexpr double exactIntegers = 9007199254740992.0; // 2^53
    if (std::trunc(value) == value && std::abs(value) < exactIntegers) {
        const auto end = std::to_chars(buffer, buffer + sizeof buffer, static_cast<std::int64_t>(value)).ptr;
        return {buffer, end};
    }
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    return {buffer, end};
}

std::string millisecondsText(std::int64_t ns)
{
    return numberText(nsToMs(ns)) + " ms";
}

} // namespace collscope
