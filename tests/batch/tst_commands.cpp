// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The commands behind --batch through the real binary: each does what the options of version 1 do, has a
// --help of one screen, and is not confused with a folder of its name.

#include "tests/batch/program.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>

namespace collscope {

class TestCommands : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    ProgramRun batch(QString line) const
    {
        line.replace(QLatin1String("RUN"), path("run")).replace(QLatin1String("OUT"), path("out"));
        return runBatchProgram(line.split(u' ', Qt::SkipEmptyParts));
    }
    /// The files that a command wrote, by name.
    QStringList written() const
    {
        QStringList names = QDir(path("out")).entryList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot);
        QDir(path("out")).removeRecursively();
        return names;
    }

private slots:
    void initTestCase() { writeRun(planRun({}), path("run").toStdString(), RunFiles()); }
    void help_data()
    {
        QTest::addColumn<QString>("command");
        for (const char* command :
             {"metrics", "explain", "findings", "export", "report", "compare", "gate", "doctor", "plan",
              "reduce", "merge", "slurm", "kubernetes", "screenshot", "kit"})
            QTest::newRow(command) << QString::fromLatin1(command);
    }
    void help()
    {
        QFETCH(const QString, command);
        const ProgramRun run = batch(command + QStringLiteral(" --help"));
        QCOMPARE(run.exitCode, 0);
        QVERIFY(run.err.isEmpty());
        QVERIFY(run.out.contains("Usage: collscope --batch " + command.toLatin1() + ' '));
        const QByteArrayList lines = run.out.split('\n');
        QVERIFY2(lines.size() <= 41, "more than a screen"); // the last one is empty
        for (const QByteArray& line : lines)
            QVERIFY2(line.size() <= 100, line.constData());
        QVERIFY(runProgram({QStringLiteral("--help")}).out.contains("\n  " + command.toLatin1() + ' '));
    }
    void overviewIsOneScreen()
    {
        const QByteArrayList lines = runProgram({QStringLiteral("--help")}).out.split('\n');
        QVERIFY(lines.size() <= 41);
        for (const QByteArray& line : lines)
            QVERIFY2(line.size() <= 100, line.constData());
        QCOMPARE(batch(QStringLiteral("--help")).out.split('\n'), lines);
    }
    void doesWhatTheOptionsDid_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("options");
        const auto row = [](const char* command, const char* options) {
            QTest::newRow(command) << QString::fromLatin1(command) << QString::fromLatin1(options);
        };
        row("metrics RUN --metric avg_step_time --json", "RUN --metric avg_step_time --json");
        row("metrics RUN --tools overlap", "--tools overlap RUN");
        row("metrics --list-metrics", "--list");
        row("explain RUN --metric comm_comp_overlap", "RUN --explain comm_comp_overlap");
        row("explain RUN --step 12 --json", "RUN --explain-step 12 --json");
        row("report RUN --kind kernels", "RUN --kernel-summary");
        row("report RUN --kind individual -o OUT --report-format csv",
            "--report individual RUN --output OUT --report-format csv");
        row("doctor RUN --json", "--doctor RUN --json");
        row("kit OUT", "--write-kit OUT");
        row("metrics RUN --metric memory_peak", "RUN --metric memory_peak"); // not available
        row("metrics missing", "missing");
    }
    void doesWhatTheOptionsDid()
    {
        QFETCH(const QString, command);
        QFETCH(const QString, options);
        const ProgramRun now = batch(command);
        const QStringList files = written();
        const bool fails
            = command.contains(QStringLiteral("missing")) || command.contains(QStringLiteral("memory_peak"));
        QCOMPARE(now.exitCode != 0, fails);
        QVERIFY(fails || !now.out.isEmpty() || !files.isEmpty());
        const ProgramRun before = batch(options);
        QCOMPARE(now.out, before.out);
        QCOMPARE(now.err, before.err);
        QCOMPARE(now.exitCode, before.exitCode);
        QCOMPARE(files, written());
    }
    void comparesAndTakesPictures()
    {
        const ProgramRun compared
            = batch(QStringLiteral("compare RUN RUN -o OUT --final-report --report-format csv"));
        QVERIFY2(compared.exitCode == 0, compared.err.constData());
        QVERIFY(written().contains(QStringLiteral("final_analysis_report")));
        const ProgramRun picture = batch(QStringLiteral("screenshot RUN --output OUT.png --size 1200x800"));
        QVERIFY2(picture.exitCode == 0, picture.err.constData());
        QVERIFY(QFileInfo::exists(path("out.png")));
    }
    void mergesAndMeasuresParts()
    {
        QCOMPARE(batch(QStringLiteral("plan RUN --tasks 1 -o OUT.json")).exitCode, 0);
        QCOMPARE(batch(QStringLiteral("reduce OUT.json --task 0 -o OUT")).exitCode, 0);
        const QByteArray whole = batch(QStringLiteral("metrics RUN --metric avg_step_time")).out;
        QVERIFY(whole.toDouble() > 0);
        QCOMPARE(batch(QStringLiteral("merge OUT --metric avg_step_time")).out, whole);
        QCOMPARE(batch(QStringLiteral("merge --partial OUT -o OUT")).exitCode, 0);
        QCOMPARE(batch(QStringLiteral("merge OUT --metric avg_step_time")).out, whole);
        QVERIFY(batch(QStringLiteral("merge --help")).out.contains("merge --partial --help: joins parts"));
        const QByteArray help = batch(QStringLiteral("merge --partial --help")).out;
        QVERIFY(help.contains("Usage: collscope --batch merge --partial DIR"));
        QVERIFY(!help.contains("--metric "));
        QCOMPARE(batch(QStringLiteral("metrics OUT --parts --metric avg_step_time")).out, whole);
        QCOMPARE(batch(QStringLiteral("explain RUN --parts --metric avg_step_time")).exitCode, 2);
    }
    /// Events are kept where their merge fits into memory.
    void plansSummariesWhereEventsDoNotFit()
    {
        const auto keptBy = [this](const QString& options) {
            const ProgramRun run = batch(QStringLiteral("plan RUN --tasks 1 -o OUT.json") + options);
            QFile plan(path("out.json"));
            const bool keepsSums
                = plan.open(QIODevice::ReadOnly) && plan.readAll().contains("\"keep\": \"summary\"");
            const bool saysSo = run.err.contains("the tasks keep summaries (--keep summary)");
            return QString::fromLatin1(keepsSums ? "summary" : "events")
                + (saysSo ? QStringLiteral(", said") : QString());
        };
        QCOMPARE(keptBy({}), QStringLiteral("events"));
        QCOMPARE(keptBy(QStringLiteral(" --max-memory 100")), QStringLiteral("summary, said"));
        QCOMPARE(keptBy(QStringLiteral(" --max-memory 100 --keep metrics")), QStringLiteral("events"));
        QCOMPARE(keptBy(QStringLiteral(" --keep summary")), QStringLiteral("summary"));
    }
    void emptyValuesAreMistakes()
    {
        // As from a variable of a script that is not set.
        const QStringList lines[]{
            {QStringLiteral("kit"), QString()},
            {QStringLiteral("--write-kit"), QString()},
            {QStringLiteral("metrics"), path("run"), QStringLiteral("--metric"), QString()},
            {QStringLiteral("metrics"), path("run"), QStringLiteral("--tools"), QStringLiteral(",")},
            {QStringLiteral("metrics"), path("run"), QStringLiteral("--csv"), QString()}};
        for (const QStringList& line : lines) {
            const ProgramRun run = runBatchProgram(line);
            QVERIFY2(run.exitCode == 1, qPrintable(line.join(u' ')));
            QVERIFY2(run.out.isEmpty() && run.err.contains("takes"), run.err.constData());
        }
    }
    void aFolderMayHaveTheNameOfACommand()
    {
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(m_folder.path()));
        const auto back = qScopeGuard([&] { QDir::setCurrent(before); });
        QVERIFY(QDir().rename(path("run"), path("doctor")));
        const ProgramRun named = batch(QStringLiteral("doctor"));
        const ProgramRun unknown = batch(QStringLiteral("doctor --metric mfu"));
        const ProgramRun opened = batch(QStringLiteral("./doctor --metric avg_step_time"));
        QVERIFY(QDir().rename(path("doctor"), path("run")));
        QCOMPARE(named.exitCode, 1);
        QVERIFY2(named.err.contains("./doctor"), named.err.constData());
        QVERIFY2(unknown.exitCode == 1 && unknown.err.contains("./doctor"), unknown.err.constData());
        QVERIFY2(opened.exitCode == 0 && !opened.out.isEmpty(), opened.err.constData());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestCommands)
#include "tst_commands.moc"
