// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a task of a distributed run does when it is killed, started twice, or given copies of its files.

#include "tests/batch/program.h"
#include "tests/batch/syscall_faults.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/planted_run.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <sys/syscall.h>

#include <memory>

namespace collscope {

namespace {

constexpr int ranks = 5, slowRank = 3;
constexpr qint64 slowBytes = 2 << 20;

} // namespace

class TestReduceTasks : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QByteArray m_part; ///< what an undisturbed task writes

    QString path(const QString& name) const { return m_folder.filePath(name); }
    QString trace(int rank) const { return path(QStringLiteral("run/rank%1_trace.json").arg(rank)); }
    static QStringList arguments(const QString& plan, const QString& parts)
    {
        return {QStringLiteral("--batch"), QStringLiteral("reduce"), plan,
                QStringLiteral("--task"),  QStringLiteral("0"),      QStringLiteral("-j"),
                QStringLiteral("1"),       QStringLiteral("-o"),     parts};
    }
    ProgramRun reduce(const QString& parts, const QStringList& more = {},
                      const ProgramSurroundings& surroundings = {}) const
    {
        return runProgram(arguments(path(QStringLiteral("plan.json")), path(parts)) + more, surroundings);
    }
    QStringList filesIn(const QString& folder, const char* pattern) const
    {
        return QDir(path(folder)).entryList({QLatin1String(pattern)}, QDir::Files, QDir::Name);
    }
    QByteArray partIn(const QString& folder) const
    {
        const QStringList parts = filesIn(folder, "*.cspart");
        return parts.size() == 1 ? contentOf(path(folder + u'/' + parts.front())) : QByteArray();
    }
    QString sectionsIn(const QString& folder) const
    {
        const QStringList files = filesIn(folder, "*.sections");
        return files.size() == 1 ? path(folder + u'/' + files.front()) : QString();
    }
    /// The kernel kills the process, as kill -9 does, when it reads the end of the slow file: with one
    /// thread, the ranks before it are done.
    void killInTheMiddle(const QString& parts)
    {
        ProgramSurroundings killed;
        killed.inChild = [] { install({SYS_pread64, 3, slowBytes / 2, 0}); };
        const ProgramRun run = reduce(parts, {}, killed);
        if (run.exitCode == 0)
            QSKIP("this kernel does not allow a seccomp filter, which makes the faults");
        QCOMPARE(run.exitCode, -1);
        QVERIFY(filesIn(parts, "*.cspart").isEmpty());
        QVERIFY(!sectionsIn(parts).isEmpty());
    }

private slots:
    void initTestCase()
    {
        PlantedPlan planted;
        planted.ranks = ranks;
        planted.steps = 4;
        QDir().mkpath(path(QStringLiteral("run")));
        writePlanted(planted, path(QStringLiteral("run")).toStdString());
        const QByteArray slow = contentOf(trace(slowRank));
        QVERIFY(slow.size() < slowBytes / 2);
        writeContent(trace(slowRank), slow + QByteArray(slowBytes - slow.size(), ' '));
        const ProgramRun planned
            = runProgram({QStringLiteral("--batch"), QStringLiteral("plan"), path(QStringLiteral("run")),
                          QStringLiteral("--tasks"), QStringLiteral("1"), QStringLiteral("-o"),
                          path(QStringLiteral("plan.json"))});
        QVERIFY2(planned.exitCode == 0, planned.err.constData());
        QCOMPARE(reduce(QStringLiteral("parts")).exitCode, 0);
        m_part = partIn(QStringLiteral("parts"));
        QVERIFY(!m_part.isEmpty());
        QVERIFY(filesIn(QStringLiteral("parts"), "*.sections").isEmpty());
    }
    void aKilledTaskLosesOnlyTheFileThatItRead()
    {
        killInTheMiddle(QStringLiteral("killed"));
        // What was read is not needed any more.
        for (int rank = 0; rank < slowRank; ++rank)
            QVERIFY(QFile::rename(trace(rank), trace(rank) + QStringLiteral(".away")));
        const ProgramRun again = reduce(QStringLiteral("killed"));
        for (int rank = 0; rank < slowRank; ++rank)
            QVERIFY(QFile::rename(trace(rank) + QStringLiteral(".away"), trace(rank)));
        QVERIFY2(again.exitCode == 0, again.err.constData());
        QVERIFY2(again.err.contains("3 of 5 files were read before"), again.err.constData());
        QVERIFY(partIn(QStringLiteral("killed")) == m_part);
        QVERIFY(filesIn(QStringLiteral("killed"), "*.sections").isEmpty());
    }
    void whatIsNotWholeIsReadAgain_data()
    {
        QTest::addColumn<int>("lost"); // bytes at the end
        QTest::addColumn<int>("flipped"); // byte of the file, -1: none
        QTest::addColumn<QByteArray>("kept");
        QTest::newRow("whole") << 0 << -1 << QByteArray("3 of 5");
        QTest::newRow("the last section is cut off") << 1 << -1 << QByteArray("2 of 5");
        QTest::newRow("the first section is damaged") << 0 << 100 << QByteArray();
        QTest::newRow("another task or plan") << 0 << 9 << QByteArray();
    }
    void whatIsNotWholeIsReadAgain()
    {
        QFETCH(const int, lost);
        QFETCH(const int, flipped);
        QFETCH(const QByteArray, kept);
        const QString folder = QStringLiteral("damaged ") + QString::fromLatin1(QTest::currentDataTag());
        killInTheMiddle(folder);
        QByteArray bytes = contentOf(sectionsIn(folder));
        bytes.chop(lost);
        if (flipped >= 0)
            bytes[flipped] = static_cast<char>(bytes[flipped] ^ 4);
        writeContent(sectionsIn(folder), bytes);
        const ProgramRun again = reduce(folder);
        QVERIFY2(again.exitCode == 0, again.err.constData());
        QCOMPARE(again.err.contains("were read before"), !kept.isEmpty());
        QVERIFY2(kept.isEmpty() || again.err.contains(kept + " files were read before"),
                 again.err.constData());
        QVERIFY(partIn(folder) == m_part);
        QVERIFY(filesIn(folder, "*.sections").isEmpty());
    }
    /// A file that could not be read: the others are in the part.
    void onlyWhatFailedIsTriedAgain()
    {
        const QString folder = QStringLiteral("failed");
        QVERIFY(QFile::rename(trace(1), path(QStringLiteral("away"))));
        const ProgramRun failed = reduce(folder);
        QCOMPARE(failed.exitCode, 3);
        QVERIFY2(failed.err.contains("does not exist"), failed.err.constData());
        QVERIFY(filesIn(folder, "*.sections").isEmpty());
        QVERIFY(QFile::rename(path(QStringLiteral("away")), trace(1)));
        const ProgramRun again = reduce(folder);
        QCOMPARE(again.exitCode, 0);
        QVERIFY2(again.err.contains("4 of 5 files were read before"), again.err.constData());
        QVERIFY(partIn(folder) == m_part);
    }
    /// As where a scheduler takes a node for dead that is not.
    void theSameTaskRunsSeveralTimesAtOnce()
    {
        for (int round = 0; round < 5; ++round) {
            const QString folder = QStringLiteral("twice%1").arg(round);
            std::vector<std::unique_ptr<QProcess>> tasks;
            for (int i = 0; i < 4; ++i) {
                tasks.push_back(std::make_unique<QProcess>());
                tasks.back()->start(QStringLiteral(COLLSCOPE_PROGRAM),
                                    arguments(path(QStringLiteral("plan.json")), path(folder)));
            }
            for (const auto& task : tasks) {
                QVERIFY(task->waitForFinished(60'000));
                QVERIFY2(task->exitCode() == 0, task->readAllStandardError().constData());
            }
            QVERIFY(partIn(folder) == m_part);
            QVERIFY(filesIn(folder, ".collscope*").isEmpty());
            QVERIFY(filesIn(folder, "*.sections").isEmpty());
        }
    }
    /// A full disk is told, and what was saved before is used.
    void aFullDiskIsNoDamage()
    {
        const QString folder = QStringLiteral("full");
        QVERIFY(
            QDir().mkpath(path(folder))
            && QFile::copy(path(QStringLiteral("plan.json")), path(folder + QStringLiteral("/plan.json"))));
        ProgramSurroundings full;
        full.inChild = [] { install({SYS_write, 2, 400, ENOSPC}); }; // the bytes of a section
        const ProgramRun run = reduce(folder, {}, full);
        if (run.exitCode == 0)
            QSKIP("this kernel does not allow a seccomp filter, which makes the faults");
        QCOMPARE(run.exitCode, 4);
        QVERIFY2(run.err.contains("No space left"), run.err.constData());
        QVERIFY(filesIn(folder, "*.cspart").isEmpty());
        QCOMPARE(reduce(folder).exitCode, 0);
        QVERIFY(partIn(folder) == m_part);
    }
    void changedFilesAreNamedWithTheChange()
    {
        const QByteArray before = contentOf(trace(2));
        const auto refusal = [&](const QByteArray& bytes) {
            writeContent(trace(2), bytes);
            const ProgramRun run = reduce(QStringLiteral("changed"));
            return run.exitCode == 3 ? run.err : QByteArray("not refused");
        };
        QByteArray other = before;
        other[0] = ' ';
        QVERIFY(refusal(other).contains("its first 64 KiB differ"));
        other = before;
        other[other.size() - 2] = ' ';
        QVERIFY(refusal(other).contains(before.size() > 65536 ? "its last 64 KiB differ" : "64 KiB differ"));
        QVERIFY(refusal(before + ' ').contains("bytes instead of"));
        writeContent(trace(2), before); // with another time of change
        QCOMPARE(reduce(QStringLiteral("changed")).exitCode, 0);
    }
    /// An init container lists the files, copies them, and the task reads the copies.
    void filesAreListedAndReadFromCopies()
    {
        const QStringList list{QStringLiteral("--batch"), QStringLiteral("reduce"),
                               path(QStringLiteral("plan.json")), QStringLiteral("--task"),
                               QStringLiteral("0")};
        const ProgramRun lines = runProgram(list + QStringList{QStringLiteral("--list-files")});
        QCOMPARE(lines.exitCode, 0);
        QByteArray expected;
        for (int rank = 0; rank < ranks; ++rank)
            expected += QFile::encodeName(trace(rank)) + '\n';
        QCOMPARE(lines.out, expected);
        const ProgramRun names
            = runProgram(list + QStringList{QStringLiteral("--list-files=relative"), QStringLiteral("-0")});
        QCOMPARE(names.out,
                 QByteArray("rank0_trace.json\0rank1_trace.json\0rank2_trace.json\0"
                            "rank3_trace.json\0rank4_trace.json\0",
                            5 * 17));
        QDir().mkpath(path(QStringLiteral("copies")));
        QByteArrayList copied = names.out.split('\0');
        copied.removeLast();
        for (const QByteArray& name : copied)
            QVERIFY(QFile::copy(path(QStringLiteral("run/") + QString::fromLatin1(name)),
                                path(QStringLiteral("copies/") + QString::fromLatin1(name))));
        const QStringList from{QStringLiteral("--files-from"), path(QStringLiteral("copies"))};
        // The run itself is not there any more.
        QVERIFY(QDir().rename(path(QStringLiteral("run")), path(QStringLiteral("elsewhere"))));
        const ProgramRun read = reduce(QStringLiteral("fromCopies"), from);
        QVERIFY(QDir().rename(path(QStringLiteral("elsewhere")), path(QStringLiteral("run"))));
        QVERIFY2(read.exitCode == 0, read.err.constData());
        QVERIFY(partIn(QStringLiteral("fromCopies")) == m_part);
        // A copy that is not whole is not the file that was planned.
        QVERIFY(QFile::resize(path(QStringLiteral("copies/rank1_trace.json")), 1000));
        const ProgramRun cut = reduce(QStringLiteral("fromCut"), from);
        QCOMPARE(cut.exitCode, 3);
        QVERIFY2(cut.err.contains("1000 bytes instead of"), cut.err.constData());
        // Only what remains is listed where the parts are known.
        const ProgramRun rest
            = runProgram(list
                         + QStringList{QStringLiteral("--list-files=relative"), QStringLiteral("-o"),
                                       path(QStringLiteral("fromCut"))});
        QCOMPARE(rest.out, QByteArray("rank1_trace.json\n"));
    }
    void listsAreCheckedBeforeAnythingIsRead()
    {
        const QStringList base{QStringLiteral("--batch"), QStringLiteral("reduce"),
                               path(QStringLiteral("plan.json")), QStringLiteral("--task"),
                               QStringLiteral("0")};
        QCOMPARE(runProgram(base).exitCode, 1); // where to?
        QCOMPARE(runProgram(base + QStringList{QStringLiteral("--list-files=all")}).exitCode, 1);
        QCOMPARE(reduce(QStringLiteral("parts"), {QStringLiteral("-0")}).exitCode, 1);
        QCOMPARE(reduce(QStringLiteral("parts"), {QStringLiteral("--files-from"), path(QStringLiteral("no"))})
                     .exitCode,
                 1);
    }
    /// Names are bytes: not UTF-8, line breaks, blanks.
    void oddNamesSurvive()
    {
        const QByteArray folder = QFile::encodeName(path(QStringLiteral("odd")));
        QDir().mkpath(path(QStringLiteral("odd")));
        const QByteArray name = "rank0_\xff\n $(x)_trace.json";
        const QByteArray link = "ln '" + QFile::encodeName(trace(0)) + "' '" + folder + "/" + name + "'";
        QProcess bash;
        bash.start(QStringLiteral("bash"), {QStringLiteral("-s")});
        bash.write(link);
        bash.closeWriteChannel();
        QVERIFY(bash.waitForFinished() && bash.exitCode() == 0);
        const QString plan = path(QStringLiteral("odd.json"));
        QCOMPARE(runProgram({QStringLiteral("--batch"), QStringLiteral("plan"), path(QStringLiteral("odd")),
                             QStringLiteral("--tasks"), QStringLiteral("1"), QStringLiteral("-o"), plan})
                     .exitCode,
                 0);
        const QStringList list{
            QStringLiteral("--batch"), QStringLiteral("reduce"), plan,
            QStringLiteral("--task"),  QStringLiteral("0"),      QStringLiteral("--list-files")};
        QCOMPARE(runProgram(list + QStringList{QStringLiteral("--null")}).out, folder + "/" + name + '\0');
        QCOMPARE(runProgram(list).exitCode, 1); // would be two lines
        QProcess::execute(QStringLiteral("rm"),
                          {QStringLiteral("-rf"), path(QStringLiteral("odd"))}); // Qt cannot
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestReduceTasks)
#include "tst_reduce_tasks.moc"
