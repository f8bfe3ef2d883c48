// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// User-defined metrics through the real binary: where they come from, where they are printed, what a mistake
// is answered with.

#include "tests/batch/program.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"

#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <filesystem>

namespace collscope {

class TestBatchUserMetrics : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    QString written(const char* name, const char* text) const
    {
        writeFile(path(name).toStdString(), text);
        return path(name);
    }
    static QString word(const char* text) { return QString::fromLatin1(text); }

private slots:
    void initTestCase()
    {
        RunFiles files;
        files.nvlink = false;
        writeRun(planRun(WorkloadDescription()), path("run").toStdString(), files);
        written("mine.toml",
                "[[metric]]\nid = \"my_steps\"\ntitle = \"My steps\"\nunit = \"count\"\n"
                "numerator = { window = \"steps\" }\n");
    }
    void areAskedForLikeBuiltInOnes()
    {
        const QStringList define{path("run"), word("--define"), path("mine.toml")};
        const ProgramRun bare = runBatchProgram(define + QStringList{word("--metric"), word("my_steps")});
        QCOMPARE(bare.exitCode, 0);
        QCOMPARE(bare.out, QByteArray("2\n")); // four steps, less the first and the last
        const ProgramRun json = runBatchProgram(define + QStringList{word("--json")});
        QCOMPARE(json.exitCode, 0);
        const auto answer = jsonOf(json.out);
        QVERIFY(answer.contains("avg_step_time"));
        QCOMPARE(answer["my_steps"]["value"].get<int>(), 2);
        QCOMPARE(answer["my_steps"]["unit"].get<std::string>(), std::string("count"));
        QCOMPARE(answer["my_steps"]["per_rank"].size(), std::size_t{4});
        QVERIFY(answer["my_steps"]["defined_in"].get<std::string>().ends_with("mine.toml, line 1"));
        const ProgramRun csv = runBatchProgram(
            define + QStringList{word("--metric"), word("my_steps"), word("--csv"), word("-")});
        QVERIFY2(csv.out.contains("\nmy_steps,4 ranks,,,2,count,value,"), csv.out.constData());
        const ProgramRun explained
            = runBatchProgram(define + QStringList{word("--explain"), word("my_steps")});
        QCOMPARE(explained.exitCode, 0);
        QVERIFY2(explained.out.contains("mean of ranks"), explained.out.constData());
    }
    void theListMarksThem()
    {
        const QStringList list{word("--list-metrics"), word("--define"), path("mine.toml")};
        QVERIFY(runBatchProgram(list).out.contains("user-defined: "));
        const auto json = jsonOf(runBatchProgram(list + QStringList{word("--json")}).out);
        QVERIFY(json.back()["user_defined"].get<std::string>().ends_with("mine.toml, line 1"));
        QVERIFY(!json.front().contains("user_defined"));
        const QByteArray page = runBatchProgram(list + QStringList{word("--markdown")}).out;
        QVERIFY2(page.contains("\n## User-defined\n\n### My steps\n"), page.constData());
        QCOMPARE(runBatchProgram({path("run"), word("--markdown")}).exitCode, 1);
    }
    void aMistakeIsToldBeforeAnythingIsRead()
    {
        const QString wrong = written(
            "wrong.toml", "[[metric]]\nid = \"mine\"\nunit = \"s\"\nnumerator = { metric = \"x\" }\n");
        const ProgramRun run = runBatchProgram({path("no such run"), word("--define"), wrong});
        QCOMPARE(run.exitCode, 1);
        QVERIFY(run.out.isEmpty());
        QVERIFY2(run.err.contains("wrong.toml:4: ") && run.err.contains("Nearest: "), run.err.constData());
        // The same name in two files.
        const ProgramRun twice = runBatchProgram(
            {path("run"), word("--define"), path("mine.toml"), word("--define"), path("mine.toml")});
        QCOMPARE(twice.exitCode, 1);
        QVERIFY2(twice.err.contains("taken"), twice.err.constData());
        QCOMPARE(runBatchProgram({path("run"), word("--define"), path("none.toml")}).exitCode, 1);
        QCOMPARE(runProgram({path("run"), word("--define"), path("mine.toml")}).exitCode, 1);
    }
    void theConfigurationFolderDefinesToo()
    {
        std::filesystem::create_directories(path("config/collscope/collscope").toStdString());
        std::filesystem::copy_file(path("mine.toml").toStdString(),
                                   path("config/collscope/collscope/metrics.toml").toStdString());
        const QByteArray before = qgetenv("XDG_CONFIG_HOME");
        qputenv("XDG_CONFIG_HOME", path("config").toUtf8());
        const ProgramRun run = runBatchProgram({path("run"), word("--metric"), word("my_steps")});
        written("config/collscope/collscope/metrics.toml", "[[metric]]\n");
        const ProgramRun wrong = runBatchProgram({path("run"), word("--metric"), word("avg_step_time")});
        if (before.isNull())
            qunsetenv("XDG_CONFIG_HOME");
        else
            qputenv("XDG_CONFIG_HOME", before);
        QCOMPARE(run.exitCode, 0);
        QCOMPARE(run.out, QByteArray("2\n"));
        QCOMPARE(wrong.exitCode, 1);
        QVERIFY2(wrong.err.contains("metrics.toml:1: "), wrong.err.constData());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestBatchUserMetrics)
#include "tst_batch_user_metrics.moc"
