// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Disks that fail or are full, streams that are closed, homes that are not there, a kill at the worst moment:
// the real program, in a process to which the kernel does that.

#include "tests/batch/program.h"
#include "tests/batch/syscall_faults.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace collscope {

namespace {

QByteArray foundIn(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(no file)");
}

/// Can the kernel be told to make faults? Not in every container.
bool canMakeFaults()
{
    const pid_t child = fork();
    if (child == 0)
        _exit(install({SYS_getppid, 0, 0, EIO}) && syscall(SYS_getppid) == -1 ? 0 : 1);
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

} // namespace

class TestMachineFaults : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    bool m_hasFaults = false;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    ProgramRun stepTime(const QStringList& more, const ProgramSurroundings& surroundings = {}) const
    {
        return runBatchProgram(
            QStringList{path("run"), QStringLiteral("--metric"), QStringLiteral("avg_step_time")} + more,
            surroundings);
    }
    ProgramSurroundings with(const SyscallFault& fault) const
    {
        return {[fault] { install(fault); }, {}, {}};
    }
    /// Every way to make a file, as arguments behind the run's; %1 is the file or folder.
    static const QList<QStringList>& outputs()
    {
        static const QList<QStringList> all{
            {QStringLiteral("--csv"), QStringLiteral("%1")},
            {QStringLiteral("--output-json"), QStringLiteral("%1")},
            {QStringLiteral("--leaderboard"), QStringLiteral("%1")},
            {QStringLiteral("--kernel-summary=%1")},
            {QStringLiteral("--plot"), QStringLiteral("%1.png")},
        };
        return all;
    }
    QStringList filled(QStringList arguments, const QString& target) const
    {
        for (QString& argument : arguments)
            argument.replace(QStringLiteral("%1"), target);
        const bool isMetric = !arguments.first().startsWith(QLatin1String("--kernel-summary"));
        return (isMetric ? QStringList{QStringLiteral("--metric"), QStringLiteral("coll_call_num")}
                         : QStringList())
            + arguments;
    }

private slots:
    void initTestCase()
    {
        RunFiles files;
        files.nvlink = false;
        writeRun(planRun(WorkloadDescription()), path("run").toStdString(), files);
        m_hasFaults = canMakeFaults();
    }

    void readErrorsAreFindings()
    {
        if (!m_hasFaults)
            QSKIP("this kernel makes no faults");
        std::string text = "{\"traceEvents\": [";
        for (int i = 0; i < 4000; ++i)
            text += (i ? "," : "")
                + std::string("{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":")
                + std::to_string(i * 10) + ",\"dur\":5}\n";
        std::filesystem::create_directories(path("bad").toStdString());
        writeFile(path("bad/rank0.json").toStdString(), text + "]}");
        constexpr std::uint32_t sound = 200'000;
        const ProgramRun run
            = runBatchProgram({path("bad"), QStringLiteral("--output-json"), path("bad.json"),
                               QStringLiteral("--metric"), QStringLiteral("total_kernel_time")},
                              with({SYS_pread64, 3, sound, EIO}));
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.err.contains("[read_error]") && run.err.contains("Input/output error"),
                 run.err.constData());
        const auto report = jsonOf(foundIn(path("bad.json")));
        const auto& file = report["run"]["files"][0];
        const int shown = file["shown"].get<int>();
        QVERIFY2(shown > 2000 && shown < 4000, std::to_string(shown).c_str());
        QCOMPARE(file["events"].get<int>(), shown + file["excluded"].get<int>());
    }

