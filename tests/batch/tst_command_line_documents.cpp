// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What --help, the manual page and the completions of shells say is made of the same options.

#include "tests/batch/program.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>

namespace collscope {

class TestCommandLineDocuments : public QObject
{
    Q_OBJECT

    RunFolder m_folder;

    static QByteArray printed(const QStringList& arguments)
    {
        const ProgramRun run = runProgram(arguments);
        return run.exitCode == 0 && run.err.isEmpty() ? run.out : QByteArray("exit code ") + run.err;
    }
    /// What bash offers behind the words, the last of which is not complete.
    QStringList completed(const QString& words)
    {
        m_folder.write("completion",
                       printed({QStringLiteral("--completion"), QStringLiteral("bash")}).toStdString());
        const QString script = QStringLiteral("compopt() { :; }; source '%1'\n"
                                              "COMP_WORDS=(%2)\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
                                              "_collscope\nprintf '%s\\n' \"${COMPREPLY[@]}\"")
                                   .arg(QString::fromStdString(m_folder.path("completion")), words);
        QProcess bash;
        bash.setWorkingDirectory(QString::fromStdString(m_folder.path("")));
        bash.start(QStringLiteral("bash"), {QStringLiteral("-c"), script});
        bash.waitForFinished();
        if (const QByteArray mistake = bash.readAllStandardError(); !mistake.isEmpty())
            return {QString::fromUtf8(mistake)};
        return QString::fromUtf8(bash.readAllStandardOutput()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    }

private slots:
    void everyOptionIsEverywhere()
    {
        const QByteArray page = printed({QStringLiteral("--man-page")}).replace("\\-", "-");
        const QByteArray bash = printed({QStringLiteral("--completion"), QStringLiteral("bash")});
        const QByteArray zsh = printed({QStringLiteral("--completion"), QStringLiteral("zsh")});
        int options = 0;
        for (const char* command :
             {"--batch metrics", "--batch explain", "--batch findings", "--batch export", "--batch report",
              "--batch compare", "--batch gate", "--batch doctor", "--batch screenshot", "--batch plan",
              "--batch reduce", "--batch slurm", "--batch kubernetes", "mcp"}) {
            const QStringList arguments
                = QString::fromLatin1(command).split(u' ') + QStringList{QStringLiteral("--help-all")};
            static const QRegularExpression option(QStringLiteral("^  (?:-., )?(--[a-z-]+)"),
                                                   QRegularExpression::MultilineOption);
            const QString help = QString::fromUtf8(printed(arguments));
            for (auto match = option.globalMatch(help); match.hasNext(); ++options) {
                const QByteArray name = match.next().captured(1).toLatin1();
                QVERIFY2(page.contains("\\fB" + name) || page.contains(", " + name), name.constData());
                QVERIFY2(bash.contains(" " + name), name.constData());
                QVERIFY2(zsh.contains("'" + name) || zsh.contains("," + name) || zsh.contains("{" + name),
                         name.constData());
            }
            for (const QString& line : help.split(QLatin1Char('\n')))
                QVERIFY2(line.size() <= 100, qUtf8Printable(line));
        }
        QVERIFY(options > 90);
    }
    void manReadsItsPage()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("groff")).isEmpty())
            QSKIP("no groff here");
        m_folder.write("collscope.1", printed({QStringLiteral("--man-page")}).toStdString());
        QProcess groff;
        groff.start(QStringLiteral("groff"),
                    {QStringLiteral("-man"), QStringLiteral("-Tutf8"), QStringLiteral("-ww"),
                     QStringLiteral("-P-cbou"), QString::fromStdString(m_folder.path("collscope.1"))});
        QVERIFY(groff.waitForFinished());
        QCOMPARE(groff.exitCode(), 0);
        QCOMPARE(groff.readAllStandardError(), QByteArray());
        const QByteArray text = groff.readAllStandardOutput();
        for (const char* wanted : {"NAME", "SYNOPSIS", "EXIT STATUS", "get_<metric>.sh"})
            QVERIFY2(text.contains(wanted), wanted);
    }
    void bashCompletes_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QStringList>("offered");
        const auto row = [](const char* words, const QStringList& offered) {
            QTest::newRow(words) << QString::fromLatin1(words) << offered;
        };
        const auto text = [](const char* word) { return QString::fromLatin1(word); };
        row("collscope --met", {text("--metric"), text("--metrics")});
        row("collscope --batch RUN --metric comm_comp",
            {text("comm_comp_overlap"), text("comm_comp_overlap_16")});
        row("collscope --batch RUN --metric avg_step_time,comm_comp",
            {text("avg_step_time,comm_comp_overlap"), text("avg_step_time,comm_comp_overlap_16")});
        row("collscope --batch RUN --metric = comm_comp",
            {text("comm_comp_overlap"), text("comm_comp_overlap_16")});
        row("collscope --theme ''", {text("light"), text("dark"), text("system")});
        row("collscope --batch doctor RUN --wr", {text("--write-clean")});
        row("collscope --batch doctor RUN --me", {text("--merge-paths")});
        row("collscope --batch report RUN --ki", {text("--kind")});
        row("collscope --batch doctor RUN --hel", {text("--help"), text("--help-all")});
        row("collscope --batch expl", {text("explain")});
        row("collscope --batch --doc", {text("--doctor")});
        row("collscope --batch plan RUN --ke", {text("--keep")});
        row("collscope --batch plan RUN --keep m", {text("metrics")});
        row("collscope --batch slurm RUN --dr", {text("--dry-run")});
        row("collscope ru", {text("run_of_ranks"), text("run.json")});
        row("collscope mc", {text("mcp")});
        row("collscope mcp --max", {text("--max-tokens"), text("--max-memory")});
        row("collscope mcp ru", {text("run_of_ranks"), text("run.json")});
        row("collscope --output ru", {text("run_of_ranks")});
    }
    void bashCompletes()
    {
        QFETCH(const QString, words);
        QFETCH(const QStringList, offered);
        std::filesystem::create_directories(m_folder.path("run_of_ranks"));
        m_folder.write("run.json", "{}");
        QStringList sorted = completed(words), expected = offered;
        sorted.sort();
        expected.sort();
        QCOMPARE(sorted, expected);
    }
    void zshReadsItsScript()
    {
        if (QStandardPaths::findExecutable(QStringLiteral("zsh")).isEmpty())
            QSKIP("no zsh here");
        m_folder.write("_collscope",
                       printed({QStringLiteral("--completion"), QStringLiteral("zsh")}).toStdString());
        QProcess zsh;
        zsh.start(QStringLiteral("zsh"),
                  {QStringLiteral("-n"), QString::fromStdString(m_folder.path("_collscope"))});
        QVERIFY(zsh.waitForFinished());
        QCOMPARE(zsh.exitCode(), 0);
        QCOMPARE(zsh.readAllStandardError(), QByteArray());
    }
    void otherShellsAreRefused()
    {
        QCOMPARE(runProgram({QStringLiteral("--completion"), QStringLiteral("fish")}).exitCode, 1);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestCommandLineDocuments)
#include "tst_command_line_documents.moc"
