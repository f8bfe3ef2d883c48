// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What may be said of waiting where ranks are missing, where several are late, and where a pipeline decides
// who comes last. The runs are planted: each collective begins on a rank when its work is done, and ends
// everywhere when the last one has come.

#include "metrics/causes/arrivals.h"
#include "metrics/causes/cause_chain.h"
#include "metrics/causes/explain.h"
#include "metrics/reports/step_parts.h"
#include "tests/support/runs/collective_run.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/suite.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr int stepCount = 6;
constexpr double stepUs = 20'000;
constexpr double transferUs = 400;

struct Plan
{
    std::vector<double> workUs; ///< of each rank, before the collective of a step
    bool isNamed = true; ///< the trace says the group of each call
    bool hasSteps = true;
    std::vector<int> leftOut; ///< ranks without a file
};

std::string rankList(std::size_t ranks)
{
    std::string text;
    for (std::size_t rank = 0; rank < ranks; ++rank)
        text += (text.empty() ? "[" : ", ") + std::to_string(rank);
    return text + "]";
}

SmallRun planted(const Plan& plan)
{
    const std::size_t ranks = plan.workUs.size();
    SmallRun run(static_cast<int>(ranks));
    const double slowest = *std::max_element(plan.workUs.begin(), plan.workUs.end());
    for (int step = 1; step <= stepCount; ++step) {
        const double begin = step * stepUs;
        for (std::size_t r = 0; r < ranks; ++r) {
            const auto rank = static_cast<int>(r);
            if (plan.hasSteps)
                run.step(rank, step, begin, stepUs);
            run.kernel(rank, begin, plan.workUs[r]);
            SmallCall call;
            call.inElements = call.outElements = 1'000'000;
            call.ranks = rankList(ranks);
            call.groupSize = static_cast<int>(ranks);
            call.sequence = step;
            if (!plan.isNamed) {
                call = SmallCall();
                call.name = call.group = "";
            }
            run.call(rank, begin + plan.workUs[r], slowest - plan.workUs[r] + transferUs, call);
        }
    }
    for (const int rank : plan.leftOut)
        run.leaveOut(rank);
    return run;
}

StragglerVerdict stragglerOf(const TraceModel& model)
{
    Analysis analysis(model, MetricOptions());
    return measureArrivals(analysis).verdict();
}

Result<StepExplanation> explained(const TraceModel& model, std::int64_t step = 3)
{
    Analysis analysis(model, MetricOptions());
    return explainStep(analysis, step);
}

std::string textOf(const CauseChain& chain)
{
    std::string text = verdictSentence(chain);
    for (const CauseClause& clause : chain.clauses)
        text += "\n" + clause.text;
    return text;
}

} // namespace