    void fullDisksLeaveNothingBehind_data()
    {
        QTest::addColumn<QStringList>("arguments");
        for (const QStringList& arguments : outputs())
            QTest::newRow(qPrintable(arguments.first().left(16))) << arguments;
    }
    void fullDisksLeaveNothingBehind()
    {
        QFETCH(QStringList, arguments);
        if (!m_hasFaults)
            QSKIP("this kernel makes no faults");
        const QTemporaryDir folder;
        const QString target = folder.filePath(QStringLiteral("out"));
        const QStringList all = QStringList{path("run")} + filled(arguments, target);
        // ENOSPC of write() to anything but the streams, of fsync(), and a limit of the file size.
        const ProgramSurroundings limited{[] {
                                              const rlimit none{16, 16};
                                              setrlimit(RLIMIT_FSIZE, &none);
                                          },
                                          {},
                                          {}};
        std::vector<ProgramSurroundings> faults{with({SYS_fsync, 0, 0, ENOSPC}), limited};
        if (!isSanitized) // a sanitizer looks at memory by writing it to a pipe of its own
            faults.push_back(with({SYS_write, 0, 3, ENOSPC}));
        for (const ProgramSurroundings& fault : faults) {
            const ProgramRun run = runBatchProgram(all, fault);
            QVERIFY2(run.exitCode == 4, run.err.constData());
            QVERIFY2(run.err.contains("cannot write") && run.err.contains("out"), run.err.constData());
            QVERIFY2(QDir(folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                     qPrintable(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden).join(u' ')));
        }
        QCOMPARE(runBatchProgram(all).exitCode, 0);
        QVERIFY(!QDir(folder.path()).isEmpty());
    }

    void aKillLeavesTheOldFile()
    {
        if (!m_hasFaults)
            QSKIP("this kernel makes no faults");
        const QTemporaryDir folder;
        const QString target = folder.filePath(QStringLiteral("out"));
        for (const QStringList& arguments : outputs()) {
            const QString file
                = arguments.last().contains(QLatin1String(".png")) ? target + QStringLiteral(".png") : target;
            writeFile(file.toStdString(), "what stood there");
            const QStringList all = QStringList{path("run")} + filled(arguments, target);
            for (const long call : {SYS_fsync, SYS_rename}) {
                QCOMPARE(runBatchProgram(all, with({call, 0, 0, 0})).exitCode, -1);
                QCOMPARE(foundIn(file), QByteArray("what stood there"));
            }
            QCOMPARE(runBatchProgram(all).exitCode, 0);
            QVERIFY(foundIn(file) != QByteArray("what stood there"));
        }
    }

    void closedStreams()
    {
        const auto closing = [](int stream) {
            return ProgramSurroundings{[stream] { ::close(stream); }, {}, {}};
        };
        const ProgramRun noOut = stepTime({}, closing(STDOUT_FILENO));
        QCOMPARE(noOut.exitCode, 4);
        QVERIFY2(noOut.err.contains("standard output"), noOut.err.constData());
        // The file must not become standard output.
        const ProgramRun file
            = stepTime({QStringLiteral("--csv"), path("closed.csv")}, closing(STDOUT_FILENO));
        QCOMPARE(file.exitCode, 0); // nothing is printed beside the file
        QVERIFY(foundIn(path("closed.csv")).startsWith("metric,scope,"));
        QCOMPARE(foundIn(path("closed.csv")).count('\n'),
                 foundIn(path("closed.csv")).trimmed().count('\n') + 1);
        QCOMPARE(stepTime({}, closing(STDERR_FILENO)).exitCode, 0);
        QCOMPARE(stepTime({}, closing(STDIN_FILENO)).exitCode, 0);
        for (const char* arguments : {"--help", "--version", "--batch --list-metrics"})
            QCOMPARE(runProgram(QString::fromLatin1(arguments).split(u' '), closing(STDOUT_FILENO)).exitCode,
                     4);
        // A disk that is full, and a reader that has gone.
        QCOMPARE(stepTime({}, {{}, {}, QStringLiteral("/dev/full")}).exitCode, 4);
        const ProgramRun gone = stepTime({QStringLiteral("--json")},
                                         {[] {
                                              int ends[2];
                                              if (::pipe(ends) == 0) {
                                                  ::dup2(ends[1], STDOUT_FILENO);
                                                  ::close(ends[0]);
                                              }
                                          },
                                          {},
                                          {}});
        QCOMPARE(gone.exitCode, 4);
    }

