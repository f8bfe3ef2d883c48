// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Databases that would have SQLite do something, or hold what no export holds.

#include "model/readers/nsys/nsys_database.h"
#include "model/readers/reader.h"
#include "tests/support/suite/stop_requests.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"

#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>

#include <filesystem>

namespace collscope {

extern const ReaderDescriptor nsysReader;

namespace {

// A view that never ends, views and programs in the place of tables, values longer than any of an export, and
// a trigger.
constexpr const char* programSchema = R"sql(
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER, shortName TEXT);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000,2000,0,7,'k');
CREATE VIEW CUPTI_ACTIVITY_KIND_RUNTIME AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c)
  SELECT x AS start, x AS end, 1 AS globalTid FROM c WHERE x < 0;
CREATE VIEW StringIds AS SELECT 1 AS id, 'x' AS value;
CREATE VIRTUAL TABLE GPU_METRICS USING fts5(timestamp, value);
CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER, eventType INTEGER, text TEXT AS (hex(zeroblob(12000000))), globalTid INTEGER);
INSERT INTO NVTX_EVENTS(start,end,eventType,globalTid) VALUES (0,9,59,1);
CREATE TRIGGER t AFTER INSERT ON NVTX_EVENTS BEGIN SELECT 1; END;
)sql";

} // namespace

