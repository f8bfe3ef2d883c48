// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Programs that are started without a shell.

#include "model/readers/started_program.h"
#include "tests/support/suite/suite.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>

namespace collscope {

class TestStartedProgram : public QObject
{
    Q_OBJECT

private:
    static ProgramStart shell(const char* script) { return {{"/bin/sh", "-c", script}, {}, true}; }
    static bool never() { return false; }

private slots:
    void outputAndExitCode()
    {
        const auto end = runProgram(shell("echo one; echo two >&2; exit 3"), never);
        QVERIFY(end);
        QCOMPARE(end->exitCode, 3);
        QCOMPARE(end->out, std::string("one\n"));
        QCOMPARE(end->err, std::string("two\n"));
    }
    void noOutputUnlessItIsKept()
    {
        const auto end = runProgram({{"/bin/sh", "-c", "echo one"}}, never);
        QVERIFY(end && end->exitCode == 0 && end->out.empty());
    }
    /// A program that writes more than is kept does not wait for a reader.
    void muchOutput()
    {
        const auto end = runProgram(shell("head -c 1000000 /dev/zero; exit 5"), never);
        QVERIFY(end);
        QCOMPARE(end->exitCode, 5);
        QCOMPARE(end->out.size(), std::size_t{64} << 10);
    }
    void environment()
    {
        ProgramStart start = shell("echo $COLOUR$HOME");
        start.environment = {"COLOUR=red"};
        const auto end = runProgram(std::move(start), never);
        QVERIFY(end);
        QCOMPARE(end->out, std::string("red\n"));
    }
    void inputIsEmpty()
    {
        const auto end = runProgram(shell("cat; echo end"), never);
        QVERIFY(end);
        QCOMPARE(end->out, std::string("end\n"));
    }
    void killedWhenItMustStop()
    {
        QElapsedTimer since;
        since.start();
        const auto end = runProgram(shell("exec sleep 600"), [&since] { return since.hasExpired(100); });
        QVERIFY(end);
        QCOMPARE(end->exitCode, -1);
    }
    void missingProgram()
    {
        const auto end = runProgram({{"/nonexistent/program"}}, never);
        QVERIFY(!end);
        QCOMPARE(end.error().message,
                 std::string("/nonexistent/program cannot be started: No such file or directory."));
    }
    /// A program in the current folder, which may be that of a trace, is found by its absolute folder only.
    void onPath()
    {
        const QTemporaryDir folder;
        const QString tool = folder.filePath(QStringLiteral("tool"));
        QVERIFY(QFile::copy(QStringLiteral("/bin/sh"), tool));
        const QByteArray before = qgetenv("PATH");
        const QString current = QDir::currentPath();
        QVERIFY(QDir::setCurrent(folder.path()));
        qputenv("PATH", ".:/nonexistent::/bin:/usr/bin");
        const auto found = programOnPath("sh");
        const auto relative = programOnPath("tool");
        qputenv("PATH", "/nonexistent:" + QFile::encodeName(folder.path()));
        const auto absolute = programOnPath("tool");
        qputenv("PATH", before);
        QDir::setCurrent(current);
        QVERIFY(found && (*found == "/bin/sh" || *found == "/usr/bin/sh"));
        QVERIFY(!relative);
        QCOMPARE(absolute.value_or(""), QFile::encodeName(tool).toStdString());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestStartedProgram)
#include "tst_started_program.moc"
