// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Steps that are longer on all ranks, work that overlaps collectives, and questions without an answer.

#include "tests/support/caused_cases.h"
#include "tests/support/suite.h"

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
