// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A small ordered JSON-like tree for a metric's details. Qt-free and library-free; export/ turns it into
// JSON.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace collscope {

/// `units` times 10^-decimals: a number whose every digit counts where a double would round it.
struct Decimal
{
    std::int64_t units = 0;
    int decimals = 0; ///< 0 to 18

    double number() const; ///< a double at most one step beside it
    friend bool operator==(const Decimal&, const Decimal&) = default;
};

class Value
{
public:
    using Array = std::vector<Value>;
    using Object = std::vector<std::pair<std::string, Value>>; ///< keeps the order of insertion

    // All out of line: metrics build large trees, and the code of a variant in each place takes the compiler
    // longer than all the rest of a metric.
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

/// Shortest text that reads back to the same double, in plain digits from 1e-6 up to 1e21; whole numbers
/// without a point; C locale.
std::string numberText(double value);
/// The text of a number of any kind as everything prints it; "" if it is no number, or not finite.
std::string numberTextOf(const Value& value);
/// Nanoseconds in the us of the JSON, every digit: at today's epoch a double has a grid of a quarter
/// microsecond.
Value microsecondsValue(std::int64_t ns);
/// A number, whole or not; nullopt if it is no number.
std::optional<double> numberOf(const Value& value);
/// A spreadsheet would, or might, take the text for a formula: those signs count that are as wide as an
/// ideograph, too, and blanks before them do not.
bool beginsFormula(std::string_view text);
/// "12 calls", "1 call".
std::string countText(std::int64_t count, const char* what);
/// "1.25 ms", every digit.
std::string millisecondsText(std::int64_t ns);

} // namespace collscope
