// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Scenarios of a replay: planted jobs against the same jobs without what was planted, and what must hold for
// any replay.

#include "app/runtime/thread_pool.h"
#include "metrics/export/what_if_report.h"
#include "metrics/export/written_report.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/planted_run.h"
#include "tests/support/workloads/run_writer.h"

#include <cmath>

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
        const WhatIfAnswer answer
            = answerTo(*model,
                       {"kernels=flash:100%", "kernels=flash:80%", "comm=0", "comm=overlapped",
                        "late+bandwidth=2", "bandwidth=2+late", "bandwidth=1"});
        QVERIFY2(!answer.isRefused(), answer.replay->refused().c_str());
        const auto stepNs = [&](std::size_t i) { return answer.scenarios[i].stepNs; };
        QCOMPARE(answer.scenarios[0].gainNs, 0.0);
        QVERIFY(answer.scenarios[1].gainNs > 0);
        QVERIFY(stepNs(2) <= stepNs(3) && stepNs(3) <= answer.replay->measuredNs());
        QCOMPARE(stepNs(4), stepNs(5));
        QCOMPARE(answer.scenarios[6].gainNs, 0.0);
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
    /// Jobs without GPUs, and timelines that show no launches, are refused with the reason.
    void otherTimelinesAreRefused()
    {
        const std::string folder = tracesFolder().toStdString();
        if (folder.empty())
            QSKIP("needs the traces (COLLSCOPE_TRACES)");
        for (const char* name : {"/pytorch_gloo/torch26_ddp4_straggler", "/straggler_analysis"}) {
            auto loaded = loadPath(folder + name);
            QVERIFY(loaded);
            QVERIFY(!answerTo(**loaded, {}).replay->refused().empty());
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestWhatIf)
#include "tst_what_if.moc"
