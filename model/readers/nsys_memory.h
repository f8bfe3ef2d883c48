// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The tables of an nsys export that is no SQLite file, filled row by row in memory. They have the names, the
// columns and the column types of the SQLite export, so that NsysFile reads both with the same code.

#include "model/readers/nsys_database.h"

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

/// One value of a row; NULL if it is none of them. A text must stay where it is until the row has ended.
using NsysCell = std::variant<std::monostate, std::int64_t, double, std::string_view>;

/// Rows are added between begin() and end(), in any order of tables and columns. Functions that work on the
/// database throw a std::exception where it fails (std::bad_alloc for want of memory).
class NsysMemoryTables
{
public:
    NsysMemoryTables();
    ~NsysMemoryTables();
    NsysMemoryTables(const NsysMemoryTables&) = delete;
    NsysMemoryTables& operator=(const NsysMemoryTables&) = delete;

    /// The number of a table that NsysFile reads; nullopt of any other.
    static std::optional<std::size_t> tableNamed(std::string_view name);

    void begin(std::size_t table);
    /// A column that NsysFile does not read is passed over. Digits in quotes become a number where the SQLite
    /// export has one.
    void set(std::string_view column, NsysCell value);
    void end();
    /// Rows so far that are events: each will be counted as shown or as excluded.
    std::uint64_t events() const { return m_events; }

    /// What was added, for NsysFile; nothing can be added behind it. For the arguments see NsysDatabase.
    NsysDatabase finish(std::set<std::string> others, std::function<bool()> interrupted,
                        std::function<bool()> cancelled);

private:
    class Insert;

    std::unique_ptr<SQLite::Database> m_database;
    std::vector<std::unique_ptr<Insert>> m_inserts; ///< by table; null until its first row
    std::size_t m_table = 0; ///< of the row that was begun
    std::uint64_t m_events = 0;
};

} // namespace collscope
