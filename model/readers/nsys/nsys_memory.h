// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The tables of an nsys export that is not a SQLite file, filled row by row in memory. They have the names,
// columns and column types of the SQLite export, so that NsysFile reads both with the same code.

#include "model/readers/nsys/nsys_database.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace collscope {

/// One value of a row; std::monostate is NULL. A text must stay valid until the row has ended.
using NsysCell = std::variant<std::monostate, std::int64_t, double, std::string_view>;

/// Rows are added between begin() and end(), with tables and columns in any order. Functions that use the
/// database throw a std::exception on failure (std::bad_alloc if memory is insufficient).
class NsysMemoryTables
{
public:
    NsysMemoryTables();
    ~NsysMemoryTables();
    NsysMemoryTables(const NsysMemoryTables&) = delete;
    NsysMemoryTables& operator=(const NsysMemoryTables&) = delete;

    /// The number of a table that NsysFile reads; nullopt for any other.
    static std::optional<std::size_t> tableNamed(std::string_view name);

    void begin(std::size_t table);
    /// Sets a column; one that NsysFile does not read is ignored. Digits in quotes become a number if the
    /// SQLite export has a number there.
    void set(std::string_view column, NsysCell value);
    void end();
    /// Number of rows so far that are events: each will be counted as shown or as excluded.
    std::uint64_t events() const { return m_events; }

    /// Returns the tables for NsysFile; rows cannot be added afterwards. For the arguments see NsysDatabase.
    NsysDatabase finish(std::set<std::string> others, const ReadContext& context);

private:
    class Insert;

    std::unique_ptr<SQLite::Database> m_database;
    std::vector<std::unique_ptr<Insert>> m_inserts; ///< by table; null until its first row
    std::size_t m_table = 0; ///< of the current row
    std::uint64_t m_events = 0;
};

} // namespace collscope
