// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A folder of several runs on the command line: a list and exit code 1, never one run; findings on stderr.

#include "tests/batch/program.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_description.h"
#include "tests/support/workloads/run_writer.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

namespace collscope {

class TestSeveralRuns : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    static void write(const QString& folder, int steps)
    {
        WorkloadDescription description;
        description.steps = steps;
        RunFiles files;
        files.nvlink = false;
        writeRun(planRun(description), folder.toStdString(), files);
    }

private slots:
    void initTestCase()
    {
        write(path("runs/a"), 4);
        write(path("runs/b"), 5);
        write(path("whole"), 4);
    }
    void theListIsAnError()
    {
        for (const QStringList& arguments :
             {QStringList{path("runs")},
              QStringList{path("runs"), QStringLiteral("--metric"), QStringLiteral("avg_step_time")},
              QStringList{QStringLiteral("--report"), QStringLiteral("individual"), path("runs"),
                          QStringLiteral("--output"), path("out")},
              QStringList{QStringLiteral("plan"), path("runs"), QStringLiteral("--tasks"),
                          QStringLiteral("2"), QStringLiteral("-o"), path("plan.json")},
              QStringList{QStringLiteral("--baseline"), path("runs"), QStringLiteral("--test"), path("whole"),
                          QStringLiteral("--output"), path("out")}}) {
            const ProgramRun run = runBatchProgram(arguments);
            QVERIFY2(run.exitCode == 1, run.err.constData());
            QVERIFY(run.out.isEmpty());
            QVERIFY2(run.err.contains("contains 2 runs."), run.err.constData());
            QVERIFY2(run.err.contains("  a: ranks 0-3, recorded 20"), run.err.constData());
            QVERIFY2(run.err.contains("  b: ranks 0-3, recorded 20"), run.err.constData());
        }
        QVERIFY(!QDir(path("out")).exists() && !QFile::exists(path("plan.json")));
    }
    void theReasonStandsInTheJson()
    {
        const ProgramRun run = runBatchProgram({path("runs"), QStringLiteral("--metric"),
                                                QStringLiteral("avg_step_time"), QStringLiteral("--json")});
        QCOMPARE(run.exitCode, 1);
        const nlohmann::json json = jsonOf(run.out);
        QVERIFY(json["avg_step_time"]["value"].is_null());
        QVERIFY(json["avg_step_time"]["reason"].get<std::string>().find("contains 2 runs")
                != std::string::npos);
    }
    void oneOfThemIsARun()
    {
        const ProgramRun run
            = runBatchProgram({path("runs/a"), QStringLiteral("--metric"), QStringLiteral("avg_step_time")});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.err.isEmpty(), run.err.constData());
    }
    void whoInsistsGetsOneRun()
    {
        const ProgramRun run = runBatchProgram({QStringLiteral("--merge-paths"), path("runs"),
                                                QStringLiteral("--metric"), QStringLiteral("avg_step_time")});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.err.contains("[several_runs"), run.err.constData());
    }
    void theDoctorListsThemToo()
    {
        const ProgramRun run = runBatchProgram({QStringLiteral("--doctor"), path("runs")});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.out.contains("  several_runs\n"), run.out.constData());
        QVERIFY2(run.out.contains("contains 2 runs."), run.out.constData());
        QVERIFY2(run.out.contains("\n      a: ranks 0-3, recorded 20"), run.out.constData());
        QVERIFY2(run.out.contains("\n      b: ranks 0-3, recorded 20"), run.out.constData());
        const ProgramRun one = runBatchProgram({QStringLiteral("--doctor"), path("whole")});
        QVERIFY2(!one.out.contains("several_runs"), one.out.constData());
    }
    void missingAndEmptyFilesAreOnStderr()
    {
        write(path("missing"), 4);
        QVERIFY(QFile::remove(path("missing/rank2_trace.json.gz")));
        QFile empty(path("missing/rank1_trace.json.gz"));
        QVERIFY(empty.open(QIODevice::WriteOnly | QIODevice::Truncate));
        empty.close();
        const ProgramRun run
            = runBatchProgram({path("missing"), QStringLiteral("--metric"), QStringLiteral("avg_step_time")});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.err.contains("data loss: 2 of the run's 4 ranks are loaded"), run.err.constData());
        QVERIFY2(run.err.contains("No data for ranks 1, 2. Reason for rank 1: its file is empty."),
                 run.err.constData());
        QVERIFY(run.err.contains("[empty_file]"));
        QVERIFY2(run.err.contains("warning: avg_step_time: 2 of the run's 4 ranks"), run.err.constData());
    }
    void realCyclesAreTwoRuns()
    {
        if (tracesFolder().isEmpty())
            QSKIP("no real traces: set COLLSCOPE_TRACES");
        const ProgramRun run
            = runBatchProgram({tracesFolder() + QStringLiteral("/multirank/quentin_cycles")});
        QCOMPARE(run.exitCode, 1);
        QVERIFY2(run.err.contains("contains 2 runs"), run.err.constData());
        QVERIFY2(run.err.contains("  dc3b0e7228dd_851: "), run.err.constData());
        QVERIFY2(run.err.contains("  dcb0aa1a78e7_4399: "), run.err.constData());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestSeveralRuns)
#include "tst_several_runs.moc"
