// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A report as tables: the source of workbooks, CSV files, JSON and pages.

#include "metrics/value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// One table: a header and its rows. A cell is null (empty), a truth value, a number or text.
struct Sheet
{
    std::string name; ///< unique in its workbook
    std::vector<std::string> columns;
    std::vector<Value::Array> rows; ///< each as long as `columns`
    bool isHidden = false; ///< raw data for the visible sheets

    bool isEmpty() const { return rows.empty(); }
    /// Index of a column; nullopt if no column has that title.
    std::optional<std::size_t> column(std::string_view title) const;
};

/// Name of the sheet or file that contains the notes, next to the sheets of a workbook.
inline constexpr const char* notesSheet = "Notes";

/// Several tables that are written together.
struct Workbook
{
    std::vector<Sheet> sheets; ///< in the order of their tabs; the first visible one is shown first
    std::vector<std::string> notes; ///< remarks that concern readers of all sheets

    const Sheet* sheet(std::string_view name) const;
};

// Cells for values that may be unknown: null if unknown.
Value numberCell(const std::optional<double>& number);
Value countCell(const std::optional<std::int64_t>& count);
Value textCell(std::string_view text); ///< null if it is empty

} // namespace collscope