    void devicesAreWrittenAsTheyAre()
    {
        const ProgramRun run = stepTime({QStringLiteral("--csv"), QStringLiteral("/dev/stdout")});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.out.contains("metric,scope,"), run.out.constData());
        QCOMPARE(stepTime({QStringLiteral("--csv"), QStringLiteral("/dev/full")}).exitCode, 4);
        QVERIFY(QFile::exists(QStringLiteral("/dev/full")));
    }

    void linksAndRightsStay()
    {
        writeFile(path("real.csv").toStdString(), "old");
        std::filesystem::permissions(path("real.csv").toStdString(), std::filesystem::perms(0640));
        QVERIFY(QFile::link(path("real.csv"), path("link.csv")));
        QCOMPARE(stepTime({QStringLiteral("--csv"), path("link.csv")}).exitCode, 0);
        QVERIFY(std::filesystem::is_symlink(path("link.csv").toStdString()));
        QVERIFY(foundIn(path("real.csv")).startsWith("metric,"));
        QCOMPARE(int(std::filesystem::status(path("real.csv").toStdString()).permissions()), 0640);
    }

    void homesThatAreNotThere_data()
    {
        QTest::addColumn<QString>("home");
        QTest::newRow("missing") << QStringLiteral("/nonexistent/home");
        QTest::newRow("read-only") << QStringLiteral("/proc");
        QTest::newRow("a file") << QStringLiteral("/dev/null");
        QTest::newRow("unset") << QString();
    }
    void homesThatAreNotThere()
    {
        QFETCH(QString, home);
        ProgramSurroundings surroundings;
        if (!home.isNull()) {
            for (const char* variable : {"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"})
                surroundings.environment.insert(QString::fromLatin1(variable), home);
        }
        QCOMPARE(stepTime({}, surroundings).exitCode, 0);
        const ProgramRun picture = runProgram(
            {QStringLiteral("--screenshot"), path("home.png"), QStringLiteral("--demo")}, surroundings);
        QVERIFY2(picture.exitCode == 0, picture.err.constData());
    }

    /// A limit of processes, as jobs on clusters have.
    void threadsThatCannotBeStarted()
    {
        if (!m_hasFaults || isSanitized) // a sanitizer starts threads of its own
            QSKIP("this kernel makes no faults");
        const ProgramSurroundings none{[] {
                                           install({SYS_clone3, 0, 0, EAGAIN});
                                           install({SYS_clone, 0, 0, EAGAIN});
                                       },
                                       {},
                                       {}};
        const QStringList eight{QStringLiteral("--threads"), QStringLiteral("8")};
        const ProgramRun run = stepTime(eight, none);
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QCOMPARE(run.out, stepTime(eight).out);
        QVERIFY2(run.err == stepTime(eight).err, run.err.constData());
        QCOMPARE(stepTime({QStringLiteral("--plot"), path("alone.png")}, none).exitCode, 0);
        // A window works in the background: it says so instead of waiting for ever.
        const ProgramRun picture
            = runProgram({QStringLiteral("--screenshot"), path("alone2.png"), path("run")}, none);
        QCOMPARE(picture.exitCode, 4);
        QVERIFY2(picture.err.contains("threads") && picture.err.contains("--batch"), picture.err.constData());
    }

    void noFonts()
    {
        writeFile(path("fonts.conf").toStdString(),
                  "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig/>");
        const ProgramSurroundings none{{}, {{QStringLiteral("FONTCONFIG_FILE"), path("fonts.conf")}}, {}};
        QCOMPARE(stepTime({}, none).exitCode, 0);
        const ProgramRun plot = stepTime({QStringLiteral("--plot"), path("fonts.png")}, none);
        QCOMPARE(plot.exitCode, 4);
        QVERIFY2(plot.err.contains("font"), plot.err.constData());
        const ProgramRun picture
            = runProgram({QStringLiteral("--screenshot"), path("fonts.png"), QStringLiteral("--demo")}, none);
        QCOMPARE(picture.exitCode, 4);
        QVERIFY(!QFile::exists(path("fonts.png")));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMachineFaults)
#include "tst_machine_faults.moc"
