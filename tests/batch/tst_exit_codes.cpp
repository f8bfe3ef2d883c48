// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Arguments, exit codes and streams of --batch, through the real binary.

#include "tests/batch/program.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

namespace collscope {

class TestExitCodes : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    static QStringList words(const char* text)
    {
        return QString::fromLatin1(text).split(u' ', Qt::SkipEmptyParts);
    }

private slots:
    void initTestCase()
    {
        RunFiles files;
        files.nvlink = false;
        writeRun(planRun(WorkloadDescription()), path("run").toStdString(), files);
        std::filesystem::create_directories(path("empty").toStdString());
        std::filesystem::create_directories(path("texts").toStdString());
        writeFile(path("texts/notes.txt").toStdString(), "hello");
        writeFile(path("texts/results.json").toStdString(), "{\"accuracy\": 1}");
        std::filesystem::create_directories(path("card").toStdString());
        writeFile(path("card/workload_card.yaml").toStdString(),
                  "workload:\n  model:\n    model_family: toy\n");
        writeFile(path("wrong.bin").toStdString(), "NVX9 is not the magic");
        writeFile(path("empty.json").toStdString(), "");
        writeFile(path("broken.sqlite").toStdString(), "SQLite format 3, but no more");
    }
    void usage_data()
    {
        QTest::addColumn<QString>("arguments");
        for (const char* arguments : {"--batch",
                                      "--batch run --nonsense",
                                      "--batch run --metric nonsense",
                                      "--batch run --rank minus",
                                      "--batch run --rank -1",
                                      "--batch run --direction up",
                                      "--batch run --steps some",
                                      "--batch run --steps 5-2",
                                      "--batch run --range 7",
                                      "--batch run --top 0",
                                      "--batch run --iteration first",
                                      "--batch run --profile-mode guess",
                                      "--batch run --csv",
                                      "--batch run --json --csv -",
                                      "--batch run --theme dark",
                                      "--batch run --goto x@0-5",
                                      "run --size 800x600",
                                      "run --threads 2",
                                      "run -v",
                                      "run --json",
                                      "run --steps all",
                                      "--batch run --rank 1 --gpu 2",
                                      "--batch run --max-memory much",
                                      "--batch run --max-memory 0"})
            QTest::newRow(arguments) << QString::fromLatin1(arguments);
    }
    void usage()
    {
        QFETCH(QString, arguments);
        const ProgramRun run = runProgram(arguments.replace(QStringLiteral("run"), path("run")).split(u' '));
        QCOMPARE(run.exitCode, 1);
        QVERIFY(run.out.isEmpty());
        QVERIFY2(run.err.contains(' ') && run.err.endsWith('\n'), run.err.constData());
    }
    void unknownMetricsAreAnsweredWithTheNearest()
    {
        const ProgramRun run
            = runBatchProgram({path("run"), QStringLiteral("--metric"), QStringLiteral("avg_step_tim")});
        QCOMPARE(run.exitCode, 1);
        QVERIFY2(run.err.contains("avg_step_time"), run.err.constData());
    }
    void runsWithoutAHistoryHaveNoAnswer()
    {
        const ProgramRun run = runBatchProgram({QStringLiteral("history"), path("run")});
        QCOMPARE(run.exitCode, 3);
        QVERIFY(run.out.isEmpty());
        QVERIFY2(run.err.contains("neither a log with times of steps"), run.err.constData());
        QCOMPARE(runBatchProgram({QStringLiteral("history"), path("texts")}).exitCode, 2);
    }
    void unreadable_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"empty", "texts", "card", "missing", "texts/notes.txt", "wrong.bin",
                                 "empty.json", "broken.sqlite"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void unreadable()
    {
        QFETCH(QString, name);
        const ProgramRun run = runBatchProgram(
            {m_folder.filePath(name), QStringLiteral("--metric"), QStringLiteral("avg_step_time")});
        QCOMPARE(run.exitCode, 2);
        QVERIFY2(run.err.contains(' ') && run.err.endsWith('\n'), run.err.constData());
        QVERIFY2(run.err.contains(name.section(u'/', -1).toUtf8()), run.err.constData());
        QVERIFY(run.out.isEmpty());
        // With --json a script gets the same sentence as an answer.
        const ProgramRun asJson = runBatchProgram({m_folder.filePath(name), QStringLiteral("--json")});
        QCOMPARE(asJson.exitCode, 2);
        const auto answer = jsonOf(asJson.out)["avg_step_time"];
        QCOMPARE(answer["status"].get<std::string>(), std::string("missing_input"));
        QVERIFY2(run.err.contains(answer["reason"].get<std::string>().c_str()), run.err.constData());
    }
    void unavailable()
    {
        const ProgramRun run = runBatchProgram({path("run"), QStringLiteral("--metric"),
                                                QStringLiteral("max_throughput"), QStringLiteral("--json")});
        QCOMPARE(run.exitCode, 3);
        const auto answer = jsonOf(run.out)["max_throughput"];
        QVERIFY(answer["value"].is_null());
        QCOMPARE(answer["status"].get<std::string>(), std::string("missing_input"));
        QVERIFY2(run.err.contains(answer["reason"].get<std::string>().c_str()), run.err.constData());
        // Among several, a missing one is a row of the answer, not a failure.
        QCOMPARE(runBatchProgram({path("run"), QStringLiteral("--metric"),
                                  QStringLiteral("avg_step_time,max_throughput")})
                     .exitCode,
                 0);
    }
    void unwritable()
    {
        for (const char* option : {"--csv", "--output-json"}) {
            const ProgramRun run
                = runBatchProgram({path("run"), QString::fromLatin1(option), path("no/such/folder/file")});
            QCOMPARE(run.exitCode, 4);
            QVERIFY2(run.err.contains("no/such/folder"), run.err.constData());
        }
    }
    void noDisplay()
    {
        ProgramSurroundings unreachable;
        unreachable.environment = {{QStringLiteral("DISPLAY"), QStringLiteral(":4711")}};
        ProgramSurroundings unknown;
        unknown.environment = {{QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("no-such-platform")}};
        for (const ProgramSurroundings& surroundings : {ProgramSurroundings(), unreachable, unknown}) {
            for (const QStringList& arguments : {QStringList(), QStringList{path("run")}}) {
                const ProgramRun run = runProgram(arguments, surroundings);
                QCOMPARE(run.exitCode, 4);
                QVERIFY2(run.err.startsWith("collscope: cannot open a window because no display")
                             && run.err.contains("--batch") && run.err.contains("--screenshot FILE.png"),
                         run.err.constData());
                QCOMPARE(run.err.count('\n'), qsizetype{1});
            }
        }
        const ProgramRun picture
            = runProgram({QStringLiteral("--screenshot"), path("p.png"), path("run")}, unknown);
        QCOMPARE(picture.exitCode, 4);
    }
    void reportsAreExportedOnlyOnRequest()
    {
        std::filesystem::create_directories(path("report").toStdString());
        std::filesystem::create_directories(path("bin").toStdString());
        writeFile(path("report/r.nsys-rep").toStdString(), "report");
        RunFiles files;
        files.kineto = files.nvlink = files.card = false;
        files.nsys = true;
        writeRun(planRun(WorkloadDescription()), path("exported").toStdString(), files);
        // A stand-in for nsys that tells of its runs and writes its --output.
        writeFile(path("bin/nsys").toStdString(),
                  "#!/bin/sh\n/bin/echo run >> '" + path("calls").toStdString() + "'\n/bin/cp '"
                      + path("exported/nsys_0.sqlite").toStdString() + "' \"$5\"\n");
        std::filesystem::permissions(path("bin/nsys").toStdString(), std::filesystem::perms::owner_all);
        ProgramSurroundings surroundings;
        surroundings.environment
            = {{QStringLiteral("PATH"), path("bin")}, {QStringLiteral("XDG_CACHE_HOME"), path("cache")}};
        const QStringList arguments{path("report"), QStringLiteral("--metric"),
                                    QStringLiteral("total_kernel_time")};
        for (const QStringList& more : {QStringList(), QStringList{QStringLiteral("--doctor")}}) {
            const ProgramRun run
                = runBatchProgram(more.isEmpty() ? arguments : more + arguments.mid(0, 1), surroundings);
            QVERIFY(run.exitCode == 2 || !more.isEmpty());
            QVERIFY2((run.out + run.err).contains("nsys export --type sqlite")
                         && (run.out + run.err).contains("--export-nsys"),
                     run.err.constData());
            QVERIFY2(!QFile::exists(path("calls")), "opening a folder started a program");
        }
        const ProgramRun asked
            = runBatchProgram(arguments + QStringList{QStringLiteral("--export-nsys")}, surroundings);
        QVERIFY2(asked.exitCode == 0, asked.err.constData());
        QVERIFY(QFile::exists(path("calls")));
        // What is exported already is read without another word.
        const ProgramRun again = runBatchProgram(arguments, surroundings);
        QCOMPARE(again.exitCode, 0);
        QCOMPARE(again.out, asked.out);
        QFile calls(path("calls"));
        QVERIFY(calls.open(QIODevice::ReadOnly));
        QCOMPARE(calls.readAll(), QByteArray("run\n"));
    }
    void noPlaceForTemporaryFiles()
    {
        ProgramSurroundings surroundings;
        surroundings.environment = {{QStringLiteral("TMPDIR"), QStringLiteral("/nonexistent")}};
        const ProgramRun run
            = runBatchProgram({path("run"), QStringLiteral("--report"), QStringLiteral("individual"),
                               QStringLiteral("--output"), path("reports")},
                              surroundings);
        QCOMPARE(run.exitCode, 4);
        QVERIFY2(run.err.contains("TMPDIR"), run.err.constData());
    }
    void picturesAreFilesWhateverTheCaseOfTheirEnding()
    {
        QCOMPARE(
            runBatchProgram({path("run"), QStringLiteral("--metric"), QStringLiteral("total_kernel_time"),
                             QStringLiteral("--plot"), path("out.Png")})
                .exitCode,
            0);
        QVERIFY(QFileInfo(path("out.Png")).isFile());
    }
    void helpAndVersion()
    {
        const ProgramRun help = runProgram({QStringLiteral("--help")});
        QCOMPARE(help.exitCode, 0);
        for (const char* option :
             {"--batch", "--metric", "--json", "--csv", "--rank", "--steps", "--screenshot"})
            QVERIFY2(help.out.contains(option), option);
        const ProgramRun version = runProgram({QStringLiteral("--version")});
        QCOMPARE(version.exitCode, 0);
        QVERIFY2(version.out.startsWith("collscope " COLLSCOPE_VERSION "\n"), version.out.constData());
        for (const char* fact : {"\nsource: ", "\nbuilt: ", "\nQt: ", "\nlicence: GPL-3.0-or-later\n"})
            QVERIFY2(version.out.contains(fact), fact);
    }
    void lists()
    {
        const ProgramRun list = runBatchProgram({QStringLiteral("--list-metrics"), QStringLiteral("--json")});
        QCOMPARE(list.exitCode, 0);
        QVERIFY(!jsonOf(list.out).is_discarded());
        for (const char* id : {"avg_step_time", "comm_comp_overlap", "coll_call_num", "max_throughput",
                               "avg_throughput", "total_communication", "nvlink_all", "peak_kernels"})
            QVERIFY2(list.out.contains(id), id);
        QVERIFY(runBatchProgram({QStringLiteral("--list")}).out.contains("avg_step_time"));
    }
    void explains()
    {
        const ProgramRun run = runBatchProgram(
            {QStringLiteral("--explain"), QStringLiteral("comm_comp_overlap"), path("run")});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.out.contains("comm_comp_overlap") && run.out.contains('%'), run.out.constData());
    }
    void nothingIsWrittenIntoTheRun()
    {
        const auto entries = [this] {
            std::size_t count = 0;
            for (const auto& entry : std::filesystem::recursive_directory_iterator(path("run").toStdString()))
                count += entry.exists() ? 1u : 0u;
            return count;
        };
        const std::size_t before = entries();
        QCOMPARE(runBatchProgram({path("run")}).exitCode, 0);
        QCOMPARE(entries(), before);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestExitCodes)
#include "tst_exit_codes.moc"
