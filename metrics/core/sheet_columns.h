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

/// The cells of a row.
template<typename Row>
Value::Array cellsOf(const std::vector<SheetColumn<Row>>& columns, const Row& row)
{
    Value::Array cells;
    cells.reserve(columns.size());
    for (const SheetColumn<Row>& column : columns)
        cells.push_back(column.cell(row));
    return cells;
}

/// Adds a row to the sheet.
template<typename Row>
void addRow(const std::vector<SheetColumn<Row>>& columns, const Row& row, Sheet& sheet)
{
    sheet.rows.push_back(cellsOf(columns, row));
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

/// A sheet whose rows are made while they are written. `forEach(f)` calls f(row) for each of the `count` rows
/// until it returns false; what it and the columns refer to must live as long as the sheet.
template<typename Row, typename ForEach>
Sheet streamedSheet(std::string name, std::vector<SheetColumn<Row>> columns, std::size_t count,
                    ForEach forEach)
{
    Sheet sheet = sheetOf(std::move(name), columns, std::vector<Row>());
    const auto make = [columns = std::move(columns), forEach](const TakeSheetRow& take) {
        forEach([&](const Row& row) { return take(cellsOf(columns, row)); });
    };
    sheet.stream = std::make_shared<const RowStream>(RowStream{count, make, {}});
    return sheet;
}

} // namespace collscope
