// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/nsys/nsys_database.h"

#include "model/readers/nsys/sqlite_requests.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <system_error>

namespace collscope {

namespace {

/// A path as part of a file: URI, in which %, ? and # have a special meaning.
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
    // immutable: no locks, and no journal next to the file, which may be on a read-only or network file
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

/// A prepared statement of the C interface: a column costs a tenth as much as with the C++ wrapper.
class Query
{
public:
    Query(SQLite::Database& database, const std::string& sql)
        : m_handle(database.getHandle())
    {
        const int code
            = sqlite3_prepare_v2(m_handle, sql.c_str(), static_cast<int>(sql.size()), &m_statement, nullptr);
        if (code != SQLITE_OK)
            throwSqliteFailure(m_handle, code);
    }
    ~Query() { sqlite3_finalize(m_statement); }
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;

    bool next()
    {
        const int code = sqlite3_step(m_statement);
        if (code != SQLITE_ROW && code != SQLITE_DONE)
            throwSqliteFailure(m_handle, code);
        return code == SQLITE_ROW;
    }
    sqlite3_stmt* statement() const { return m_statement; }
    std::string_view text(int column) const
    {
        const void* const text = sqlite3_column_text(m_statement, column);
        const int bytes = sqlite3_column_bytes(m_statement, column);
        return text ? std::string_view(static_cast<const char*>(text), static_cast<std::size_t>(bytes))
                    : std::string_view();
    }

private:
    sqlite3* m_handle;
    sqlite3_stmt* m_statement = nullptr;
};

std::unique_ptr<SQLite::Database> opened(const std::string& path)
{
    limitSqliteRequests();
    return std::make_unique<SQLite::Database>(
        uriOf(path), SQLite::OPEN_READONLY | SQLite::OPEN_URI | SQLite::OPEN_NOMUTEX);
}

/// Limit for the text of a query: each queried column returns a text of the file at most once, and some are
/// queried twice, so more text than that is not in the file.
std::size_t mostTextOf(const std::string& path)
{
    constexpr std::size_t least = std::size_t{1} << 20;
    constexpr std::size_t times = 4;
    std::error_code unknown;
    const auto bytes = std::filesystem::file_size(path, unknown);
    return unknown ? least : least + times * static_cast<std::size_t>(bytes);
}

/// Treats the file as data only: nothing in it is executed, and nothing in it can keep SQLite busy for long.
void distrust(sqlite3* handle, const std::stop_token& stop)
{
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    constexpr int longestValue = 16 << 20; // a name, or a row of the file
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longestValue);
    constexpr int stepsBetweenPolls = 100'000; // less than a millisecond
    const auto poll
        = [](void* asked) { return static_cast<const std::stop_token*>(asked)->stop_requested() ? 1 : 0; };
    sqlite3_progress_handler(handle, stepsBetweenPolls, poll,
                             const_cast<std::stop_token*>(&stop)); // required by the C interface
}

} // namespace

void NsysRows::clear()
{
    m_types.clear();
    m_values.clear();
    m_texts.clear();
}

void NsysRows::append(sqlite3_stmt* statement)
{
    m_columns = static_cast<std::size_t>(sqlite3_column_count(statement));
    const std::size_t begin = m_types.size();
    m_types.resize(begin + m_columns);
    m_values.resize(begin + m_columns);
    for (std::size_t column = 0; column < m_columns; ++column) {
        // One call for the value, then cheap calls on it. Values of a row may be used this way as long as one
        // thread at a time uses the connection.
        sqlite3_value* const value = sqlite3_column_value(statement, static_cast<int>(column));
        const int type = sqlite3_value_type(value);
        m_types[begin + column] = static_cast<std::uint8_t>(type);
        std::int64_t& bits = m_values[begin + column];
        if (type == SQLITE_INTEGER) {
            bits = sqlite3_value_int64(value);
        } else if (type == SQLITE_FLOAT) {
            bits = std::bit_cast<std::int64_t>(sqlite3_value_double(value));
        } else if (type == SQLITE_TEXT || type == SQLITE_BLOB) {
            const void* const text
                = type == SQLITE_TEXT ? sqlite3_value_text(value) : sqlite3_value_blob(value);
            const auto bytes = static_cast<std::size_t>(sqlite3_value_bytes(value)); // at most 2^31
            bits = static_cast<std::int64_t>(m_texts.size() << 32 | bytes);
            if (text)
                m_texts.append(static_cast<const char*>(text), bytes);
            else
                bits = 0; // an empty blob, or out of memory
        }
    }
}

bool NsysRow::isNull(int column) const
{
    return m_rows->m_types[cell(column)] == SQLITE_NULL;
}

