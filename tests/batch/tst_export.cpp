// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// --batch export through the real binary: its tables say what was planted, and what the metrics say; SQLite
// and CSV agree cell by cell.

#include "metrics/core/value.h"
#include "tests/batch/program.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/table_texts.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>

#include <SQLiteCpp/SQLiteCpp.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace collscope {

class TestExport : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const QString& name) const { return m_folder.filePath(name); }
    std::string filePath(const char* name) const { return path(QString::fromLatin1(name)).toStdString(); }
    static QString demo() { return QStringLiteral(COLLSCOPE_SOURCE_FOLDER "/resources/demo"); }
    /// Empty without the real traces.
    static QString realRun(const char* name = "multirank/param_dlrm_8rank/kineto")
    {
        const QString traces = tracesFolder();
        return traces.isEmpty() ? traces : traces + QLatin1Char('/') + QString::fromLatin1(name);
    }
    static ProgramRun exported(const QString& run, const QStringList& more)
    {
        return runBatchProgram(QStringList{QStringLiteral("export"), run} + more);
    }
    /// The file of a run, written once.
    std::unique_ptr<SQLite::Database> databaseOf(const QString& run, const QString& name,
                                                 const QStringList& more = {}) const
    {
        const QString file = path(name);
        if (!QFile::exists(file)) {
            const ProgramRun written = exported(run, QStringList{QStringLiteral("-o"), file} + more);
            if (written.exitCode != 0)
                qWarning("%s", written.err.constData());
        }
        return std::make_unique<SQLite::Database>(file.toStdString());
    }
    /// The cell of the CSV file for a cell of the SQLite file.
    static std::string csvTextOf(const SQLite::Column& cell)
    {
        if (cell.isNull())
            return {};
        if (cell.isInteger())
            return std::to_string(cell.getInt64());
        if (cell.isFloat())
            return numberText(cell.getDouble());
        const std::string text(static_cast<const char*>(cell.getBlob()),
                               static_cast<std::size_t>(cell.getBytes()));
        return (beginsFormula(text) ? "'" : "") + text;
    }
    static std::int64_t number(SQLite::Database& tables, const std::string& query)
    {
        return tables.execAndGet(query).getInt64();
    }

