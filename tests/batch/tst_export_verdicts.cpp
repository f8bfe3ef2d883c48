// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// --batch export: what would help and why a job hung, as tables, say what what-if and hang say.

#include "tests/batch/program.h"
#include "tests/support/runs/hung_example.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"

#include <QDir>
#include <QTemporaryDir>

#include <SQLiteCpp/SQLiteCpp.h>

namespace collscope {

using Json = nlohmann::json;

class TestExportVerdicts : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QString path(const QString& name) const { return m_folder.filePath(name); }
    static QString demo() { return QStringLiteral(COLLSCOPE_SOURCE_FOLDER "/resources/demo"); }
    /// The tables of a run, in a new file.
    std::unique_ptr<SQLite::Database> tablesOf(const QString& run, const QStringList& more) const
    {
        const QString file = path(QStringLiteral("run.db"));
        QFile::remove(file);
        const ProgramRun written
            = runBatchProgram(QStringList{QStringLiteral("export"), run, QStringLiteral("-o"), file} + more);
        if (written.exitCode != 0)
            qWarning("%s", written.err.constData());
        return std::make_unique<SQLite::Database>(file.toStdString());
    }
    static Json answerOf(const char* command, const QString& run)
    {
        return Json::parse(
            runBatchProgram({QString::fromLatin1(command), run, QStringLiteral("--json")}).out.toStdString());
    }
    static Json cellOf(const SQLite::Column& cell)
    {
        if (cell.isNull())
            return nullptr;
        if (cell.isInteger())
            return cell.getInt64();
        if (cell.isFloat())
            return cell.getDouble();
        return cell.getString();
    }
    static Json rowsOf(SQLite::Database& tables, const std::string& query)
    {
        SQLite::Statement statement(tables, query);
        Json rows = Json::array();
        while (statement.executeStep()) {
            Json row = Json::array();
            for (int i = 0; i < statement.getColumnCount(); ++i)
                row.push_back(cellOf(statement.getColumn(i)));
            rows.push_back(std::move(row));
        }
        return rows;
    }

private slots:
    void initTestCase() { writeHungExample(path(QStringLiteral("hung")).toStdString()); }
    void scenarios()
    {
        const Json answer = answerOf("what-if", demo())["what_if"];
        Json expected = Json::array();
        for (const auto& [kind, key] :
             {std::pair("scenario", "scenarios"), {"combination", "after"}, {"limit", "limits"}}) {
            QVERIFY2(answer.contains(key), key);
            for (const Json& own : answer[key])
                expected.push_back({kind, own["spec"], own["text"], own["step_ns"], own["gain_ns"],
                                    own["gain_percent"], own["low_ns"], own["high_ns"], own["basis"],
                                    own["refused"]});
        }
        QVERIFY(expected.size() > 3);
        const auto tables = tablesOf(demo(), {QStringLiteral("--what-if")});
        QCOMPARE(rowsOf(*tables, "SELECT * FROM what_ifs").dump(), expected.dump());
    }
    void withoutThem()
    {
        const auto tables = tablesOf(demo(), {});
        QCOMPARE(rowsOf(*tables, "SELECT rows, missing FROM contents WHERE table_name = 'what_ifs'").dump(),
                 std::string(R"([[0,"Not asked for: --what-if writes them."]])"));
        QCOMPARE(rowsOf(*tables, "SELECT DISTINCT rows, missing FROM contents WHERE table_name LIKE 'hang%'")
                     .size(),
                 std::size_t(1));
        QCOMPARE(rowsOf(*tables, "SELECT * FROM hang").size(), std::size_t(0));
    }
    void refusedRuns()
    {
        const auto tables = tablesOf(path(QStringLiteral("hung")), {QStringLiteral("--what-if")});
        const Json content
            = rowsOf(*tables, "SELECT rows, missing FROM contents WHERE table_name = 'what_ifs'")[0];
        QCOMPARE(content[0].get<int>(), 0);
        QVERIFY2(content[1].get<std::string>().starts_with("No scenario is answered. "),
                 content.dump().c_str());
    }
    /// Rank 5 stopped in its data loader; the others wait.
    void plantedHang()
    {
        const auto tables = tablesOf(path(QStringLiteral("hung")), {});
        QCOMPARE(rowsOf(*tables, "SELECT hang, inconclusive, ranks, dumps FROM hang").dump(),
                 std::string(R"([["yes",null,8,8]])"));
        QCOMPARE(rowsOf(*tables, "SELECT rank FROM hang_ranks WHERE role = 'accused'").dump(),
                 std::string("[[5]]"));
        QCOMPARE(rowsOf(*tables, "SELECT rank FROM hang_ranks WHERE role = 'waits' ORDER BY rank").dump(),
                 std::string("[[0],[1],[2],[3],[4],[6],[7]]"));
        QCOMPARE(rowsOf(*tables, "SELECT is_suspect, group_description, seq FROM hang_findings").dump(),
                 std::string(R"([[0,"TENSOR_MODEL_PARALLEL_GROUP",7]])"));
    }
    /// A timeline of operations never has copies.
    void copiesThatFilesCannotContain()
    {
        Json events = Json::array();
        for (const int rank : {0, 1}) {
            events.push_back({{"ph", "M"},
                              {"name", "process_name"},
                              {"pid", rank},
                              {"args", {{"name", "DP rank [" + std::to_string(rank) + "]"}}}});
            events.push_back({{"ph", "M"},
                              {"name", "thread_name"},
                              {"pid", rank},
                              {"tid", rank},
                              {"args", {{"name", "PP rank 0, TP rank 0, compute"}}}});
            for (const int step : {1, 2, 3})
                events.push_back({{"ph", "X"},
                                  {"cat", "forward-compute"},
                                  {"name", "forward-compute"},
                                  {"pid", rank},
                                  {"tid", rank},
                                  {"ts", 1000 * step},
                                  {"dur", 600},
                                  {"args", {{"step", step}}}});
        }
        QDir().mkpath(path(QStringLiteral("operations")));
        writeFile(path(QStringLiteral("operations/timeline.json")).toStdString(),
                  Json({{"traceEvents", events}}).dump());
        const auto tables = tablesOf(path(QStringLiteral("operations")), {});
        QVERIFY(rowsOf(*tables, "SELECT * FROM step_work WHERE compute_ns = 600000").size() > 0);
        QCOMPARE(rowsOf(*tables,
                        "SELECT (SELECT count(copy_ns) + count(exposed_copy_ns) FROM step_work) + (SELECT "
                        "count(copy_ns) FROM step_parts)")
                     .dump(),
                 std::string("[[0]]"));
        QCOMPARE(rowsOf(*tables,
                        "SELECT count(*) FROM contents WHERE table_name IN ('step_work', 'step_parts', "
                        "'copies') AND missing LIKE '%do not contain memory copies%'")
                     .dump(),
                 std::string("[[3]]"));
    }
    void hangs_data()
    {
        QTest::addColumn<QString>("run");
        QTest::newRow("planted") << path(QStringLiteral("hung"));
        if (tracesFolder().isEmpty())
            return;
        for (const char* real : {"gpu_error_1st", "lock_gil_2nd"})
            QTest::newRow(real) << tracesFolder() + QStringLiteral("/flight_recorder/")
                    + QString::fromLatin1(real);
    }
    void hangs()
    {
        QFETCH(const QString, run);
        const Json answer = answerOf("hang", run);
        const auto tables = tablesOf(run, {});
        QCOMPARE(rowsOf(*tables, "SELECT hang, verdict, inconclusive, coverage FROM hang").dump(),
                 Json::array({Json::array({answer["hang"], answer["text"], answer["inconclusive"],
                                           answer["coverage"].get<double>()})})
                     .dump());
        Json findings = Json::array(), witnesses = Json::array(), accused = Json::array();
        int number = 0;
        for (const char* key : {"findings", "suspects"}) {
            const bool isSuspect = key == std::string("suspects");
            for (const Json& own : answer[key]) {
                ++number;
                const auto ofGroup = [&](const char* name) {
                    const Json& group = own["group"];
                    return group.is_null() || group[name] == "" ? Json() : group[name];
                };
                findings.push_back({number, isSuspect ? 1 : 0, own["cls"], own["text"], own["do_first"],
                                    ofGroup("name"), ofGroup("desc"), own["seq"]});
                for (const Json& rank : own["ranks"])
                    accused.push_back({number, rank, isSuspect ? "suspect" : "accused"});
                for (const Json& witness : own["witnesses"])
                    witnesses.push_back(
                        {number, witness["rank"], witness["file"], witness["record_id"], witness["state"]});
            }
        }
        QVERIFY(number > 0);
        QCOMPARE(rowsOf(*tables, "SELECT * FROM hang_findings").dump(), findings.dump());
        QCOMPARE(rowsOf(*tables, "SELECT * FROM hang_witnesses").dump(), witnesses.dump());
        QCOMPARE(rowsOf(*tables, "SELECT * FROM hang_ranks WHERE role IN ('accused', 'suspect')").dump(),
                 accused.dump());
        QCOMPARE(rowsOf(*tables, "SELECT rank FROM hang_ranks WHERE role = 'no_dump'").size(),
                 answer["missing"].size());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestExportVerdicts)

#include "tst_export_verdicts.moc"
