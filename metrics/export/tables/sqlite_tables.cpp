// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/tables/sqlite_tables.h"

#include "model/text/tables_mark.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <cmath>
#include <optional>

namespace collscope {

namespace {

/// The mark as the number that SQLite writes as these bytes.
constexpr int applicationId()
{
    int id = 0;
    for (const char c : tablesMark)
        id = id * 256 + c;
    return id;
}

std::string createText(const ExportTable& table)
{
    std::string text;
    for (const ExportColumn& column : table.columns) {
        text += (text.empty() ? "CREATE TABLE " + std::string(table.name) + " (" : ", ")
            + std::string(column.name) + " " + std::string(cellTypeName(column.type))
            + (text.empty() && table.hasKey ? " PRIMARY KEY" : "");
    }
    return text + ")";
}

std::string insertText(const ExportTable& table)
{
    std::string text = "INSERT INTO " + std::string(table.name) + " VALUES (?";
    for (std::size_t i = 1; i < table.columns.size(); ++i)
        text += ", ?";
    return text + ")";
}

} // namespace

struct SqliteTables::Open
{
    SQLite::Database database;
    std::optional<SQLite::Statement> insert;
    std::vector<std::string> texts; ///< of the row that is being written

    // Nobody else knows the file, so that it needs no locks, which some file systems of clusters refuse; and
    // one thread writes it.
    explicit Open(const std::string& path)
        : database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_NOMUTEX, 0, "unix-none")
    { }
};

SqliteTables::SqliteTables(const std::string& path)
    : m_path(path)
{ }

SqliteTables::~SqliteTables() = default;

template<typename F>
Status SqliteTables::attempt(const F& f)
{
    try {
        f();
        return {};
    } catch (const SQLite::Exception& failure) {
        return Error{Error::Kind::Io, std::string("the tables cannot be written: ") + failure.what() + ".",
                     m_path};
    }
}

Status SqliteTables::begin(const ExportTable& table)
{
    return attempt([&] {
        if (!m_open) {
            m_open = std::make_unique<Open>(m_path);
            // Without a journal: the file is given its name only when it is complete.
            m_open->database.exec(
                "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA application_id = "
                + std::to_string(applicationId()) + "; PRAGMA user_version = " + std::to_string(tablesVersion)
                + "; BEGIN");
        }
        m_open->database.exec(createText(table));
        m_open->insert.emplace(m_open->database, insertText(table));
        m_open->texts.resize(table.columns.size());
    });
}

Status SqliteTables::row(std::span<const TableCell> cells)
{
    return attempt([&] {
        SQLite::Statement& insert = *m_open->insert;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const int place = static_cast<int>(i) + 1;
            if (const auto* number = std::get_if<std::int64_t>(&cells[i])) {
                insert.bind(place, *number);
            } else if (const auto* real = std::get_if<double>(&cells[i])) {
                std::isfinite(*real) ? insert.bind(place, *real) : insert.bind(place);
            } else if (const auto* text = std::get_if<std::string_view>(&cells[i])) {
                assignTableText(*text, m_open->texts[i]);
                insert.bindNoCopy(place, m_open->texts[i]);
            } else {
                insert.bind(place);
            }
        }
        insert.exec();
        insert.reset();
    });
}

Status SqliteTables::end(const ExportTable& table)
{
    return attempt([&] {
        m_open->insert.reset();
        if (!table.index.empty())
            m_open->database.exec("CREATE INDEX " + std::string(table.name) + "_by_"
                                  + std::string(table.index) + " ON " + std::string(table.name) + " ("
                                  + std::string(table.index) + ")");
    });
}

Status SqliteTables::finish()
{
    return attempt([&] {
        for (const TableView& view : tableViews())
            m_open->database.exec("CREATE VIEW " + std::string(view.name) + " AS\n"
                                  + std::string(view.query));
        m_open->database.exec("COMMIT");
        m_open.reset();
    });
}

} // namespace collscope
