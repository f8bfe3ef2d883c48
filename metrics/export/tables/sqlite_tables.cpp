// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/tables/sqlite_tables.h"

#include "metrics/export/tables/sqlite_batch.h"
#include "model/text/tables_mark.h"

#include <SQLiteCpp/SQLiteCpp.h>

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
    std::string text = "INSERT INTO " + std::string(table.name) + " SELECT c0";
    for (std::size_t i = 1; i < table.columns.size(); ++i)
        text += ", c" + std::to_string(i);
    return text + " FROM batch";
}

} // namespace

struct SqliteTables::Open
{
    SQLite::Database database;
    SqliteBatch batch;
    std::optional<SQLite::Statement> insert;

    // Nobody else knows the file, so that it needs no locks, which some file systems of clusters refuse; and
    // one thread writes it.
    explicit Open(const std::string& path)
        : database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_NOMUTEX, 0, "unix-none")
        , batch(database.getHandle())
    { }

    void writeBatch()
    {
        insert->exec();
        insert->reset();
        batch.clear();
    }
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
            // Without a journal: the file is given its name only when it is complete. Pages of four times the
            // default size save 7 % of the time of a large export.
            m_open->database.exec("PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = "
                                  "OFF; PRAGMA application_id = "
                                  + std::to_string(applicationId())
                                  + "; PRAGMA user_version = " + std::to_string(tablesVersion) + "; BEGIN");
        }
        m_open->database.exec(createText(table));
        m_open->insert.emplace(m_open->database, insertText(table));
        m_open->batch.beginTable(table);
    });
}

Status SqliteTables::row(std::span<const TableCell> cells)
{
    return m_open->batch.add(cells) ? attempt([&] { m_open->writeBatch(); }) : Status();
}

Status SqliteTables::end(const ExportTable& table)
{
    return attempt([&] {
        m_open->writeBatch();
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