private slots:
    /// Two ranks and three steps of 1000 us. In each, rank 1 computes 100 us longer, so that rank 0 waits for
    /// it in the all-reduce of 4 MB that both leave 50 us after its arrival. A copy of 30 us follows on rank
    /// 0.
    void initTestCase()
    {
        SmallRun run(2);
        for (int step = 0; step < 3; ++step) {
            const double begin = 1000.0 * step;
            for (int rank = 0; rank < 2; ++rank) {
                run.step(rank, 10 + step, begin, 1000);
                run.kernel(rank, begin + 100, 200 + 100 * rank, 7, rank == 0 ? "gemm" : "=gemm");
                SmallCall call{"allreduce", "dp", "[0, 1]", 2, 1'000'000, 1'000'000, "mesh_dp"};
                call.sequence = step + 1;
                run.call(rank, begin + 300 + 100 * rank, 150 - 100 * rank, call);
            }
            run.copy(0, begin + 500, 30);
        }
        run.write(filePath("planted"));
    }
    void planted()
    {
        const auto tables = databaseOf(path(QStringLiteral("planted")), QStringLiteral("planted.db"));
        QCOMPARE(number(*tables, "SELECT count(*) FROM steps"), 6);
        QCOMPARE(number(*tables, "SELECT count(*) FROM steps WHERE is_counted AND step = 11"), 2);
        QCOMPARE(number(*tables, "SELECT count(*) FROM steps WHERE is_counted"), 2); // inner steps
        const auto part = [&](const char* column, int rank) {
            return number(*tables,
                          std::string("SELECT sum(") + column
                              + ") FROM step_parts WHERE rank = " + std::to_string(rank));
        };
        QCOMPARE(part("compute_ns", 0), 3 * 200'000);
        QCOMPARE(part("compute_ns", 1), 3 * 300'000);
        QCOMPARE(part("waiting_ns", 0), 3 * 100'000);
        QCOMPARE(part("waiting_ns", 1), 0);
        QCOMPARE(part("communication_ns", 0), 3 * 50'000);
        QCOMPARE(part("communication_ns", 1), 3 * 50'000);
        QCOMPARE(part("copy_ns", 0), 3 * 30'000);
        QCOMPARE(part("idle_ns", 0), 3 * 620'000);
        QCOMPARE(part("length_ns", 1), 3 * 1'000'000);
        QCOMPARE(
            number(*tables,
                   "SELECT count(*) FROM collectives WHERE skew_ns = 100000 AND waited_ns = 100000 AND "
                   "awaited_rank = 1 AND first_rank = 0 AND bytes = 4000000 AND transfer_ns = 50000 AND "
                   "members = 2 AND expected_members = 2 AND seq = ordinal + 1 AND class = 'AllReduce' AND "
                   "last_end_ns - last_begin_ns = 50000 AND step = 10 + ordinal"),
            3);
        QCOMPARE(
            number(*tables,
                   "SELECT count(*) FROM members WHERE (rank = 0 AND duration_ns = 150000 AND waited_ns = "
                   "100000 AND late_ns = 0 AND exposed_ns = 50000 AND exposed_wait_ns = 100000) OR (rank = 1 "
                   "AND duration_ns = 50000 AND waited_ns = 0 AND late_ns = 100000)"),
            6);
        // The first slice of the run begins with the first step, at 0.
        QCOMPARE(number(*tables, "SELECT begin_ns FROM members WHERE rank = 1 AND step = 12"), 2'400'000);
        QCOMPARE(number(*tables, "SELECT ns FROM kernels WHERE name = '=gemm'"), 300'000);
        QCOMPARE(number(*tables, "SELECT count(*) FROM groups WHERE name = 'dp' AND ranks = '[0, 1]'"), 1);
        QCOMPARE(number(*tables, "SELECT waited_ns FROM v_late_ranks WHERE rank = 1"), 300'000);
        QCOMPARE(tables->execAndGet("SELECT mean_bus_gb_s FROM v_collectives_by_group").getDouble(), 80.0);
        QCOMPARE(number(*tables, "SELECT count(*) FROM findings WHERE kind = 'late_rank'"), 1);
    }
    void statementsOfTheGuide_data()
    {
        QTest::addColumn<QString>("run");
        QTest::addColumn<int>("least");
        QTest::newRow("planted") << path(QStringLiteral("planted")) << 19;
        QTest::newRow("demo") << demo() << 25;
        QTest::newRow("8 real ranks") << realRun() << 21;
        QTest::newRow("one real rank without communication")
            << realRun("torch_et/param/resnet_kineto.json.gz") << 5;
        QTest::newRow("nsys with sizes") << realRun("nsys_sqlite/ddp_2gpu_nccl_payloads.sqlite") << 16;
    }
    /// Each statement gives the metric in its first line, to the last digit, or nothing where that has no
    /// value.
    void statementsOfTheGuide()
    {
        QFETCH(const QString, run);
        QFETCH(const int, least);
        if (run.isEmpty())
            QSKIP("no real traces: COLLSCOPE_TRACES");
        const auto tables
            = databaseOf(run, QString::fromLatin1(QTest::currentDataTag()) + QStringLiteral(".db"));
        const ProgramRun measured
            = runBatchProgram({QStringLiteral("metrics"), run, QStringLiteral("--metric"),
                               QStringLiteral("all"), QStringLiteral("--json")});
        const nlohmann::json metrics = jsonOf(measured.out);
        // Later versions add up with a correction, which differs in the last digit.
        const bool isExact = SQLite::getLibVersionNumber() < 3'043'000;
        int compared = 0;
        for (const auto& [metric, statement] : statementsOf(guidePage("tables.md"))) {
            SQLite::Statement query(*tables, statement);
            const bool hasRow = query.executeStep();
            if (metric.empty())
                continue; // one of the other questions: it runs
            QVERIFY2(metrics.contains(metric), metric.c_str());
            const nlohmann::json& expected = metrics[metric]["value"];
            if (expected.is_null()) {
                QVERIFY2(!hasRow || query.isColumnNull(0), metric.c_str());
                continue;
            }
            const double value = query.getColumn(0).getDouble();
            const double wanted = expected.get<double>();
            QVERIFY2(isExact ? value == wanted : std::abs(value - wanted) <= 1e-15 * std::abs(wanted),
                     (metric + ": " + numberText(value) + " instead of " + numberText(wanted)).c_str());
            ++compared;
        }
        QVERIFY2(compared >= least, std::to_string(compared).c_str());
    }
    void metricsAndFindingsAreThoseOfTheCommands()
    {
        const auto tables = databaseOf(demo(), QStringLiteral("demo.db"));
        const nlohmann::json metrics
            = jsonOf(runBatchProgram({QStringLiteral("metrics"), demo(), QStringLiteral("--metric"),
                                      QStringLiteral("all"), QStringLiteral("--json")})
                         .out);
        SQLite::Statement rows(*tables,
                               "SELECT metric, value, unit, status, reason FROM metrics "
                               "WHERE rank IS NULL AND step IS NULL AND scope IS NOT NULL OR reason IS "
                               "NOT NULL");
        std::size_t count = 0;
        while (rows.executeStep()) {
            const nlohmann::json& metric = metrics[rows.getColumn(0).getString()];
            QCOMPARE(rows.isColumnNull(1), metric["value"].is_null());
            if (!rows.isColumnNull(1))
                QCOMPARE(rows.getColumn(1).getDouble(), metric["value"].get<double>());
            QCOMPARE(rows.getColumn(2).getString(), metric["unit"].get<std::string>());
            QCOMPARE(rows.getColumn(3).getString(), metric["status"].get<std::string>());
            ++count;
        }
        QCOMPARE(count, metrics.size());
        const nlohmann::json answer
            = jsonOf(runBatchProgram({QStringLiteral("findings"), demo(), QStringLiteral("--json")}).out);
        QCOMPARE(number(*tables,
                        "SELECT sum(p.length_ns) / count(*) FROM step_parts p JOIN steps USING (step_id) "
                        "WHERE is_counted"),
                 answer["step_ns"].get<std::int64_t>());
        QCOMPARE(number(*tables,
                        "SELECT sum(p.compute_ns) / count(*) FROM step_parts p JOIN steps USING (step_id) "
                        "WHERE is_counted"),
                 answer["parts"][0]["ns_per_step"].get<std::int64_t>());
        QCOMPARE(number(*tables, "SELECT count(*) FROM findings"),
                 static_cast<std::int64_t>(answer["findings"].size()));
        SQLite::Statement findings(*tables,
                                   "SELECT title, cost_ns_per_step FROM findings ORDER BY finding_id");
        for (const nlohmann::json& finding : answer["findings"]) {
            QVERIFY(findings.executeStep());
            QCOMPARE(findings.getColumn(0).getString(), finding["title"].get<std::string>());
            QCOMPARE(findings.getColumn(1).getInt64(), finding["cost_ns_per_step"].get<std::int64_t>());
        }
    }
    void sumsAddUp_data()
    {
        QTest::addColumn<QString>("run");
        QTest::newRow("demo") << demo();
        QTest::newRow("8 real ranks") << realRun();
    }
    void sumsAddUp()
    {
        QFETCH(const QString, run);
        if (run.isEmpty())
            QSKIP("no real traces: COLLSCOPE_TRACES");
        const QString name = QString::fromLatin1(QTest::currentDataTag()) + QStringLiteral(".db");
        const auto tables = databaseOf(run, name);
        for (const char* wrong :
             {"SELECT count(*) FROM v_rank_step WHERE compute_ns + communication_ns + ifnull(waiting_ns, 0) "
              "+ copy_ns "
              "+ idle_ns <> length_ns",
              "SELECT count(*) FROM step_parts p WHERE idle_ns <> (SELECT ifnull(sum(ns), 0) FROM step_idle "
              "i WHERE "
              "i.step_id = p.step_id)",
              "SELECT count(*) FROM step_parts p JOIN step_work w USING (step_id) WHERE p.compute_ns < "
              "w.compute_ns",
              "SELECT count(*) FROM step_parts p JOIN step_work w USING (step_id) WHERE p.communication_ns + "
              "ifnull(p.waiting_ns, 0) > w.exposed_communication_ns",
              "SELECT count(*) FROM files WHERE events <> shown + excluded",
              "SELECT count(*) FROM collectives c WHERE members <> (SELECT count(*) FROM members m WHERE "
              "m.collective_id = c.collective_id)",
              "SELECT count(*) FROM collectives c WHERE waited_ns <> (SELECT sum(waited_ns) FROM members m "
              "WHERE "
              "m.collective_id = c.collective_id)",
              "SELECT count(*) FROM collectives c WHERE first_begin_ns <> (SELECT min(begin_ns) FROM members "
              "m WHERE "
              "m.collective_id = c.collective_id)",
              "SELECT count(*) FROM members WHERE (collective_id IS NULL) <> (unmatched IS NOT NULL)",
              "SELECT count(*) FROM ranks r WHERE calls <> (SELECT count(*) FROM members m WHERE m.rank = "
              "r.rank)"})
            QVERIFY2(number(*tables, wrong) == 0, wrong);
        SQLite::Statement contents(*tables, "SELECT table_name, rows FROM contents");
        int count = 0;
        for (; contents.executeStep(); ++count) {
            const std::string table = contents.getColumn(0).getString();
            QCOMPARE(number(*tables, "SELECT count(*) FROM " + table), contents.getColumn(1).getInt64());
        }
        QVERIFY(count > 15);
    }
    /// The table of descriptions drives both writers and the page; the file must be what it says.
    void descriptionsAreComplete()
    {
        const auto tables = databaseOf(demo(), QStringLiteral("demo.db"));
        SQLite::Statement columns(
            *tables,
            "SELECT count(*), sum(d.column_name IS NULL) FROM sqlite_master m JOIN "
            "pragma_table_info(m.name) p LEFT JOIN descriptions d ON d.table_name = m.name AND "
            "d.column_name = p.name AND d.type = p.type WHERE m.type = 'table'");
        QVERIFY(columns.executeStep());
        QVERIFY(columns.getColumn(0).getInt() > 150);
        QCOMPARE(columns.getColumn(1).getInt(), 0);
        QCOMPARE(number(*tables,
                        "SELECT count(*) FROM descriptions WHERE column_name IS NULL AND table_name NOT IN "
                        "(SELECT name FROM sqlite_master)"),
                 0);
        QCOMPARE(number(*tables, "PRAGMA user_version"), 1);
        QCOMPARE(tables->execAndGet("SELECT value FROM provenance WHERE key = 'schema'").getString(),
                 std::string("collscope.tables/1"));
        QCOMPARE(tables->execAndGet("PRAGMA integrity_check").getString(), std::string("ok"));
    }
    void pageIsGenerated()
    {
        const ProgramRun listed
            = runBatchProgram({QStringLiteral("export"), QStringLiteral("--list-tables")});
        QCOMPARE(listed.exitCode, 0);
        QVERIFY2(guidePage("tables.md").endsWith(listed.out),
                 "regenerate the tables of resources/help/tables.md: see resources/README.md");
    }
    void csvAgrees_data()
    {
        QTest::addColumn<QString>("run");
        QTest::newRow("demo") << demo();
        QTest::newRow("hostile") << path(QStringLiteral("hostile"));
    }
    void csvAgrees()
    {
        QFETCH(const QString, run);
        if (!QFile::exists(run))
            writeHostileRun(run.toStdString());
        const QString name = QStringLiteral("both ") + QString::fromLatin1(QTest::currentDataTag());
        const ProgramRun written
            = exported(run,
                       {QStringLiteral("-o"), path(name + QStringLiteral(".db")), QStringLiteral("--csv"),
                        path(name), QStringLiteral("--slices")});
        QVERIFY2(written.exitCode == 0, written.err.constData());
        SQLite::Database tables(path(name + QStringLiteral(".db")).toStdString());
        SQLite::Statement names(tables, "SELECT name FROM sqlite_master WHERE type = 'table'");
        std::int64_t cells = 0;
        while (names.executeStep()) {
            const std::string table = names.getColumn(0).getString();
            const auto rows = csvRows(readWhole(path(name).toStdString() + "/" + table + ".csv"));
            QVERIFY2(!rows.empty(), table.c_str());
            SQLite::Statement query(tables, "SELECT * FROM " + table + " ORDER BY rowid");
            QCOMPARE(static_cast<int>(rows[0].size()), query.getColumnCount());
            for (int c = 0; c < query.getColumnCount(); ++c)
                QCOMPARE(rows[0][static_cast<std::size_t>(c)], std::string(query.getColumnName(c)));
            std::size_t row = 1;
            for (; query.executeStep(); ++row) {
                QVERIFY2(row < rows.size(), table.c_str());
                for (int c = 0; c < query.getColumnCount(); ++c, ++cells) {
                    const std::string expected = csvTextOf(query.getColumn(c));
                    if (rows[row][static_cast<std::size_t>(c)]
                        != expected) // QCOMPARE costs too much for each
                        QCOMPARE(table + ": " + rows[row][static_cast<std::size_t>(c)],
                                 table + ": " + expected);
                }
            }
            QCOMPARE(row, rows.size());
        }
        QVERIFY(cells > 1000);
        QCOMPARE(number(tables, "SELECT count(*) FROM v_slices"),
                 number(tables, "SELECT sum(slices) FROM tracks"));
    }
    void hostileNamesSurvive()
    {
        const QString run = path(QStringLiteral("hostile"));
        if (!QFile::exists(run))
            writeHostileRun(run.toStdString());
        const auto tables = databaseOf(run, QStringLiteral("hostile.db"));
        for (const std::string& name : hostileNames()) {
            SQLite::Statement query(*tables, "SELECT count(*) FROM kernels WHERE name = ?");
            query.bind(1, name);
            QVERIFY(query.executeStep());
            QVERIFY2(query.getColumn(0).getInt() == 1, name.c_str());
        }
    }
    /// What the trace does not say is not 0.
    void unknownIsNull()
    {
        SmallRun run(1);
        run.kernel(0, 0, 100);
        run.call(0, 200, 50, SmallCall{"", "", ""});
        run.write(filePath("poor"));
        const auto tables = databaseOf(path(QStringLiteral("poor")), QStringLiteral("poor.db"));
        QCOMPARE(number(*tables,
                        "SELECT count(*) FROM members WHERE bytes IS NULL AND waited_ns IS NULL AND late_ns "
                        "IS NULL AND collective_id IS NULL AND seq IS NULL AND step IS NULL"),
                 1);
        QCOMPARE(number(*tables, "SELECT count(*) FROM steps WHERE step IS NULL"), 1);
        QCOMPARE(number(*tables,
                        "SELECT count(*) FROM step_parts WHERE waiting_ns IS NULL AND communication_ns = "
                        "50000"),
                 1);
        QCOMPARE(number(*tables, "SELECT count(*) FROM ranks WHERE device_name IS NULL AND ep IS NULL"), 1);
        std::ofstream(filePath("silent.json"))
            << R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":0,"dur":5}]})";
        QCOMPARE(
            number(*databaseOf(path(QStringLiteral("silent.json")), QStringLiteral("silent.db")),
                   "SELECT count(*) FROM step_parts WHERE waiting_ns IS NULL AND communication_ns IS NULL"),
            1);
        QVERIFY(number(*tables,
                       "SELECT count(*) FROM contents WHERE table_name = 'collectives' AND rows = 0 AND "
                       "missing IS NOT NULL")
                == 1);
    }
    void withoutGpuWork()
    {
        std::filesystem::create_directories(filePath("cpu"));
        std::ofstream(filePath("cpu") + "/trace.json")
            << R"({"traceEvents":[{"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":1,"ts":0,"dur":5}]})";
        const auto tables = databaseOf(path(QStringLiteral("cpu")), QStringLiteral("cpu.db"));
        QCOMPARE(number(*tables, "SELECT count(*) FROM step_parts"), 0);
        const std::string missing
            = tables->execAndGet("SELECT missing FROM contents WHERE table_name = 'step_parts'").getString();
        QVERIFY2(missing.find("no GPU work") != std::string::npos, missing.c_str());
    }
    void reducedRun()
    {
        const auto run = [&](const QStringList& words) { return runBatchProgram(words).exitCode; };
        QCOMPARE(run({QStringLiteral("plan"), demo(), QStringLiteral("--tasks"), QStringLiteral("1"),
                      QStringLiteral("-o"), path(QStringLiteral("plan.json"))}),
                 0);
        QCOMPARE(run({QStringLiteral("reduce"), path(QStringLiteral("plan.json")), QStringLiteral("--task"),
                      QStringLiteral("0"), QStringLiteral("-o"), path(QStringLiteral("parts"))}),
                 0);
        const auto tables = databaseOf(path(QStringLiteral("parts")), QStringLiteral("parts.db"),
                                       {QStringLiteral("--slices"), QStringLiteral("--parts")});
        const auto whole = databaseOf(demo(), QStringLiteral("demo.db"));
        for (const char* same :
             {"SELECT sum(waited_ns + skew_ns) FROM collectives",
              "SELECT sum(compute_ns * step_id) FROM step_parts", "SELECT count(*) FROM members"})
            QCOMPARE(number(*tables, same), number(*whole, same));
        QCOMPARE(number(*tables, "SELECT value FROM provenance WHERE key = 'is_reduced'"), 1);
        QCOMPARE(number(*tables,
                        "SELECT count(*) FROM contents WHERE table_name = 'slices' AND missing IS NOT NULL"),
                 1);
    }
    void wholeOrNotAtAll()
    {
        const QString input = path(QStringLiteral("planted/rank0_trace.json"));
        const std::string before = readWhole(input.toStdString());
        const QString run = path(QStringLiteral("planted"));
        QCOMPARE(exported(run, {QStringLiteral("-o"), input}).exitCode, 4);
        QCOMPARE(readWhole(input.toStdString()), before);
        QCOMPARE(exported(run, {QStringLiteral("-o"), path(QStringLiteral("missing/run.db"))}).exitCode, 4);
        QCOMPARE(exported(run, {QStringLiteral("-o"), QStringLiteral("/dev/full")}).exitCode, 4);
        QCOMPARE(exported(run, {}).exitCode, 1);
        QCOMPARE(
            exported(path(QStringLiteral("nothing")), {QStringLiteral("-o"), path(QStringLiteral("no.db"))})
                .exitCode,
            2);
        QVERIFY(!QFile::exists(path(QStringLiteral("no.db"))));
        // Twice into the run itself: the second one replaces the first, and neither is read as a trace.
        const QString own = path(QStringLiteral("planted/run.db"));
        for (int i = 0; i < 2; ++i) {
            const ProgramRun written = exported(run, {QStringLiteral("-o"), own});
            QVERIFY2(written.exitCode == 0, written.err.constData());
        }
        QFile::rename(own, path(QStringLiteral("planted/run.sqlite")));
        const ProgramRun checked = runBatchProgram({QStringLiteral("doctor"), run});
        QVERIFY2(checked.exitCode == 0, checked.err.constData());
        SQLite::Database tables(path(QStringLiteral("planted/run.sqlite")).toStdString());
        QCOMPARE(number(tables, "SELECT count(*) FROM files"), 2);
        QFile::remove(path(QStringLiteral("planted/run.sqlite")));
        QCOMPARE(QDir(run).entryList(QDir::Files | QDir::Hidden).size(), qsizetype{2}); // no temporary file
    }
    /// Somebody else's engine reads the CSV files and comes to the same result.
    void duckDb()
    {
        QProcess node;
        node.setWorkingDirectory(m_folder.path());
        node.start(QStringLiteral("node"),
                   {QStringLiteral("-e"), QStringLiteral("require('@duckdb/node-api')")});
        if (!node.waitForFinished(60'000) || node.exitCode() != 0)
            QSKIP("the npm package @duckdb/node-api is not installed (NODE_PATH)");
        const QString folder = path(QStringLiteral("duck"));
        QCOMPARE(exported(demo(), {QStringLiteral("--csv"), folder, QStringLiteral("--slices")}).exitCode, 0);
        const QString script = QStringLiteral(R"(
const { DuckDBInstance } = require('@duckdb/node-api');
(async () => {
  const c = await (await DuckDBInstance.create()).connect();
  for (const t of ['steps', 'step_work', 'collectives', 'members', 'slices', 'names'])
    await c.run(`CREATE VIEW ${t} AS SELECT * FROM read_csv('%1/${t}.csv')`);
  const r = await c.runAndReadAll(`
    SELECT (SELECT sum(p) / count(*) FROM (SELECT 100.0::DOUBLE * sum(overlap_ns) / sum(communication_ns) AS p
             FROM step_work w JOIN steps s USING (step_id) WHERE is_counted = 1 GROUP BY w.rank ORDER BY w.rank)),
           (SELECT sum(waited_ns) FROM collectives), (SELECT sum(waited_ns) FROM members),
           (SELECT sum(duration_ns) FROM slices JOIN names USING (name_id) WHERE name LIKE '%nccl%')`);
  console.log(JSON.stringify(r.getRows()[0].map(v => typeof v == 'number' ? v : Number(v))));
})();)")
                                   .arg(folder);
        node.start(QStringLiteral("node"), {QStringLiteral("-e"), script});
        QVERIFY(node.waitForFinished(120'000));
        const nlohmann::json row = jsonOf(node.readAllStandardOutput());
        QVERIFY2(row.is_array(), node.readAllStandardError().constData());
        const auto tables
            = databaseOf(demo(), QStringLiteral("demo with slices.db"), {QStringLiteral("--slices")});
        const double overlap
            = tables
                  ->execAndGet(
                      "SELECT value FROM metrics WHERE metric = 'comm_comp_overlap' AND rank IS NULL")
                  .getDouble();
        QVERIFY(std::abs(row[0].get<double>() - overlap) <= 1e-14 * overlap);
        QCOMPARE(row[1].get<std::int64_t>(), number(*tables, "SELECT sum(waited_ns) FROM collectives"));
        QCOMPARE(row[2].get<std::int64_t>(), row[1].get<std::int64_t>());
        QCOMPARE(row[3].get<std::int64_t>(),
                 number(*tables, "SELECT sum(duration_ns) FROM v_slices WHERE name LIKE '%nccl%'"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestExport)
#include "tst_export.moc"
