// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The guide says the truth: its commands run, its pictures are those that the program paints today. With
// COLLSCOPE_UPDATE_GOLDEN set the pictures are written instead; look at them before they are committed.

#include "metrics/core/metric.h"
#include "tests/batch/program.h"
#include "tests/support/runs/guide_runs.h"
#include "tests/support/suite/picture.h"
#include "tests/support/suite/suite.h"

#include <QDir>
#include <QFontDatabase>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <set>

namespace collscope {

class TestGuide : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    static QDir help() { return {QStringLiteral(COLLSCOPE_SOURCE_FOLDER "/resources/help")}; }
    static QString contentOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    static QProcessEnvironment environment(const QString& programs)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PATH"),
                           programs + u':' + environment.value(QStringLiteral("PATH")));
        environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), QStringLiteral("/nonexistent"));
        return environment;
    }
    /// A folder with the names that commands use, and nothing else.
    QString scratch(const QString& name) const
    {
        QString path = m_folder.filePath(name);
        QDir().mkpath(path);
        for (const QString& entry : QDir(m_folder.filePath(QStringLiteral("runs")))
                                        .entryList(QDir::AllEntries | QDir::NoDotAndDotDot))
            QFile::link(m_folder.filePath(QStringLiteral("runs/") + entry), path + u'/' + entry);
        return path;
    }

