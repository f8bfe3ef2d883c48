// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Causes planted in runs of 2, 3 and 8 ranks, and what the cause chain makes of them.

#include "metrics/causes/explain.h"
#include "tests/support/runs/caused_cases.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"

namespace collscope {

class TestCauseChain : public QObject
{
    Q_OBJECT

private:
    static void addRows()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("late");
        for (const CauseCase& one : causeCases()) {
            for (const int ranks : {2, 3, 8}) {
                for (const int late : {0, ranks - 1})
                    QTest::addRow("%s, rank %d of %d", one.name, late, ranks)
                        << QString::fromLatin1(one.name) << ranks << late;
            }
        }
    }
    static void check(Analysis& analysis, const CauseChain& chain, const CauseCase& one, int late)
    {
        QVERIFY2(chain.verdict == CauseVerdict::LateRank, textOf(chain).c_str());
        QVERIFY2(chain.cause == one.cause, textOf(chain).c_str());
        QVERIFY2(!chain.alsoCause, textOf(chain).c_str());
        QCOMPARE(chain.rank, late);
        QVERIFY2(std::abs(chain.lateNs - one.lateUs * 1000) < 60'000, textOf(chain).c_str());
        QVERIFY2(shows(analysis.model(), chain, one.evidence), textOf(chain).c_str());
        QVERIFY2(isSound(analysis.model(), chain), textOf(chain).c_str());
    }

private slots:
    void arrivals_data() { addRows(); }
    void arrivals()
    {
        QFETCH(QString, name);
        QFETCH(int, ranks);
        QFETCH(int, late);
        const CauseCase& one = caseOf(name);
        const TraceModelPtr model = modelOf(one, ranks, late);
        Analysis analysis(*model, {});
        const auto instance = instanceOf(analysis, "world", 3);
        QVERIFY(instance.has_value());
        check(analysis, explainArrival(analysis, *instance), one, late);
    }
    void steps_data() { addRows(); }
    void steps()
    {
        QFETCH(QString, name);
        QFETCH(int, ranks);
        QFETCH(int, late);
        const CauseCase& one = caseOf(name);
        const TraceModelPtr model = modelOf(one, ranks, late);
        Analysis analysis(*model, {});
        const auto explanation = explainStep(analysis, plantedStep);
        QVERIFY2(explanation.has_value(), explanation ? "" : explanation.error().message.c_str());
        CHECKED(check(analysis, explanation->chain, one, late));
        QVERIFY(explanation->durationNs - explanation->othersNs > 500'000);
        QCOMPARE(explanation->others, std::size_t{3});
        // The other steps have nothing to tell.
        for (const std::int64_t other : {11, 13}) {
            const auto quiet = explainStep(analysis, other);
            QVERIFY(quiet.has_value());
            QVERIFY2(quiet->chain.verdict == CauseVerdict::NobodyLate && quiet->chain.cause == Cause::None,
                     textOf(quiet->chain).c_str());
        }
    }
    void clocksApart_data() { addRows(); }
    void clocksApart()
    {
        QFETCH(QString, name);
        QFETCH(int, ranks);
        QFETCH(int, late);
        const CauseCase& one = caseOf(name);
        const TraceModelPtr model = modelOf(one, ranks, late, {}, 5000);
        Analysis analysis(*model, {});
        const auto explanation = explainStep(analysis, plantedStep);
        QVERIFY(explanation.has_value());
        CHECKED(check(analysis, explanation->chain, one, late));
        // Asked on clocks that are 5 ms apart it does not blame anybody's work for them.
        MetricOptions rawClocks;
        rawClocks.clocks = ClockChoice::Raw;
        Analysis raw(*model, rawClocks);
        for (const std::int64_t quiet : {2, 4}) {
            const CauseChain chain = explainArrival(raw, *instanceOf(raw, "world", quiet));
            QVERIFY2(chain.verdict == CauseVerdict::Inconclusive && chain.cause == Cause::Inconclusive,
                     textOf(chain).c_str());
        }
    }
    void waitedElsewhere_data()
    {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<int>("late");
        QTest::addRow("3 ranks") << 3 << 1;
        QTest::addRow("4 ranks") << 4 << 1;
        QTest::addRow("8 ranks, first pair") << 8 << 1;
        QTest::addRow("8 ranks, last pair") << 8 << 7;
    }
    void waitedElsewhere()
    {
        QFETCH(int, ranks);
        QFETCH(int, late);
        CausedRun::Options options;
        options.tensorParallel = true;
        const TraceModelPtr model = played(
            ranks, late,
            [](CausedRun& run, int rank, int place) {
                if (place == 2)
                    run.kernel(rank, "fallback_kernel", 600);
            },
            options);
        Analysis analysis(*model, {});
        // The even ranks: the neighbour of the late one came late because it waited for it.
        const auto instance = instanceOf(analysis, "dp0", 3);
        QVERIFY(instance.has_value());
        const CauseChain chain = explainArrival(analysis, *instance);
        QVERIFY2(chain.verdict == CauseVerdict::LateRank && chain.cause == Cause::MoreWork,
                 textOf(chain).c_str());
        QCOMPARE(chain.rank, late);
        QCOMPARE(chain.links.size(), std::size_t{2});
        QVERIFY(chain.links[0].rank == late - 1 && chain.links[0].cause == Cause::WaitedElsewhere);
        QVERIFY(chain.links[1].rank == late && chain.links[1].cause == Cause::MoreWork);
        QVERIFY(shows(*model, chain, "fallback_kernel"));
        const auto step = explainStep(analysis, plantedStep);
        QVERIFY(step.has_value());
        QVERIFY2(step->chain.rank == late && step->chain.cause == Cause::MoreWork,
                 textOf(step->chain).c_str());
    }
    void noiseMakesNobodyLate_data()
    {
        QTest::addColumn<int>("ranks");
        for (const int ranks : {2, 3, 8})
            QTest::addRow("%d ranks", ranks) << ranks;
    }
    void noiseMakesNobodyLate()
    {
        QFETCH(int, ranks);
        CausedRun::Options options;
        options.noise = 1;
        const TraceModelPtr model = played(
            ranks, 0, [](CausedRun&, int, int) {}, options);
        Analysis analysis(*model, {});
        for (std::uint32_t i = 0; i < analysis.run().matching.instances.size(); ++i) {
            const CauseChain chain = explainArrival(analysis, i);
            QVERIFY2(chain.verdict == CauseVerdict::NobodyLate && chain.cause == Cause::None
                         && chain.rank == -1 && chain.links.empty() && chain.clauses.size() == 1,
                     textOf(chain).c_str());
        }
        for (std::int64_t step = 10; step < 14; ++step) {
            const auto explanation = explainStep(analysis, step);
            QVERIFY(explanation.has_value());
            QVERIFY2(explanation->chain.verdict == CauseVerdict::NobodyLate,
                     textOf(explanation->chain).c_str());
        }
    }
    void traceWithoutCpuEvents()
    {
        CausedRun::Options options;
        options.cpuEvents = false;
        // What the GPU did is known all the same ...
        for (const char* name : {"slow kernel", "another kernel", "copy from the host"}) {
            const TraceModelPtr model = modelOf(caseOf(QString::fromLatin1(name)), 3, 1, options);
            Analysis analysis(*model, {});
            CHECKED(check(analysis, explainStep(analysis, plantedStep)->chain,
                          caseOf(QString::fromLatin1(name)), 1));
        }
        // ... why it had nothing to do is not, and is not guessed.
        for (const char* name : {"python", "data loader", "allocation", "synchronisation"}) {
            const TraceModelPtr model = modelOf(caseOf(QString::fromLatin1(name)), 3, 1, options);
            Analysis analysis(*model, {});
            const CauseChain chain = explainStep(analysis, plantedStep)->chain;
            QVERIFY2(chain.verdict == CauseVerdict::Inconclusive && chain.cause == Cause::Inconclusive,
                     textOf(chain).c_str());
            QCOMPARE(chain.rank, 1);
            QVERIFY2(textOf(chain).find("no CPU events") != std::string::npos, textOf(chain).c_str());
        }
    }
    void twoCausesAreBothNamed()
    {
        const TraceModelPtr model = played(3, 2, [](CausedRun& run, int rank, int place) {
            if (place == 1)
                run.cpu(rank, "cudaMalloc", 400, "cuda_runtime");
            if (place == 2)
                run.kernel(rank, "fallback_kernel", 350);
        });
        Analysis analysis(*model, {});
        const CauseChain chain = explainArrival(analysis, *instanceOf(analysis, "world", 3));
        QVERIFY2(chain.verdict == CauseVerdict::LateRank && chain.rank == 2, textOf(chain).c_str());
        QVERIFY2(chain.cause == Cause::MemoryAllocation && chain.alsoCause == Cause::MoreWork,
                 textOf(chain).c_str());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestCauseChain)
#include "tst_cause_chain.moc"
