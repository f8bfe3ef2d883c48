// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Causes planted in runs of 2, 3 and 8 ranks, and what the cause chain makes of them.

#include "metrics/cause_chain.h"
#include "tests/support/planted_run.h"
#include "tests/support/suite.h"

#include <QTest>

#include <set>

namespace collscope {

namespace {

constexpr int plantedStep = 12;

using Planted = std::function<void(PlantedRun& run, int rank, int place)>;

/// The run with a cause planted on one rank in step 12.
TraceModelPtr played(int ranks, int late, const Planted& plant, PlantedRun::Options options = {},
                     double shiftUs = 0)
{
    PlantedRun run(ranks, options);
    run.play([&](int step, int rank, int place) {
        if (step == plantedStep && rank == late)
            plant(run, rank, place);
    });
    if (shiftUs != 0)
        run.run().shiftClock(late, shiftUs);
    return run.run().load();
}

std::optional<std::uint32_t> instanceOf(Analysis& analysis, std::string_view group, std::int64_t sequence)
{
    const RunCollectives& run = analysis.run();
    for (std::uint32_t i = 0; i < run.matching.instances.size(); ++i) {
        const Instance& instance = run.matching.instances[i];
        const Call& call = run.callOf(run.matching.membersOf(instance).front());
        if (run.matching.groupOf(instance).name == group && call.meta && call.meta->sequence == sequence)
            return i;
    }
    return std::nullopt;
}

std::string textOf(const CauseChain& chain)
{
    std::string text = std::string(causeVerdictName(chain.verdict)) + " "
        + std::string(causeName(chain.cause)) + " rank " + std::to_string(chain.rank) + "\n";
    for (const CauseClause& clause : chain.clauses)
        text += "  " + clause.text + "\n";
    return text;
}

/// True if a slice of this name is the evidence of some clause.
bool shows(const TraceModel& model, const CauseChain& chain, std::string_view name)
{
    for (const CauseClause& clause : chain.clauses) {
        for (const SliceRef slice : clause.slices) {
            if (model.nameOf(slice).find(name) != std::string_view::npos)
                return true;
        }
    }
    return false;
}

/// Evidence that a view can go to: slices of the rank that is named, ranges in the run.
bool isSound(const TraceModel& model, const CauseChain& chain)
{
    for (const CauseClause& clause : chain.clauses) {
        if (clause.text.empty() || clause.text.back() != '.' || clause.range.lengthNs() < 0
            || clause.slices.size() > 32)
            return false;
        std::set<SliceRef> slices(clause.slices.begin(), clause.slices.end());
        if (slices.size() != clause.slices.size())
            return false;
    }
    return !chain.clauses.empty() && model.sliceCount() > 0;
}

struct CauseCase
{
    const char* name;
    Cause cause;
    Planted plant;
    const char* evidence; ///< part of the name of a slice that has to be shown
    std::int64_t lateUs;
};

const std::vector<CauseCase>& causeCases()
{
    static const std::vector<CauseCase> cases{
        {"slow kernel", Cause::SlowKernel,
         [](PlantedRun& run, int rank, int place) {
             if (place == 2)
                 run.slowNextKernel(rank, 600);
         },
         "gemm_kernel", 600},
        {"kernels all slower", Cause::SlowKernel, nullptr, "gemm_kernel", 600},
        {"more kernels", Cause::MoreWork,
         [](PlantedRun& run, int rank, int place) {
             for (int i = 0; place == 2 && i < 6; ++i)
                 run.kernel(rank, "gemm_kernel", 100);
         },
         "gemm_kernel", 600},
        {"another kernel", Cause::MoreWork,
         [](PlantedRun& run, int rank, int place) {
             if (place == 2)
                 run.kernel(rank, "fallback_kernel", 600);
         },
         "fallback_kernel", 600},
        {"python", Cause::SlowCpu,
         [](PlantedRun& run, int rank, int place) {
             if (place == 1)
                 run.cpu(rank, "train.py(88): log_everything", 600);
         },
         "log_everything", 600},
        {"python in the middle", Cause::SlowCpu,
         [](PlantedRun& run, int rank, int place) {
             if (place == 2)
                 run.cpu(rank, "gc_callback", 1200);
         },
         "gc_callback", 600},
        {"data loader", Cause::LateInput,
         [](PlantedRun& run, int rank, int place) {
             if (place == 0)
                 run.cpu(rank, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 600,
                         "user_annotation");
         },
         "DataLoader", 600},
        {"copy from the host", Cause::LateInput,
         [](PlantedRun& run, int rank, int place) {
             if (place == 1)
                 run.copy(rank, 600);
         },
         "HtoD", 600},
        {"allocation", Cause::MemoryAllocation,
         [](PlantedRun& run, int rank, int place) {
             if (place == 1)
                 run.cpu(rank, "cudaMalloc", 600, "cuda_runtime");
         },
         "cudaMalloc", 600},
        {"release", Cause::MemoryAllocation,
         [](PlantedRun& run, int rank, int place) {
             if (place == 2)
                 run.cpu(rank, "cudaFree", 1200, "cuda_runtime");
         },
         "cudaFree", 600},
        {"synchronisation", Cause::Synchronisation,
         [](PlantedRun& run, int rank, int place) {
             if (place == 2)
                 run.cpu(rank, "cudaDeviceSynchronize", 1200, "cuda_runtime");
         },
         "cudaDeviceSynchronize", 600},
    };
    return cases;
}

const CauseCase& caseOf(const QString& name)
{
    return *std::find_if(causeCases().begin(), causeCases().end(),
                         [&](const CauseCase& one) { return name == QLatin1String(one.name); });
}

/// "kernels all slower" replaces the work of the step instead of adding to it.
TraceModelPtr modelOf(const CauseCase& one, int ranks, int late, PlantedRun::Options options = {},
                      double shiftUs = 0)
{
    if (one.plant)
        return played(ranks, late, one.plant, options, shiftUs);
    PlantedRun run(ranks, options);
    for (int number = 10; number < 14; ++number) {
        run.step(number, [&](int step) {
            std::vector<int> all;
            for (int rank = 0; rank < ranks; ++rank) {
                all.push_back(rank);
                for (int layer = 0; layer < 12; ++layer)
                    run.kernel(rank, "gemm_kernel", step == plantedStep && rank == late ? 150 : 100);
            }
            run.collective(all, "world", 50);
        });
    }
    if (shiftUs != 0)
        run.run().shiftClock(late, shiftUs);
    return run.run().load();
}

} // namespace

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
        check(analysis, explanation->chain, one, late);
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
        check(analysis, explanation->chain, one, late);
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
        PlantedRun::Options options;
        options.tensorParallel = true;
        const TraceModelPtr model = played(
            ranks, late,
            [](PlantedRun& run, int rank, int place) {
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
        PlantedRun::Options options;
        options.noise = 1;
        const TraceModelPtr model = played(
            ranks, 0, [](PlantedRun&, int, int) {}, options);
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
        PlantedRun::Options options;
        options.cpuEvents = false;
        // What the GPU did is known all the same ...
        for (const char* name : {"slow kernel", "another kernel", "copy from the host"}) {
            const TraceModelPtr model = modelOf(caseOf(QString::fromLatin1(name)), 3, 1, options);
            Analysis analysis(*model, {});
            check(analysis, explainStep(analysis, plantedStep)->chain, caseOf(QString::fromLatin1(name)), 1);
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
        const TraceModelPtr model = played(3, 2, [](PlantedRun& run, int rank, int place) {
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
            PlantedRun run(ranks, {});
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
        PlantedRun run(3, {});
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

COLLSCOPE_TEST(collscope::TestCauseChain)
#include "tst_cause_chain.moc"