private slots:
    void initTestCase()
    {
        writeGuideRuns(m_folder.filePath(QStringLiteral("runs")).toStdString(),
                       COLLSCOPE_SOURCE_FOLDER "/resources");
        QVERIFY(QDir().mkpath(m_folder.filePath(QStringLiteral("bin"))));
        QVERIFY(QFile::link(QStringLiteral(COLLSCOPE_PROGRAM),
                            m_folder.filePath(QStringLiteral("bin/collscope"))));
        QVERIFY(QFile::link(QStringLiteral(COLLSCOPE_PROGRAM),
                            m_folder.filePath(QStringLiteral("bin/ccl-metrics"))));
    }
    void commandsRun_data()
    {
        QTest::addColumn<QStringList>("lines");
        int blocks = 0;
        for (const QString& page : help().entryList({QStringLiteral("*.md")})) {
            QStringList lines;
            bool isOpen = false;
            int number = 0;
            for (const QString& line : contentOf(help().filePath(page)).split(QLatin1Char('\n'))) {
                ++number;
                if (isOpen && line.startsWith(QLatin1String("```"))) {
                    QTest::addRow("%s:%d", qPrintable(page), number) << std::exchange(lines, {});
                    isOpen = false;
                    ++blocks;
                } else if (isOpen && !line.trimmed().isEmpty()) {
                    lines << line;
                } else if (line.trimmed() == QLatin1String("```sh")) {
                    isOpen = true;
                }
            }
        }
        QVERIFY2(blocks > 10, "the guide has lost its commands");
    }
    void commandsRun()
    {
        QFETCH(const QStringList, lines);
        const QString folder = scratch(QString::fromLatin1(QTest::currentDataTag()).replace(u':', u'-'));
        // A command may go on over lines.
        const QStringList commands
            = lines.join(u'\n').replace(QLatin1String("\\\n"), QLatin1String(" ")).split(u'\n');
        for (const QString& command : commands) {
            QProcess bash;
            bash.setWorkingDirectory(folder);
            bash.setProcessEnvironment(environment(m_folder.filePath(QStringLiteral("bin"))));
            bash.start(QStringLiteral("bash"),
                       {QStringLiteral("-o"), QStringLiteral("pipefail"), QStringLiteral("-c"), command});
            QVERIFY(bash.waitForFinished(60'000));
            static const QRegularExpression other(QStringLiteral("# exit (\\d+)"));
            const auto match = other.match(command);
            const int expected = match.hasMatch() ? match.captured(1).toInt() : 0;
            QVERIFY2(bash.exitCode() == expected,
                     (command.toUtf8() + "\nexit code " + QByteArray::number(bash.exitCode()) + "\n"
                      + bash.readAllStandardError())
                         .constData());
        }
    }
    /// "The window answers before you ask": with these numbers.
    void theTourTellsTheNumbersOfToday()
    {
        const ProgramRun run = runProgram({QStringLiteral("--batch"), QStringLiteral("findings"),
                                           QStringLiteral("--demo"), QStringLiteral("--json")});
        const QJsonObject findings = QJsonDocument::fromJson(run.out).object();
        const auto share = [&](const char* part) {
            for (const QJsonValue& own : findings[u"parts"].toArray()) {
                if (own[u"part"].toString() == QLatin1String(part))
                    return own[u"ns_per_step"].toDouble() / findings[u"step_ns"].toDouble() * 100;
            }
            return -1.0;
        };
        const QJsonValue late = findings[u"findings"].toArray().at(2);
        QCOMPARE(late[u"id"].toString(), QStringLiteral("late_rank"));
        QCOMPARE(late[u"ranks"].toArray(), QJsonArray{5});
        const QString tour = contentOf(help().filePath(QStringLiteral("first_run.md"))).simplified();
        for (const QString& sentence :
             {QStringLiteral("a step takes %1 ms").arg(findings[u"step_ns"].toDouble() / 1e6, 0, 'f', 1),
              QStringLiteral("compute for %1 %").arg(share("compute"), 0, 'f', 0),
              QStringLiteral("idle for %1 %").arg(share("idle"), 0, 'f', 0),
              QStringLiteral("no computation hides costs %1 %").arg(share("communication"), 0, 'f', 0),
              QStringLiteral("rank 5, because its kernels take longer (row 3)"),
              QStringLiteral("rank 5 is late and costs %1 µs a step")
                  .arg(late[u"cost_ns_per_step"].toDouble() / 1e3, 0, 'f', 0)})
            QVERIFY2(tour.contains(sentence), qUtf8Printable(sentence));
    }
    void everyGroupOfMetricsIsNamed()
    {
        const QString page = contentOf(help().filePath(QStringLiteral("views_other.md")));
        const QString list = page.section(QStringLiteral("in groups:"), 1).section(u'.', 0, 0).toLower();
        for (const MetricDescriptor& metric : allMetrics())
            QVERIFY2(list.contains(
                         QString::fromUtf8(metric.group.data(), static_cast<qsizetype>(metric.group.size()))
                             .toLower()),
                     std::string(metric.group).c_str());
    }
    /// The guide's table, the README, --help and the manual page name the same ones.
    void exitCodesAreTheSameEverywhere()
    {
        const auto codesIn = [](const QString& text, const char* pattern) {
            std::set<int> codes;
            const QRegularExpression code(QString::fromLatin1(pattern), QRegularExpression::MultilineOption);
            for (auto match = code.globalMatch(text); match.hasNext();)
                codes.insert(match.next().captured(1).toInt());
            return codes;
        };
        const QString batch = contentOf(help().filePath(QStringLiteral("batch.md")))
                                  .section(QStringLiteral("## Exit codes"), 1)
                                  .section(QStringLiteral("## "), 0, 0);
        const std::set<int> codes = codesIn(batch, "^\\| (\\d+) \\|");
        QVERIFY(codes.size() >= 7);
        const auto listed
            = [](const QString& text) { return text.section(QStringLiteral("Exit codes: "), 1).left(400); };
        const QString readme = contentOf(QStringLiteral(COLLSCOPE_SOURCE_FOLDER "/README.md"));
        QCOMPARE(codesIn(listed(readme), "(?:^|[ ,])(\\d) [a-z]"), codes);
        const QString shown = QString::fromUtf8(runProgram({QStringLiteral("--help")}).out);
        QCOMPARE(codesIn(listed(shown), "(?:^|[ ,])(\\d) [a-z]"), codes);
        const QString page = QString::fromUtf8(runProgram({QStringLiteral("--man-page")}).out);
        QCOMPARE(codesIn(page.section(QStringLiteral("EXIT STATUS"), 1).section(QStringLiteral(".SH"), 0, 0),
                         "^(\\d+)$"),
                 codes);
    }
    void filesOfTheKitAreThere()
    {
        const QString page = contentOf(help().filePath(QStringLiteral("cluster.md")));
        const QString table
            = page.section(QStringLiteral("| In KIT |"), 1).section(QStringLiteral("\n\n"), 0, 0);
        static const QRegularExpression file(QStringLiteral("^\\| `([^` ]+)"),
                                             QRegularExpression::MultilineOption);
        int files = 0;
        for (auto match = file.globalMatch(table); match.hasNext(); ++files) {
            QString name = match.next().captured(1);
            name.replace(QLatin1String("<name>"), QLatin1String("llama3.1-8b-torchtitan-tp-perlmutter-16"));
            QVERIFY2(QFile::exists(QStringLiteral(COLLSCOPE_SOURCE_FOLDER "/resources/collect/") + name),
                     qUtf8Printable(name));
        }
        QVERIFY(files >= 8);
    }
    void everyPictureIsListed()
    {
        const QString list = contentOf(help().filePath(QStringLiteral("pictures/pictures.txt")));
        for (const QString& name :
             QDir(help().filePath(QStringLiteral("pictures"))).entryList({QStringLiteral("*.png")}))
            QVERIFY2(list.contains(u'\n' + name + u' '), qUtf8Printable(name));
    }
    void picturesAreThoseOfToday_data()
    {
        QTest::addColumn<QStringList>("arguments");
        const QString list = contentOf(help().filePath(QStringLiteral("pictures/pictures.txt")));
        for (const QString& line : list.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
            if (line.startsWith(QLatin1Char('#')))
                continue;
            QStringList words = QProcess::splitCommand(line);
            const QString name = words.takeFirst();
            QTest::newRow(qPrintable(name)) << words;
        }
    }
    void picturesAreThoseOfToday()
    {
        QFETCH(const QStringList, arguments);
        const QString name = QString::fromLatin1(QTest::currentDataTag());
        const QString folder = scratch(QStringLiteral("pictures"));
        QProcess program;
        program.setWorkingDirectory(folder);
        QProcessEnvironment own = environment(m_folder.filePath(QStringLiteral("bin")));
        own.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        program.setProcessEnvironment(own);
        program.start(QStringLiteral(COLLSCOPE_PROGRAM),
                      QStringList{QStringLiteral("--screenshot"), name} + arguments);
        QVERIFY(program.waitForFinished(60'000));
        QVERIFY2(program.exitCode() == 0, program.readAllStandardError().constData());
        const QString kept = help().filePath(QStringLiteral("pictures/") + name);
        const QString made = folder + u'/' + name;
        if (qEnvironmentVariableIsSet("COLLSCOPE_UPDATE_GOLDEN")) {
            QFile::remove(kept);
            QVERIFY(QFile::copy(made, kept));
            return;
        }
        const QImage then(kept), now(made);
        QVERIFY2(!then.isNull(), "it is not there: make it with COLLSCOPE_UPDATE_GOLDEN=1");
        QCOMPARE(now.size(), then.size());
        const double differing = differingShare(then, now);
        QVERIFY2(differing <= mostDiffering, QByteArray::number(differing).constData());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestGuide)
#include "tst_guide.moc"
