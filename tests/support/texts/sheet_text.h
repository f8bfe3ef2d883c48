// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Cells and rows of a report's sheets, for comparing them with what is written down.

#include "metrics/core/sheet.h"

#include <limits>
#include <string>
#include <vector>

namespace collscope {

/// A cell as text: numbers as short as they read back, empty cells as "-".
inline std::string cellText(const Value& cell)
{
    if (const auto* number = cell.as<double>())
        return numberText(*number);
    if (const auto* whole = cell.as<std::int64_t>())
        return std::to_string(*whole);
    const auto* text = cell.as<std::string>();
    return text ? *text : "-";
}

/// A row as text, its cells separated by " | "; `columns` = 0: all.
inline std::string rowText(const Sheet& sheet, std::size_t row, std::size_t columns = 0)
{
    std::string text;
    for (std::size_t i = 0; i < (columns ? columns : sheet.columns.size()); ++i)
        text += (i > 0 ? " | " : "") + cellText(sheet.rows.at(row).at(i));
    return text;
}

/// All rows as text; none without a sheet.
inline std::vector<std::string> rowTexts(const Sheet* sheet, std::size_t columns = 0)
{
    std::vector<std::string> texts;
    for (std::size_t row = 0; sheet && row < sheet->rows.size(); ++row)
        texts.push_back(rowText(*sheet, row, columns));
    return texts;
}

/// The sheet of a report with that name; nullptr without one.
template<typename Report>
auto sheetIn(const Report& report, std::string_view name) -> decltype(&report.sheets.front())
{
    for (const auto& sheet : report.sheets) {
        if (sheet.name == name)
            return &sheet;
    }
    return nullptr;
}

/// The number in a cell; NaN if it holds none.
inline double cellNumber(const Value& cell)
{
    if (const auto* whole = cell.as<std::int64_t>())
        return static_cast<double>(*whole);
    const auto* number = cell.as<double>();
    return number ? *number : std::numeric_limits<double>::quiet_NaN();
}

} // namespace collscope
