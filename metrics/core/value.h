// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A small ordered JSON-like tree for a metric's details. Depends on neither Qt nor a JSON library; export/
// converts it to JSON.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace collscope {

/// `units` times 10^-decimals: a number whose digits are all significant where a double would round it.
struct Decimal
{
    std::int64_t units = 0;
    int decimals = 0; ///< 0 to 18

    double number() const; ///< nearest double, or an adjacent one
    friend bool operator==(const Decimal&, const Decimal&) = default;
};

class Value
{
public:
    using Array = std::vector<Value>;
    using Object = std::vector<std::pair<std::string, Value>>; ///< keeps the insertion order

    // All out of line: metrics build large trees, and inlined variant code would take longer to compile than
    // the rest of a metric.
    Value(); ///< null
    Value(bool v);
    Value(int v);
    Value(std::int64_t v);
    Value(std::uint64_t v);
    Value(double v);
    Value(Decimal v);
    Value(std::string v);
    Value(std::string_view v);
    Value(const char* v);
    Value(Array v);
    Value(Object v);
    Value(const Value& other);
    Value(Value&& other) noexcept;
    Value& operator=(const Value& other);
    Value& operator=(Value&& other) noexcept;
    ~Value();

    template<typename T>
    const T* as() const
    {
        return std::get_if<T>(&m_data);
    }
    const auto& data() const { return m_data; }

private:
    std::variant<std::nullptr_t, bool, std::int64_t, double, Decimal, std::string, Array, Object> m_data
        = nullptr;
};

/// The number or text; null if there is none.
template<typename T>
Value orNull(const std::optional<T>& value)
{
    return value ? Value(*value) : Value();
}
/// The text; null if it is empty.
Value textOrNull(const std::string& text);
/// A list of texts.
Value textsValue(const std::vector<std::string>& texts);
/// Shortest text that reads back to the same double, in plain digits from 1e-6 up to 1e21; whole numbers
/// without a decimal point; C locale.
std::string numberText(double value);
/// The text of a number of any kind as used in all output; "" if the value is not a number, or not finite.
std::string numberTextOf(const Value& value);
/// Nanoseconds in the microseconds of the JSON, exact: for current epoch times the resolution of a double is
/// a quarter of a microsecond.
Value microsecondsValue(std::int64_t ns);
/// A number, integer or not; nullopt if the value is not a number.
std::optional<double> numberOf(const Value& value);
/// Whether a spreadsheet would or might interpret the text as a formula. Includes full-width forms of the
/// signs, and ignores blanks before them.
bool beginsFormula(std::string_view text);
/// "12 calls", "1 call".
std::string countText(std::int64_t count, const char* what);
/// "1.25 ms", with all digits.
std::string millisecondsText(std::int64_t ns);

} // namespace collscope
