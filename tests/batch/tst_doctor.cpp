// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// --doctor and --write-clean through the real binary, as scripts see them.

#include "tests/batch/program.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/sample_trace.h"
#include "tests/support/workloads/run_writer.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <filesystem>

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
        QVERIFY2(run.out.contains("rank0.json: PyTorch profiler (Kineto) or Chrome trace JSON, 20 events = "
                                  "20 shown + 0 excluded, no findings\n"),
                 run.out.constData());
        QVERIFY2(run.out.contains("rank1.json: PyTorch profiler (Kineto) or Chrome trace JSON, 20 events = "
                                  "19 shown + 1 excluded\n"),
                 run.out.constData());
        QVERIFY2(run.out.contains("unescaped_quote at byte "), run.out.constData());
        QVERIFY2(run.out.contains("truncated at byte "), run.out.constData());
        QVERIFY2(run.out.contains("All 40 events are accounted for.\n"), run.out.constData());
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
        QVERIFY2(again.out.contains("19 events = 19 shown + 0 excluded, no findings"), again.out.constData());
    }
    void nothingIsWrittenIntoTheRun()
    {
        for (const char* folder : {"run", "run/sub", "run/new"}) {
            const ProgramRun run = doctor("run", {QStringLiteral("--write-clean"), path(folder)});
            QCOMPARE(run.exitCode, 1);
            QVERIFY2(run.err.contains("outside the run"), run.err.constData());
        }
        ProgramSurroundings inRun;
        const std::string folder = path("run").toStdString();
        inRun.inChild = [&] {
            if (::chdir(folder.c_str()) != 0)
                ::_exit(9);
        };
        const ProgramRun here = runBatchProgram({QStringLiteral("--doctor"), QStringLiteral("."),
                                                 QStringLiteral("--write-clean"), QStringLiteral("new")},
                                                inRun);
        QCOMPARE(here.exitCode, 1);
        QVERIFY(!QFile::exists(path("run/new")));
    }
    void linksDoNotLeadBackIntoTheRun()
    {
        const std::string trace = path("run/sub/rank1.json").toStdString();
        const auto contentOf = [](const std::string& file) {
            QFile open(QString::fromStdString(file));
            return open.open(QIODevice::ReadOnly) ? open.readAll() : QByteArray();
        };
        const QByteArray before = contentOf(trace);
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("links/sub")));
        QVERIFY(QFile::link(QString::fromStdString(trace), path("links/sub/rank1.json")));
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("linkedfolder")));
        QVERIFY(QFile::link(path("run/sub"), path("linkedfolder/sub")));
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("hard/sub")));
        std::filesystem::create_hard_link(trace, path("hard/sub/rank1.json").toStdString());
        for (const char* folder : {"links", "linkedfolder", "hard"}) {
            const ProgramRun run = doctor("run", {QStringLiteral("--write-clean"), path(folder)});
            QCOMPARE(run.exitCode, 4);
            QVERIFY2(run.err.contains("nothing was written"), run.err.constData());
            QCOMPARE(contentOf(trace), before);
        }
        // A run that is a folder of links: what they lead to is the trace.
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("view")));
        QVERIFY(QFile::link(QString::fromStdString(trace), path("view/rank1.json")));
        QCOMPARE(doctor("view", {QStringLiteral("--write-clean"), path("run/sub")}).exitCode, 4);
        QCOMPARE(contentOf(trace), before);
    }
    void copiesHaveNamesOfTheirOwn()
    {
        std::string damaged = sampleTrace(1, 20);
        damaged.resize(damaged.size() - 60);
        const QStringList names{QStringLiteral("same/r0/t.json"), QStringLiteral("same/r1/t.json"),
                                QStringLiteral("same/r1/t.json.gz")};
        QStringList arguments{QStringLiteral("--doctor")};
        for (const QString& name : names) {
            const QString file = m_folder.filePath(name);
            QVERIFY(QDir().mkpath(QFileInfo(file).path()));
            writeFile(file.toStdString(), damaged);
            arguments << file;
        }
        const ProgramRun run
            = runBatchProgram(arguments << QStringLiteral("--write-clean") << path("distinct"));
        QCOMPARE(run.exitCode, 0);
        for (const char* name : {"distinct/t.json", "distinct/t-2.json", "distinct/t-3.json"})
            QVERIFY2(QFile::exists(path(name)), run.err.constData());
    }
    void aByteOrderMarkIsTakenAway()
    {
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("mark")));
        writeFile(path("mark/t.json").toStdString(), "\xEF\xBB\xBF" + sampleTrace(0, 20));
        const ProgramRun run = doctor("mark", {QStringLiteral("--write-clean"), path("unmarked")});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.out.contains("  byte_order_mark\n"), run.out.constData());
        QFile copy(path("unmarked/t.json"));
        QVERIFY(copy.open(QIODevice::ReadOnly));
        QCOMPARE(jsonOf(copy.readAll())["traceEvents"].size(), std::size_t{20});
    }
    void aMissingTrailerIsNoLostMetadata()
    {
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("tail")));
        std::string text = sampleTrace(3, 20);
        text.resize(text.rfind('}'));
        json whole = json::parse(text + "}");
        writeFile(path("tail/t.json").toStdString(), text + ",\"traceName\":\"t.js");
        const ProgramRun run = doctor("tail", {QStringLiteral("--write-clean"), path("closed")});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.out.contains("truncated at byte ") && !run.out.contains("bad_metadata"),
                 run.out.constData());
        QFile copy(path("closed/t.json"));
        QVERIFY(copy.open(QIODevice::ReadOnly));
        QVERIFY(jsonOf(copy.readAll()) == whole);
    }
    void findingsAboutTheRunAreNoFiles()
    {
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("cards")));
        writeFile(path("cards/rank0.json").toStdString(), sampleTrace(0, 20));
        for (const char* card : {"cards/a.yaml", "cards/b.yaml"})
            writeFile(path(card).toStdString(), "workload:\n  model:\n    model_family: toy\n");
        const ProgramRun run = doctor("cards");
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.out.contains("the run in ") && !run.out.contains("not read"), run.out.constData());
        const json answer = jsonOf(doctor("cards", {QStringLiteral("--json")}).out);
        QCOMPARE(answer["findings"].at(0)["code"].get<std::string>(), std::string("several_cards"));
        for (const json& file : answer["files"])
            QVERIFY(file["path"].get<std::string>() != path("cards").toStdString());
    }
    void namesDoNotForgeLines()
    {
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("forged")));
        const std::string name
            = "/x.json: 5 events = 5 shown + 0 excluded, no findings\nAll 5 events: \x1b[31m.json";
        writeFile(path("forged").toStdString() + name, sampleTrace(0, 20));
        const ProgramRun run = doctor("forged");
        QVERIFY2(run.out.contains("no findings\\x0aAll 5 events: \\x1b[31m.json: PyTorch profiler"),
                 run.out.constData());
        QVERIFY2(!run.out.contains("\nAll 5 events: "), run.out.constData());
    }
    void memoryIsLimited()
    {
        const ProgramRun run = doctor("run", {QStringLiteral("--max-memory"), QStringLiteral("1000")});
        QCOMPARE(run.exitCode, 2);
        QVERIFY2(run.out.contains("Chrome trace JSON, not read\n  memory_limit\n"), run.out.constData());
        QVERIFY2(run.out.endsWith("accounted for. Not read: 2 files.\n"), run.out.constData());
        QVERIFY2(run.err.contains("could be read"), run.err.constData());
    }
    void whatIsReadSaysWhatItIs()
    {
        const auto filesOf = [&](const char* name) {
            std::map<std::string, std::pair<std::string, bool>> files;
            const json answer = jsonOf(doctor(name, {QStringLiteral("--json")}).out);
            for (const json& file : answer["files"])
                files[std::filesystem::path(file["path"].get<std::string>()).filename().string()]
                    = {file["format"].is_null() ? "" : file["format"].get<std::string>(),
                       file["read"].get<bool>()};
            return files;
        };
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("described")));
        writeFile(path("described/workload_card.yaml").toStdString(),
                  "workload:\n  model:\n    model_family: x\n");
        writeFile(path("described/rank0_trace.json").toStdString(), sampleTrace(0, 20));
        const auto files = filesOf("described");
        QCOMPARE(files.at("workload_card.yaml"), std::pair(std::string("Workload card (YAML)"), true));
        QCOMPARE(files.at("rank0_trace.json").second, true);
        QVERIFY(doctor("described")
                    .out.contains("workload_card.yaml: Workload card (YAML), read, no findings\n"));
        // A card alone is nothing to look at.
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("card")));
        writeFile(path("card/workload_card.yaml").toStdString(),
                  "workload:\n  model:\n    model_family: x\n");
        QCOMPARE(doctor("card").exitCode, 2);
    }
    /// Whatever stderr of a load says stands in the doctor's answer too.
    void whatTheRunLacksIsSaid()
    {
        const RunPlan plan = planRun({});
        RunFiles all;
        all.gzip = all.nvlink = false;
        writeRun(plan, path("lacking").toStdString(), all);
        QVERIFY(QFile::remove(path("lacking/rank2_trace.json")));
        const ProgramRun load
            = runBatchProgram({path("lacking"), QStringLiteral("--metric"), QStringLiteral("coll_call_num")});
        QVERIFY2(load.err.contains("[ranks_missing"), load.err.constData());
        const ProgramRun run = doctor("lacking");
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.out.contains("the run:\n  ranks_missing"), run.out.constData());
        QVERIFY2(run.out.contains("No execution traces"), run.out.constData());
        writeFile(
            path("lacking/torch_et_0.json").toStdString(),
            R"({"schema":"1.1.1-chakra.0.0.4","pid":1,"nodes":[{"id":1,"name":"[pytorch|profiler|execution_trace|process]","ctrl_deps":1,"inputs":{"values":[],"shapes":[],"types":[]},"outputs":{"values":[],"shapes":[],"types":[]},"attrs":[]}]})");
        const ProgramRun some = doctor("lacking");
        QVERIFY2(some.out.contains("execution_traces_missing") && some.out.contains("for rank 1, 3."),
                 some.out.constData());
    }
    void withoutATraceThereIsNothingToTell()
    {
        const ProgramRun run = doctor("nothing");
        QCOMPARE(run.exitCode, 2);
        QVERIFY2(run.err.contains(" contains no traces."), run.err.constData());
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
