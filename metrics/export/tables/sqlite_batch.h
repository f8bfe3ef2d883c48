// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Rows on their way into an SQLite database, many with one statement.

#include "metrics/export/tables/export_table.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;

namespace collscope {

/// A few rows that the statements of one connection read as the table `batch`. `INSERT INTO t SELECT c0, c1
/// FROM batch` takes half the time of an INSERT for each row, most of which begins and ends a statement.
/// Definition of such tables: sqlite.org/vtab.html.
class SqliteBatch
{
public:
    /// Throws SQLite::Exception.
    explicit SqliteBatch(sqlite3* database);
    SqliteBatch(const SqliteBatch&) = delete;
    SqliteBatch& operator=(const SqliteBatch&) = delete;

    static constexpr std::size_t mostColumns = 64;

    /// Empties it, for the rows of a table.
    void beginTable(const ExportTable& table);
    /// Empties it, after its rows were written.
    void clear();
    /// Copies the row. True if the batch is full: it should be written and cleared.
    bool add(std::span<const TableCell> row);
    std::size_t rows() const { return m_cells.size() / m_columns; }
    const TableCell& cell(std::size_t row, std::size_t column) const
    {
        return m_cells[row * m_columns + column];
    }

private:
    void leaveOutNextKey(TableCell& key);

    std::size_t m_columns = 1;
    bool m_hasKey = false; ///< all rows so far have one
    std::optional<std::int64_t> m_largestKey;
    std::vector<TableCell> m_cells; ///< row by row
    std::deque<std::string> m_texts; ///< of the cells
    std::size_t m_textBytes = 0;
};

} // namespace collscope
