// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// When the kernels of a rank are called slow, and what that costs: planted runs of four ranks.

#include "metrics/findings/finding.h"
#include "tests/support/runs/collective_run.h"
#include "tests/support/suite/suite.h"

#include <algorithm>
#include <array>

namespace collscope {

namespace {

constexpr std::int64_t us = 1000;
constexpr int ranks = 4;
constexpr int stepUs = 20'000;

struct Kernel
{
    std::string name;
    int durationUs = 0;
};

CallText allReduce(int step)
{
    return {.name = "allreduce",
            .inElements = 100'000,
            .outElements = 100'000,
            .groupSize = ranks,
            .group = "0",
            .ranks = "[0, 1, 2, 3]",
            .sequence = step};
}

/// The kernels of each rank and step follow each other, then all meet in an all-reduce.
template<typename KernelsOf>
std::shared_ptr<CollectiveRun> runOf(int steps, const KernelsOf& kernelsOf)
{
    auto run = std::make_shared<CollectiveRun>();
    for (int step = 0; step < steps; ++step) {
        const int begin = stepUs * step;
        std::array<int, ranks> arrival{};
        for (int rank = 0; rank < ranks; ++rank) {
            int now = begin;
            for (const Kernel& kernel : kernelsOf(rank, step)) {
                run->compute(rank, now, kernel.durationUs, kernel.name);
                now += kernel.durationUs;
            }
            arrival[static_cast<std::size_t>(rank)] = now;
            run->step(rank, step, begin, stepUs);
        }
        const int last = *std::max_element(arrival.begin(), arrival.end());
        for (int rank = 0; rank < ranks; ++rank) {
            const int own = arrival[static_cast<std::size_t>(rank)];
            run->call(rank, "AllReduce_Sum_f32", own, last + 500 - own, allReduce(step));
        }
    }
    return run;
}

/// The finding about slow kernels; no title without one.
Finding slowIn(const CollectiveRun& run)
{
    const TraceModelPtr model = run.load();
    Analysis analysis(*model, {});
    const auto findings = findCosts(analysis);
    for (const Finding& finding : findings->all) {
        if (finding.kind == FindingKind::SlowKernelsOnRank)
            return finding;
    }
    return {};
}

} // namespace

class TestSlowKernels : public QObject
{
    Q_OBJECT

private slots:
    /// All kernels of rank 2 take a fifth longer: its GPU is slower.
    void slowerGpu()
    {
        const Finding slow = slowIn(*runOf(6, [](int rank, int) {
            const int percent = rank == 2 ? 120 : 100;
            return std::vector<Kernel>{{"gemm", 80 * percent}, {"softmax", 20 * percent}};
        }));
        QCOMPARE(slow.ranks, std::vector<std::int32_t>{2});
        QCOMPARE(slow.costNs, 2000 * us / ranks);
        QCOMPARE(slow.cause, std::string("slow_kernels"));
        QVERIFY(adviceFor(slow).find("temperature") != std::string_view::npos);
    }
    /// One kernel takes longer and the others do not: it has more to do there, and the GPU is not slower.
    void moreWorkForOneKernel()
    {
        const Finding slow = slowIn(*runOf(6, [](int rank, int) {
            return std::vector<Kernel>{
                {"router", 1000}, {"grouped_gemm", rank == 3 ? 8000 : 5000}, {"attention", 8000}};
        }));
        QCOMPARE(slow.ranks, std::vector<std::int32_t>{3});
        QCOMPARE(slow.costNs, 3000 * us / ranks);
        QCOMPARE(slow.cause, std::string("longer_kernels"));
        QVERIFY2(slow.title.starts_with("Some kernels on rank 3 take longer"), slow.title.c_str());
        QVERIFY(adviceFor(slow).find("temperature") == std::string_view::npos);
    }
    /// Lengths that vary from step to step: one rank has the longest mean, but its GPU is not slower.
    void varyingWork()
    {
        constexpr std::array<std::array<int, 10>, ranks> lengths{{
            {{7000, 6500, 9800, 6100, 11000, 8000, 6900, 9000, 7200, 8400}},
            {{9000, 8100, 6600, 9900, 7000, 6400, 10100, 6800, 8900, 7000}},
            {{8000, 11900, 7000, 11500, 6200, 11800, 7900, 11000, 6500, 9000}},
            {{6400, 6200, 9100, 7300, 9600, 7100, 8800, 6600, 10400, 8000}},
        }};
        const Finding slow = slowIn(*runOf(10, [&](int rank, int step) {
            return std::vector<Kernel>{
                {"gemm", lengths[static_cast<std::size_t>(rank)][static_cast<std::size_t>(step)]}};
        }));
        QCOMPARE(slow.title, std::string());
    }
    /// A kernel that takes four times as long beside another one costs nothing; the other one is what counts.
    void hiddenKernel()
    {
        const auto run = runOf(6, [](int rank, int) {
            return std::vector<Kernel>{{"gemm", rank == 2 ? 11'000 : 10'000}};
        });
        for (int step = 0; step < 6; ++step) {
            for (int rank = 0; rank < ranks; ++rank)
                run->compute(rank, stepUs * step + 1000, rank == 2 ? 4000 : 1000, "side_kernel", 9);
        }
        const Finding slow = slowIn(*run);
        QCOMPARE(slow.ranks, std::vector<std::int32_t>{2});
        QCOMPARE(slow.name, std::string("gemm"));
        QCOMPARE(slow.costNs, 1000 * us / ranks);
    }
    /// Rank 0 has one kernel more. That is not what rank 3 makes up for.
    void moreWorkOfAnotherRank()
    {
        const Finding slow = slowIn(*runOf(6, [](int rank, int) {
            std::vector<Kernel> kernels{{"gemm", 8000}, {"mlp", rank == 3 ? 2400 : 2000}};
            if (rank == 0)
                kernels.push_back({"sample", 400});
            return kernels;
        }));
        QCOMPARE(slow.ranks, std::vector<std::int32_t>{3});
        QCOMPARE(slow.costNs, 400 * us / ranks);
    }
    /// A little slower on rank 1, much slower on rank 3.
    void twoSlowRanks()
    {
        const Finding slow = slowIn(*runOf(6, [](int rank, int) {
            return std::vector<Kernel>{{"gemm", 5000 + (rank == 3 ? 3000 : 0) + (rank == 1 ? 600 : 0)},
                                       {"softmax", 2000}};
        }));
        QCOMPARE(slow.ranks, std::vector<std::int32_t>{3});
        QCOMPARE(slow.costNs, 3000 * us / ranks);
        QVERIFY2(slow.title.find("by 60 %") != std::string::npos, slow.title.c_str());
    }
    /// What a rank makes up for with other kernels costs nothing.
    void madeUpElsewhere()
    {
        const Finding slow = slowIn(*runOf(6, [](int rank, int) {
            return std::vector<Kernel>{{"gemm", rank == 2 ? 9000 : 8000},
                                       {"softmax", rank == 2 ? 3500 : 4000}};
        }));
        QCOMPARE(slow.costNs, 500 * us / ranks);
    }
    /// The marks cut the gemm of three ranks in two, and lie beside that of rank 2, which has one kernel
    /// more.
    void cutByTheMarks()
    {
        CollectiveRun run;
        for (int step = 0; step < 6; ++step) {
            for (int rank = 0; rank < ranks; ++rank) {
                const int begin = 10'000 * step;
                run.step(rank, step, begin, 10'000);
                int now = begin + (rank == 2 ? 100 : -300);
                for (int i = 0; i < 12; ++i, now += 650)
                    run.compute(rank, now, 650, "gemm");
                if (rank == 2)
                    run.compute(rank, now, 300, "log");
                run.call(rank, "AllReduce_Sum_f32", begin + 8600, 400, allReduce(step));
            }
        }
        QVERIFY(slowIn(run).title.empty());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestSlowKernels)
#include "tst_slow_kernels.moc"
