// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/text_table.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace collscope {

namespace {

/// Three digits after the decimal point are enough, unless they would all be 0.
std::string sheetCellText(const Value& cell)
{
    if (const auto* words = cell.as<std::string>())
        return *words;
    const auto* number = cell.as<double>();
    const double rounded = number ? std::round(*number * 1e3) / 1e3 : 0;
    return rounded != 0 ? numberText(rounded) : numberTextOf(cell);
}

} // namespace

std::size_t charactersIn(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

TextTable::TextTable(std::vector<bool> toTheRight)
    : m_toTheRight(std::move(toTheRight))
    , m_widths(m_toTheRight.size(), 0)
{ }

void TextTable::add(std::vector<std::string> cells)
{
    cells.resize(m_widths.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
        m_widths[i] = std::max(m_widths[i], charactersIn(cells[i]));
    m_rows.push_back(std::move(cells));
}

std::string TextTable::text(std::size_t indent) const
{
    std::string text;
    for (const std::vector<std::string>& cells : m_rows) {
        std::string line(indent, ' ');
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string blanks(m_widths[i] - charactersIn(cells[i]), ' ');
            line += (i > 0 ? "  " : "") + (m_toTheRight[i] ? blanks + cells[i] : cells[i] + blanks);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string sheetText(const Sheet& sheet, std::size_t indent)
{
    std::vector<bool> toTheRight;
    for (std::size_t i = 0; i < sheet.columns.size(); ++i)
        toTheRight.push_back(std::none_of(sheet.rows.begin(), sheet.rows.end(), [i](const Value::Array& row) {
            return row[i].as<std::string>() != nullptr;
        }));
    TextTable table(std::move(toTheRight));
    table.add(sheet.columns);
    for (const Value::Array& row : sheet.rows) {
        std::vector<std::string> cells;
        for (const Value& cell : row)
            cells.push_back(sheetCellText(cell));
        table.add(std::move(cells));
    }
    return table.text(indent);
}

std::string tablesText(const std::vector<MetricTable>& tables)
{
    constexpr std::size_t indent = 2;
    std::string text;
    for (const MetricTable& table : tables)
        text += table.title + "\n" + (table.sheet.isEmpty() ? "" : sheetText(table.sheet, indent));
    return text;
}

} // namespace collscope
