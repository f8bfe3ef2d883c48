// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/tables/sqlite_batch.h"

#include "metrics/export/tables/export_tables.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <new>

namespace collscope {

namespace {

struct BatchTable : sqlite3_vtab
{
    const SqliteBatch* batch = nullptr;
};

struct BatchCursor : sqlite3_vtab_cursor
{
    std::size_t row = 0;

    const SqliteBatch& batch() const { return *static_cast<const BatchTable*>(pVtab)->batch; }
};

BatchCursor& cursorOf(sqlite3_vtab_cursor* cursor)
{
    return *static_cast<BatchCursor*>(cursor);
}

// What SQLite calls to read the batch.

int connect(sqlite3* database, void* batch, int, const char* const*, sqlite3_vtab** table, char**)
{
    std::string columns;
    for (std::size_t i = 0; i < SqliteBatch::mostColumns; ++i)
        columns += (i == 0 ? "c" : ", c") + std::to_string(i);
    const int code = sqlite3_declare_vtab(database, ("CREATE TABLE batch (" + columns + ")").c_str());
    if (code != SQLITE_OK)
        return code;
    *table = new (std::nothrow) BatchTable{{}, static_cast<const SqliteBatch*>(batch)};
    return *table ? SQLITE_OK : SQLITE_NOMEM;
}

int disconnect(sqlite3_vtab* table)
{
    delete static_cast<BatchTable*>(table);
    return SQLITE_OK;
}

int planScan(sqlite3_vtab*, sqlite3_index_info*)
{
    return SQLITE_OK; // there is one way to read it
}

int open(sqlite3_vtab*, sqlite3_vtab_cursor** cursor)
{
    *cursor = new (std::nothrow) BatchCursor{};
    return *cursor ? SQLITE_OK : SQLITE_NOMEM;
}

int close(sqlite3_vtab_cursor* cursor)
{
    delete &cursorOf(cursor);
    return SQLITE_OK;
}

int rewind(sqlite3_vtab_cursor* cursor, int, const char*, int, sqlite3_value**)
{
    cursorOf(cursor).row = 0;
    return SQLITE_OK;
}

int next(sqlite3_vtab_cursor* cursor)
{
    ++cursorOf(cursor).row;
    return SQLITE_OK;
}

int isAtEnd(sqlite3_vtab_cursor* cursor)
{
    return cursorOf(cursor).row >= cursorOf(cursor).batch().rows() ? 1 : 0;
}

int giveCell(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int column)
{
    const BatchCursor& place = cursorOf(cursor);
    const TableCell& cell = place.batch().cell(place.row, static_cast<std::size_t>(column));
    if (const auto* number = std::get_if<std::int64_t>(&cell))
        sqlite3_result_int64(context, *number);
    else if (const auto* text = std::get_if<std::string_view>(&cell))
        sqlite3_result_text64(context, text->data(), text->size(), SQLITE_STATIC, SQLITE_UTF8);
    else if (const auto* real = std::get_if<double>(&cell); real && std::isfinite(*real))
        sqlite3_result_double(context, *real);
    else
        sqlite3_result_null(context);
    return SQLITE_OK;
}

int giveRowId(sqlite3_vtab_cursor* cursor, sqlite3_int64* id)
{
    *id = static_cast<sqlite3_int64>(cursorOf(cursor).row);
    return SQLITE_OK;
}

const sqlite3_module& batchModule()
{
    static const sqlite3_module module = [] {
        sqlite3_module calls{}; // without xCreate: the table exists, with the name of the module
        calls.iVersion = 1;
        calls.xConnect = connect;
        calls.xBestIndex = planScan;
        calls.xDisconnect = disconnect;
        calls.xDestroy = disconnect;
        calls.xOpen = open;
        calls.xClose = close;
        calls.xFilter = rewind;
        calls.xNext = next;
        calls.xEof = isAtEnd;
        calls.xColumn = giveCell;
        calls.xRowid = giveRowId;
        return calls;
    }();
    return module;
}

} // namespace

SqliteBatch::SqliteBatch(sqlite3* database)
{
    const int code = sqlite3_create_module(database, "batch", &batchModule(), this);
    if (code != SQLITE_OK)
        throw SQLite::Exception(database, code);
}

void SqliteBatch::beginTable(const ExportTable& table)
{
    clear();
    m_columns = table.columns.size();
    m_hasKey = table.hasKey;
    m_largestKey.reset();
}

void SqliteBatch::clear()
{
    m_cells.clear();
    m_texts.clear();
    m_textBytes = 0;
}

/// A row without a key gets the largest one + 1, at the end of the table. Any other key is looked for in the
/// table, which takes a quarter of the time.
void SqliteBatch::leaveOutNextKey(TableCell& key)
{
    const auto* const number = std::get_if<std::int64_t>(&key);
    m_hasKey = number != nullptr;
    if (!m_hasKey)
        return;
    const std::int64_t own = *number;
    const bool isNext = m_largestKey && *m_largestKey < own && *m_largestKey + 1 == own;
    m_largestKey = std::max(m_largestKey.value_or(own), own);
    if (isNext)
        key = nullptr;
}

bool SqliteBatch::add(std::span<const TableCell> row)
{
    for (const TableCell& cell : row) {
        if (const auto* text = std::get_if<std::string_view>(&cell)) {
            std::string& copy = m_texts.emplace_back();
            assignTableText(*text, copy);
            m_textBytes += copy.size();
            m_cells.emplace_back(std::string_view(copy));
        } else {
            m_cells.push_back(cell);
        }
    }
    if (m_hasKey)
        leaveOutNextKey(m_cells[m_cells.size() - row.size()]);
    constexpr std::size_t manyRows = 128; // their cells stay in a core's cache
    constexpr std::size_t muchText = 1 << 20;
    return rows() >= manyRows || m_textBytes >= muchText;
}

} // namespace collscope
