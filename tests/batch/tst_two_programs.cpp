// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The programs collscope, which has no Qt, and collscope-window, which it starts for windows and pictures.

#include "tests/batch/program.h"
#include "tests/support/suite/suite.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>

namespace collscope {

class TestTwoPrograms : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    static QByteArray librariesOf(const char* program)
    {
        QProcess ldd;
        ldd.start(QStringLiteral("ldd"), {QString::fromLatin1(program)});
        return ldd.waitForFinished() ? ldd.readAllStandardOutput() : QByteArray();
    }
    static ProgramRun run(const QString& program, const QStringList& arguments)
    {
        return runProgram(arguments, {{}, {}, {}, program});
    }
    /// The demo run, as a folder.
    static QString demo()
    {
        return QFileInfo(QStringLiteral(COLLSCOPE_PROGRAM)).path()
            + QStringLiteral("/../share/collscope/demo");
    }

private slots:
    void batchLoadsNoQt()
    {
        const QByteArray libraries = librariesOf(COLLSCOPE_PROGRAM);
        QVERIFY2(libraries.contains("libc.so"), libraries.constData());
        QVERIFY2(!libraries.contains("Qt"), libraries.constData());
        QVERIFY(librariesOf(COLLSCOPE_WINDOW_PROGRAM).contains("libQt6Widgets"));
    }
    /// As on a compute node: everything but pictures.
    void withoutTheWindowProgram()
    {
        const QString lone = path("bin/collscope");
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("bin")));
        QVERIFY(QFile::copy(QStringLiteral(COLLSCOPE_PROGRAM), lone));
        const ProgramRun metrics = run(lone,
                                       {QStringLiteral("--batch"), demo(), QStringLiteral("--metric"),
                                        QStringLiteral("total_kernel_time")});
        QVERIFY2(metrics.exitCode == 0, metrics.err.constData());
        const QString plot = path("plot.png");
        for (const QStringList& arguments :
             {QStringList{demo()},
              {QStringLiteral("--screenshot"), plot, demo()},
              {QStringLiteral("--batch"), demo(), QStringLiteral("--metric"),
               QStringLiteral("exposed_communication_time"), QStringLiteral("--plot"), plot}}) {
            const ProgramRun ended = run(lone, arguments);
            QVERIFY2(ended.exitCode == 4 && ended.out.isEmpty()
                         && ended.err.contains("need the program collscope-window, which is not installed"),
                     ended.err.constData());
        }
        QVERIFY(!QFileInfo::exists(plot));
    }
    /// A damaged installation, in which collscope would start itself without end.
    void aCopyUnderTheNameOfTheWindowProgram()
    {
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("copied")));
        for (const char* name : {"copied/collscope", "copied/collscope-window"})
            QVERIFY(QFile::copy(QStringLiteral(COLLSCOPE_PROGRAM), path(name)));
        const ProgramRun ended = run(path("copied/collscope"), {demo()});
        QVERIFY2(ended.exitCode == 4 && ended.out.isEmpty() && ended.err.contains("is a copy of collscope"),
                 ended.err.constData());
    }
    /// The name of the program implies --batch, also in the program that draws.
    void plotsUnderAnotherName()
    {
        const QString named = path("ccl-metrics");
        QVERIFY(QFile::link(QStringLiteral(COLLSCOPE_PROGRAM), named));
        const QString plot = path("named.png");
        const ProgramRun ended
            = run(named,
                  {QStringLiteral("--demo"), QStringLiteral("--metric"),
                   QStringLiteral("exposed_communication_time"), QStringLiteral("--plot"), plot});
        QVERIFY2(ended.exitCode == 0, ended.err.constData());
        QVERIFY(QFileInfo(plot).size() > 1000);
    }
    /// The window program prints what collscope prints.
    void theWindowProgramHasAllCommands()
    {
        const QStringList arguments{QStringLiteral("--batch"), QStringLiteral("--demo"),
                                    QStringLiteral("--json")};
        const ProgramRun lean = run(QStringLiteral(COLLSCOPE_PROGRAM), arguments);
        const ProgramRun whole = run(QStringLiteral(COLLSCOPE_WINDOW_PROGRAM), arguments);
        QVERIFY2(lean.exitCode == 0 && whole.exitCode == 0, whole.err.constData());
        QVERIFY(lean.out.size() > 1000 && lean.out == whole.out);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestTwoPrograms)
#include "tst_two_programs.moc"
