// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// --doctor and --write-clean through the real binary, as scripts see them.

#include "tests/batch/program.h"
#include "tests/support/run_writer.h"
#include "tests/support/sample_trace.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

namespace collscope {

using nlohmann::json;

class TestDoctor : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    ProgramRun doctor(const char* name, const QStringList& more = {}) const
    {
        return runBatchProgram(QStringList{QStringLiteral("--doctor"), path(name)} + more);
    }

private slots:
    void initTestCase()
    {
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("run/sub")));
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("nothing")));
        writeFile(path("run/rank0.json").toStdString(), sampleTrace(0, 20));
        std::string damaged = sampleTrace(1, 20);
        damaged.insert(damaged.find("gemm") + 2, "\"\xff");
        damaged.resize(damaged.size() - 60);
        writeFile(path("run/sub/rank1.json").toStdString(), damaged);
    }
    void textTellsWhatBecameOfEachEvent()
    {
        const ProgramRun run = doctor("run");
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.out.contains("rank0.json: 20 events = 20 shown + 0 left out, no findings\n"),
                 run.out.constData());
        QVERIFY2(run.out.contains("rank1.json: 20 events = 19 shown + 1 left out\n"), run.out.constData());
        QVERIFY2(run.out.contains("unescaped_quote at byte "), run.out.constData());
        QVERIFY2(run.out.contains("truncated at byte "), run.out.constData());
        QVERIFY2(run.out.contains("Conserved: each of the 40 events is shown or listed above.\n"),
                 run.out.constData());
    }
    void jsonIsThatOfTheContract()
    {
        const ProgramRun run = doctor("run", {QStringLiteral("--json")});
        QCOMPARE(run.exitCode, 0);
        const json answer = jsonOf(run.out);
        QVERIFY(answer.is_object());
        QVERIFY(answer["conserved"].get<bool>());
        QCOMPARE(answer["files"].size(), std::size_t{2});
        const json& file = answer["files"][1];
        QVERIFY(QString::fromStdString(file["path"].get<std::string>())
                    .endsWith(QStringLiteral("sub/rank1.json")));
        QCOMPARE(file["events_in_file"].get<int>(), 20);
        QCOMPARE(file["shown"].get<int>(), 19);
        QCOMPARE(file["excluded"].get<int>(), 1);
        int listed = 0;
        for (const json& finding : file["findings"]) {
            QVERIFY(finding["code"].is_string() && finding["message"].is_string());
            QVERIFY(finding["offset"].is_number() && finding["count"].get<int>() > 0);
            listed += finding["excluded"].get<int>();
        }
        QCOMPARE(listed, 1);
    }
    void onlyDamagedFilesAreCopied()
    {
        const ProgramRun run = doctor("run", {QStringLiteral("--write-clean"), path("clean")});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY(!QFile::exists(path("clean/rank0.json")));
        QFile copy(path("clean/sub/rank1.json"));
        QVERIFY(copy.open(QIODevice::ReadOnly));
        const json trace = jsonOf(copy.readAll());
        QVERIFY(trace.is_object());
        QCOMPARE(trace["traceEvents"].size(), std::size_t{19});
        QCOMPARE(trace["distributedInfo"]["rank"].get<int>(), 1);
        const ProgramRun again = doctor("clean");
        QVERIFY2(again.out.contains("19 events = 19 shown + 0 left out, no findings"), again.out.constData());
    }
    void nothingIsWrittenIntoTheRun()
    {
        for (const char* folder : {"run", "run/sub", "run/new"}) {
            const ProgramRun run = doctor("run", {QStringLiteral("--write-clean"), path(folder)});
            QCOMPARE(run.exitCode, 1);
            QVERIFY2(run.err.contains("outside the run"), run.err.constData());
        }
        QVERIFY(!QFile::exists(path("run/new")));
    }
    void withoutATraceThereIsNothingToTell()
    {
        const ProgramRun run = doctor("nothing");
        QCOMPARE(run.exitCode, 2);
        QVERIFY2(run.err.contains("There is no trace in "), run.err.constData());
        QCOMPARE(doctor("missing").exitCode, 2);
    }
    void aFolderThatCannotBeWritten()
    {
        writeFile(path("file").toStdString(), "x");
        const ProgramRun run = doctor("run", {QStringLiteral("--write-clean"), path("file/clean")});
        QCOMPARE(run.exitCode, 4);
    }
    void optionsThatHaveNoMeaning()
    {
        QCOMPARE(runBatchProgram({path("run"), QStringLiteral("--write-clean"), path("clean")}).exitCode, 1);
        QCOMPARE(doctor("run", {QStringLiteral("--metric"), QStringLiteral("avg_step_time")}).exitCode, 1);
        QCOMPARE(runProgram({QStringLiteral("--doctor"), path("run")}).exitCode, 1);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestDoctor)
#include "tst_doctor.moc"