class TestMissingPartners : public QObject
{
    Q_OBJECT

private slots:
    void aRankThatIsThereIsBlamed_data() { named(); }
    void aRankThatIsThereIsBlamed()
    {
        QFETCH(bool, isNamed);
        const TraceModelPtr model = planted({{2000, 12'000, 5000, 2000}, isNamed, true, {}}).load();
        QVERIFY(model);
        QCOMPARE(stragglerOf(*model), StragglerVerdict::OneRank);
        const auto step = explained(*model);
        QVERIFY(step);
        QCOMPARE(step->chain.verdict, CauseVerdict::LateRank);
        QCOMPARE(step->chain.rank, 1);
    }

    /// The slow rank has no file. The next slowest came last of those that are there, and nobody waited for
    /// it.
    void nobodyIsBlamedForAMissingRank_data() { named(); }
    void nobodyIsBlamedForAMissingRank()
    {
        QFETCH(bool, isNamed);
        const TraceModelPtr model = planted({{2000, 12'000, 5000, 2000}, isNamed, true, {1}}).load();
        QVERIFY(model);
        QCOMPARE(stragglerOf(*model), StragglerVerdict::Inconclusive);
        const auto step = explained(*model);
        QVERIFY(step);
        const std::string text = textOf(step->chain);
        QVERIFY2(step->chain.verdict == CauseVerdict::Inconclusive, text.c_str());
        QVERIFY2(step->chain.links.empty(), text.c_str());
        QVERIFY2(text.find("No rank") == std::string::npos, text.c_str());
        QVERIFY2(text.find("without any waiting") == std::string::npos, text.c_str());
        QVERIFY2(text.find("cannot be determined") != std::string::npos, text.c_str());
    }

    void oneRankAloneHasCollectivesOfSeveral()
    {
        const TraceModelPtr model = planted({{2000, 5000}, true, true, {1}}).load();
        QVERIFY(model);
        const auto step = explained(*model);
        QVERIFY(step);
        const std::string text = textOf(step->chain);
        QVERIFY2(text.find("No collective of several ranks") == std::string::npos, text.c_str());
        QVERIFY2(step->chain.verdict == CauseVerdict::Inconclusive, text.c_str());
    }

    /// Even the shortest kernel of those that are there holds 10 ms of waiting.
    void durationsHoldWaitingForAMissingRank()
    {
        const TraceModelPtr all = planted({{2000, 12'000, 2000, 2000}, true, true, {}}).load();
        const TraceModelPtr partial = planted({{2000, 12'000, 2000, 2000}, true, true, {1}}).load();
        QVERIFY(all && partial);
        const auto includesWait = [](const TraceModel& model) {
            const MetricResult bandwidth = measured(model, "avg_allreduce_bandwidth");
            const Value* const value = detailOf(bandwidth, {"includes_wait"});
            return value && value->as<bool>() && *value->as<bool>();
        };
        QVERIFY(!includesWait(*all));
        QVERIFY(includesWait(*partial));
        const auto movingNs = [](const TraceModel& model) {
            Analysis analysis(model, MetricOptions());
            std::int64_t ns = 0;
            for (const RankStepParts& step : stepParts(analysis))
                ns += step.parts[static_cast<std::size_t>(StepPart::Moving)];
            return ns;
        };
        QVERIFY(movingNs(*all) > 0);
        QCOMPARE(movingNs(*partial), std::int64_t{0}); // it is not split
    }

    /// Without either of them alone the others would have waited as long.
    void twoLateRanksShareTheBlame()
    {
        const TraceModelPtr model = planted({{2000, 5005, 5000, 2000}, true, true, {}}).load();
        QVERIFY(model);
        Analysis analysis(*model, MetricOptions());
        const Arrivals arrivals = measureArrivals(analysis);
        QVERIFY2(arrivals.verdict() == StragglerVerdict::Inconclusive, arrivals.verdictText().c_str());
        QVERIFY2(arrivals.verdictText().find("other ranks were late too") != std::string::npos,
                 arrivals.verdictText().c_str());
        const auto step = explained(*model);
        QVERIFY(step);
        QCOMPARE(step->chain.alsoLate, std::vector<std::int32_t>{2});
        const std::string sentence = verdictSentence(step->chain);
        QVERIFY2(sentence.find("Rank 1 and rank 2 together delayed the other ranks") != std::string::npos,
                 sentence.c_str());
    }

    void aTraceWithoutStepsHasNoStepZero()
    {
        const TraceModelPtr model = planted({{2000, 12'000}, true, false, {}}).load();
        QVERIFY(model);
        const auto step = explained(*model, 0);
        QVERIFY(!step);
        QVERIFY2(step.error().message.find("has no step markers") != std::string::npos,
                 step.error().message.c_str());
    }

    /// One collective tells nothing of clocks that are 50 ms apart; durations still tell who was waited for.
    void badClocksDoNotHideWhoWasLate()
    {
        SmallRun run(2);
        const std::vector<double> work{2000, 5000};
        for (int rank = 0; rank < 2; ++rank) {
            run.step(rank, 1, 0, stepUs);
            run.kernel(rank, 0, work[static_cast<std::size_t>(rank)]);
            SmallCall call;
            call.inElements = call.outElements = 1'000'000;
            call.ranks = "[0, 1]";
            call.groupSize = 2;
            run.call(rank, work[static_cast<std::size_t>(rank)],
                     5000 - work[static_cast<std::size_t>(rank)] + transferUs, call);
        }
        run.shiftClock(1, 50'000);
        const TraceModelPtr model = run.load();
        QVERIFY(model);
        Analysis analysis(*model, MetricOptions());
        QVERIFY(analysis.run().clocks.fitsPoorly(ClockChoice::Auto)); // else it says nothing
        const auto step = explained(*model, 1);
        QVERIFY(step);
        QVERIFY2(step->chain.verdict != CauseVerdict::NobodyLate, textOf(step->chain).c_str());
    }

    /// Two stages that are equally fast: the first one ends its backward pass last, always.
    void aPipelineHasNoCulprit()
    {
        CollectiveRun run;
        CallText forth{"send", 1000, 1000, 2, "0", "[0, 1]", -1, "Float", 0, 1};
        CallText back{"send", 1000, 1000, 2, "0", "[0, 1]", -1, "Float", 1, 0};
        const CallText sum{"allreduce", 1000, 1000, 2, "1", "[0, 1]"};
        for (int number = 1; number <= stepCount; ++number) {
            const int begin = number * 10'000;
            for (int rank = 0; rank < 2; ++rank)
                run.step(rank, number, begin, 9000);
            run.compute(0, begin, 1000);
            run.call(0, "SendRecv", begin + 1000, 100, forth);
            forth.name = "recv";
            run.call(1, "SendRecv", begin + 10, 1090, forth);
            forth.name = "send";
            run.compute(1, begin + 1100, 3000);
            run.call(1, "SendRecv", begin + 4100, 100, back);
            back.name = "recv";
            run.call(0, "SendRecv", begin + 1100, 3100, back);
            back.name = "send";
            run.compute(0, begin + 4200, 2000);
            run.call(1, "AllReduce_Sum_f32_RING_LL", begin + 4200, 2100, sum);
            run.call(0, "AllReduce_Sum_f32_RING_LL", begin + 6200, 100, sum);
        }
        const TraceModelPtr model = run.load();
        QVERIFY(model);
        Analysis analysis(*model, MetricOptions());
        const Arrivals arrivals = measureArrivals(analysis);
        QVERIFY2(arrivals.verdict() == StragglerVerdict::Inconclusive, arrivals.verdictText().c_str());
        QVERIFY2(arrivals.verdictText().find("pass work to each other") != std::string::npos,
                 arrivals.verdictText().c_str());
        const auto step = explained(*model);
        QVERIFY(step);
        QVERIFY2(step->chain.verdict != CauseVerdict::LateRank, textOf(step->chain).c_str());
    }

private:
    static void named()
    {
        QTest::addColumn<bool>("isNamed");
        QTest::addRow("named") << true;
        QTest::addRow("order only") << false;
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMissingPartners)
#include "tst_missing_partners.moc"