bool NsysRow::isText(int column) const
{
    return m_rows->m_types[cell(column)] == SQLITE_TEXT;
}

std::int64_t NsysRow::integer(int column) const
{
    const std::int64_t value = m_rows->m_values[cell(column)];
    if (m_rows->m_types[cell(column)] == SQLITE_INTEGER)
        return value;
    // Converts like SQLite: towards zero, to the nearest representable integer; digits at the start of a
    // text.
    constexpr double limit = 9.2e18;
    if (m_rows->m_types[cell(column)] == SQLITE_FLOAT)
        return static_cast<std::int64_t>(std::clamp(std::bit_cast<double>(value), -limit, limit));
    return isText(column) ? std::strtoll(std::string(text(column)).c_str(), nullptr, 10) : 0;
}

std::int64_t NsysRow::integer(int column, std::int64_t otherwise) const
{
    return isNull(column) ? otherwise : integer(column);
}

bool NsysRow::isNumber(int column) const
{
    if (!isText(column))
        return !isNull(column) && m_rows->m_types[cell(column)] != SQLITE_BLOB;
    const std::string_view digits = text(column);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return !digits.empty() && error == std::errc() && end == digits.data() + digits.size();
}

double NsysRow::number(int column) const
{
    if (m_rows->m_types[cell(column)] == SQLITE_FLOAT)
        return std::bit_cast<double>(m_rows->m_values[cell(column)]);
    if (!isText(column))
        return static_cast<double>(integer(column));
    const std::string_view digits = text(column);
    double value = 0; // parsed independently of the locale
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

std::string_view NsysRow::text(int column) const
{
    return isText(column) ? bytes(column) : std::string_view();
}

std::string_view NsysRow::bytes(int column) const
{
    if (!isText(column) && m_rows->m_types[cell(column)] != SQLITE_BLOB)
        return {};
    const auto place = static_cast<std::uint64_t>(m_rows->m_values[cell(column)]);
    return std::string_view(m_rows->m_texts).substr(place >> 32, place & 0xffff'ffffu);
}

NsysDatabase::NsysDatabase(const std::string& path, const ReadContext& context)
    : NsysDatabase(opened(path), mostTextOf(path), context)
{ }

NsysDatabase::NsysDatabase(std::unique_ptr<SQLite::Database> tables, std::set<std::string> others,
                           const ReadContext& context)
    : NsysDatabase(std::move(tables), std::numeric_limits<std::size_t>::max(),
                   context) // columns of these tables do not generate text
{
    m_others = std::move(others);
}

NsysDatabase::NsysDatabase(std::unique_ptr<SQLite::Database> tables, std::size_t mostText,
                           const ReadContext& context)
    : m_context(context)
    , m_mostText(mostText)
    , m_database(std::move(tables))
{
    distrust(m_database->getHandle(), m_context.stop);
    // nsys writes plain tables. A view or a virtual table is executed, and could have the name of a table.
    Query named(*m_database,
                "SELECT name, type = 'table' AND rootpage > 0 AND sql LIKE 'CREATE TABLE%'"
                " FROM sqlite_master WHERE type IN ('table', 'view')");
    while (named.next()) {
        if (sqlite3_column_int(named.statement(), 1) != 0)
            m_columns[std::string(named.text(0))];
        else
            m_notTables.emplace_back(named.text(0));
    }
    for (auto& [table, columns] : m_columns) {
        Query info(*m_database, "PRAGMA table_info(" + sqlName(table) + ")");
        while (info.next())
            columns.emplace(info.text(1));
    }
}

NsysDatabase::~NsysDatabase() = default;

std::vector<std::string> NsysDatabase::tablesBeginningWith(std::string_view letters) const
{
    std::vector<std::string> names;
    for (auto it = m_columns.lower_bound(std::string(letters)); it != m_columns.end(); ++it) {
        if (!it->first.starts_with(letters))
            break;
        names.push_back(it->first);
    }
    return names;
}

void NsysDatabase::readStrings()
{
    forEachRow("StringIds", {"id", "value"}, [&](const NsysRow& row) {
        if (row.isText(1))
            m_texts[row.integer(0)].text = row.text(1);
        return true;
    });
}

bool NsysDatabase::isNsightExport() const
{
    return std::any_of(m_columns.begin(), m_columns.end(), [](const auto& entry) {
        const std::string& table = entry.first;
        return table.starts_with("CUPTI_ACTIVITY_KIND_") || table.starts_with("TARGET_INFO_")
            || table == "NVTX_EVENTS" || table == "ANALYSIS_DETAILS" || table == "GPU_METRICS"
            || table == "NET_NIC_METRIC" || table == "NET_IB_SWITCH_METRIC";
    });
}

std::vector<std::string> NsysDatabase::otherEventTables(const std::set<std::string>& read) const
{
    std::vector<std::string> others(m_others.begin(), m_others.end());
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
    try {
        Query query(*m_database, "SELECT max(rowid) FROM " + sqlName(table));
        return query.next() ? static_cast<std::uint64_t>(
                   std::max<std::int64_t>(0, sqlite3_column_int64(query.statement(), 0)))
                            : 0;
    } catch (const SQLite::Exception&) {
        return 0; // a table WITHOUT ROWID; damage is reported when the table is read
    }
}

std::string NsysDatabase::queryOf(const std::string& table,
                                  std::initializer_list<std::string_view> columns) const
{
    const std::set<std::string>& present = m_columns.at(table);
    std::string sql;
    for (std::string_view alternatives : columns) {
        std::string chosen;
        int count = 0;
        while (!alternatives.empty()) {
            const std::size_t bar = std::min(alternatives.find('|'), alternatives.size());
            const std::string column(alternatives.substr(0, bar));
            alternatives.remove_prefix(std::min(bar + 1, alternatives.size()));
            if (!present.contains(column))
                continue;
            chosen.append(count++ == 0 ? "" : ", ").append(sqlName(column));
        }
        if (count > 1)
            chosen.insert(0, "coalesce(").append(")");
        sql.append(sql.empty() ? "SELECT " : ", ").append(count == 0 ? "NULL" : chosen);
    }
    return sql + " FROM " + sqlName(table);
}

void NsysDatabase::forEachRow(const std::string& table, std::initializer_list<std::string_view> columns,
                              const std::function<bool(const NsysRow&)>& f, const Parallel& parallel)
{
    if (!hasTable(table) || m_isStopped)
        return;
    constexpr std::size_t pieceRows = 2048;
    constexpr std::size_t pieceTextBytes = std::size_t{1} << 20;
    constexpr std::size_t rowBytes = 64; // approximate memory for the data made from a row
    constexpr std::size_t bytesBetweenPolls = std::size_t{1} << 20;
    struct Piece
    {
        NsysRows rows;
        std::exception_ptr damage; ///< found after these rows
    };
    std::vector<Piece> pieces(parallel.threads() > 1 ? 4 : 1);
    Query query(*m_database, queryOf(table, columns));
    bool ended = false;
    std::size_t textBytes = 0;
    Parallel::Stages stages;
    stages.read = [&](std::size_t slot) {
        if (ended)
            return false;
        NsysRows& rows = pieces[slot].rows;
        rows.clear();
        try {
            while (!ended && rows.size() < pieceRows && rows.textBytes() < pieceTextBytes) {
                ended = !query.next();
                if (!ended)
                    rows.append(query.statement());
            }
            textBytes += rows.textBytes();
            if (textBytes > m_mostText)
                throw std::length_error("its texts are longer than the file: they come from a column's "
                                        "default or a generated column");
            // SQLite itself does not count bytes.
            if (rows.textBytes() >= pieceTextBytes && m_context.stop.stop_requested())
                throw std::runtime_error("interrupted");
        } catch (...) {
            ended = true;
            pieces[slot].damage = std::current_exception();
        }
        return true;
    };
    stages.work = [](std::size_t) {};
    stages.take = [&](std::size_t slot) {
        const Piece& piece = pieces[slot];
        m_sinceAsked += piece.rows.size() * rowBytes + piece.rows.textBytes();
        if (m_sinceAsked >= bytesBetweenPolls) {
            m_sinceAsked = 0;
            m_isStopped = m_context.mustStop();
            if (m_isStopped)
                return false;
        }
        for (std::size_t row = 0; row < piece.rows.size(); ++row) {
            if (!f(NsysRow(piece.rows, row)))
                return false;
        }
        if (piece.damage)
            std::rethrow_exception(piece.damage);
        return true;
    };
    parallel.forPieces(pieces.size(), stages);
}

std::optional<StringId> NsysDatabase::name(const NsysRow& row, int column, StringTable& strings)
{
    if (row.isNull(column))
        return std::nullopt;
    if (row.isText(column))
        return strings.intern(row.text(column));
    const auto found = row.isNumber(column) ? m_texts.find(row.integer(column)) : m_texts.end();
    if (found == m_texts.end())
        return std::nullopt;
    if (!found->second.id)
        found->second.id = strings.intern(found->second.text);
    return found->second.id;
}

std::string_view NsysDatabase::textOf(const NsysRow& row, int column) const
{
    if (row.isNull(column) || row.isText(column))
        return row.text(column);
    const auto found = m_texts.find(row.integer(column));
    return found == m_texts.end() ? std::string_view() : std::string_view(found->second.text);
}

} // namespace collscope
