// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Opens the tables of an Nsight Systems export read-only: the tables and columns of its version, rows and
// strings. The tables are those of a SQLite file, or of another kind of export that was loaded into memory.

#include "model/parallel.h"
#include "model/readers/reader.h"
#include "model/string_table.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

struct sqlite3_stmt;
namespace SQLite { // NOLINT(readability-identifier-naming): SQLiteCpp's own name
class Database;
}

namespace collscope {

/// Rows of a query, copied out of SQLite, which returns them to one thread at a time.
class NsysRows
{
public:
    std::size_t size() const { return m_columns == 0 ? 0 : m_types.size() / m_columns; }
    std::size_t textBytes() const { return m_texts.size(); }
    void clear();
    /// Appends the current row of the statement.
    void append(sqlite3_stmt* statement);

private:
    friend class NsysRow;
    std::size_t m_columns = 0;
    std::vector<std::uint8_t> m_types; ///< SQLITE_INTEGER and so on, row by row
    std::vector<std::int64_t>
        m_values; ///< an integer, the bits of a double, or a text's position in m_texts and its length
    std::string m_texts;
};

/// One row of NsysRows, valid as long as these are. Columns are numbered in the order of the query.
class NsysRow
{
public:
    NsysRow(const NsysRows& rows, std::size_t row)
        : m_rows(&rows)
        , m_begin(row * rows.m_columns)
    { }

    bool isNull(int column) const;
    bool isText(int column) const;
    /// Whether the value is a number, or a text that consists of one.
    bool isNumber(int column) const;
    /// 0 if the value is NULL or not a number.
    std::int64_t integer(int column) const;
    std::int64_t integer(int column, std::int64_t otherwise) const;
    double number(int column) const;
    /// "" if the value is not a text.
    std::string_view text(int column) const;
    /// The bytes of a text or a blob; "" if the value is neither.
    std::string_view bytes(int column) const;

private:
    std::size_t cell(int column) const { return m_begin + static_cast<std::size_t>(column); }
    const NsysRows* m_rows;
    std::size_t m_begin;
};

/// Schemas differ between versions, so every query uses only the tables and columns that exist. Every
/// function may throw a std::exception if the file is damaged.
class NsysDatabase
{
public:
    /// Opens a file. Its contents are never executed: views, triggers and virtual tables are ignored.
    /// `context` must outlive this object. Its stop token is polled while SQLite works, on the thread on
    /// which it works; once a stop is requested, the function throws. mustStop() is polled for each MiB of
    /// rows passed to the caller, on the caller's thread; see isStopped().
    NsysDatabase(const std::string& path, const ReadContext& context);
    /// Uses tables that nsys_memory.h filled. `others`: further contents of the export, for
    /// otherEventTables().
    NsysDatabase(std::unique_ptr<SQLite::Database> tables, std::set<std::string> others,
                 const ReadContext& context);
    ~NsysDatabase();

    bool hasTable(const std::string& table) const { return m_columns.contains(table); }
    /// Names of the tables that begin with these letters.
    std::vector<std::string> tablesBeginningWith(std::string_view letters) const;
    /// Names of objects that look like tables but would have to be executed.
    const std::vector<std::string>& notTables() const { return m_notTables; }
    /// Whether at least one table is one that Nsight Systems writes.
    bool isNsightExport() const;
    /// Names of the non-empty tables that contain events but are not among `read`.
    std::vector<std::string> otherEventTables(const std::set<std::string>& read) const;
    /// Loads StringIds; before that, name() resolves no ids.
    void readStrings();
    /// Whether reading had to stop: from then on, tables are read only in part.
    bool isStopped() const { return m_isStopped; }
    /// Upper bound of the number of rows, from the largest row id. O(log n); 0 if it cannot be determined.
    std::uint64_t rowsAtMost(const std::string& table) const;

    /// Calls f for each row until it returns false. "a|b" is the first of these columns that exists and is
    /// not NULL; a column that this version lacks reads as NULL. Does nothing if the table is missing. With
    /// threads, SQLite fetches the next rows while f processes the current ones. Throws if a table returns
    /// more text than the file can contain, which a column's default or a generated column can cause.
    void forEachRow(const std::string& table, std::initializer_list<std::string_view> columns,
                    const std::function<bool(const NsysRow&)>& f, const Parallel& parallel = {});
    /// Interns a name column: the text itself, or an id into StringIds. nullopt if it is neither, or if the
    /// id is unknown.
    std::optional<StringId> name(const NsysRow& row, int column, StringTable& strings);
    /// Like name(), but returns the text without interning it; "" if name() returns nullopt. Valid until the
    /// next row.
    std::string_view textOf(const NsysRow& row, int column) const;

private:
    NsysDatabase(std::unique_ptr<SQLite::Database> tables, std::size_t mostText, const ReadContext& context);
    std::string queryOf(const std::string& table, std::initializer_list<std::string_view> columns) const;

    struct Text
    {
        std::string text;
        StringId id; ///< set when interned; many strings of a large export are never needed
    };
    const ReadContext& m_context;
    std::size_t m_mostText; ///< limit for the text of a query
    std::size_t m_sinceAsked = 0; ///< approximate bytes passed on since mustStop() was called
    bool m_isStopped = false;
    std::unique_ptr<SQLite::Database> m_database;
    std::vector<std::string> m_notTables;
    std::set<std::string> m_others; ///< contained in the export, but not in the database
    std::map<std::string, std::set<std::string>> m_columns; ///< by table
    std::unordered_map<std::int64_t, Text> m_texts;
};

} // namespace collscope
