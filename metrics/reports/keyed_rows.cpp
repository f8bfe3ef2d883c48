// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/keyed_rows.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace collscope {

namespace {

std::vector<std::string> keyOf(const Sheet& sheet, const Value::Array& row,
                               const std::vector<std::string>& keys)
{
    std::vector<std::string> texts;
    for (const std::string& key : keys) {
        const auto column = sheet.column(key);
        texts.push_back(column ? keyText(row[*column]) : std::string());
    }
    return texts;
}

std::optional<double> numberIn(const Sheet& sheet, const Value::Array* row, std::string_view column)
{
    const auto at = row ? sheet.column(column) : std::nullopt;
    return at ? numberOf((*row)[*at]) : std::nullopt;
}

} // namespace

std::optional<double> numberOf(const Value& cell)
{
    if (const auto* whole = cell.as<std::int64_t>())
        return static_cast<double>(*whole);
    const auto* number = cell.as<double>();
    return number ? std::optional(*number) : std::nullopt;
}

std::string keyText(const Value& cell)
{
    if (const auto* text = cell.as<std::string>())
        return *text;
    const auto number = numberOf(cell);
    return number ? numberText(*number) : std::string();
}

void sortByChange(Sheet& sheet, std::size_t base)
{
    const auto change = [base](const Value::Array& row) {
        const auto own = numberOf(row[base]);
        return std::abs(numberOf(row[base + 2]).value_or(own ? *own : numberOf(row[base + 1]).value_or(0)));
    };
    std::stable_sort(sheet.rows.begin(), sheet.rows.end(),
                     [&](const Value::Array& a, const Value::Array& b) { return change(a) > change(b); });
}

KeyedRows::KeyedRows(const Sheet& base, const Sheet& test, const std::vector<std::string>& keys)
    : m_base(base)
    , m_test(test)
    , m_keys(keys)
{
    std::map<std::vector<std::string>, std::vector<std::size_t>> waiting; // rows of the baseline, by key
    for (const Value::Array& row : base.rows) {
        waiting[keyOf(base, row, keys)].push_back(m_pairs.size());
        m_pairs.push_back({&row, nullptr});
    }
    std::map<std::vector<std::string>, std::size_t> taken;
    for (const Value::Array& row : test.rows) {
        std::vector<std::string> key = keyOf(test, row, keys);
        const auto found = waiting.find(key);
        std::size_t& next = taken[std::move(key)];
        if (found != waiting.end() && next < found->second.size())
            m_pairs[found->second[next++]].test = &row;
        else
            m_pairs.push_back({nullptr, &row});
    }
}

Value::Array KeyedRows::keysOf(const Pair& pair) const
{
    const Sheet& sheet = pair.base ? m_base : m_test;
    const Value::Array& row = pair.base ? *pair.base : *pair.test;
    Value::Array cells;
    for (const std::string& key : m_keys) {
        const auto column = sheet.column(key);
        cells.push_back(column ? row[*column] : Value());
    }
    return cells;
}

std::optional<double> KeyedRows::baseNumber(const Pair& pair, std::string_view column) const
{
    return numberIn(m_base, pair.base, column);
}

std::optional<double> KeyedRows::testNumber(const Pair& pair, std::string_view column) const
{
    return numberIn(m_test, pair.test, column);
}

} // namespace collscope
