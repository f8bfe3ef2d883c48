// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The tables of an Nsight Systems export, opened read-only: which tables and columns this version has, its
// rows and its strings. They are those of a SQLite file, or of another export that was put into memory.

#include "model/parallel.h"
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

/// Rows of a query, copied out of SQLite, which gives them to one thread at a time.
class NsysRows
{
public:
    std::size_t size() const { return m_columns == 0 ? 0 : m_types.size() / m_columns; }
    std::size_t textBytes() const { return m_texts.size(); }
    void clear();
    /// The row that the statement is at.
    void append(sqlite3_stmt* statement);

private:
    friend class NsysRow;
    std::size_t m_columns = 0;
    std::vector<std::uint8_t> m_types; ///< SQLITE_INTEGER and so on, row by row
    std::vector<std::int64_t>
        m_values; ///< an integer, the bits of a double, or a text's place in m_texts and length
    std::string m_texts;
};

/// One of them; valid as long as they are. Columns are numbered as they were asked for.
class NsysRow
{
public:
    NsysRow(const NsysRows& rows, std::size_t row)
        : m_rows(&rows)
        , m_begin(row * rows.m_columns)
    { }

    bool isNull(int column) const;
    bool isText(int column) const;
    /// A number, or a text that is one as a whole.
    bool isNumber(int column) const;
    /// 0 where the value is NULL or no number.
    std::int64_t integer(int column) const;
    std::int64_t integer(int column, std::int64_t otherwise) const;
    double number(int column) const;
    /// "" where the value is no text.
    std::string_view text(int column) const;
    /// The bytes of a text or a blob; "" where the value is neither.
    std::string_view bytes(int column) const;

private:
    std::size_t cell(int column) const { return m_begin + static_cast<std::size_t>(column); }
    const NsysRows* m_rows;
    std::size_t m_begin;
};

/// Schemas differ from version to version, so every query goes through the tables and columns that are really
/// there. Every function may throw a std::exception where the file is damaged.
class NsysDatabase
{
public:
    /// Nothing that the file says is carried out: views, triggers and virtual tables are left alone.
    /// `interrupted` is polled while SQLite works, by whatever thread it works in; it throws when that says
    /// so. `cancelled` is polled for each MiB that is given out, by the thread that takes it; then
    /// isStopped().
    NsysDatabase(const std::string& path, std::function<bool()> interrupted, std::function<bool()> cancelled);
    /// Tables that nsys_memory.h filled. `others`: what the export holds besides, for otherEventTables().
    NsysDatabase(std::unique_ptr<SQLite::Database> tables, std::set<std::string> others,
                 std::function<bool()> interrupted, std::function<bool()> cancelled);
    ~NsysDatabase();

    bool hasTable(const std::string& table) const { return m_columns.contains(table); }
    /// Names of what looks like a table, but would have to be carried out.
    const std::vector<std::string>& notTables() const { return m_notTables; }
    /// True if any table is one that Nsight Systems writes.
    bool isNsightExport() const;
    /// Names of the tables that hold events but are not among `read`, and are not empty.
    std::vector<std::string> otherEventTables(const std::set<std::string>& read) const;
    /// Loads StringIds; before that, name() knows no ids.
    void readStrings();
    /// `cancelled` said so once: tables are read only in part from then on.
    bool isStopped() const { return m_isStopped; }
    /// Number of rows at most, from the largest row id. O(log n); 0 if that cannot be told.
    std::uint64_t rowsAtMost(const std::string& table) const;

    /// Calls f for each row until it returns false. "a|b" is the first of the columns that is there and not
    /// NULL; a column that this version lacks reads as NULL. Does nothing if the table is missing. With
    /// threads, SQLite works on the next rows while f works on these. Throws where a table gives more text
    /// than the file can hold, which a column's default or a generated column makes up.
    void forEachRow(const std::string& table, std::initializer_list<std::string_view> columns,
                    const std::function<bool(const NsysRow&)>& f, const Parallel& parallel = {});
    /// A name column: text itself, or an id into StringIds. nullopt if it is neither, or the id is unknown.
    std::optional<StringId> name(const NsysRow& row, int column, StringTable& strings);
    /// The same as text that is not kept; "" where name() knows none. Valid until the next row.
    std::string_view textOf(const NsysRow& row, int column) const;

private:
    NsysDatabase(std::unique_ptr<SQLite::Database> tables, std::size_t mostText,
                 std::function<bool()> interrupted, std::function<bool()> cancelled);
    std::string queryOf(const std::string& table, std::initializer_list<std::string_view> columns) const;

    struct Text
    {
        std::string text;
        StringId id; ///< once it is interned; many strings of a large export are never needed
    };
    std::function<bool()> m_interrupted, m_cancelled;
    std::size_t m_mostText; ///< that a query may give
    std::size_t m_sinceAsked = 0; ///< bytes given out since m_cancelled was asked, about
    bool m_isStopped = false;
    std::unique_ptr<SQLite::Database> m_database;
    std::vector<std::string> m_notTables;
    std::set<std::string> m_others; ///< known to be in the export, but not in the database
    std::map<std::string, std::set<std::string>> m_columns; ///< by table
    std::unordered_map<std::int64_t, Text> m_texts;
};

} // namespace collscope
