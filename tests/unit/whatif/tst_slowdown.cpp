// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Timelines of operations, replayed: planted steps whose times are known by hand, and production jobs whose
// published results were worked out by others.

#include "metrics/core/rank_windows.h"
#include "metrics/definitions/metric_catalog.h"
#include "metrics/whatif/slowdown.h"
#include "tests/support/suite/close.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"

#include <QFile>

#include <nlohmann/json.hpp>

#include <set>

namespace collscope {

namespace {

using nlohmann::json;

OperationRun operationsIn(const TraceModel& model)
{
    MetricOptions options;
    options.steps.mode = StepChoice::Mode::All;
    const Selection selection = selectRanks(model, options, ClockMap());
    return operationsOf(model, selection, [] { return false; });
}

json oracle(const char* name)
{
    QFile file(oracleFolder() + QStringLiteral("/what_if/") + QString::fromLatin1(name));
    return file.open(QIODevice::ReadOnly) ? json::parse(file.readAll().toStdString()) : json();
}

/// A file of operations of several workers. Times in us.
class WorkerRun
{
public:
    void operation(int dp, int stage, const std::string& name, int begin, int duration, int lane = 0,
                   int step = 1)
    {
        const int tid = 1000 * stage + 10 * dp + lane;
        if (m_threads.insert(tid).second) {
            add({{"ph", "M"},
                 {"name", "process_name"},
                 {"pid", dp},
                 {"args", {{"name", "DP rank [" + std::to_string(dp) + "]"}}}});
            add({{"ph", "M"},
                 {"name", "thread_name"},
                 {"pid", dp},
                 {"tid", tid},
                 {"args",
                  {{"name",
                    "PP rank " + std::to_string(stage) + ", TP rank 0, lane " + std::to_string(lane)}}}});
        }
        add({{"ph", "X"},
             {"cat", name},
             {"name", name},
             {"pid", dp},
             {"tid", tid},
             {"ts", begin},
             {"dur", duration},
             {"args", {{"step", step}}}});
    }
    TraceModelPtr model() const
    {
        return RunFolder().writeAndLoad("workers.json", json({{"traceEvents", m_events}}).dump());
    }
    OperationRun load() const
    {
        const TraceModelPtr loaded = model();
        return loaded ? operationsIn(*loaded) : OperationRun{{}, "not loaded"};
    }

private:
    void add(json event) { m_events.push_back(std::move(event)); }
    json m_events = json::array();
    std::set<int> m_threads;
};

constexpr std::int64_t us = 1000;

std::int64_t recorded(const Operation& operation)
{
    return operation.range.lengthNs();
}

bool areClose(double own, double published, double most)
{
    return std::abs(own - published) <= most;
}

} // namespace

class TestSlowdown : public QObject
{
    Q_OBJECT

private slots:
    /// The second data-parallel rank computes 200 us longer, and both meet to reduce the gradients.
    void oneSlowRank()
    {
        WorkerRun run;
        for (const int dp : {0, 1}) {
            const int forward = dp == 0 ? 100 : 300;
            run.operation(dp, 0, "forward-compute", 7, forward);
            run.operation(dp, 0, "backward-compute", 7 + forward, 200);
            run.operation(dp, 0, "grads-reduce-scatter", 520, 50, 1);
        }
        const OperationRun operations = run.load();
        QVERIFY2(operations.refused.empty(), operations.refused.c_str());
        const Slowdown own = slowdownOf(operations.steps, {}, [] { return false; });
        QCOMPARE(own.steps.size(), std::size_t(1));
        QCOMPARE(own.steps[0].number, std::int64_t(1));
        QCOMPARE(own.steps[0].measuredNs, 563 * us);
        QCOMPARE(own.steps[0].replayedNs, 550 * us); // without the pause before the reduction
        QCOMPARE(own.steps[0].idealNs, 450 * us); // forward 200, the mean
        QVERIFY(areClose(own.slowdown, 550.0 / 450));
        QVERIFY(areClose(own.byDp.at(0), 1));
        QVERIFY(areClose(own.byDp.at(1), 550.0 / 450));
        QVERIFY(areClose(own.byType.at("forward-compute"), 550.0 / 450));
        QVERIFY(areClose(own.byType.at("backward-compute"), 1));
        QCOMPARE(own.worst, (std::vector<PipelineWorker>{{.dp = 1}}));
        QVERIFY(areClose(own.worstShare.value(), 1));
        const TraceModelPtr model = run.model();
        QVERIFY(model);
        const MetricResult metric = evaluate(*model, *findMetric("what_if_slowdown"), {});
        QVERIFY(areClose(metric.value, 550.0 / 450));
    }
    /// A stage computes when it has received, whatever pauses the file has.
    void twoStages()
    {
        WorkerRun run;
        run.operation(0, 0, "forward-compute", 0, 100);
        run.operation(0, 0, "forward-send", 150, 10, 1);
        run.operation(0, 1, "forward-recv", 150, 10, 1);
        run.operation(0, 1, "forward-compute", 300, 200);
        run.operation(0, 1, "backward-compute", 500, 300);
        run.operation(0, 1, "backward-send", 900, 20, 1);
        run.operation(0, 0, "backward-recv", 900, 20, 1);
        run.operation(0, 0, "backward-compute", 1000, 150);
        run.operation(0, 0, "optimizer", 1200, 5);
        const OperationRun operations = run.load();
        QVERIFY2(operations.refused.empty(), operations.refused.c_str());
        QCOMPARE(operations.steps.front().replayedNs(recorded), (100 + 10 + 200 + 300 + 20 + 150 + 5) * us);
        // The gradients are sent when the backward pass of the last stage has ended, not before.
        const auto slowSend = [](const Operation& own) {
            return own.role == OperationRole::BackwardSend ? 0 : own.range.lengthNs();
        };
        QCOMPARE(operations.steps.front().replayedNs(slowSend),
                 operations.steps.front().replayedNs(recorded));
    }
    /// A send that lasts longer than its receive holds up the next send.
    void sendsOneAfterTheOther()
    {
        WorkerRun run;
        for (const int pass : {0, 1}) {
            const int begin = 1000 * pass;
            run.operation(0, 0, "forward-compute", begin, 100);
            run.operation(0, 0, "forward-send", begin + 100, 500, 1);
            run.operation(0, 1, "forward-recv", begin + 100, 10, 1);
            run.operation(0, 1, "forward-compute", begin + 110, 1);
        }
        const OperationRun operations = run.load();
        QVERIFY2(operations.refused.empty(), operations.refused.c_str());
        QCOMPARE(operations.steps.front().replayedNs(recorded), (100 + 500 + 500) * us);
    }
    /// The first gradients, though ready after 112 us, are received when the last but one of three forward
    /// passes has ended, after 200 us; then three times 500 us of transfer and 50 us of computing.
    void firstGradientsInTheWarmUp()
    {
        WorkerRun run;
        for (const int pass : {0, 1, 2}) {
            const int back = 1000 + 1000 * pass;
            run.operation(0, 0, "forward-compute", 100 * pass, 100);
            run.operation(0, 0, "forward-send", 100 + 100 * pass, 10, 1);
            run.operation(0, 1, "forward-recv", 100 + 100 * pass, 10, 1);
            run.operation(0, 1, "forward-compute", 110 + 100 * pass, 1);
            run.operation(0, 1, "backward-compute", 111 + 100 * pass, 1);
            run.operation(0, 1, "backward-send", back, 500, 2);
            run.operation(0, 0, "backward-recv", back, 500, 2);
            run.operation(0, 0, "backward-compute", back + 500, 50);
        }
        const OperationRun operations = run.load();
        QVERIFY2(operations.refused.empty(), operations.refused.c_str());
        QCOMPARE(operations.steps.front().replayedNs(recorded), (200 + 3 * (500 + 50)) * us);
    }
    void refusals()
    {
        WorkerRun unknown;
        WorkerRun alone; // the neighbours are missing
        WorkerRun chunks; // two parts of the model on a stage, of which one receives
        WorkerRun unnamed;
        WorkerRun uneven; // one worker reduces its gradients, the other does not
        WorkerRun missing; // the second step of one worker
        WorkerRun single; // one worker is read as an ordinary trace
        single.operation(0, 0, "forward-compute", 0, 100);
        for (const int dp : {0, 1}) {
            for (WorkerRun* const run : {&unknown, &alone, &chunks, &unnamed, &uneven, &missing})
                run->operation(dp, 0, "forward-compute", 0, 100);
            unknown.operation(dp, 0, "expert-compute", 100, 100);
            alone.operation(dp, 0, "forward-send", 100, 10, 1);
            chunks.operation(dp, 0, "forward-compute", 200, 100);
            chunks.operation(dp, 0, "forward-recv", 150, 10, 1);
            unnamed.operation(dp, 0, "", 100, 100);
        }
        missing.operation(1, 0, "forward-compute", 1000, 100, 0, 2);
        uneven.operation(1, 0, "grads-reduce-scatter", 100, 10, 1);
        for (const auto& [run, expected] :
             {std::pair(&unknown, "what \"expert-compute\" waits for is not known"),
              {&alone, "is a stage missing?"},
              {&chunks, "several parts of the model on a stage?"},
              {&unnamed, "what \"\" waits for is not known"},
              {&uneven, "do not meet equally often"},
              {&missing, "In step 2, some workers do nothing"},
              {&single, "do not show operations"}}) {
            const std::string refused = run->load().refused;
            QVERIFY2(refused.find(expected) != std::string::npos, refused.c_str());
        }
    }
    void productionJobs_data()
    {
        QTest::addColumn<QString>("job");
        QTest::newRow("AR") << QStringLiteral("AR");
        QTest::newRow("ST") << QStringLiteral("ST");
    }
    void productionJobs()
    {
        if (oracleFolder().isEmpty() || tracesFolder().isEmpty())
            QSKIP("no oracle or no real traces: set COLLSCOPE_ORACLE and COLLSCOPE_TRACES");
        QFETCH(const QString, job);
        const json published = oracle("straggler_analysis.json")["jobs"][job.toStdString()];
        const json ofSteps = oracle("straggler_analysis_steps.json")["jobs"][job.toStdString()];
        const auto model
            = loadPath((tracesFolder() + QStringLiteral("/straggler_analysis/timeline-%1.json.gz").arg(job))
                           .toStdString());
        QVERIFY(model);
        const OperationRun run = operationsIn(**model);
        QVERIFY2(run.refused.empty(), run.refused.c_str());
        QCOMPARE(run.steps.size(), published["steps"].get<std::size_t>());
        const Slowdown own = slowdownOf(run.steps, {}, [] { return false; });
        constexpr double rounded = 1e-5; // the published numbers
        QVERIFY2(areClose(own.slowdown.value_or(0), published["S"], rounded),
                 numberText(own.slowdown.value_or(0)).c_str());
        // Measured steps were taken from other times than those in the file: 0.1 ms of 2 s.
        QVERIFY(areClose(own.replayError, published["replay_error"], 1e-4));
        QVERIFY(areClose(own.worstShare.value(), published["MW"], 1e-4));
        QVERIFY(areClose(own.lastStageShare.value(), published["MS"], 1e-4));
        for (const auto& [dp, slowdown] : own.byDp)
            QVERIFY(areClose(slowdown, published["by_dp"][std::to_string(dp)], rounded));
        for (const auto& [stage, slowdown] : own.byStage)
            QVERIFY(areClose(slowdown, published["by_stage"][std::to_string(stage)], rounded));
        QCOMPARE(own.byType.size(), published["by_type"].size());
        for (const auto& [name, slowdown] : own.byType)
            QVERIFY2(areClose(slowdown, published["by_type"][std::string(name)], rounded),
                     std::string(name).c_str());
        QCOMPARE(own.worst.size(), published["worst_workers_dp_stage"].size());
        for (std::size_t i = 0; i < own.worst.size(); ++i) {
            QCOMPARE(own.worst[i].dp, published["worst_workers_dp_stage"][i][0].get<std::int32_t>());
            QCOMPARE(own.worst[i].stage, published["worst_workers_dp_stage"][i][1].get<std::int32_t>());
        }
        for (const StepSlowdown& step : own.steps) {
            const json& expected = ofSteps[std::to_string(step.number)];
            for (const auto& [ns, column] :
                 {std::pair(step.measuredNs, 0), {step.replayedNs, 1}, {step.idealNs, 2}})
                QVERIFY2(
                    areClose(static_cast<double>(ns) / 1e9, expected[static_cast<std::size_t>(column)], 1e-3),
                    std::to_string(step.number).c_str());
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestSlowdown)
#include "tst_slowdown.moc"
