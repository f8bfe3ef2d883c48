// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/nsys_database.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <algorithm>

namespace collscope {

namespace {

/// A path as part of a file: URI, where %, ? and # have a meaning.
std::string uriOf(const std::string& path)
{
    std::string uri = "file:";
    for (const char c : path) {
        if (c == '%')
            uri += "%25";
        else if (c == '?')
            uri += "%3f";
        else if (c == '#')
            uri += "%23";
        else
            uri += c;
    }
    // immutable: no locks and no journal beside the file, which may lie on a read-only or network file
    // system.
    return uri + "?mode=ro&immutable=1";
}

std::string sqlName(std::string_view identifier)
{
    std::string text = "\"";
    for (const char c : identifier)
        text.append(c == '"' ? 2 : 1, c);
    return text + '"';
}

/// A prepared statement of the C interface: a tenth of the cost per column of the C++ wrapper's.
class Query
{
public:
    Query(SQLite::Database& database, const std::string& sql)
        : m_handle(database.getHandle())
    {
        const int code
            = sqlite3_prepare_v2(m_handle, sql.c_str(), static_cast<int>(sql.size()), &m_statement, nullptr);
        if (code != SQLITE_OK)
            throw SQLite::Exception(m_handle, code);
    }
    ~Query() { sqlite3_finalize(m_statement); }
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;

    bool next()
    {
        const int code = sqlite3_step(m_statement);
        if (code != SQLITE_ROW && code != SQLITE_DONE)
            throw SQLite::Exception(m_handle, code);
        return code == SQLITE_ROW;
    }
    NsysRow row() const { return NsysRow(m_statement); }

private:
    sqlite3* m_handle;
    sqlite3_stmt* m_statement = nullptr;
};

} // namespace

bool NsysRow::isNull(int column) const
{
    return sqlite3_column_type(m_statement, column) == SQLITE_NULL;
}

bool NsysRow::isText(int column) const
{
    return sqlite3_column_type(m_statement, column) == SQLITE_TEXT;
}

std::int64_t NsysRow::integer(int column) const
{
    return sqlite3_column_int64(m_statement, column);
}

std::int64_t NsysRow::integer(int column, std::int64_t otherwise) const
{
    return isNull(column) ? otherwise : sqlite3_column_int64(m_statement, column);
}

double NsysRow::number(int column) const
{
    return sqlite3_column_double(m_statement, column);
}

std::string_view NsysRow::text(int column) const
{
    const void* const text = sqlite3_column_text(m_statement, column);
    const int bytes = sqlite3_column_bytes(m_statement, column);
    return text ? std::string_view(static_cast<const char*>(text), static_cast<std::size_t>(bytes))
                : std::string_view();
}

NsysDatabase::NsysDatabase(const std::string& path)
    : m_database(std::make_unique<SQLite::Database>(
        uriOf(path), SQLite::OPEN_READONLY | SQLite::OPEN_URI | SQLite::OPEN_NOMUTEX))
{
    Query tables(*m_database, "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')");
    while (tables.next())
        m_columns[std::string(tables.row().text(0))];
    for (auto& [table, columns] : m_columns) {
        Query info(*m_database, "PRAGMA table_info(" + sqlName(table) + ")");
        while (info.next())
            columns.emplace(info.row().text(1));
    }
}

NsysDatabase::~NsysDatabase() = default;

void NsysDatabase::readStrings()
{
    forEachRow("StringIds", {"id", "value"}, [&](const NsysRow& row) {
        m_texts[row.integer(0)].text = row.text(1);
        return true;
    });
}

bool NsysDatabase::isNsightExport() const
{
    return std::any_of(m_columns.begin(), m_columns.end(), [](const auto& entry) {
        const std::string& table = entry.first;
        return table.starts_with("CUPTI_ACTIVITY_KIND_") || table.starts_with("TARGET_INFO_")
            || table == "NVTX_EVENTS" || table == "ANALYSIS_DETAILS" || table == "GPU_METRICS";
    });
}

std::vector<std::string> NsysDatabase::otherEventTables(const std::set<std::string>& read) const
{
    std::vector<std::string> others;
    for (const auto& [table, columns] : m_columns) {
        const bool events
            = columns.contains("start") || columns.contains("timestamp") || columns.contains("rawTimestamp");
        if (!events || read.contains(table) || table == "DIAGNOSTIC_EVENT")
            continue;
        Query any(*m_database, "SELECT 1 FROM " + sqlName(table) + " LIMIT 1");
        if (any.next())
            others.push_back(table);
    }
    return others;
}

std::uint64_t NsysDatabase::rowsAtMost(const std::string& table) const
{
    if (!hasTable(table))
        return 0;
    Query query(*m_database, "SELECT max(rowid) FROM " + sqlName(table));
    return query.next() ? static_cast<std::uint64_t>(std::max<std::int64_t>(0, query.row().integer(0))) : 0;
}

void NsysDatabase::forEachRow(const std::string& table, std::initializer_list<std::string_view> columns,
                              const std::function<bool(const NsysRow&)>& f) const
{
    const auto found = m_columns.find(table);
    if (found == m_columns.end())
        return;
    std::string sql;
    for (std::string_view alternatives : columns) {
        std::string present;
        int count = 0;
        while (!alternatives.empty()) {
            const std::size_t bar = std::min(alternatives.find('|'), alternatives.size());
            const std::string column(alternatives.substr(0, bar));
            alternatives.remove_prefix(std::min(bar + 1, alternatives.size()));
            if (!found->second.contains(column))
                continue;
            present.append(count++ == 0 ? "" : ", ").append(sqlName(column));
        }
        if (count > 1)
            present.insert(0, "coalesce(").append(")");
        sql.append(sql.empty() ? "SELECT " : ", ").append(count == 0 ? "NULL" : present);
    }
    Query query(*m_database, sql + " FROM " + sqlName(table));
    while (query.next()) {
        if (!f(query.row()))
            return;
    }
}

std::optional<StringId> NsysDatabase::name(const NsysRow& row, int column, StringTable& strings)
{
    if (row.isNull(column))
        return std::nullopt;
    if (row.isText(column))
        return strings.intern(row.text(column));
    const auto found = m_texts.find(row.integer(column));
    if (found == m_texts.end())
        return std::nullopt;
    if (!found->second.id)
        found->second.id = strings.intern(found->second.text);
    return found->second.id;
}

} // namespace collscope
