// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Comparison sheets for display. Workbooks keep the signs that scripts expect.

#include "metrics/reports/comparison.h"
#include "metrics/reports/keyed_rows.h"

namespace collscope {

namespace {

constexpr std::string_view improvementColumn = "percent_change";
constexpr std::size_t behindBase = 3; ///< baseline, test, difference, followed by the percentages

} // namespace

Sheet asRead(const Sheet& sheet)
{
    Sheet read = sheet;
    for (std::size_t c = behindBase; c < sheet.columns.size(); ++c) {
        const std::string& column = sheet.columns[c];
        if (!column.starts_with(improvementColumn))
            continue;
        read.columns[c] = "change_percent" + column.substr(improvementColumn.size());
        for (Value::Array& row : read.rows)
            row[c] = numberCell(deltaOf(numberOf(row[c - behindBase]), numberOf(row[c - 2]), {}).change);
    }
    return read;
}

} // namespace collscope
