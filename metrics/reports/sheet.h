// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A report as tables: what workbooks, CSV files, JSON and pages are written from.

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
    bool isHidden = false; ///< raw data behind the sheets that people read

    bool isEmpty() const { return rows.empty(); }
    /// Index of a column; nullopt if there is none of that name.
    std::optional<std::size_t> column(std::string_view title) const;
};

/// The sheet or file that notes make beside the sheets of a workbook.
inline constexpr const char* notesSheet = "Notes";

/// Several tables that are written together.
struct Workbook
{
    std::vector<Sheet> sheets; ///< in the order of their tabs; the first visible one is shown first
    std::vector<std::string> notes; ///< what a reader of any of the sheets should know

    const Sheet* sheet(std::string_view name) const;
};

// Cells of what may be unknown: null where it is.
Value numberCell(const std::optional<double>& number);
Value countCell(const std::optional<std::int64_t>& count);
Value textCell(std::string_view text); ///< null if it is empty

} // namespace collscope
