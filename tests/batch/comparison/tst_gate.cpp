// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// --batch gate through the real binary: its verdicts as exit codes, its JSON and its text.

#include "metrics/summary/summarized_events.h"
#include "tests/batch/program.h"
#include "tests/support/runs/noisy_run.h"
#include "tests/support/runs/reduced_folder.h"
#include "tests/support/suite/suite.h"

#include <QTemporaryDir>

#include <nlohmann/json.hpp>

namespace collscope {

class TestGate : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QString path(const QString& name) const { return m_folder.filePath(name); }
    ProgramRun gate(const char* base, const char* test, const QStringList& more) const
    {
        return runBatchProgram(
            QStringList{QStringLiteral("gate"), path(QString::fromUtf8(base)), path(QString::fromUtf8(test))}
            + more);
    }
    static QStringList stepTime(const char* percent = "+1%")
    {
        return {QStringLiteral("--max"), QStringLiteral("avg_step_time=") + QString::fromLatin1(percent)};
    }
    void write(const char* name, const NoisyRunPlan& plan) const
    {
        noisyRun(plan).write(path(QString::fromUtf8(name)).toStdString());
    }

private slots:
    void initTestCase()
    {
        NoisyRunPlan plan;
        plan.ranks = 2;
        plan.noise.outlierShare = 0;
        write("base", plan);
        plan.number = 1;
        write("same", plan);
        plan.number = 2;
        plan.slowed = SlowedPart::Communication;
        write("slow", plan);
        plan.steps = 6;
        write("short", plan);
        std::filesystem::create_directories(path(QStringLiteral("empty")).toStdString());
    }
    void verdicts()
    {
        const ProgramRun passed = gate("base", "same", stepTime());
        QVERIFY2(passed.exitCode == 0, passed.err + passed.out);
        QVERIFY2(passed.out.startsWith("Passed: avg_step_time is within its limit.\n"),
                 passed.out.constData());
        QVERIFY(passed.err.isEmpty());
        const ProgramRun red = gate("base", "slow", stepTime());
        QVERIFY2(red.exitCode == 6, red.err + red.out);
        QVERIFY2(red.out.startsWith("Regression: avg_step_time exceeds its limit beyond the noise.\n"),
                 red.out.constData());
        QVERIFY2(red.out.contains("\nTo blame: communication, +"), red.out.constData());
        QVERIFY2(red.out.contains("\nNoise: of the steps of these two runs."), red.out.constData());
        QCOMPARE(gate("base", "slow", stepTime("+5%")).exitCode, 0);
        QCOMPARE(gate("slow", "base", stepTime("+0%")).exitCode, 0); // faster
        const ProgramRun undecided = gate("base", "short", stepTime());
        QCOMPARE(undecided.exitCode, 3);
        QVERIFY2(undecided.out.startsWith("Undecided: "), undecided.out.constData());
        QVERIFY2(undecided.err.contains("avg_step_time: The run ")
                     && undecided.err.contains("4 steps in its window"),
                 undecided.err.constData());
    }
    /// One red limit decides, and one that cannot be told is not a pass.
    void severalLimits()
    {
        const QStringList unknown{QStringLiteral("--max"), QStringLiteral("memory_peak=+1%")};
        QCOMPARE(gate("base", "slow", stepTime() + unknown).exitCode, 6);
        const ProgramRun run = gate("base", "same", stepTime() + unknown);
        QCOMPARE(run.exitCode, 3);
        QVERIFY2(run.err.contains("memory_peak: It has no value in the run "), run.err.constData());
    }
    void json()
    {
        const ProgramRun run
            = gate("base", "slow",
                   stepTime()
                       + QStringList{QStringLiteral("--max"), QStringLiteral("comm_comp_overlap=-50%"),
                                     QStringLiteral("--json")});
        QVERIFY2(run.exitCode == 6, run.err.constData());
        const nlohmann::json answer = jsonOf(run.out);
        QCOMPARE(answer["schema"].get<std::string>(), std::string("collscope.gate/1"));
        QCOMPARE(answer["verdict"].get<std::string>(), std::string("regression"));
        QCOMPARE(answer["blamed"].get<std::string>(), std::string("communication"));
        QCOMPARE(answer["baseline"]["ranks"].size(), std::size_t{2});
        QCOMPARE(answer["limits"].size(), std::size_t{2});
        const auto& limit = answer["limits"][0];
        QCOMPARE(limit["metric"].get<std::string>(), std::string("avg_step_time"));
        QCOMPARE(limit["limit_percent"].get<double>(), 1.0);
        QCOMPARE(limit["verdict"].get<std::string>(), std::string("exceeded"));
        const auto& typical = limit["typical_step"];
        QVERIFY(typical["low_percent"].get<double>() > 0);
        QVERIFY(typical["low_percent"] < typical["change_percent"]);
        QVERIFY(typical["change_percent"] < typical["high_percent"]);
        QCOMPARE(limit["baseline_steps"].get<int>(), 40);
        QCOMPARE(answer["limits"][1]["limit_percent"].get<double>(), -50.0);
        // The values are those of --metric, to the last digit.
        for (const auto& [key, name] : {std::pair("baseline", "base"), std::pair("test", "slow")}) {
            const ProgramRun value
                = runBatchProgram({path(QString::fromLatin1(name)), QStringLiteral("--metric"),
                                   QStringLiteral("avg_step_time")});
            QCOMPARE(limit[key].get<double>(), value.out.trimmed().toDouble());
        }
        std::vector<std::string> parts;
        for (const auto& part : answer["parts"]) {
            parts.push_back(part["part"].get<std::string>());
            QVERIFY(part["change_ns"].is_number_integer());
            QCOMPARE(part["grew_beyond_noise"].get<bool>(), part["low_ns"].get<std::int64_t>() > 0);
        }
        QVERIFY((parts == std::vector<std::string>{"compute", "communication", "waiting", "copy", "idle"}));
    }
    void jsonOfAnUndecidedGate()
    {
        const ProgramRun run = gate("base", "short", stepTime() + QStringList{QStringLiteral("--json")});
        QCOMPARE(run.exitCode, 3);
        const nlohmann::json answer = jsonOf(run.out);
        QCOMPARE(answer["verdict"].get<std::string>(), std::string("undecided"));
        QVERIFY(answer["blamed"].is_null());
        QVERIFY(answer["limits"][0]["typical_step"].is_null());
        QVERIFY2(run.err.contains(answer["limits"][0]["reason"].get<std::string>().c_str()),
                 run.err.constData());
    }
    void mistakes()
    {
        const QString base = path(QStringLiteral("base"));
        const QStringList lines[]{
            {base, base},
            {base, QStringLiteral("--max"), QStringLiteral("avg_step_time=+1%")},
            {base, base, base, QStringLiteral("--max"), QStringLiteral("avg_step_time=+1%")},
            {base, base, QStringLiteral("--max"), QStringLiteral("avg_step_time=1%")},
            {base, base, QStringLiteral("--max"), QStringLiteral("avg_step_time=-1%")},
            {base, base, QStringLiteral("--max"), QStringLiteral("avg_step_tim=+1%")},
            {base, base, QStringLiteral("--max"), QStringLiteral("avg_step_time=+1%"),
             QStringLiteral("--max"), QStringLiteral("avg_step_time=+2%")},
            {base, base, QStringLiteral("--max"), QStringLiteral("avg_step_time=+1%"),
             QStringLiteral("--range"), QStringLiteral("1-2")}};
        for (const QStringList& line : lines) {
            const ProgramRun run = runBatchProgram(QStringList{QStringLiteral("gate")} + line);
            QVERIFY2(run.exitCode == 1, qPrintable(line.join(u' ')));
            QVERIFY2(run.out.isEmpty() && run.err.endsWith(".\n"), run.err.constData());
        }
        QCOMPARE(gate("base", "empty", stepTime()).exitCode, 2);
        QCOMPARE(gate("base", "missing", stepTime()).exitCode, 2);
    }
    /// A line of a log that begins with "::" is a command to GitHub, and escapes control a terminal.
    void hostileNames()
    {
        const char* const name = "a\n::error::b\x1b[31m";
        NoisyRunPlan plan;
        plan.ranks = 2;
        plan.steps = 6;
        write(name, plan);
        for (const QStringList& more : {stepTime(), stepTime() + QStringList{QStringLiteral("--json")}}) {
            const ProgramRun run = gate(name, "short", more);
            QCOMPARE(run.exitCode, 3);
            for (const QByteArray& output : {run.out, run.err}) {
                QVERIFY2(!output.contains('\x1b') && !output.contains("\n::"), output.constData());
                QVERIFY2(!output.isEmpty(), "nothing is said");
            }
        }
    }
    /// Sums of each step are enough; waits are part of the communication then.
    void summaries()
    {
        for (const char* name : {"base", "slow"})
            QVERIFY(writeReduced(path(QString::fromLatin1(name)).toStdString(),
                                 path(QString::fromLatin1(name) + QStringLiteral("_sums")).toStdString(), 1,
                                 Kept::Summaries, summarizeEvents));
        const ProgramRun events = gate("base", "slow", stepTime() + QStringList{QStringLiteral("--json")});
        const ProgramRun sums
            = gate("base_sums", "slow_sums", stepTime() + QStringList{QStringLiteral("--json")});
        QVERIFY2(sums.exitCode == 6, sums.err.constData());
        const nlohmann::json of = jsonOf(events.out), answer = jsonOf(sums.out);
        QVERIFY2(answer["limits"] == of["limits"], answer["limits"].dump().c_str());
        QCOMPARE(answer["blamed"].get<std::string>(), std::string("communication"));
        QCOMPARE(answer["parts"].size(), std::size_t{4});
        QVERIFY2(answer["notes"].dump().find("Waits are part of the communication") != std::string::npos,
                 answer["notes"].dump().c_str());
        const ProgramRun needsEvents
            = gate("base_sums", "slow_sums",
                   {QStringLiteral("--max"), QStringLiteral("allreduce_bus_bandwidth=-3%")});
        QCOMPARE(needsEvents.exitCode, 3);
        QVERIFY2(needsEvents.err.contains("merged from summaries"), needsEvents.err.constData());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestGate)
#include "tst_gate.moc"
