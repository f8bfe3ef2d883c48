// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The SQLite file has the rows that the writer was given: in their order, with their types, however many and
// however long.

#include "metrics/export/tables/sqlite_tables.h"
#include "tests/support/suite/suite.h"

#include <QTemporaryDir>

#include <SQLiteCpp/SQLiteCpp.h>

#include <limits>
#include <vector>

namespace collscope {

class TestSqliteTables : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    std::string path(const char* name) const
    {
        return m_folder.filePath(QString::fromLatin1(name)).toStdString();
    }
    static ExportTable tableOf(std::string_view name, bool hasKey)
    {
        return {.name = name,
                .meaning = "rows",
                .columns = {{"id", CellType::Integer, "number"},
                            {"value", CellType::Real, "number"},
                            {"word", CellType::Text, "text"}},
                .hasKey = hasKey};
    }

private slots:
    /// As many rows as fit into one statement or a few, and some more.
    void numberOfRows_data()
    {
        QTest::addColumn<int>("rows");
        for (const int rows : {0, 1, 127, 128, 129, 256, 1000})
            QTest::addRow("%d rows", rows) << rows;
    }
    void numberOfRows()
    {
        QFETCH(const int, rows);
        const std::string file = path(QTest::currentDataTag());
        SqliteTables tables(file);
        for (const bool hasKey : {true, false}) {
            const ExportTable table = tableOf(hasKey ? "with_key" : "without_key", hasKey);
            QVERIFY(tables.begin(table));
            for (std::int64_t i = 0; i < rows; ++i) {
                // The text ends with the call.
                const std::string word = "word " + std::to_string(i);
                const TableCell cells[]
                    = {i * i, i % 3 == 0 ? TableCell() : TableCell(static_cast<double>(i) / 4.0),
                       i % 5 == 0 ? TableCell() : TableCell(std::string_view(word))};
                QVERIFY(tables.row(cells));
            }
            QVERIFY(tables.end(table));
        }
        QVERIFY(tables.finish());
        SQLite::Database database(file);
        for (const char* name : {"with_key", "without_key"}) {
            SQLite::Statement query(database, std::string("SELECT * FROM ") + name + " ORDER BY rowid");
            std::int64_t i = 0;
            for (; query.executeStep(); ++i) {
                QCOMPARE(query.getColumn(0).getInt64(), i * i);
                QCOMPARE(query.getColumn(1).isNull(), i % 3 == 0);
                QCOMPARE(query.getColumn(1).getDouble(), i % 3 == 0 ? 0.0 : static_cast<double>(i) / 4.0);
                QCOMPARE(query.getColumn(2).isNull(), i % 5 == 0);
                QCOMPARE(query.getColumn(2).getString(),
                         i % 5 == 0 ? std::string() : "word " + std::to_string(i));
            }
            QCOMPARE(i, std::int64_t{rows});
        }
        QCOMPARE(database.execAndGet("PRAGMA integrity_check").getString(), std::string("ok"));
    }
    /// Texts that are longer together than what is kept at once, and numbers at the limits of their types.
    void longTextsAndOddNumbers()
    {
        const std::string file = path("long");
        SqliteTables tables(file);
        const ExportTable table = tableOf("odd", false);
        QVERIFY(tables.begin(table));
        constexpr std::int64_t rows = 40;
        for (std::int64_t i = 0; i < rows; ++i) {
            const std::string text(100'000 + static_cast<std::size_t>(i), static_cast<char>('a' + i % 26));
            const TableCell cells[] = {std::numeric_limits<std::int64_t>::min() + i,
                                       std::numeric_limits<double>::infinity(), text};
            QVERIFY(tables.row(cells));
        }
        const TableCell last[] = {std::numeric_limits<std::int64_t>::max(),
                                  std::numeric_limits<double>::quiet_NaN(), std::string_view("a\0b\xFF", 4)};
        QVERIFY(tables.row(last));
        QVERIFY(tables.end(table));
        QVERIFY(tables.finish());
        SQLite::Database database(file);
        SQLite::Statement query(database, "SELECT id, value, word FROM odd ORDER BY rowid");
        for (std::int64_t i = 0; i < rows; ++i) {
            QVERIFY(query.executeStep());
            QCOMPARE(query.getColumn(0).getInt64(), std::numeric_limits<std::int64_t>::min() + i);
            QVERIFY(query.isColumnNull(1)); // a number that is none is unknown
            const std::string text = query.getColumn(2).getString();
            QCOMPARE(text.size(), 100'000 + static_cast<std::size_t>(i));
            QCOMPARE(text.find_first_not_of(static_cast<char>('a' + i % 26)), std::string::npos);
        }
        QVERIFY(query.executeStep());
        QCOMPARE(query.getColumn(0).getInt64(), std::numeric_limits<std::int64_t>::max());
        QVERIFY(query.isColumnNull(1));
        QCOMPARE(query.getColumn(2).getString(),
                 std::string("a\xEF\xBF\xBD"
                             "b\xEF\xBF\xBD"));
        QVERIFY(!query.executeStep());
    }
    /// Keys that follow each other, with gaps between, in any order, and at the end of their range.
    void keys()
    {
        constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
        const std::string file = path("keys");
        SqliteTables tables(file);
        const ExportTable table = tableOf("keys", true);
        QVERIFY(tables.begin(table));
        std::vector<std::int64_t> keys{-7, -6, 5, 3, 4, 6, 7, 100, 101, 99, 102};
        for (std::int64_t key = 1000; key < 1500; ++key)
            keys.push_back(key % 100 < 50 ? key : (key << 32));
        keys.insert(keys.end(), {most - 1, most});
        for (const std::int64_t key : keys) {
            const std::string word = std::to_string(key);
            const TableCell cells[] = {key, TableCell(), TableCell(std::string_view(word))};
            QVERIFY(tables.row(cells));
        }
        QVERIFY(tables.end(table));
        QVERIFY(tables.finish());
        SQLite::Database database(file);
        QCOMPARE(database.execAndGet("SELECT count(*) FROM keys").getInt64(), std::ssize(keys));
        QCOMPARE(database.execAndGet("SELECT count(*) FROM keys WHERE CAST(id AS TEXT) <> word").getInt64(),
                 0);
    }
    /// A key that comes twice is a defect of a table: it fails, at the latest with the end of the table.
    void failureOfALaterRow()
    {
        SqliteTables tables(path("twice"));
        const ExportTable table = tableOf("twice", true);
        QVERIFY(tables.begin(table));
        for (const std::int64_t id : {1, 2, 2}) {
            const TableCell cells[] = {id, TableCell(), TableCell()};
            QVERIFY(tables.row(cells));
        }
        const Status ended = tables.end(table);
        QVERIFY(!ended);
        QVERIFY2(ended.error().message.find("UNIQUE") != std::string::npos, ended.error().message.c_str());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestSqliteTables)
#include "tst_sqlite_tables.moc"
