// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// --batch findings through the real binary: its JSON, its text and its exit codes.

#include "model/queries/location_text.h"
#include "tests/batch/program.h"
#include "tests/support/runs/caused_run.h"
#include "tests/support/suite/suite.h"

#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace collscope {

class TestFindingsCommand : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    ProgramRun findings(const char* folder, const QStringList& more = {}) const
    {
        return runBatchProgram(QStringList{QStringLiteral("findings"), path(folder)} + more);
    }

private slots:
    /// Three ranks; rank 1 is in cudaMalloc for 1500 us in each step, while its GPU has 600 us of work.
    void initTestCase()
    {
        CausedRun run(3, {});
        run.play([&](int, int rank, int place) {
            if (rank == 1 && place == 2)
                run.cpu(rank, "cudaMalloc", 1500, "cuda_runtime");
        });
        run.run().write(path("run").toStdString());
        std::filesystem::create_directories(path("empty").toStdString());
        std::filesystem::create_directories(path("cpu").toStdString());
        std::ofstream(path("cpu").toStdString() + "/trace.json")
            << R"({"traceEvents":[{"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":1,"ts":0,"dur":5}]})";
    }
    void json()
    {
        const ProgramRun run = findings("run", {QStringLiteral("--json")});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        const auto answer = nlohmann::json::parse(run.out.toStdString());
        QCOMPARE(answer["schema"].get<std::string>(), std::string("collscope.findings/1"));
        QCOMPARE(answer["run"]["ranks"].size(), std::size_t{3});
        const std::int64_t stepNs = answer["step_ns"].get<std::int64_t>();
        std::int64_t sumNs = 0;
        std::vector<std::string> names;
        for (const auto& part : answer["parts"]) {
            QVERIFY(part["ns_per_step"].is_number_integer());
            sumNs += part["ns_per_step"].get<std::int64_t>();
            names.push_back(part["part"].get<std::string>());
        }
        QCOMPARE(sumNs, stepNs);
        QVERIFY((names == std::vector<std::string>{"compute", "communication", "waiting", "copy", "idle"}));
        std::int64_t costsNs = 0;
        for (const auto& finding : answer["findings"]) {
            costsNs += finding["cost_ns_per_step"].get<std::int64_t>();
            QVERIFY(finding["share"].get<double>() <= 1);
            QVERIFY(finding["where"].size() <= 12);
            for (const auto& place : finding["where"]) {
                QVERIFY(place["begin_ns"].get<std::int64_t>() < place["end_ns"].get<std::int64_t>());
                QVERIFY(parseLocation(place["location"].get<std::string>()).has_value());
            }
        }
        QVERIFY(costsNs <= stepNs);
    }
    /// What was planted leads: the others wait for rank 1, because it allocates.
    void planted()
    {
        const ProgramRun run
            = findings("run", {QStringLiteral("--json"), QStringLiteral("--top"), QStringLiteral("1")});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        const auto answer = nlohmann::json::parse(run.out.toStdString());
        QCOMPARE(answer["findings"].size(), std::size_t{1});
        const auto& worst = answer["findings"][0];
        QCOMPARE(worst["id"].get<std::string>(), std::string("late_rank"));
        QCOMPARE(worst["ranks"].get<std::vector<int>>(), std::vector<int>{1});
        QCOMPARE(worst["cause"].get<std::string>(), std::string("allocates"));
    }
    void text()
    {
        const ProgramRun run = findings("run");
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY2(run.out.startsWith("Step: "), run.out.constData());
        QVERIFY2(run.out.contains("1. The others wait for rank 1"), run.out.constData());
    }
    void exitCodes()
    {
        QCOMPARE(findings("empty").exitCode, 2);
        QCOMPARE(findings("run", {QStringLiteral("--top"), QStringLiteral("0")}).exitCode, 1);
        QCOMPARE(findings("run", {QStringLiteral("--nonsense")}).exitCode, 1);
        const ProgramRun cpu = findings("cpu", {QStringLiteral("--json")});
        QCOMPARE(cpu.exitCode, 3);
        QVERIFY(cpu.out.isEmpty());
        QVERIFY2(cpu.err.contains("no GPU work"), cpu.err.constData());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestFindingsCommand)
#include "tst_findings_command.moc"
