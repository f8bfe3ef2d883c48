// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The gate on runs that are written to files and loaded: pairs of the same work pass, slower ones do not, and
// the part that was made slower is the one to blame. COLLSCOPE_SEEDS=200 judges 200 pairs of each kind.

#include "metrics/gate/run_gate.h"
#include "tests/support/runs/noisy_run.h"
#include "tests/support/suite/suite.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

namespace collscope {

namespace {

std::vector<ChangeLimit> limitsOf(std::initializer_list<const char*> texts)
{
    std::vector<ChangeLimit> limits;
    for (const char* text : texts) {
        auto limit = parseChangeLimit(text, MetricCatalog());
        if (!limit)
            throw std::runtime_error(limit.error().message);
        limits.push_back(std::move(*limit));
    }
    return limits;
}

GatedRun gated(const NoisyRunPlan& plan, const std::vector<ChangeLimit>& limits, const char* label = "run")
{
    const TraceModelPtr model = noisyRun(plan).load();
    Analysis analysis(*model, MetricOptions());
    return gatedRun(analysis, label, limits);
}

} // namespace

class TestGatedRuns : public QObject
{
    Q_OBJECT

    static int pairCount()
    {
        const int asked = qEnvironmentVariableIntValue("COLLSCOPE_SEEDS");
        return asked > 0 ? asked : 20;
    }

private slots:
    void pairs()
    {
        const std::vector<ChangeLimit> limits = limitsOf({"avg_step_time=+1%"});
        constexpr std::array planted{SlowedPart::Compute, SlowedPart::Communication, SlowedPart::Waiting,
                                     SlowedPart::Idle, SlowedPart::Copy};
        constexpr std::array named{Part::Compute, Part::Communication, Part::Waiting, Part::Idle, Part::Copy};
        const int pairs = pairCount();
        int falseAlarms = 0, undecided = 0, red = 0, right = 0, wrong = 0;
        for (int i = 0; i < pairs; ++i) {
            NoisyRunPlan plan;
            const auto kind = static_cast<std::size_t>(i) % planted.size();
            plan.ranks = planted[kind] == SlowedPart::Waiting ? 4 : 2 + 2 * (i % 2); // of four, three wait
            plan.steps = 36 + i % 4 * 5;
            plan.noise.spread = 0.01 + 0.0025 * (i % 5);
            plan.noise.checkpointEvery = i % 3 == 2 ? 20 : 0;
            plan.number = static_cast<std::uint64_t>(3 * i);
            const GatedRun base = gated(plan, limits);
            plan.number += 1;
            const RunGate same = judgeRuns(limits, base, gated(plan, limits));
            falseAlarms += same.state() == LimitState::Exceeded ? 1 : 0;
            undecided += same.state() == LimitState::Unknown ? 1 : 0;
            if (same.state() != LimitState::Within)
                qInfo("%s", same.limits[0].reason.c_str());
            plan.number += 1;
            plan.slowed = planted[kind];
            plan.slowedBy = 0.03;
            const RunGate gate = judgeRuns(limits, base, gated(plan, limits));
            red += gate.state() == LimitState::Exceeded ? 1 : 0;
            if (const PartChange* const blamed = gate.blamed()) {
                right += blamed->part == named[kind] ? 1 : 0;
                wrong += blamed->part != named[kind] ? 1 : 0;
            }
        }
        qInfo("%d pairs: %d false alarms, %d undecided; slower by 3 %%: %d red, %d blame right, %d wrong",
              pairs, falseAlarms, undecided, red, right, wrong);
        QVERIFY(falseAlarms <= pairs / 100);
        QVERIFY(undecided <= pairs * 30 / 100); // a checkpoint in one of the runs alone
        QVERIFY(red >= pairs * 95 / 100);
        QVERIFY(right >= pairs * 95 / 100);
        QCOMPARE(wrong, 0);
    }
    void valuesAreThoseOfTheMetric()
    {
        const std::vector<ChangeLimit> limits
            = limitsOf({"avg_step_time=+1%", "iter_time_16=+1%", "comm_comp_overlap=-5%"});
        NoisyRunPlan plan;
        plan.steps = 12;
        const TraceModelPtr model = noisyRun(plan).load();
        Analysis analysis(*model, MetricOptions());
        const GatedRun run = gatedRun(analysis, "run", limits);
        QCOMPARE(run.steps.size(), std::size_t{10}); // the inner ones
        for (std::size_t i = 0; i < limits.size(); ++i) {
            const StepValues& values = run.metrics[i];
            const MetricRequest& metric = limits[i].metric;
            QVERIFY(values.isOfSteps);
            QCOMPARE(values.steps.size(), std::size_t{10});
            QCOMPARE(values.whole.value, evaluate(*model, metric, MetricOptions()).value);
            for (std::size_t step = 0; step < values.steps.size(); ++step) {
                MetricOptions one;
                one.steps = {StepChoice::Mode::Range, values.steps[step], values.steps[step]};
                QCOMPARE(std::optional(values.values[step]), evaluate(*model, metric, one).value);
            }
        }
        // The parts of a step add up to it.
        double parts = 0;
        for (const std::vector<double>& part : run.parts.ns)
            parts += part.front();
        QVERIFY(std::abs(parts / 1e9 - run.metrics[0].values.front()) < 1e-9);
    }
    void fewStepsAreUndecided()
    {
        const std::vector<ChangeLimit> limits = limitsOf({"avg_step_time=+1%"});
        NoisyRunPlan plan;
        plan.steps = 9; // seven inner ones
        const GatedRun base = gated(plan, limits);
        plan.slowed = SlowedPart::Compute;
        plan.slowedBy = 1;
        const RunGate gate = judgeRuns(limits, base, gated(plan, limits));
        QCOMPARE(gate.state(), LimitState::Unknown);
        QVERIFY2(gate.limits[0].reason.find("at least 8") != std::string::npos,
                 gate.limits[0].reason.c_str());
        QVERIFY(!gate.blamed());
        QVERIFY(!gate.whyNoParts.empty());
    }
    /// What is faster passes a limit on growth, and fails one on loss.
    void directions()
    {
        const std::vector<ChangeLimit> limits = limitsOf({"avg_step_time=+1%", "coll_call_num=-1%"});
        NoisyRunPlan plan;
        plan.noise.outlierShare = 0;
        plan.slowed = SlowedPart::Compute;
        plan.slowedBy = 0.1;
        const GatedRun base = gated(plan, limits);
        plan.number = 1;
        plan.slowed = SlowedPart::None;
        const RunGate gate = judgeRuns(limits, base, gated(plan, limits));
        QCOMPARE(gate.state(), LimitState::Within);
        QVERIFY(gate.limits[0].percent->high < 0);
        QCOMPARE(gate.limits[1].percent->measured, 0.0); // one call per step in both
        QVERIFY(!gate.blamed());
    }
    void otherRanksAreUndecided()
    {
        const std::vector<ChangeLimit> limits = limitsOf({"avg_step_time=+1%"});
        NoisyRunPlan plan;
        const GatedRun base = gated(plan, limits);
        plan.ranks = 2;
        plan.slowed = SlowedPart::Compute;
        plan.slowedBy = 0.5;
        const RunGate gate = judgeRuns(limits, base, gated(plan, limits));
        QCOMPARE(gate.state(), LimitState::Unknown);
        QVERIFY2(gate.limits[0].reason.find("different ranks") != std::string::npos,
                 gate.limits[0].reason.c_str());
    }
    void otherWorkIsUndecided()
    {
        const std::vector<ChangeLimit> limits = limitsOf({"avg_step_time=+1%"});
        NoisyRunPlan plan;
        GatedRun base = gated(plan, limits);
        GatedRun test = base;
        base.work.values.described.batch = 8;
        test.work.values.described.batch = 16;
        const RunGate gate = judgeRuns(limits, base, test);
        QCOMPARE(gate.state(), LimitState::Unknown);
        QVERIFY2(gate.limits[0].reason.find("batch 8 -> 16") != std::string::npos,
                 gate.limits[0].reason.c_str());
    }
    /// If one run does not show its waits, neither waiting nor communication seems to have changed.
    void waitsThatOneRunDoesNotKnow()
    {
        const std::vector<ChangeLimit> limits = limitsOf({"avg_step_time=+1%"});
        const GatedRun base = gated({}, limits);
        GatedRun test = base;
        std::vector<double>& waiting = test.parts.ns[static_cast<std::size_t>(Part::Waiting)];
        std::vector<double>& communication = test.parts.ns[static_cast<std::size_t>(Part::Communication)];
        for (std::size_t i = 0; i < waiting.size(); ++i)
            communication[i] += std::exchange(waiting[i], 0.0);
        test.parts.areWaitsKnown = false;
        const RunGate gate = judgeRuns(limits, base, test);
        QCOMPARE(gate.parts.size(), partCount - 1);
        for (const PartChange& part : gate.parts)
            QCOMPARE(part.ns.difference(), 0.0);
    }
    /// A run with itself is within every limit, of every metric that has a value for each step.
    void everyMetricWithItself()
    {
        std::vector<ChangeLimit> limits;
        for (const MetricRequest& metric : MetricCatalog().usual())
            limits.push_back({metric, true, 0});
        NoisyRunPlan plan;
        const GatedRun run = gated(plan, limits);
        plan.number = 1;
        const GatedRun other = gated(plan, limits);
        const RunGate gate = judgeRuns(limits, run, run);
        int judged = 0;
        for (std::size_t i = 0; i < limits.size(); ++i) {
            const LimitVerdict& verdict = gate.limits[i];
            QVERIFY2(verdict.state != LimitState::Exceeded, verdict.name().c_str());
            QVERIFY2(!verdict.reason.empty(), verdict.name().c_str());
            if (verdict.steps)
                QCOMPARE(verdict.steps->difference(), 0.0);
            // Values that noise does not change are work. Others would be of a window that is not the step.
            const std::vector<double>& values = run.metrics[i].values;
            const bool areEqual
                = std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
            QVERIFY2(!run.metrics[i].isOfSteps || values.empty() || !areEqual
                         || values == other.metrics[i].values,
                     verdict.name().c_str());
            judged += verdict.state == LimitState::Within ? 1 : 0;
            if (qEnvironmentVariableIsSet("COLLSCOPE_SEEDS"))
                qInfo("%s %s: %s", std::string(limitStateName(verdict.state)).c_str(), verdict.name().c_str(),
                      verdict.reason.c_str());
        }
        QVERIFY2(judged > 20, qPrintable(QString::number(judged)));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestGatedRuns)
#include "tst_gated_runs.moc"
