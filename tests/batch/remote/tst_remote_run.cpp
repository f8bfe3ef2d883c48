// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Runs on another machine, through the real ssh and an sshd of this machine: the same numbers as where they
// lie, nothing sent twice, and a sentence that helps for everything that can be missing.

#include "tests/batch/program.h"
#include "tests/batch/remote/ssh_server.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_description.h"
#include "tests/support/workloads/run_writer.h"

#include <QDirIterator>
#include <QFileInfo>

namespace collscope {

class TestRemoteRun : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    SshServer m_server;
    QString m_missing; ///< why sshd cannot be started; empty: it runs

    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    QString address(const char* run, const QString& options = {}) const
    {
        return QStringLiteral("ssh://elsewhere") + path(run) + QStringLiteral("?program=")
            + QFileInfo(QStringLiteral(COLLSCOPE_PROGRAM)).absoluteFilePath() + options;
    }
    ProgramSurroundings here() const
    {
        ProgramSurroundings surroundings;
        surroundings.environment
            = {{QStringLiteral("PATH"), m_server.programs() + QStringLiteral(":/usr/bin:/bin")},
               {QStringLiteral("XDG_CACHE_HOME"), path("cache")}};
        return surroundings;
    }
    ProgramRun batch(const QStringList& arguments) const { return runBatchProgram(arguments, here()); }
    /// Names and times of the parts that are kept.
    QMap<QString, QDateTime> keptParts() const
    {
        QMap<QString, QDateTime> parts;
        QDirIterator files(path("cache"), {QStringLiteral("*.cspart")}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            files.next();
            parts[files.filePath()] = files.fileInfo().lastModified();
        }
        return parts;
    }

private slots:
    void initTestCase()
    {
        m_missing = m_server.start();
        WorkloadDescription description;
        RunFiles files;
        files.nvlink = false;
        writeRun(planRun(description), path("run").toStdString(), files);
        writeRun(planRun(description), path("a name with 'quotes' & $HOME").toStdString(), files);
        description.steps += 1;
        writeRun(planRun(description), path("two/b").toStdString(), files);
        writeRun(planRun(description), path("two/a").toStdString(), files);
    }
    void init()
    {
        if (!m_missing.isEmpty())
            QSKIP(qPrintable(m_missing));
    }
    void numbersAreThoseOfTheOtherMachine()
    {
        const QStringList asked{QStringLiteral("--metric"), QStringLiteral("all"), QStringLiteral("--csv"),
                                QStringLiteral("-")};
        const ProgramRun far = batch(QStringList{address("run")} + asked);
        QVERIFY2(far.exitCode == 0, far.err.constData());
        const ProgramRun near = batch(QStringList{path("run")} + asked);
        QVERIFY(near.out.size() > 1000);
        QCOMPARE(far.out, near.out);
        // With less, it is what `plan` keeps for metrics.
        QVERIFY(batch({QStringLiteral("plan"), path("run"), QStringLiteral("--tasks"), QStringLiteral("1"),
                       QStringLiteral("--keep"), QStringLiteral("metrics"), QStringLiteral("-o"),
                       path("plan.json")})
                    .exitCode
                == 0);
        QVERIFY(batch({QStringLiteral("reduce"), path("plan.json"), QStringLiteral("--task"),
                       QStringLiteral("0"), QStringLiteral("-o"), path("parts")})
                    .exitCode
                == 0);
        QCOMPARE(batch(QStringList{address("run", QStringLiteral("&keep=metrics"))} + asked).out,
                 batch(QStringList{QStringLiteral("merge"), path("parts")} + asked).out);
    }
    /// Also the causes, which need the events of the CPU.
    void findingsAreThoseOfTheOtherMachine()
    {
        const QStringList asked{QStringLiteral("--json"), QStringLiteral("--without-run")};
        QCOMPARE(batch(QStringList{QStringLiteral("findings"), address("run")} + asked).out,
                 batch(QStringList{QStringLiteral("findings"), path("run")} + asked).out);
    }
    /// A part that was damaged here comes again.
    void aDamagedPartHeals()
    {
        const QStringList asked{address("run"), QStringLiteral("--metric"), QStringLiteral("avg_step_time")};
        const QByteArray sound = batch(asked).out;
        for (const QString& part : keptParts().keys()) {
            QFile file(part);
            QVERIFY(file.open(QIODevice::ReadWrite));
            QVERIFY(file.seek(file.size() / 2));
            file.write("damage");
        }
        const ProgramRun again = batch(asked);
        QVERIFY2(!again.err.contains("damaged"), again.err.constData());
        QCOMPARE(again.out, sound);
    }
    void whatLiesBesideTheTracesIsNotSent()
    {
        QVERIFY(QDir().mkpath(path("logs")));
        WorkloadDescription description;
        RunFiles files;
        files.nvlink = false;
        writeRun(planRun(description), path("logs").toStdString(), files);
        QFile log(path("logs/nccl.log"));
        QVERIFY(log.open(QIODevice::WriteOnly));
        log.write("n1:1:2 [0] NCCL INFO Using network IB\n");
        log.close();
        const ProgramRun findings = batch({QStringLiteral("findings"), address("logs")});
        QVERIFY2(findings.err.contains("not part of the reduced run"), findings.err.constData());
        const ProgramRun network = batch({QStringLiteral("network"), address("logs")});
        QCOMPARE(network.exitCode, 3);
        QVERIFY2(network.err.contains("not sent from another machine"), network.err.constData());
    }
    void filesAreNamedWithTheMachine()
    {
        const ProgramRun run
            = batch({address("run"), QStringLiteral("--metric"), QStringLiteral("avg_step_time"),
                     QStringLiteral("--output-json"), path("report.json")});
        QCOMPARE(run.exitCode, 0);
        QFile report(path("report.json"));
        QVERIFY(report.open(QIODevice::ReadOnly));
        QVERIFY(report.readAll().contains("ssh://elsewhere" + path("run").toUtf8() + "/"));
    }
    void partsAreNotSentAgain()
    {
        QDir(path("cache")).removeRecursively();
        const QStringList asked{address("run"), QStringLiteral("--metric"), QStringLiteral("avg_step_time")};
        const ProgramRun first = batch(asked);
        QCOMPARE(first.exitCode, 0);
        const QMap<QString, QDateTime> before = keptParts();
        QVERIFY(before.size() >= 4);
        // One that is lost comes again, alone.
        QVERIFY(QFile::remove(before.firstKey()));
        const ProgramRun again = batch(asked);
        QCOMPARE(again.out, first.out);
        const QMap<QString, QDateTime> after = keptParts();
        QCOMPARE(after.keys(), before.keys());
        int changed = 0;
        for (auto part = after.begin(); part != after.end(); ++part)
            changed += part.value() != before[part.key()] ? 1 : 0;
        QCOMPARE(changed, 1);
    }
    void aTraceThatChangedIsReadAgain()
    {
        WorkloadDescription description;
        RunFiles files;
        files.nvlink = false;
        writeRun(planRun(description), path("changing").toStdString(), files);
        const QStringList asked{QStringLiteral("--metric"), QStringLiteral("avg_step_time")};
        const QByteArray before = batch(QStringList{address("changing")} + asked).out;
        description.stepNs *= 2;
        QVERIFY(QDir(path("changing")).removeRecursively());
        writeRun(planRun(description), path("changing").toStdString(), files);
        const QByteArray after = batch(QStringList{address("changing")} + asked).out;
        QVERIFY(before != after);
        QCOMPARE(after, batch(QStringList{path("changing")} + asked).out);
    }
    void namesAreNotReadByAShell()
    {
        const QStringList asked{QStringLiteral("--metric"), QStringLiteral("avg_step_time")};
        QString name = address("a name with 'quotes' & $HOME");
        name.replace(u' ', QStringLiteral("%20"));
        const ProgramRun run = batch(QStringList{name} + asked);
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QCOMPARE(run.out, batch(QStringList{path("a name with 'quotes' & $HOME")} + asked).out);
    }
    void whatIsMissingIsSaid_data()
    {
        QTest::addColumn<QString>("run");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QByteArray>("sentence");
        QTest::newRow("program") << QStringLiteral("ssh://elsewhere") + path("run") << 2
                                 << QByteArray("scp collscope-batch-");
        QTest::newRow("that program")
            << QStringLiteral("ssh://elsewhere") + path("run") + QStringLiteral("?program=/nowhere/collscope")
            << 2 << QByteArray("/nowhere/collscope cannot be run there");
        QTest::newRow("folder") << address("nothing") << 2 << QByteArray("elsewhere: ");
        QTest::newRow("one run") << address("two") << 1 << QByteArray("contains 2 runs");
        QTest::newRow("machine") << QStringLiteral("ssh://nowhere.invalid/run") << 2
                                 << QByteArray("nowhere.invalid: ssh cannot connect");
        QTest::newRow("address") << QStringLiteral("ssh://-oProxyCommand=x/run") << 1
                                 << QByteArray("The name of the machine is missing");
        QTest::newRow("path") << QStringLiteral("ssh://elsewhere") << 1
                              << QByteArray("The folder is missing");
    }
    void whatIsMissingIsSaid()
    {
        QFETCH(const QString, run);
        QFETCH(const int, exitCode);
        QFETCH(const QByteArray, sentence);
        const ProgramRun answer = batch({run, QStringLiteral("--metric"), QStringLiteral("avg_step_time")});
        QVERIFY2(answer.exitCode == exitCode, answer.err.constData());
        QVERIFY2(answer.err.contains(sentence), answer.err.constData());
        QVERIFY(answer.out.isEmpty());
    }
    void nothingIsWrittenIntoTheRun()
    {
        const QStringList before = QDir(path("run")).entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
        QCOMPARE(batch({QStringLiteral("findings"), address("run")}).exitCode, 0);
        QCOMPARE(QDir(path("run")).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), before);
    }
    void twoMachinesAreCompared()
    {
        const ProgramRun run = batch({QStringLiteral("gate"), address("run"), path("run"),
                                      QStringLiteral("--max"), QStringLiteral("avg_step_time=+2%")});
        QVERIFY2(run.exitCode == 0 || run.exitCode == 3, run.err.constData());
        QVERIFY(run.out.contains("avg_step_time"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestRemoteRun)
#include "tst_remote_run.moc"
