// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Steps that are longer on all ranks, work that overlaps collectives, and questions without an answer.

#include "metrics/causes/arrivals.h"
#include "metrics/causes/cause_answer.h"
#include "metrics/causes/explain.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/runs/caused_cases.h"
#include "tests/support/suite/suite.h"

namespace collscope {

class TestStepCauses : public QObject
{
    Q_OBJECT

private slots:
    void aStepThatIsLongerOnAllRanks_data()
    {
        QTest::addColumn<int>("ranks");
        for (const int ranks : {1, 2, 8})
            QTest::addRow("%d ranks", ranks) << ranks;
    }
    void aStepThatIsLongerOnAllRanks()
    {
        QFETCH(int, ranks);
        for (const CauseCase& one : causeCases()) {
            if (!one.plant)
                continue;
            CausedRun run(ranks, {});
            run.play([&](int step, int rank, int place) {
                if (step == plantedStep)
                    one.plant(run, rank, place);
            });
            const TraceModelPtr model = run.run().load();
            Analysis analysis(*model, {});
            const CauseChain chain = explainStep(analysis, plantedStep)->chain;
            QVERIFY2(chain.verdict == CauseVerdict::AllRanks && chain.cause == one.cause,
                     (std::string(one.name) + ": " + textOf(chain)).c_str());
            QCOMPARE(chain.rank, ranks == 1 ? 0 : -1);
            QVERIFY(shows(*model, chain, one.evidence));
        }
    }
    /// Whoever came last of those that came together is no culprit.
    void oneEarlyRankMakesNobodyLate()
    {
        CausedRun run(8, {});
        run.play([&](int step, int rank, int place) {
            if (step == plantedStep && rank != 3 && place == 2)
                run.slowNextKernel(rank, 600 + 0.2 * rank);
        });
        const TraceModelPtr model = run.run().load();
        Analysis analysis(*model, {});
        const StepExplanation explained = *explainStep(analysis, plantedStep);
        QVERIFY2(explained.chain.verdict == CauseVerdict::AllRanks
                     && explained.chain.cause == Cause::SlowKernel,
                 textOf(explained.chain).c_str());
        for (const CollectiveInstance& instance : analysis.run().matching.instances) {
            const auto index
                = static_cast<std::uint32_t>(&instance - analysis.run().matching.instances.data());
            const CauseChain chain = explainArrival(analysis, index);
            QVERIFY2(chain.verdict == CauseVerdict::NobodyLate && chain.links.empty(), textOf(chain).c_str());
        }
        Analysis whole(*model, allSteps());
        QVERIFY(measureArrivals(whole).verdict() == StragglerVerdict::Nobody);
    }
    /// After its last collective rank 0 alone is slow: not all ranks took longer.
    void whatOnlyOneRankShowsIsItsOwn()
    {
        SmallRun run(2);
        const SmallCall call{"allreduce", "0", "[0, 1]", 2, 64, 64};
        for (int rank = 0; rank < 2; ++rank) {
            double begin = 0;
            for (int number = 1; number <= 4; ++number) {
                const double slow = number == 3 && rank == 0 ? 500 : 0;
                // Rank 1 waits in step 4 for what rank 0 was late with in step 3.
                const double wait = number == 4 && rank == 1 ? 500 : 0;
                run.step(rank, number, begin, 1000 + slow + wait);
                run.kernel(rank, begin + 100, 200);
                run.call(rank, begin + 400, 50 + wait, call);
                run.kernel(rank, begin + 500 + wait, 300 + slow);
                begin += 1000 + slow + wait;
            }
        }
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, {});
        const CauseAnswer answer = answerWhy(analysis, {3, {}, {}});
        QVERIFY2(answer.chain.verdict == CauseVerdict::LateRank && answer.chain.rank == 0
                     && answer.chain.cause == Cause::SlowKernel,
                 textOf(answer.chain).c_str());
        QCOMPARE(answer.verdict,
                 std::string("No rank was late at a collective; rank 0 took longer on its own: "
                             "slower kernels."));
    }
    /// Two collectives are too few to align 5 ms away, but durations say who waited.
    void durationsTellWhereClocksCannot()
    {
        SmallRun run(2);
        run.shiftClock(1, 5000);
        for (int rank = 0; rank < 2; ++rank) {
            run.step(rank, 1, 0, 3000);
            for (const double begin : {100.0, 1000.0})
                run.call(rank, begin + 100 * rank, 200 - 100 * rank, {"allreduce", "0", "[0, 1]", 2, 64, 64});
        }
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, allSteps());
        const Arrivals arrivals = measureArrivals(analysis);
        QVERIFY(arrivals.isByDuration);
        QCOMPARE(arrivals.ranks[0].ownNs, std::int64_t{200'000});
        QCOMPARE(arrivals.ranks[1].imposedNs, std::int64_t{200'000});
        QCOMPARE(arrivals.straggler()->rank, 1);
        MetricOptions raw = allSteps();
        raw.clocks = ClockChoice::Raw;
        Analysis recorded(*model, raw);
        QVERIFY2(!measureArrivals(recorded).isByDuration, "who asks for raw clocks gets them");
    }
    /// Nobody reads the results, but metrics still look at each rank's calls.
    void cancelledWhileCallsAreListed()
    {
        CausedRun run(4, {});
        run.play([](int, int, int) {});
        const TraceModelPtr model = run.run().load();
        MetricOptions cancelled = allSteps();
        cancelled.collectives = matchRun(*model, MetricOptions());
        cancelled.cancelled = [] { return true; };
        for (const MetricDescriptor& metric : allMetrics()) {
            Analysis analysis(*model, cancelled);
            evaluate(analysis, *findMetric(metric.id));
            QVERIFY(analysis.selection().failure || analysis.calls().size() == 4);
            QVERIFY(analysis.matching().instances.empty());
        }
    }
    /// Collectives on a stream of their own, which computing does not wait for: rank 1 computes slower, falls
    /// behind, and runs less in the same time, though more before it comes.
    void overlappedWorkIsNotMoreWork_data()
    {
        QTest::addColumn<int>("ranks");
        for (const int ranks : {2, 8})
            QTest::addRow("%d ranks", ranks) << ranks;
    }
    void overlappedWorkIsNotMoreWork()
    {
        QFETCH(int, ranks);
        SmallRun run(ranks);
        SmallCall call{"allgather", "world", "", ranks, 4096, 4096};
        call.kernel = "ncclDevKernel_AllGather_RING_LL";
        for (int i = 0; i < ranks; ++i)
            call.ranks += (i == 0 ? "[" : ", ") + std::to_string(i);
        call.ranks += "]";
        const auto slowed = [](int rank) { return rank == 1 ? 130.0 : 100.0; };
        for (int rank = 0; rank < ranks; ++rank) {
            run.step(rank, 1, 0, 4000);
            for (int kernel = 0; kernel < 24; ++kernel)
                run.kernel(rank, kernel * slowed(rank), slowed(rank), 7,
                           kernel % 2 == 0 ? "gemm_kernel" : "flash_kernel");
        }
        for (int number = 1; number <= 5; ++number) {
            call.sequence = number;
            for (int rank = 0; rank < ranks; ++rank) {
                const double begin = 4 * number * slowed(rank);
                run.call(rank, begin, 4 * number * slowed(1) + 30 - begin, call);
            }
        }
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, {});
        for (int number = 1; number <= 5; ++number) {
            const CauseChain chain = explainArrival(analysis, *instanceOf(analysis, "world", number));
            QVERIFY2(chain.verdict == CauseVerdict::LateRank && chain.rank == 1, textOf(chain).c_str());
            QVERIFY2(chain.cause == Cause::SlowKernel && !chain.alsoCause, textOf(chain).c_str());
        }
    }
    /// A collective in the middle that no computing waits for: what the slow kernel left over is done after
    /// it.
    void workLeftOverIsNotMoreWork()
    {
        SmallRun run(3);
        SmallCall call{"allreduce", "world", "[0, 1, 2]", 3, 4096, 4096};
        for (int rank = 0; rank < 3; ++rank) {
            const double slow = rank == 2 ? 600 : 0;
            run.step(rank, 1, 0, 2000);
            double begin = 10;
            for (int kernel = 0; kernel < 6; ++kernel) {
                const double duration = 100 + (kernel == 1 ? slow : 0);
                run.kernel(rank, begin, duration, 7, "gemm_kernel");
                begin += duration;
            }
            call.sequence = 1;
            run.call(rank, 350, 40, call, 21);
            call.sequence = 2;
            run.call(rank, begin, 1300 - begin, call);
        }
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, {});
        const CauseChain chain = explainArrival(analysis, *instanceOf(analysis, "world", 2));
        QVERIFY2(chain.verdict == CauseVerdict::LateRank && chain.rank == 2, textOf(chain).c_str());
        QVERIFY2(chain.cause == Cause::SlowKernel && !chain.alsoCause, textOf(chain).c_str());
    }
    void slowerTransfersAreNobodysFault()
    {
        CausedRun run(3, {});
        for (int number = 10; number < 14; ++number) {
            run.step(number, [&](int step) {
                for (int rank = 0; rank < 3; ++rank)
                    run.kernel(rank, "gemm_kernel", 500);
                run.collective({0, 1, 2}, "world", step == plantedStep ? 900 : 100);
            });
        }
        const TraceModelPtr model = run.run().load();
        Analysis analysis(*model, {});
        const CauseChain chain = explainStep(analysis, plantedStep)->chain;
        QVERIFY2(chain.verdict == CauseVerdict::AllRanks && chain.cause == Cause::SlowTransfer,
                 textOf(chain).c_str());
    }
    void wrongQuestions()
    {
        const TraceModelPtr model = modelOf(causeCases().front(), 2, 1);
        Analysis analysis(*model, {});
        const auto missing = explainStep(analysis, 99);
        QVERIFY(!missing.has_value());
        QVERIFY2(missing.error().message.find("10-13") != std::string::npos, missing.error().message.c_str());
        MetricOptions noSuchRank;
        noSuchRank.rank = 7;
        Analysis other(*model, noSuchRank);
        const auto nobody = explainStep(other, plantedStep);
        QVERIFY(!nobody.has_value());
        QVERIFY2(nobody.error().message.find("rank 7") != std::string::npos, nobody.error().message.c_str());
        // With a rank, its own step and collectives.
        MetricOptions oneRank;
        oneRank.rank = 0;
        Analysis chosen(*model, oneRank);
        const auto step = explainStep(chosen, plantedStep);
        QVERIFY2(step.has_value(), step ? "" : step.error().message.c_str());
        QVERIFY2(step->chain.rank == 1 && step->chain.cause == Cause::SlowKernel,
                 textOf(step->chain).c_str());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestStepCauses)
#include "tst_step_causes.moc"
