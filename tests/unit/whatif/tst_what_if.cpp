// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Scenarios of a replay: planted jobs against the same jobs without what was planted, and what must hold for
// any replay.

#include "app/runtime/thread_pool.h"
#include "metrics/export/what_if_report.h"
#include "metrics/export/written_report.h"
#include "metrics/whatif/what_if_text.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/gloo_jobs.h"
#include "tests/support/texts/kineto_text.h"
#include "tests/support/workloads/planted_run.h"
#include "tests/support/workloads/run_writer.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>

#include <nlohmann/json.hpp>

#include <cmath>

Q_DECLARE_METATYPE(collscope::GateInput)

namespace collscope {

namespace {

TraceModelPtr planted(const PlantedPlan& plan)
{
    const QTemporaryDir folder;
    writePlanted(plan, folder.path().toStdString());
    auto loaded = loadPath(folder.path().toStdString());
    return loaded ? *loaded : nullptr;
}

WhatIfAnswer answerTo(const TraceModel& model, const std::vector<std::string>& specs, int threads = 1)
{
    MetricOptions options;
    options.steps.mode = StepChoice::Mode::All;
    options.parallel = threadPool(threads);
    Analysis analysis(model, options);
    std::vector<Scenario> scenarios;
    for (const std::string& spec : specs) {
        auto read = parseScenario(spec);
        if (auto* const scenario = std::get_if<Scenario>(&read))
            scenarios.push_back(std::move(*scenario));
    }
    return answerWhatIf(analysis, scenarios);
}

/// How far a prediction is from the truth, in percent.
double errorOf(double predictedNs, double trueNs)
{
    return 100 * (predictedNs - trueNs) / trueNs;
}

/// The time of the steps as recorded.
double measuredNs(const TraceModel& model)
{
    return answerTo(model, {"late"}).replay->measuredNs();
}

PlantedPlan slowKernelPlan()
{
    PlantedPlan plan;
    plan.ranks = 8;
    plan.tensorParallel = 2;
    plan.cause = PlantedCause::SlowKernel;
    plan.culprit = 5;
    plan.extraUs = 400;
    return plan;
}

} // namespace

class TestWhatIf : public QObject
{
    Q_OBJECT

private slots:
    /// A rank that is late for a planted reason: without the reason, the steps take as long as predicted.
    void lateRanksArePredicted()
    {
        int tried = 0;
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            PlantedPlan plan = plannedBy(seed);
            plan.missing.clear();
            if (plan.cause == PlantedCause::None)
                continue;
            const TraceModelPtr model = planted(plan);
            PlantedPlan without = plan;
            without.cause = PlantedCause::None;
            const TraceModelPtr truth = planted(without);
            QVERIFY(model && truth);
            const WhatIfAnswer answer = answerTo(*model, {"rank=" + std::to_string(plan.culprit)});
            const std::string context
                = std::to_string(seed) + ": " + planText(plan) + " " + answer.replay->refused();
            QVERIFY2(!answer.isRefused(), context.c_str());
            const ScenarioAnswer& own = answer.scenarios.front();
            QVERIFY2(own.basis.refused.empty(), (context + own.basis.refused).c_str());
            const double trueNs = measuredNs(*truth);
            const double error = errorOf(own.stepNs, trueNs);
            QVERIFY2(std::abs(error) < 1, (context + std::to_string(error)).c_str());
            const double trueGainNs = answer.replay->measuredNs() - trueNs;
            QVERIFY2(own.lowNs <= trueGainNs && trueGainNs <= own.highNs, context.c_str());
            ++tried;
        }
        QVERIFY(tried >= 30);
    }
    /// The run that comes with the program, against the same one in which nobody is late.
    void theDemoIsPredicted()
    {
        const auto load = [](const WorkloadDescription& description) {
            const QTemporaryDir folder;
            writeRun(planRun(description), folder.path().toStdString(), RunFiles());
            auto loaded = loadPath(folder.path().toStdString());
            return loaded ? *loaded : nullptr;
        };
        WorkloadDescription without = demoDescription();
        without.stragglerRank = -1;
        const TraceModelPtr model = load(demoDescription());
        const TraceModelPtr truth = load(without);
        QVERIFY(model && truth);
        const WhatIfAnswer answer = answerTo(*model, {"rank=5"});
        QVERIFY2(!answer.isRefused(), answer.replay->refused().c_str());
        QVERIFY(answer.replay->strictError() < 0.001);
        const double error = errorOf(answer.scenarios.front().stepNs, measuredNs(*truth));
        QVERIFY2(std::abs(error) < 1, std::to_string(error).c_str());
    }
    /// What was planted is the first of what would help.
    void thePlantedCauseIsSuggested()
    {
        const TraceModelPtr model = planted(slowKernelPlan());
        QVERIFY(model);
        const WhatIfAnswer answer = answerTo(*model, {});
        QVERIFY2(!answer.isRefused(), answer.replay->refused().c_str());
        QVERIFY(!answer.scenarios.empty());
        const auto first = std::find_if(answer.scenarios.begin(), answer.scenarios.end(),
                                        [](const ScenarioAnswer& own) { return !own.basis.isBound; });
        QVERIFY(first != answer.scenarios.end());
        const std::set<std::string> expected{"late", "rank=5"};
        QVERIFY2(expected.contains(first->scenario.spec), first->scenario.spec.c_str());
        QVERIFY(!first->evidence.empty());
        QCOMPARE(first->evidence.front().rank, 5);
    }
    /// Whatever a run is: nothing changed gains nothing, less work never takes longer, and what is written
    /// first does not matter.
    void identitiesHold()
    {
        const TraceModelPtr model = planted(slowKernelPlan());
        QVERIFY(model);
        const WhatIfAnswer answer = answerTo(
            *model,
            {"kernels=flash:100%", "kernels=flash:80%", "comm=0", "comm=overlapped", "late+bandwidth=2",
             "bandwidth=2+late", "bandwidth=1", "bandwidth=2", "bandwidth=2+comm=overlapped",
             "comm=0+bandwidth=2", "comm=tp:0", "kernels=.:0%+comm=0+launches=0"});
        QVERIFY2(!answer.isRefused(), answer.replay->refused().c_str());
        const auto stepNs = [&](std::size_t i) { return answer.scenarios[i].stepNs; };
        QCOMPARE(answer.scenarios[0].gainNs, 0.0);
        QVERIFY(answer.scenarios[1].gainNs > 0);
        QVERIFY(!answer.scenarios[1].evidence.empty()); // of many kernels, each of which saves little
        QVERIFY(stepNs(2) <= stepNs(3) && stepNs(3) <= answer.replay->measuredNs());
        QCOMPARE(stepNs(4), stepNs(5));
        QCOMPARE(answer.scenarios[6].gainNs, 0.0);
        QVERIFY(stepNs(8) <= stepNs(7) && stepNs(9) <= stepNs(8) && stepNs(2) <= stepNs(10));
        for (const ScenarioAnswer& own : answer.scenarios)
            QVERIFY(own.highNs <= answer.replay->measuredNs());
    }
    /// Steps of ranks that do not meet drift apart: each counts once in the longest chain, whatever rank ends
    /// last.
    void theChainIsAsLongAsTheSteps()
    {
        const RunFolder folder;
        for (const int rank : {0, 1}) {
            std::string events;
            const int stepUs = rank == 0 ? 100 : 200;
            const auto add = [&](const char* category, const std::string& name, int track, int us,
                                 int duration, const std::string& args) {
                events += (events.empty() ? "{\"ph\":\"X\",\"cat\":\"" : ",{\"ph\":\"X\",\"cat\":\"")
                    + std::string(category) + "\",\"name\":\"" + name
                    + "\",\"pid\":1,\"tid\":" + std::to_string(track) + ",\"ts\":" + std::to_string(us)
                    + ",\"dur\":" + std::to_string(duration) + ",\"args\":{" + args + "}}";
            };
            for (int i = 0; i < 200; ++i) {
                const std::string correlation = "\"correlation\":" + std::to_string(i + 1);
                add("user_annotation", "ProfilerStep#" + std::to_string(i), 1, i * stepUs, stepUs, "");
                add("cuda_runtime", "cudaLaunchKernel", 1, i * stepUs + 5, 3, correlation);
                add("kernel", "gemm", 7, i * stepUs + 12, 40, correlation + ",\"device\":0,\"stream\":7");
            }
            folder.write("rank" + std::to_string(rank) + "_trace.json",
                         "{\"distributedInfo\":{\"rank\":" + std::to_string(rank)
                             + ",\"world_size\":2},\"traceEvents\":[" + events + "]}");
        }
        const TraceModelPtr model = folder.load("");
        QVERIFY(model);
        const WhatIfAnswer answer = answerTo(*model, {"kernels=gemm:50%"});
        QVERIFY2(!answer.isRefused(), answer.replay->refused().c_str());
        const auto pathNs = static_cast<double>(answer.replay->path().totalNs());
        QVERIFY2(std::abs(pathNs - 200 * 200e3) < 1e6, std::to_string(pathNs).c_str());
    }
    /// A rank of the run that cannot be replayed is waited for like one without a trace.
    void ranksWithoutStepsAreAbsent()
    {
        const QTemporaryDir folder;
        writePlanted(slowKernelPlan(), folder.path().toStdString());
        QFile file(folder.filePath(QStringLiteral("rank5_trace.json")));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QByteArray text = file.readAll();
        text.replace("ProfilerStep#", "Iteration#");
        file.resize(0);
        file.seek(0);
        file.write(text);
        file.close();
        const auto model = loadPath(folder.path().toStdString());
        QVERIFY(model);
        const WhatIfAnswer answer = answerTo(**model, {"comm=0", "late"});
        QVERIFY(answer.isRefused()); // of a tensor-parallel group
        QVERIFY2(answer.replay->refused().find("are not in the traces, or could not be matched")
                     != std::string::npos,
                 answer.replay->refused().c_str());
    }
    /// A kernel of the step before decides when the first counted step begins: without it, that step looks
    /// longer, but nothing is.
    void lessTimeIsNeverLonger()
    {
        KinetoText trace;
        trace.kernel("init", 7, 16, 1800, trace.launch(1, 10));
        trace.annotation("ProfilerStep#0", 1, 0, 1000);
        for (int step = 1; step < 4; ++step) {
            const double begin = 2000.0 * step - 1000;
            trace.annotation("ProfilerStep#" + std::to_string(step), 1, begin, 2000);
            trace.kernel("small", 7, begin + 1956, 30, trace.launch(1, begin + 1950));
        }
        const TraceModelPtr model = trace.load();
        QVERIFY(model);
        Analysis analysis(*model, {}); // the inner steps
        const auto scenario = std::get<Scenario>(parseScenario("kernels=init:10%"));
        const WhatIfAnswer answer = answerWhatIf(analysis, {scenario});
        QVERIFY2(!answer.isRefused(), answer.replay->refused().c_str());
        QCOMPARE(answer.replay->window(), std::string("steps 1-2"));
        QCOMPARE(answer.scenarios.front().gainNs, 0.0);
    }
    void rangesAreRefused()
    {
        const TraceModelPtr model = planted(slowKernelPlan());
        QVERIFY(model);
        MetricOptions options;
        options.range = TimeRange{0, 1'000'000};
        Analysis analysis(*model, options);
        QVERIFY(answerWhatIf(analysis, {}).replay->refused().starts_with("Only whole steps"));
    }
    /// For the timeline: where nothing changes, the work lies where it was recorded; where a step gets
    /// shorter, its work ends earlier, by as much.
    void lanesOfAScenario()
    {
        const TraceModelPtr model = planted(slowKernelPlan());
        QVERIFY(model);
        const WhatIfAnswer answer = answerTo(*model, {"kernels=flash:100%", "rank=5"});
        const GhostLanes same = answer.replay->ghostOf(answer.scenarios[0].scenario);
        QVERIFY(!same.ranges.empty());
        for (const auto& [track, ranges] : same.ranges) {
            for (std::size_t row = 0; row < ranges.size(); ++row) {
                const TimeRange recorded = model->track(track).slices.range(row);
                QCOMPARE(ranges[row].beginNs, recorded.beginNs);
                QCOMPARE(ranges[row].endNs, recorded.endNs);
            }
        }
        const GhostLanes shorter = answer.replay->ghostOf(answer.scenarios[1].scenario);
        for (const auto& [track, ranges] : shorter.ranges) {
            const double earlierNs = static_cast<double>(model->track(track).slices.endNs(ranges.size() - 1)
                                                         - ranges.back().endNs);
            if (model->track(track).stream == 24) // the last all-gather of the step
                QVERIFY(std::abs(earlierNs - answer.scenarios[1].gainNs) < 0.02 * answer.scenarios[1].stepNs);
        }
    }
    void threadsDoNotMatter()
    {
        const TraceModelPtr model = planted(slowKernelPlan());
        QVERIFY(model);
        const std::string one = jsonText(whatIfValue(*model, answerTo(*model, {}, 1)));
        const std::string eight = jsonText(whatIfValue(*model, answerTo(*model, {}, 8)));
        QCOMPARE(QString::fromStdString(eight), QString::fromStdString(one));
    }
    void whatIsWrittenIsRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* text, const char* error) { QTest::newRow(text) << text << error; };
        row("late", "");
        row("rank=5", "");
        row("rank=1,3,8-11", "");
        row("rank=host:node-7", "");
        row("kernels=.*gemm.*:50%", "");
        row("kernels=a+b:0%", "");
        row("late+bandwidth=dp:4+comm=0", "");
        row("bandwidth=inside:0.5", "");
        row("", "is not known");
        row("slow", "is not known");
        row("late=1", "has no value");
        row("rank=", "is not a list of ranks");
        row("rank=7-5", "is not a list of ranks");
        row("rank=-1", "is not a list of ranks");
        row("rank=host:", "names no host");
        row("kernels=gemm", "does not end with a share");
        row("kernels=(:50%", "is not a valid regular expression");
        row("kernels=gemm:-5%", "has no share");
        row("bandwidth=0", "has no factor");
        row("bandwidth=nvlink:2", "names none of");
        row("comm=1", "can only be 0 or overlapped");
        row("comm=dp:1", "can only be 0 or overlapped");
        row("comm=nvlink:0", "names none of");
        row("comm=tp:0+comm=dp:overlapped", "");
        row("kernels=conv+comm+x:50%", "");
        row("rank=0-999999", "");
        row("rank=0-999999,0-999999", "is not a list of ranks");
        row("stages=3", "can only be balanced");
        row("launches=1", "can only be 0");
    }
    void whatIsWrittenIsRead()
    {
        QFETCH(const QString, text);
        QFETCH(const QString, error);
        const auto read = parseScenario(text.toStdString());
        const auto* const message = std::get_if<std::string>(&read);
        QCOMPARE(message != nullptr, !error.isEmpty());
        if (message)
            QVERIFY2(QString::fromStdString(*message).contains(error), message->c_str());
    }
    /// What cannot be replayed says why.
    void otherTimelinesAreRefused()
    {
        const QTemporaryDir folder;
        writeGlooJob(GlooJob::Straggler, folder.path().toStdString());
        const auto ofCpus = loadPath(folder.path().toStdString());
        QVERIFY(ofCpus);
        QVERIFY(answerTo(**ofCpus, {}).replay->refused().starts_with("This run used only CPUs"));

        KinetoText gpuOnly;
        gpuOnly.kernel("gemm", 7, 10, 100, 0);
        const TraceModelPtr model = gpuOnly.load();
        QVERIFY(model);
        QVERIFY(answerTo(*model, {}).replay->refused().starts_with("A trace contains no calls that launch"));
    }
    /// One rank of a job, without steps, and without the size of its groups: nothing is said about steps, or
    /// about ranks that are not there.
    void nothingIsSaidAboutWhatIsNotThere()
    {
        KinetoText trace;
        for (int i = 0; i < 20; ++i) {
            trace.kernel("gemm", 7, 300 * i + 20, 100, trace.launch(1, 300 * i + 10));
            trace.kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", 7,
                         300 * i + 121, 60, trace.launch(1, 300 * i + 12));
        }
        const TraceModelPtr model = trace.load();
        QVERIFY(model);
        const WhatIfAnswer answer
            = answerTo(*model, {"kernels=gemm:50%", "comm=0", "bandwidth=2", "rank=0", "late"});
        QVERIFY2(!answer.isRefused(), answer.replay->refused().c_str());
        QVERIFY(answer.replay->steps().empty());
        const std::string text = whatIfText(*model, answer);
        QVERIFY2(text.starts_with("Replay of the whole trace, 1 rank: "), text.c_str());
        QVERIFY2(text.find("step") == std::string::npos, text.c_str());
        QVERIFY(answer.scenarios[0].basis.refused.empty());
        QVERIFY(basisText(*model, answer.scenarios[0])
                    .find("if ranks whose calls are not in the traces gained as much")
                != std::string::npos);
        for (std::size_t i = 1; i < answer.scenarios.size(); ++i)
            QVERIFY2(!answer.scenarios[i].basis.refused.empty(), answer.scenarios[i].text.c_str());
        for (const Gate& gate : answer.replay->gates())
            QVERIFY(gate.id != GateId::Clocks && gate.id != GateId::Matched);
    }
    void gatesJudge_data()
    {
        QTest::addColumn<GateInput>("input");
        QTest::addColumn<int>("id");
        QTest::addColumn<int>("verdict");
        const auto row = [](const char* name, GateId id, GateVerdict verdict, const auto& change) {
            GateInput input;
            input.ranks = 2;
            input.stepNs = 1e6;
            input.clockResidualNs = 0;
            input.counts = {.activities = 100,
                            .launched = 100,
                            .communicationNs = 1000,
                            .matchedNs = 1000,
                            .idleNs = 1000,
                            .spanNs = 2000};
            change(input);
            QTest::newRow(name) << input << static_cast<int>(id) << static_cast<int>(verdict);
        };
        using enum GateVerdict;
        row("error", GateId::StrictError, Good, [](GateInput& in) { in.strictError = 0.032; });
        row("larger error", GateId::StrictError, Rough, [](GateInput& in) { in.strictError = 0.04; });
        row("too large error", GateId::StrictError, Refused, [](GateInput& in) { in.strictError = 0.051; });
        row("one step", GateId::StrictError, Refused, [](GateInput& in) { in.largestStrictError = 0.16; });
        row("path", GateId::Unexplained, Rough, [](GateInput& in) { in.unexplainedShare = 0.06; });
        row("much of the path", GateId::Unexplained, Refused,
            [](GateInput& in) { in.unexplainedShare = 0.16; });
        row("launches", GateId::Launched, Rough, [](GateInput& in) { in.counts.launched = 89; });
        row("few launches", GateId::Launched, Refused, [](GateInput& in) { in.counts.launched = 59; });
        row("idle", GateId::IdleExplained, Refused, [](GateInput& in) { in.counts.unexplainedIdleNs = 410; });
        row("hardly idle", GateId::IdleExplained, Rough, [](GateInput& in) {
            in.counts.unexplainedIdleNs = 410;
            in.counts.spanNs = 100'000;
        });
        row("waits", GateId::Absent, Rough, [](GateInput& in) { in.absentShare = 0.01; });
        row("long waits", GateId::Absent, Refused, [](GateInput& in) { in.absentShare = 0.03; });
        row("stages", GateId::Absent, Refused, [](GateInput& in) { in.lacksStages = true; });
        row("matched", GateId::Matched, Rough, [](GateInput& in) { in.counts.matchedNs = 950; });
        row("hardly matched", GateId::Matched, Refused, [](GateInput& in) { in.counts.matchedNs = 890; });
        row("clocks", GateId::Clocks, Good, [](GateInput& in) { in.clockResidualNs = 20'000; });
        row("clocks of long steps", GateId::Clocks, Rough, [](GateInput& in) {
            in.clockResidualNs = 200'000;
            in.stepNs = 1e9;
        });
        row("clocks of short steps", GateId::Clocks, Refused,
            [](GateInput& in) { in.clockResidualNs = 200'000; });
    }
    void gatesJudge()
    {
        QFETCH(const GateInput, input);
        QFETCH(const int, id);
        QFETCH(const int, verdict);
        for (const Gate& gate : gatesOf(input)) {
            const bool isAsked = static_cast<int>(gate.id) == id;
            QCOMPARE(static_cast<int>(gate.verdict), isAsked ? verdict : static_cast<int>(GateVerdict::Good));
            QCOMPARE(gate.reason.empty(), gate.verdict != GateVerdict::Refused);
        }
    }
    void whatDoesNotOccurIsNotJudged()
    {
        QCOMPARE(gatesOf({.counts = {.activities = 1, .launched = 1}, .ranks = 2}).size(), std::size_t(3));
    }
    /// Jobs simulated by others, event by event, and the same jobs with what the scenario changes.
    void pairsOfTheOracle_data()
    {
        QTest::addColumn<int>("seed");
        for (const int seed :
             {4, 6, 17, 20, 76, 2066}) // a collector, tensor parallel, stages, free running, contention
            QTest::newRow(std::to_string(seed).c_str()) << seed;
    }
    void pairsOfTheOracle()
    {
        QFETCH(const int, seed);
        const QString generator = oracleFolder() + QStringLiteral("/what_if/planted_pairs.py");
        const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
        if (!QFile::exists(generator) || python.isEmpty())
            QSKIP("needs the oracle (COLLSCOPE_ORACLE) and python3");
        const QTemporaryDir folder;
        QProcess process;
        process.start(python, {generator, QString::number(seed), folder.path()});
        QVERIFY(process.waitForFinished(120'000) && process.exitCode() == 0);
        const auto truth = nlohmann::json::parse(process.readAllStandardOutput().toStdString());
        const auto& plan = truth["plan"];
        const auto& stepUs = truth["step_us"];
        std::vector<std::pair<std::string, std::string>> asked{{"gemm50", "kernels=gemm:50%"},
                                                               {"bw2", "bandwidth=2"},
                                                               {"comm0", "comm=0"},
                                                               {"cpu0", "launches=0"}};
        if (plan["cause"] == "stage")
            asked.emplace_back("balanced", "stages=balanced");
        else
            asked.emplace_back("fixed", "rank=" + std::to_string(plan["culprit"].get<int>()));
        std::vector<std::string> specs;
        for (const auto& [name, spec] : asked)
            specs.push_back(spec);
        const auto model = loadPath(folder.path().toStdString());
        QVERIFY(model);
        const WhatIfAnswer answer = answerTo(**model, specs);
        QVERIFY2(!answer.isRefused(), answer.replay->refused().c_str());
        // In 2066, kernels of the same names do other work under the transfers: contention cannot be told.
        const double contention = answer.replay->contention();
        QVERIFY(seed == 2066 ? contention == 0
                             : std::abs(contention - plan["contention"].get<double>()) < 0.02);
        const double planted = stepUs["planted"].get<double>();
        for (std::size_t i = 0; i < asked.size(); ++i) {
            const ScenarioAnswer& own = answer.scenarios[i];
            QVERIFY2(own.basis.refused.empty(), own.basis.refused.c_str());
            const double share = own.stepNs / answer.replay->measuredNs();
            const double error = errorOf(share, stepUs[asked[i].first].get<double>() / planted);
            QVERIFY2(std::abs(error) < 5, (asked[i].second + " is off by " + std::to_string(error)).c_str());
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestWhatIf)
#include "tst_what_if.moc"
