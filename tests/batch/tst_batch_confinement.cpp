// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The real program with a library in it that tries, while the program writes, what code of a stranger would
// try (tries_while_writing.cpp).

#include "tests/batch/program.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"

#include <QFile>
#include <QTemporaryDir>

#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace collscope {

namespace {

/// Asked of the kernel, not of what is tested.
bool canConfine()
{
    return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0
        && ::prctl(PR_GET_SECCOMP) >= 0;
}

} // namespace

class TestBatchConfinement : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    ProgramRun tryWith(const QStringList& outputs, QMap<QString, QString> environment) const
    {
        environment[QStringLiteral("LD_PRELOAD")] = QStringLiteral(COLLSCOPE_TRIES);
        environment[QStringLiteral("TRIED_FILE")] = path("run/rank0_tried.json");
        // Temporary files may be written, and the run lies in the usual folder of those.
        environment[QStringLiteral("TMPDIR")] = path("temporary");
        return runBatchProgram(QStringList{path("run")} + outputs, {{}, environment, {}});
    }

private slots:
    void initTestCase()
    {
        RunFiles files;
        files.nvlink = false;
        writeRun(planRun(WorkloadDescription()), path("run").toStdString(), files);
        std::filesystem::create_directories(path("temporary").toStdString());
    }
    void nothingElseWorks_data()
    {
        QTest::addColumn<QStringList>("outputs");
        const auto into = [this](const char* option, const char* name) {
            return QStringList{QString::fromLatin1(option), path("outputs/") + QString::fromLatin1(name)};
        };
        const QStringList metric{QStringLiteral("--metric"), QStringLiteral("avg_step_time")};
        QTest::newRow("table") << metric + into("--csv", "table.csv");
        QTest::newRow("values") << metric + into("--output-json", "values.json");
        QTest::newRow("picture") << metric + into("--plot", "step.png");
        QTest::newRow("report") << QStringList{QStringLiteral("--report"), QStringLiteral("text")}
                + into("--output", "reports");
        QTest::newRow("workbooks") << QStringList{QStringLiteral("--report"), QStringLiteral("individual")}
                + into("--output", "books");
    }
    void nothingElseWorks()
    {
        QFETCH(QStringList, outputs);
        std::filesystem::create_directories(path("outputs").toStdString());
        if (!canConfine())
            QSKIP("this kernel has no Landlock or no seccomp filters");
        // Sanitized, the program looks for leaks in a process of its own, which is what it gives up here.
        const ProgramRun run = tryWith(outputs,
                                       {{QStringLiteral("COLLSCOPE_CONFINE"), QString()},
                                        {QStringLiteral("ASAN_OPTIONS"), QStringLiteral("detect_leaks=0")}});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        for (const char* what : {"another file", "a connection", "a process"}) {
            QVERIFY2(run.err.contains(QByteArray(what) + ": refused"), run.err.constData());
            QVERIFY2(!run.err.contains(QByteArray(what) + ": works"), run.err.constData());
        }
        QVERIFY(!QFile::exists(path("run/rank0_tried.json")));
    }
    /// What is tried does work where nothing was given up: the test above can fail.
    void aPersonCanLeaveItOut()
    {
        const ProgramRun run = tryWith({QStringLiteral("--metric"), QStringLiteral("avg_step_time"),
                                        QStringLiteral("--csv"), path("left_out.csv")},
                                       {{QStringLiteral("COLLSCOPE_CONFINE"), QStringLiteral("off")}});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        for (const char* what : {"another file", "a connection", "a process"})
            QVERIFY2(run.err.contains(QByteArray(what) + ": works"), run.err.constData());
        QVERIFY(QFile::remove(path("run/rank0_tried.json")));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestBatchConfinement)
#include "tst_batch_confinement.moc"
