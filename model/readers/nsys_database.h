// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// An Nsight Systems SQLite export, opened read-only: which tables and columns this version has, its rows and
// its strings.

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

/// The current row of a query; valid until the next one. Columns are numbered as they were asked for.
class NsysRow
{
public:
    explicit NsysRow(sqlite3_stmt* statement)
        : m_statement(statement)
    { }

    bool isNull(int column) const;
    bool isText(int column) const;
    /// 0 where the value is NULL.
    std::int64_t integer(int column) const;
    std::int64_t integer(int column, std::int64_t otherwise) const;
    double number(int column) const;
    std::string_view text(int column) const;

private:
    sqlite3_stmt* m_statement;
};

/// Schemas differ from version to version, so every query goes through the tables and columns that are really
/// there. Every function may throw a std::exception where the file is damaged.
class NsysDatabase
{
public:
    explicit NsysDatabase(const std::string& path);
    ~NsysDatabase();

    bool hasTable(const std::string& table) const { return m_columns.contains(table); }
    /// True if any table is one that Nsight Systems writes.
    bool isNsightExport() const;
    /// Names of the tables that hold events but are not among `read`, and are not empty.
    std::vector<std::string> otherEventTables(const std::set<std::string>& read) const;
    /// Loads StringIds; before that, name() knows no ids.
    void readStrings();
    /// Number of rows at most, from the largest row id. O(log n); 0 if there is no such table.
    std::uint64_t rowsAtMost(const std::string& table) const;

    /// Calls f for each row until it returns false. "a|b" is the first of the columns that is there and not
    /// NULL; a column that this version lacks reads as NULL. Does nothing if the table is missing.
    void forEachRow(const std::string& table, std::initializer_list<std::string_view> columns,
                    const std::function<bool(const NsysRow&)>& f) const;
    /// A name column: text itself, or an id into StringIds. nullopt if it is NULL or the id is unknown.
    std::optional<StringId> name(const NsysRow& row, int column, StringTable& strings);

private:
    struct Text
    {
        std::string text;
        StringId id; ///< once it is interned; many strings of a large export are never needed
    };
    std::unique_ptr<SQLite::Database> m_database;
    std::map<std::string, std::set<std::string>> m_columns; ///< by table
    std::unordered_map<std::int64_t, Text> m_texts;
};

} // namespace collscope
