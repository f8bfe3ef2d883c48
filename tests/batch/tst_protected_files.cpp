// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// No output replaces what is read, nor any file that the program knows as a trace: each option that writes.

#include "tests/batch/program.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

namespace collscope {

namespace {

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(no file)");
}

} // namespace

class TestProtectedFiles : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const QString& name) const { return m_folder.filePath(name); }
    QString path(const char* name) const { return path(QString::fromLatin1(name)); }
    /// A trace under a name of its own, of another run than the one that is read.
    QString precious(const QString& name) const
    {
        const QString file = path(QStringLiteral("precious/") + name);
        QDir().mkpath(QFileInfo(file).path());
        QFile::remove(file);
        QFile::copy(path("run/rank0_trace.json.gz"), file);
        return file;
    }

private slots:
    void initTestCase()
    {
        RunFiles files;
        files.nsys = true;
        writeRun(planRun(WorkloadDescription()), path("run").toStdString(), files);
    }

    void traces_data()
    {
        QTest::addColumn<QStringList>("arguments"); // %1: the file
        QTest::addColumn<QString>("name"); // of it
        const auto add = [](const char* arguments, const char* name) {
            QTest::newRow(arguments) << QString::fromLatin1(arguments).split(u' ')
                                     << QString::fromLatin1(name);
        };
        add("--batch run --csv %1", "rank7.json.gz");
        add("--batch run --output-json %1", "rank7.json.gz");
        add("--batch run --leaderboard %1", "rank7.json.gz");
        add("--batch run --kernel-summary=%1", "rank7.json.gz");
        add("--batch run --kernel-summary --csv %1", "rank7.json.gz");
        add("--batch run --metric avg_step_time --plot %1", "rank7.png");
        add("--batch run --summary precious", "metrics_summary.csv");
        add("--batch run --report individual --output precious",
            "run/tracelens_analysis/gpu_timeline_summary_mean.xlsx");
        add("--batch run --write-scripts precious", "get_avg_step_time.sh");
        add("--batch plan run --tasks 2 -o %1", "plan.json");
        add("--screenshot %1 run", "rank7.json.gz");
    }
    void traces()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, name);
        QDir(path("precious")).removeRecursively();
        const QString trace = precious(name);
        const QByteArray before = bytesOf(trace);
        for (QString& argument : arguments) {
            argument.replace(QStringLiteral("%1"), trace);
            if (argument == QLatin1String("run") || argument == QLatin1String("precious"))
                argument = path(argument);
        }
        const ProgramRun run = runProgram(arguments);
        QVERIFY2(run.exitCode == 4, run.err.constData());
        QVERIFY2(run.err.contains("cannot write " + trace.toUtf8()) && run.err.contains("which is a trace"),
                 run.err.constData());
        QVERIFY(bytesOf(trace) == before);
    }
    /// Whatever leads to it; the sentence names what is behind the name.
    void linksToTraces()
    {
        const QString trace = path("run/rank0_trace.json.gz");
        const QByteArray before = bytesOf(trace);
        QVERIFY(QFile::link(trace, path("soft.csv")));
        std::filesystem::create_hard_link(trace.toStdString(), path("hard.csv").toStdString());
        for (const char* name : {"soft.csv", "hard.csv"}) {
            const ProgramRun run = runBatchProgram({path("run"), QStringLiteral("--csv"), path(name)});
            QCOMPARE(run.exitCode, 4);
            QVERIFY2(run.err.contains(path(name).toUtf8()), run.err.constData());
            QVERIFY(bytesOf(trace) == before);
        }
        const ProgramRun run = runBatchProgram({path("run"), QStringLiteral("--csv"), path("soft.csv")});
        QVERIFY2(run.err.contains("replace " + trace.toUtf8()), run.err.constData());
    }
    /// The name of an output was forgotten: the first trace stands in its place.
    void aForgottenName()
    {
        const QString first = path("run/rank0_trace.json.gz");
        const QByteArray before = bytesOf(first);
        const ProgramRun run
            = runBatchProgram({QStringLiteral("--csv"), first, path("run/rank1_trace.json.gz")});
        QCOMPARE(run.exitCode, 4);
        QVERIFY(bytesOf(first) == before);
    }
    void everyKindOfTrace()
    {
        for (const char* name : {"run/nsys_0.sqlite", "run/nvlink_gpu0.bin"}) {
            const QByteArray before = bytesOf(path(name));
            QVERIFY(before.size() > 16);
            const QString one = path(QStringLiteral("run/rank1_trace.json.gz"));
            const ProgramRun run = runBatchProgram({one, QStringLiteral("--output-json"), path(name)});
            QCOMPARE(run.exitCode, 4);
            QVERIFY(bytesOf(path(name)) == before);
        }
    }
    /// Cards and configurations are no traces, but they are read here.
    void inputs()
    {
        for (const QStringList& option :
             {QStringList{QStringLiteral("--card"), path("run/workload_card.yaml")},
              QStringList{QStringLiteral("--config"), path("run/train_config.toml")}, QStringList()}) {
            const QString input = option.isEmpty() ? path("run/workload_card.yaml") : option[1];
            const QByteArray before = bytesOf(input);
            const ProgramRun run
                = runBatchProgram(QStringList{path("run"), QStringLiteral("--csv"), input} + option);
            QCOMPARE(run.exitCode, 4);
            QVERIFY2(run.err.contains("cannot write " + input.toUtf8())
                         && run.err.contains("which is an input of this run"),
                     run.err.constData());
            QVERIFY(bytesOf(input) == before);
        }
    }
    void whatWasWrittenBeforeIsReplaced()
    {
        const QStringList all{path("run"),        QStringLiteral("--csv"),
                              path("again.csv"),  QStringLiteral("--output-json"),
                              path("again.json"), QStringLiteral("--leaderboard"),
                              path("row.json")};
        QCOMPARE(runBatchProgram(all).exitCode, 0);
        const ProgramRun again = runBatchProgram(all);
        QVERIFY2(again.exitCode == 0, again.err.constData());
        // Another tool's file, and a card that nobody reads now.
        for (const char* text :
             {"[]", "[1, 2]", "workload:\n  model:\n    model_family: toy\n", "", "a,b\n1,2\n"}) {
            writeFile(path("again.csv").toStdString(), text);
            QCOMPARE(runBatchProgram(all).exitCode, 0);
            QVERIFY(bytesOf(path("again.csv")).startsWith("metric,scope"));
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestProtectedFiles)
#include "tst_protected_files.moc"
