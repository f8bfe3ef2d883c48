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

} // namespace

std::string keyText(const Value& cell)
{
    if (const auto* text = cell.as<std::string>())
        return *text;
    const auto number = numberOf(cell);
    return number ? numberText(*number) : std::string();
}

std::vector<std::string> sharedColumns(const std::vector<const Sheet*>& sheets,
                                       std::span<const char* const> wanted)
{
    std::vector<std::string> shared;
    for (const char* column : wanted) {
        if (std::all_of(sheets.begin(), sheets.end(),
                        [column](const Sheet* sheet) { return !sheet || sheet->column(column); }))
            shared.emplace_back(column);
    }
    return shared;
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

KeyedRows::KeyedRows(std::vector<const Sheet*> sheets, std::vector<std::string> keys)
    : m_sheets(std::move(sheets))
    , m_keys(std::move(keys))
{
    std::map<std::vector<std::string>, std::vector<std::size_t>> known; // joined rows by key
    for (std::size_t run = 0; run < m_sheets.size(); ++run) {
        if (!m_sheets[run])
            continue;
        std::map<std::vector<std::string>, std::size_t> taken; // by this run
        for (const Value::Array& row : m_sheets[run]->rows) {
            std::vector<std::string> key = keyOf(*m_sheets[run], row, m_keys);
            std::vector<std::size_t>& own = known[key];
            std::size_t& next = taken[std::move(key)];
            if (next == own.size()) {
                own.push_back(size());
                m_rows.resize(m_rows.size() + m_sheets.size(), nullptr);
            }
            m_rows[own[next++] * m_sheets.size() + run] = &row;
        }
    }
}

Value KeyedRows::cell(std::size_t joined, std::size_t run, std::string_view column) const
{
    const Value::Array* const own = row(joined, run);
    const auto at = own ? m_sheets[run]->column(column) : std::nullopt;
    return at ? (*own)[*at] : Value();
}

std::optional<double> KeyedRows::number(std::size_t joined, std::size_t run, std::string_view column) const
{
    return numberOf(cell(joined, run, column));
}

Value KeyedRows::key(std::size_t joined, std::string_view column) const
{
    std::size_t run = 0;
    while (!row(joined, run))
        ++run;
    return cell(joined, run, column);
}

Value::Array KeyedRows::keysOf(std::size_t joined) const
{
    Value::Array cells;
    for (const std::string& column : m_keys)
        cells.push_back(key(joined, column));
    return cells;
}

} // namespace collscope
