// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Why a rank is late, and by how much, on planted runs: what it does beside its calls, what all ranks do
// alike, and what it only does at another moment.

#include "tests/support/runs/played_run.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/suite.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace collscope {

namespace {

constexpr std::int64_t us = 1000;
constexpr int steps = playedSteps;
const std::string computesLongerByTurns
    = "it computes longer before some of its calls and shorter before others.";

/// What a finding says after "because"; empty if the rank is not late, or for no known reason.
std::string reasonOfRank(const Findings& findings, std::int32_t rank)
{
    const Finding* const late = findingOf(findings, FindingKind::LateRank, rank);
    const std::size_t because = late ? late->title.find("because ") : std::string::npos;
    return because != std::string::npos ? late->title.substr(because + 8) : std::string();
}

constexpr const char* loader = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";

/// A run of ranks that mark their steps. `plant(run, rank, step, begin, call)` adds what a rank does in a
/// step that begins then, in us, with the all-reduce of the step.
template<typename Plant>
TraceModelPtr planted(int ranks, int count, double stepUs, const Plant& plant)
{
    SmallRun run(ranks);
    std::string list;
    for (int rank = 0; rank < ranks; ++rank)
        list += (rank == 0 ? "[" : ", ") + std::to_string(rank);
    for (int step = 0; step < count; ++step) {
        SmallCall call{"allreduce", "0", list + "]", ranks, 4096, 4096};
        call.sequence = step + 1;
        for (int rank = 0; rank < ranks; ++rank) {
            run.step(rank, step, stepUs * step, stepUs);
            plant(run, rank, step, stepUs * step, call);
        }
    }
    return run.load();
}

} // namespace