class TestHostileDatabase : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;

    std::string create(const char* sql) const
    {
        std::string path = m_folder->filePath(QStringLiteral("report.sqlite")).toStdString();
        std::filesystem::remove(path);
        sqlite3* database = nullptr;
        sqlite3_open(path.c_str(), &database);
        char* error = nullptr;
        if (sqlite3_exec(database, sql, nullptr, nullptr, &error) != SQLITE_OK)
            qFatal("%s", error);
        sqlite3_close(database);
        return path;
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void carriesNothingOut()
    {
        const std::string path = create(programSchema);
        const auto before = std::filesystem::last_write_time(path);
        const auto fragment
            = nsysReader.read({path, std::filesystem::file_size(path), -1, {}}, ReadContext());
        QVERIFY(fragment);
        const Diagnostic* const views = findProblem(fragment->problems, "views_not_read");
        QVERIFY(views);
        for (const char* name : {"CUPTI_ACTIVITY_KIND_RUNTIME", "StringIds", "GPU_METRICS"})
            QVERIFY2(views->explanation.find(name) != std::string::npos, name);
        QCOMPARE(fragment->source.eventsInFile, std::uint64_t{2});
        QCOMPARE(fragment->source.eventsInFile, fragment->source.shown + fragment->source.excluded);
        QVERIFY(std::filesystem::last_write_time(path) == before);
        const std::filesystem::path folder = std::filesystem::path(path).parent_path();
        QCOMPARE(
            std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()),
            1);
    }

    void readsOnlyNumbersAsTimes()
    {
        const std::string path = create(
            "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, streamId, shortName);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000,2000,0,7,'k'),('3000','4000',0,7,'k'),"
            "('soon',2000,0,7,'k'),(x'00ff',3,0,7,'k'),(5000,'late',0,7,'k'),(1e300,-1e300,1e300,1,'k'),"
            "(6000,7000,'zero',x'41',x'6e616d65');");
        const auto fragment
            = nsysReader.read({path, std::filesystem::file_size(path), -1, {}}, ReadContext());
        QVERIFY(fragment);
        const Diagnostic* const left = findProblem(fragment->problems, "row_without_time");
        QVERIFY(left);
        QCOMPARE(left->excludedEvents, std::uint64_t{4});
        QCOMPARE(fragment->source.shown, std::uint64_t{3});
        QVERIFY(findProblem(fragment->problems, "missing_name"));
    }

    /// Texts that are no longer in the file than once, and in the table twenty thousand times.
    void textsThatTheFileDoesNotHold_data()
    {
        QTest::addColumn<QByteArray>("table");
        QTest::addColumn<QByteArray>("sql");
        const QByteArray kernels = "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, "
                                   "deviceId INTEGER, shortName);"
                                   "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 0, 7);";
        const QByteArray rows = " SELECT x FROM c;";
        const QByteArray numbers
            = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x < 20000) ";
        const QByteArray text = QByteArray(300'000, 'x');
        QTest::newRow("names") << QByteArray("StringIds")
                               << kernels + "CREATE TABLE StringIds(id INTEGER PRIMARY KEY);" + numbers
                + "INSERT INTO StringIds" + rows + "ALTER TABLE StringIds ADD COLUMN value TEXT DEFAULT '"
                + text + "';";
        QTest::newRow("ranges") << QByteArray("NVTX_EVENTS")
                                << kernels + "CREATE TABLE NVTX_EVENTS(start INTEGER);" + numbers
                + "INSERT INTO NVTX_EVENTS" + rows + "ALTER TABLE NVTX_EVENTS ADD COLUMN text TEXT DEFAULT '"
                + text + "';";
    }
    void textsThatTheFileDoesNotHold()
    {
        QFETCH(const QByteArray, table);
        QFETCH(const QByteArray, sql);
        const std::string path = create(sql.constData());
        // Read in full, the texts would be 6 GB.
        const StopAfter patience(std::chrono::seconds(10));
        ReadContext context;
        context.stop = patience.token();
        const auto fragment = nsysReader.read({path, std::filesystem::file_size(path), -1, {}}, context);
        QVERIFY2(fragment, fragment ? "" : fragment.error().message.c_str());
        const Diagnostic* const finding = findProblem(fragment->problems, "damaged_table");
        QVERIFY(finding);
        QVERIFY2(finding->explanation.find(table.toStdString()) != std::string::npos,
                 finding->explanation.c_str());
        QVERIFY(fragment->source.shown >= 1); // the kernel
        QCOMPARE(fragment->source.eventsInFile, fragment->source.shown + fragment->source.excluded);
    }
    void memoryForTextsIsAskedFor()
    {
        const std::string path
            = create("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER);"
                     "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 0);"
                     "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
                     "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x < 100) "
                     "INSERT INTO StringIds SELECT x, hex(zeroblob(200000)) FROM c;"); // 40 MB in 100 rows
        int polls = 0;
        ReadContext context;
        context.isExhausted = [&] { return ++polls > 5; };
        const auto fragment = nsysReader.read({path, std::filesystem::file_size(path), -1, {}}, context);
        QVERIFY(!fragment);
        QVERIFY(fragment.error().kind == Error::Kind::Cancelled);
    }
    void namesThatAreNoTextsAreTold()
    {
        const std::string path
            = create("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, streamId, shortName);"
                     "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000,2000,0,7,1),(3000,4000,0,7,2),"
                     "(5000,6000,0,7,x'6e616d65'),(7000,8000,0,7,3);"
                     "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value);"
                     "INSERT INTO StringIds VALUES (0,''),(1,x'6b6b'),(2,'gemm');");
        const auto fragment
            = nsysReader.read({path, std::filesystem::file_size(path), -1, {}}, ReadContext());
        QVERIFY(fragment);
        const Diagnostic* const finding = findProblem(fragment->problems, "missing_name");
        QVERIFY(finding);
        QCOMPARE(finding->count, std::uint64_t{3});
        const std::string generated
            = create("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, streamId, shortName);"
                     "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000,2000,0,7,1);"
                     "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT AS ('k' || id));"
                     "INSERT INTO StringIds(id) VALUES (1);");
        const auto second
            = nsysReader.read({generated, std::filesystem::file_size(generated), -1, {}}, ReadContext());
        QVERIFY(second && findProblem(second->problems, "missing_name"));
    }

    void canBeCancelledInsideSqlite()
    {
        // Names, of which the reader takes all without looking up.
        const std::string path
            = create("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER);"
                     "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 0);"
                     "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
                     "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x < 300000) "
                     "INSERT INTO StringIds SELECT x, 'name' FROM c;");
        ReadContext context;
        context.stop = stopRequested();
        const auto fragment = nsysReader.read({path, std::filesystem::file_size(path), -1, {}}, context);
        QVERIFY(!fragment);
        QCOMPARE(static_cast<int>(fragment.error().kind), static_cast<int>(Error::Kind::Cancelled));
        // With many columns, SQLite takes its steps before the reader asks after the first MiB of rows.
        NsysDatabase database(path, context);
        bool hasThrown = false;
        try {
            database.forEachRow("StringIds",
                                {"value", "value", "value", "value", "value", "value", "value", "value",
                                 "value", "value", "value", "value", "value", "value", "value", "value"},
                                [](const NsysRow&) { return true; });
        } catch (const std::exception&) {
            hasThrown = true;
        }
        QVERIFY(hasThrown);
        QVERIFY(!database.isStopped());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestHostileDatabase)
#include "tst_hostile_database.moc"
