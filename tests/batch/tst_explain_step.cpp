// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// --explain-step and --clocks through the real binary.

#include "tests/batch/program.h"
#include "tests/support/runs/caused_run.h"
#include "tests/support/suite/suite.h"

#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <filesystem>

namespace collscope {

class TestExplainStep : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    ProgramRun explained(const char* folder, const QString& step, const QStringList& more = {}) const
    {
        return runBatchProgram(QStringList{path(folder), QStringLiteral("--explain-step"), step} + more);
    }

private slots:
    /// Three ranks; in step 12 rank 1 is in cudaMalloc for 600 us. `apart`: its clock is 5 ms ahead.
    void initTestCase()
    {
        for (const bool isApart : {false, true}) {
            CausedRun run(3, {});
            run.play([&](int step, int rank, int place) {
                if (step == 12 && rank == 1 && place == 1)
                    run.cpu(rank, "cudaMalloc", 600, "cuda_runtime");
            });
            if (isApart)
                run.run().shiftClock(1, 5000);
            run.run().write(path(isApart ? "apart" : "run").toStdString());
        }
        std::filesystem::create_directories(path("empty").toStdString());
    }
    void text()
    {
        const ProgramRun run = explained("run", QStringLiteral("12"));
        QVERIFY2(run.exitCode == 0, run.err.constData());
        const QList<QByteArray> lines = run.out.trimmed().split('\n');
        QVERIFY2(lines.size() >= 5, run.out.constData());
        QCOMPARE(lines.front(), QByteArray("Step 12: Rank 1 delayed the other ranks: memory allocation."));
        for (qsizetype i = 1; i + 1 < lines.size(); ++i)
            QVERIFY2(lines[i].startsWith(QByteArray::number(i) + ". ") && lines[i].endsWith('.'),
                     lines[i].constData());
        QVERIFY2(lines[1].startsWith("1. Step 12 lasted "), run.out.constData());
        QVERIFY2(lines.last().startsWith("Clocks "), run.out.constData());
        QVERIFY2(run.out.contains("Rank 1 arrived ") && run.out.contains("`cudaMalloc`"),
                 run.out.constData());
    }
    void json()
    {
        for (const char* folder : {"run", "apart"}) {
            const ProgramRun run = explained(folder, QStringLiteral("12"), {QStringLiteral("--json")});
            QCOMPARE(run.exitCode, 0);
            const auto answer = jsonOf(run.out);
            QVERIFY2(!answer.is_discarded(), run.out.constData());
            QCOMPARE(answer["step"].get<int>(), 12);
            QCOMPARE(answer["verdict"].get<std::string>(), std::string("late_rank"));
            QCOMPARE(answer["cause"].get<std::string>(), std::string("memory_allocation"));
            QCOMPARE(answer["rank"].get<int>(), 1);
            QVERIFY(answer["duration_us"].get<double>()
                    > answer["other_steps_median_us"].get<double>() + 500);
            QVERIFY(answer["clocks"].is_string());
            bool isShown = false;
            for (const auto& clause : answer["clauses"]) {
                QVERIFY(!clause["text"].get<std::string>().empty());
                QVERIFY(clause["begin_us"].get<double>() <= clause["end_us"].get<double>());
                QVERIFY(clause["duration_us"].is_number() && clause["slices"].is_array());
                for (const auto& slice : clause["slices"])
                    isShown = isShown || (slice == "cudaMalloc" && clause["rank"] == 1);
            }
            QVERIFY(isShown);
        }
    }
    void clocks()
    {
        const QStringList raw{QStringLiteral("--clocks"), QStringLiteral("raw"), QStringLiteral("--json")};
        const auto answer = jsonOf(explained("apart", QStringLiteral("12"), raw).out);
        QVERIFY2(answer["clocks"].get<std::string>().starts_with("Raw clocks"), answer.dump().c_str());
        const auto aligned = jsonOf(explained("apart", QStringLiteral("12"), {QStringLiteral("--json")}).out);
        QVERIFY2(aligned["clocks"].get<std::string>().starts_with("Clocks aligned"), aligned.dump().c_str());
        // Metrics that compare ranks take the option too.
        const auto skew = [&](const char* clocks) {
            const ProgramRun run
                = runBatchProgram({path("apart"), QStringLiteral("--metric"), QStringLiteral("straggler"),
                                   QStringLiteral("--clocks"), QString::fromLatin1(clocks)});
            return run.out.trimmed().toDouble();
        };
        QVERIFY(skew("raw") > skew("aligned"));
        QCOMPARE(skew("auto"), skew("aligned"));
    }
    void unavailable()
    {
        const ProgramRun missing = explained("run", QStringLiteral("99"), {QStringLiteral("--json")});
        QCOMPARE(missing.exitCode, 3);
        QVERIFY2(missing.err.contains("10-13"), missing.err.constData());
        const auto answer = jsonOf(missing.out);
        QVERIFY(answer["verdict"].is_null());
        QVERIFY2(missing.err.contains(answer["reason"].get<std::string>().c_str()), missing.err.constData());
        const ProgramRun quiet = explained("run", QStringLiteral("99"));
        QVERIFY(quiet.exitCode == 3 && quiet.out.isEmpty());
        const ProgramRun noRank
            = explained("run", QStringLiteral("12"), {QStringLiteral("--rank"), QStringLiteral("7")});
        QCOMPARE(noRank.exitCode, 3);
        QVERIFY2(noRank.err.contains("rank 7"), noRank.err.constData());
        QCOMPARE(explained("empty", QStringLiteral("12")).exitCode, 2);
    }
    void usage_data()
    {
        QTest::addColumn<QString>("arguments");
        for (const char* arguments :
             {"--explain-step -1", "--explain-step x", "--explain-step", "--explain-step 12 --steps all",
              "--explain-step 12 --range 1-2", "--explain-step 12 --attribution launch",
              "--explain-step 12 --metric straggler", "--explain-step 12 --report text",
              "--explain-step 12 --csv -", "--clocks wrong"})
            QTest::newRow(arguments) << QString::fromLatin1(arguments);
    }
    void usage()
    {
        QFETCH(QString, arguments);
        const ProgramRun run = runBatchProgram(QStringList{path("run")} + arguments.split(u' '));
        QCOMPARE(run.exitCode, 1);
        QVERIFY(run.out.isEmpty() && run.err.endsWith('\n'));
    }
    void needsBatch()
    {
        for (const char* option : {"--explain-step", "--clocks"}) {
            const ProgramRun run = runProgram(
                {path("run"), QString::fromLatin1(option),
                 option == std::string_view("--clocks") ? QStringLiteral("raw") : QStringLiteral("12")});
            QCOMPARE(run.exitCode, 1);
            QVERIFY2(run.err.contains("needs --batch"), run.err.constData());
        }
        const ProgramRun help = runProgram({QStringLiteral("--help")});
        QVERIFY(help.out.contains("--explain-step") && help.out.contains("--clocks"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestExplainStep)
#include "tst_explain_step.moc"
