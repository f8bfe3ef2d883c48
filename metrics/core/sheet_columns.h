// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A sheet as typed rows and a table of its columns: each column has its title and its cell in one place.

#include "metrics/core/sheet.h"

#include <functional>

namespace collscope {

template<typename Row>
struct SheetColumn
{
    std::string title;
    std::function<Value(const Row&)> cell;
};

/// Adds a row to the sheet.
template<typename Row>
void addRow(const std::vector<SheetColumn<Row>>& columns, const Row& row, Sheet& sheet)
{
    Value::Array& cells = sheet.rows.emplace_back();
    cells.reserve(columns.size());
    for (const SheetColumn<Row>& column : columns)
        cells.push_back(column.cell(row));
}

/// `rows`: any range of `Row`.
template<typename Row, typename Rows = std::vector<Row>>
Sheet sheetOf(std::string name, const std::vector<SheetColumn<Row>>& columns, const Rows& rows,
              SheetKind kind = SheetKind::Other)
{
    Sheet sheet{std::move(name), {}, {}, false, kind};
    for (const SheetColumn<Row>& column : columns)
        sheet.columns.push_back(column.title);
    for (const Row& row : rows)
        addRow(columns, row, sheet);
    return sheet;
}

} // namespace collscope