class TestLateReasons : public QObject
{
    Q_OBJECT

private slots:
    /// Rank 2 runs another kernel before the all-reduce, and its softmax takes longer after it, when nobody
    /// waits for that.
    void onlyWhatComesBeforeTheWait()
    {
        Play play(4);
        for (int step = 0; step < steps; ++step) {
            const int begin = play.now(0);
            for (int rank = 0; rank < 4; ++rank) {
                play.compute(rank, 4000);
                if (rank == 2)
                    play.compute(rank, 3000, "extra");
            }
            play.meet({0, 1, 2, 3}, "1");
            for (int rank = 0; rank < 4; ++rank)
                play.compute(rank, rank == 2 ? 4600 : 3000, "softmax");
            play.endStep(step, begin);
        }
        const Findings findings = findingsOf(*play.run().load());
        const Finding* const late = findingOf(findings, FindingKind::LateRank, 2);
        QVERIFY(late);
        QCOMPARE(late->cause, std::string("more_compute"));
    }
    /// Rank 1 has 2 ms more before one all-reduce and 0.9 ms less before another one. Where it is 2 ms less,
    /// no rank computes longer.
    void longerAndShorter()
    {
        const auto reasonWhere = [](int rank, int lessUs) {
            Play play(2);
            for (int step = 0; step < steps; ++step) {
                const int begin = play.now(0);
                for (const bool isFirst : {true, false}) {
                    play.compute(0, isFirst ? 3000 : 6000);
                    play.compute(1, isFirst ? 5000 : 6000 - lessUs);
                    play.meet({0, 1}, "1");
                }
                play.endStep(step, begin);
            }
            return reasonOfRank(findingsOf(*play.run().load()), rank);
        };
        QCOMPARE(reasonWhere(1, 900),
                 std::string("it computes longer (1.1 ms more per step before it arrives)."));
        QCOMPARE(reasonWhere(1, 2000), computesLongerByTurns);
        QCOMPARE(reasonWhere(0, 2000), computesLongerByTurns);
    }
    /// Rank 2 launches its all-reduce late, because it collects garbage. Meanwhile its GPU works off what was
    /// launched before, which the others do after the all-reduce: that is not why it is late.
    void lateBecauseOfItsLaunch()
    {
        const TraceModelPtr model = planted(
            4, steps, 10'000, [](SmallRun& run, int rank, int, double begin, const SmallCall& call) {
                const bool isLate = rank == 2;
                const double launched = begin + (isLate ? 4100 : 2100);
                run.kernel(rank, begin + 100, 2000, 7, "gemm", begin + 10);
                run.kernel(rank, begin + (isLate ? 2100 : 4500), 2000, 7, "gemm", begin + 20);
                if (isLate)
                    run.cpu(rank, "Python GC", begin + 100, 3990);
                run.call(rank, launched + 20, begin + 4400 - launched - 20, call, 20, launched);
            });
        const Findings findings = findingsOf(*model);
        const Finding* const late = findingOf(findings, FindingKind::LateRank, 2);
        QVERIFY(late);
        QCOMPARE(late->costNs, 3 * 2000 * us / 4);
        QVERIFY2(late->title.ends_with("because its CPU launches later: Python collects garbage."),
                 late->title.c_str());
    }
    /// Between stages only idle time is a reason: rank 1 also computes longer after its last work, as the
    /// last stage does.
    void stagesComputeDifferently()
    {
        const Findings findings = pipelines(1, none, [](int rank) { return rank == 1 ? 1300 : 0; });
        const Finding* const late = findingOf(findings, FindingKind::LateRank, 1);
        QVERIFY(late);
        QVERIFY2(late->title.find("its GPU is idle longer") != std::string::npos, late->title.c_str());
    }
    /// All ranks run the same on a side stream. Rank 2 stalls meanwhile, and the others compute beside it.
    void theSameWorkBesideAStall()
    {
        Play play(4);
        for (int step = 0; step < steps; ++step) {
            const int begin = play.now(0);
            for (int rank = 0; rank < 4; ++rank) {
                play.compute(rank, 2000);
                play.run().compute(rank, begin + 2000, 3000, "average", 9);
                play.now(rank) += rank == 2 ? 3000 : 0;
                play.compute(rank, 4000);
            }
            play.meet({0, 1, 2, 3}, "1");
            play.endStep(step, begin);
        }
        const Findings findings = findingsOf(*play.run().load());
        const Finding* const late = findingOf(findings, FindingKind::LateRank, 2);
        QVERIFY(late);
        QCOMPARE(late->costNs, 3 * 3000 * us / 4);
        QVERIFY2(late->title.find("because") == std::string::npos, late->title.c_str());
    }
    /// Rank 2 pauses before its second bucket, in part beside the first all-reduce. The later ones of the
    /// others queue up behind the one that waits for it, and begin when they have computed all: between the
    /// last two, rank 2 computes longer.
    void aPauseBetweenBuckets()
    {
        constexpr std::array computeUs{1000, 1000, 3000, 3000};
        constexpr std::array sendUs{2500, 300, 300, 300};
        Play play(4);
        for (int step = 0; step < steps; ++step) {
            const int begin = play.now(0);
            int sent = 0;
            for (std::size_t bucket = 0; bucket < computeUs.size(); ++bucket) {
                play.now(2) += bucket == 1 ? 3500 : 0;
                std::vector<int> computed;
                for (int rank = 0; rank < 4; ++rank) {
                    play.compute(rank, computeUs[bucket]);
                    computed.push_back(play.now(rank));
                    play.now(rank) = std::max(play.now(rank), sent);
                }
                sent = play.last() + sendUs[bucket];
                play.meetAt({0, 1, 2, 3}, "1", sent, "AllReduce_Sum_f32", "allreduce");
                for (int rank = 0; rank < 4; ++rank)
                    play.now(rank) = computed[static_cast<std::size_t>(rank)];
            }
            for (int rank = 0; rank < 4; ++rank)
                play.now(rank) = sent;
            play.endStep(step, begin);
        }
        const std::string reason = reasonOfRank(findingsOf(*play.run().load()), 2);
        QVERIFY2(reason.starts_with("its GPU is idle longer"), reason.c_str());
        QVERIFY2(reason.find("(1 ms more per step") != std::string::npos, reason.c_str());
    }
    /// Each rank computes longer in every other step: neither does in all.
    void longerInSomeSteps()
    {
        Play play(2);
        for (int step = 0; step < steps; ++step) {
            const int begin = play.now(0);
            for (int rank = 0; rank < 2; ++rank)
                play.compute(rank, (step + rank) % 2 == 0 ? 5000 : 3000);
            play.meet({0, 1}, "1");
            play.endStep(step, begin);
        }
        const Findings findings = findingsOf(*play.run().load());
        for (const std::int32_t rank : {0, 1})
            QCOMPARE(reasonOfRank(findings, rank), computesLongerByTurns);
    }
    /// Two calls of a group wait for the same event and arrive together, on two streams: one pause of 3 ms.
    void twoCallsAtOnce()
    {
        Play play(4);
        for (int step = 0; step < steps; ++step) {
            const int begin = play.now(0);
            for (int rank = 0; rank < 4; ++rank)
                play.compute(rank, rank == 2 ? 5000 : 2000);
            const int end = play.last() + 300;
            play.meetAt({0, 1, 2, 3}, "1", end, "AllGather_f32", "_allgather_base", 20);
            play.meetAt({0, 1, 2, 3}, "1", end, "ReduceScatter_Sum_f32", "_reduce_scatter_base", 21);
            for (int rank = 0; rank < 4; ++rank)
                play.now(rank) = end;
            play.endStep(step, begin);
        }
        const std::string reason = reasonOfRank(findingsOf(*play.run().load()), 2);
        QVERIFY2(reason.find("(3 ms more per step") != std::string::npos, reason.c_str());
    }
    /// All ranks load data just before they launch the all-reduce. Rank 2 has computed longer before that.
    void whatAllDoBeforeTheLaunch()
    {
        const TraceModelPtr model = planted(
            4, steps, 10'000, [](SmallRun& run, int rank, int, double begin, const SmallCall& call) {
                const double computed = begin + (rank == 2 ? 4100 : 2100);
                const double launched = computed + 3010;
                run.kernel(rank, begin + 100, 2000, 7, "gemm", begin + 10);
                if (rank == 2)
                    run.kernel(rank, begin + 2100, 2000, 7, "average", begin + 20);
                run.cpu(rank, "cudaStreamSynchronize", begin + 30, computed - begin - 29, "cuda_runtime");
                run.cpu(rank, loader, computed + 2, 3000, "user_annotation");
                run.call(rank, launched + 20, begin + 7400 - launched - 20, call, 20, launched);
            });
        QCOMPARE(reasonOfRank(findingsOf(*model), 2),
                 std::string("it computes longer (2 ms more per step before it arrives)."));
    }
    /// All CPUs load data for 3 ms at the begin of a step. The others hide that behind the end of the step
    /// before. The CPU of rank 2 collects garbage first, so that its GPU waits for the loader.
    void whatTheOthersHide()
    {
        const TraceModelPtr model = planted(
            4, steps, 12'000, [](SmallRun& run, int rank, int, double begin, const SmallCall& call) {
                const double lateUs = rank == 2 ? 3000 : 0;
                if (rank == 2)
                    run.cpu(rank, "Python GC", begin + 20, 2970);
                run.cpu(rank, loader, begin + lateUs + 20, 2960, "user_annotation");
                // The optimizer of the step before still runs when the step begins.
                run.kernel(rank, begin - 500, 3400, 7, "adam", begin - 900);
                const double computes = begin + lateUs + 3000;
                run.kernel(rank, computes, 2000, 7, "gemm", computes - 10);
                run.call(rank, computes + 2010, begin + 8400 - computes - 2010, call, 20, computes - 5);
            });
        const std::string reason = reasonOfRank(findingsOf(*model), 2);
        QVERIFY2(reason.starts_with("its GPU is idle longer: Python collects garbage (3 ms more"),
                 reason.c_str());
    }
    /// All CPUs load data for 2 ms, wait for the GPU, and launch the all-reduce. That of rank 2 collects
    /// garbage first, so that it launches 3 ms later.
    void whatTheOthersDoEarlier()
    {
        const TraceModelPtr model = planted(
            4, steps, 12'000, [](SmallRun& run, int rank, int, double begin, const SmallCall& call) {
                const double loads = begin + (rank == 2 ? 7020 : 20);
                const double launched = begin + (rank == 2 ? 9100 : 6100);
                run.kernel(rank, begin + 10, 6000, 7, "adam", begin + 2);
                if (rank == 2)
                    run.cpu(rank, "Python GC", begin + 20, 6990);
                run.cpu(rank, loader, loads, 2000, "user_annotation");
                run.cpu(rank, "cudaStreamSynchronize", loads + 2010, launched - loads - 2020, "cuda_runtime");
                run.call(rank, launched + 20, begin + 9500 - launched - 20, call, 20, launched);
            });
        QCOMPARE(reasonOfRank(findingsOf(*model), 2),
                 std::string("its CPU launches later: Python collects garbage."));
    }
    /// The CPU of the last stage always works longer than that of the first one. That is not why it launches
    /// the all-reduce late, after a pause that was not recorded.
    void whatOtherStagesDo()
    {
        const TraceModelPtr model = planted(
            2, steps, 20'000, [](SmallRun& run, int rank, int step, double begin, const SmallCall& call) {
                const auto hands = [&](const char* name, int from, double at, double until, double launched) {
                    SmallCall transfer{
                        name, "7", "[0, 1]", 2, 4096, 4096, {}, 2 * step + from, "ncclDevKernel_SendRecv"};
                    transfer.source = from;
                    transfer.destination = 1 - from;
                    run.call(rank, begin + at, until - at, transfer, 30 + from, begin + launched);
                };
                if (rank == 0) {
                    run.kernel(rank, begin + 20, 1000, 7, "forward", begin + 10);
                    hands("send", 0, 1021, 1100, 15);
                    hands("recv", 1, 1110, 5200, 20);
                    run.kernel(rank, begin + 5205, 2000, 7, "backward", begin + 25);
                    run.call(rank, begin + 7210, 3390, call, 20, begin + 30);
                } else {
                    hands("recv", 0, 50, 1100, 10);
                    run.kernel(rank, begin + 1105, 4000, 7, "loss", begin + 15);
                    hands("send", 1, 5110, 5200, 20);
                    run.cpu(rank, "aten::topk", begin + 100, 5000, "cpu_op");
                    run.call(rank, begin + 10'220, 380, call, 20, begin + 10'200);
                }
            });
        const std::string reason = reasonOfRank(findingsOf(*model), 1);
        QVERIFY2(reason.starts_with("its GPU is idle longer, and the trace does not show why"),
                 reason.c_str());
    }
    /// Rank 2 collects garbage for 3 ms in 70 steps, and loads data for 2 ms in 230: most of its delay.
    void manyShortDelays()
    {
        const TraceModelPtr model
            = planted(4, 300, 10'000, [](SmallRun& run, int rank, int step, double begin, SmallCall call) {
                  const double lateUs = rank != 2 ? 0 : step < 70 ? 3000 : 2000;
                  const double launched = begin + 1100 + lateUs;
                  if (rank == 2 && step < 70)
                      run.cpu(rank, "Python GC", begin + 1050, lateUs);
                  else if (rank == 2)
                      run.cpu(rank, loader, begin + 1050, lateUs, "user_annotation");
                  run.kernel(rank, begin + 50, 1000, 7, "gemm", begin + 10);
                  run.call(rank, launched + 10, begin + 5000 - launched, call, 20, launched);
              });
        QCOMPARE(reasonOfRank(findingsOf(*model), 2),
                 std::string("its CPU launches later: the CPU waits for input data."));
    }
    /// In most steps the trace does not say when the others launch their call: the few steps in which it does
    /// do not speak for all.
    void fewComparableDelays()
    {
        const TraceModelPtr model = planted(
            4, steps, 10'000, [](SmallRun& run, int rank, int step, double begin, const SmallCall& call) {
                const bool isComparable = 4 * step < steps;
                const double launched = begin + (rank == 2 ? 4100 : 1100);
                if (rank == 2 && isComparable)
                    run.cpu(rank, "Python GC", begin + 1050, 3000);
                run.kernel(rank, begin + 50, 1000, 7, "gemm", begin + 10);
                run.call(rank, launched + 10, begin + 5000 - launched, call, 20,
                         rank == 2 || isComparable ? launched : -1);
            });
        const std::string reason = reasonOfRank(findingsOf(*model), 2);
        QVERIFY2(reason.starts_with("its GPU is idle longer, and the trace does not show why"),
                 reason.c_str());
    }
    /// What is cancelled at any moment reads nothing that is not there.
    void cancelledAnywhere()
    {
        const TraceModelPtr model = planted(
            4, steps, 10'000, [](SmallRun& run, int rank, int, double begin, const SmallCall& call) {
                const double launched = begin + (rank == 2 ? 4100 : 2100);
                run.kernel(rank, begin + 100, 2000, 7, "gemm", begin + 10);
                run.call(rank, launched + 20, begin + 4400 - launched - 20, call, 20, launched);
            });
        bool isCancelled = true;
        for (int polls = 0; isCancelled; ++polls) {
            isCancelled = false;
            MetricOptions options;
            options.cancelled = [&, left = polls]() mutable {
                isCancelled |= left-- == 0;
                return isCancelled;
            };
            options.collectives = matchRun(*model, MetricOptions());
            Analysis analysis(*model, options);
            const auto findings = findCosts(analysis);
            QVERIFY(isCancelled || (findings && findingOf(*findings, FindingKind::LateRank, 2)));
        }
    }
    /// Another thread collects garbage and holds Python's lock; what launches work is in a frame of Python.
    void garbageOfAnotherThread()
    {
        const TraceModelPtr model
            = planted(2, steps, 5500, [](SmallRun& run, int rank, int, double begin, const SmallCall& call) {
                  const double lateUs = rank == 1 ? 3000 : 0;
                  run.cpu(rank, "train.py(7): train_step", begin + 1, 5490);
                  if (rank == 1)
                      run.cpu(rank, "Python GC", begin + 5, 2990, "python_function", 101);
                  run.kernel(rank, begin + lateUs + 20, 2000, 7, "gemm", begin + lateUs + 10);
                  run.call(rank, begin + lateUs + 2030, 3400 - lateUs, call, 20, begin + lateUs + 15);
              });
        const std::string reason = reasonOfRank(findingsOf(*model), 1);
        QVERIFY2(reason.starts_with("its GPU is idle longer: Python collects garbage"), reason.c_str());
    }
    /// In every other step it collects garbage, and else it waits for the loader.
    void twoCauses()
    {
        const TraceModelPtr model = planted(
            2, 10, 10'000, [](SmallRun& run, int rank, int step, double begin, const SmallCall& call) {
                const double lateUs = rank == 1 ? 3000 : 0;
                if (rank == 1 && step % 2 == 0)
                    run.cpu(rank, "Python GC", begin + 5, 2990);
                else if (rank == 1)
                    run.cpu(rank, loader, begin + 5, 2990, "user_annotation");
                run.kernel(rank, begin + lateUs + 20, 2000, 7, "gemm", begin + lateUs + 10);
                run.call(rank, begin + lateUs + 2030, 3400 - lateUs, call, 20, begin + lateUs + 15);
            });
        const std::string reason = reasonOfRank(findingsOf(*model), 1);
        QVERIFY2(reason.find("Python collects garbage") != std::string::npos, reason.c_str());
        QVERIFY2(reason.find("the CPU waits for input data") != std::string::npos, reason.c_str());
    }
    /// On rank 2 a kernel that was launched in time starts 3 ms later. All ranks load data meanwhile.
    void whatTheThreadDoesMeanwhile()
    {
        const TraceModelPtr model = planted(
            4, steps, 10'000, [](SmallRun& run, int rank, int, double begin, const SmallCall& call) {
                const double heldUs = rank == 2 ? 3000 : 0;
                run.kernel(rank, begin + 100, 1000, 7, "gemm", begin + 10);
                run.kernel(rank, begin + 1101 + heldUs, 2000, 7, "gemm", begin + 20);
                run.cpu(rank, loader, begin + 1000, 4000, "user_annotation");
                run.call(rank, begin + 3102 + heldUs, 3300 - heldUs, call, 20, begin + 30);
            });
        QCOMPARE(
            reasonOfRank(findingsOf(*model), 2),
            std::string("its GPU is idle longer, and the trace does not show why (3 ms more per step before "
                        "it arrives)."));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestLateReasons)
#include "tst_late_reasons.moc"
