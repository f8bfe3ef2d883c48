// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Findings of small planted runs: kind, rank, cost and place of what was planted, and that costs add up.

#include "metrics/export/findings_report.h"
#include "tests/support/runs/caused_run.h"
#include "tests/support/runs/collective_run.h"
#include "tests/support/runs/findings_of.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/kineto_text.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::int64_t us = 1000;

/// The only finding of a kind; nullptr if there is none, or several.
const Finding* only(const Findings& findings, FindingKind kind)
{
    const std::vector<const Finding*> found = allOf(findings, kind);
    return found.size() == 1 ? found.front() : nullptr;
}

void checkCosts(const Findings& findings)
{
    std::int64_t sumNs = 0;
    std::int64_t beforeNs = std::numeric_limits<std::int64_t>::max();
    for (const Finding& finding : findings.all) {
        sumNs += finding.costNs;
        if (!isAboutTime(finding.kind))
            continue;
        QVERIFY(finding.costNs <= beforeNs);
        beforeNs = finding.costNs;
        QVERIFY(finding.title.ends_with('.'));
        QVERIFY(!adviceFor(finding).empty());
    }
    QVERIFY(sumNs <= findings.stepNs);
    QCOMPARE(findings.parts.total(), findings.stepNs);
}

CallText call(const std::string& name, int sequence, int ranks, int elements = 100'000)
{
    std::string list;
    for (int rank = 0; rank < ranks; ++rank)
        list += (rank == 0 ? "" : ", ") + std::to_string(rank);
    return {.name = name,
            .inElements = elements,
            .outElements = elements,
            .groupSize = ranks,
            .group = "0",
            .ranks = "[" + list + "]",
            .sequence = sequence};
}

/// Steps of 1,000 us on some ranks. Each computes, then all meet in an all-reduce that moves data for 100 us.
/// `computeUs` gives the compute time of a rank in a step.
template<typename Compute>
TraceModelPtr dataParallelRun(int ranks, int steps, const Compute& computeUs)
{
    CollectiveRun run;
    for (int step = 0; step < steps; ++step) {
        int lastUs = 0;
        for (int rank = 0; rank < ranks; ++rank)
            lastUs = std::max(lastUs, computeUs(rank, step));
        for (int rank = 0; rank < ranks; ++rank) {
            const int begin = 1000 * step;
            const int own = computeUs(rank, step);
            run.step(rank, step, begin, 1000);
            run.compute(rank, begin, own);
            run.call(rank, "AllReduce_Sum_f32", begin + own, lastUs - own + 100,
                     call("allreduce", step, ranks));
        }
    }
    return run.load();
}

} // namespace

class TestFindings : public QObject
{
    Q_OBJECT

private slots:
    /// Rank 2 of 4 computes 200 us longer in the inner steps: the others wait for it, and its kernels are
    /// slower than those of its peers.
    void lateRank()
    {
        const TraceModelPtr model
            = dataParallelRun(4, 6, [](int rank, int) { return rank == 2 ? 600 : 400; });
        const Findings findings = findingsOf(*model);
        const Finding* const late = only(findings, FindingKind::LateRank);
        QVERIFY(late);
        QCOMPARE(late->ranks, std::vector<std::int32_t>{2});
        QCOMPARE(late->costNs, 150 * us); // three of four ranks wait 200 us
        QCOMPARE(late->costOnRanksNs, 200 * us);
        QCOMPARE(late->count, 12); // 3 ranks x 4 steps
        QCOMPARE(late->cause, std::string("slow_kernels"));
        QVERIFY2(late->title.find(", because its kernels take longer") != std::string::npos,
                 late->title.c_str());
        QVERIFY(late->places.all().front().rank != 2);
        QCOMPARE(late->places.all().front().range.lengthNs(), 200 * us);
        const Finding* const slow = only(findings, FindingKind::SlowKernelsOnRank);
        QVERIFY(slow);
        QCOMPARE(slow->ranks, std::vector<std::int32_t>{2});
        QCOMPARE(slow->costNs, 50 * us);
        QCOMPARE(slow->costOnRanksNs, 200 * us);
        const Finding* const exposed = only(findings, FindingKind::ExposedCommunication);
        QVERIFY(exposed);
        QCOMPARE(exposed->costNs, 100 * us);
        QCOMPARE(exposed->name, std::string("allreduce"));
        QCOMPARE(findings.stepNs, 1000 * us);
        CHECKED(checkCosts(findings));
    }
    /// A rank without steps is left out, so that the arrivals are matched again for the others.
    void oneRankWithoutSteps()
    {
        CollectiveRun run;
        for (int step = 0; step < 4; ++step) {
            for (const int rank : {0, 1, 2}) {
                const int own = rank == 1 ? 600 : 400;
                if (rank != 2)
                    run.step(rank, step, 1000 * step, 1000);
                run.compute(rank, 1000 * step, own);
                run.call(rank, "AllReduce_Sum_f32", 1000 * step + own, 700 - own, call("allreduce", step, 3));
            }
        }
        const TraceModelPtr model = run.load();
        const Findings findings = findingsOf(*model);
        const Finding* const late = only(findings, FindingKind::LateRank);
        QVERIFY(late);
        QCOMPARE(late->ranks, std::vector<std::int32_t>{1});
        CHECKED(checkCosts(findings));
    }
    /// Three things make rank 2 late, and none of them half of it.
    void latenessWithSeveralReasons()
    {
        CausedRun planted(4, {});
        planted.play([&](int, int rank, int place) {
            if (rank != 2)
                return;
            if (place == 1)
                planted.cpu(rank, "cudaMalloc", 220, "cuda_runtime");
            if (place == 2)
                planted.copy(rank, 220);
            if (place == 3)
                planted.kernel(rank, "gemm_kernel", 220);
        });
        const TraceModelPtr model = planted.run().load();
        const Findings findings = findingsOf(*model);
        const Finding* const late = only(findings, FindingKind::LateRank);
        QVERIFY(late);
        QCOMPARE(late->ranks, std::vector<std::int32_t>{2});
        QVERIFY2(late->title.find(", in part because ") != std::string::npos, late->title.c_str());
        QVERIFY(late->isPartOfCause);
    }
    /// Rank 2 of 4 is slow. Rank 3 shares a group with it, is late for that reason alone, and is not blamed.
    void latenessThatIsPassedOn()
    {
        CausedRun planted(4, {.tensorParallel = true});
        planted.play([&](int, int rank, int place) {
            if (rank == 2 && place == 2)
                planted.slowNextKernel(rank, 700);
        });
        const TraceModelPtr model = planted.run().load();
        const Findings findings = findingsOf(*model);
        const Finding* const late = only(findings, FindingKind::LateRank);
        QVERIFY(late);
        QCOMPARE(late->ranks, std::vector<std::int32_t>{2});
        QCOMPARE(late->costNs, findings.parts.of(Part::Waiting));
        QVERIFY2(late->title.find(" through ranks that it holds up") != std::string::npos,
                 late->title.c_str());
        CHECKED(checkCosts(findings));
    }
    /// Another rank is late in each step, because it computes longer: nobody is to blame.
    void unbalancedWork()
    {
        const TraceModelPtr model
            = dataParallelRun(4, 10, [](int rank, int step) { return rank == step % 4 ? 600 : 400; });
        const Findings findings = findingsOf(*model);
        const Finding* const unbalanced = only(findings, FindingKind::UnbalancedWork);
        QVERIFY(unbalanced);
        QCOMPARE(unbalanced->ranks, (std::vector<std::int32_t>{0, 1, 2, 3}));
        QCOMPARE(unbalanced->costNs, 150 * us);
        QVERIFY(!only(findings, FindingKind::LateRank));
        CHECKED(checkCosts(findings));
    }
    /// A rank whose file is missing may have arrived later than the last one that is known.
    void missingRank()
    {
        CollectiveRun run;
        for (int step = 0; step < 4; ++step) {
            for (const int rank : {0, 1}) {
                run.step(rank, step, 1000 * step, 1000);
                run.compute(rank, 1000 * step, rank == 0 ? 400 : 600);
                run.call(rank, "AllReduce_Sum_f32", 1000 * step + (rank == 0 ? 400 : 600),
                         rank == 0 ? 300 : 100, call("allreduce", step, 3));
            }
        }
        const Findings findings = findingsOf(*run.load());
        const Finding* const late = only(findings, FindingKind::LateRank);
        QVERIFY(late);
        QVERIFY(late->title.find("of those recorded") != std::string::npos);
        // What follows the last arrival that is known may still be a wait.
        const Finding* const exposed = only(findings, FindingKind::ExposedCommunication);
        QVERIFY(exposed);
        QVERIFY2(
            exposed->title.ends_with(". It may contain waits, because the files do not show when all ranks "
                                     "arrived."),
            exposed->title.c_str());
        QCOMPARE(findings.unsplit, 4);
    }
    /// One rank of three is loaded.
    void missingPartners()
    {
        CollectiveRun run;
        for (int step = 0; step < 4; ++step) {
            run.step(0, step, 1000 * step, 1000);
            run.compute(0, 1000 * step, 400);
            run.call(0, "AllReduce_Sum_f32", 1000 * step + 400, 300, call("allreduce", step, 3));
        }
        const Findings findings = findingsOf(*run.load());
        const Finding* const exposed = only(findings, FindingKind::ExposedCommunication);
        QVERIFY(exposed);
        QVERIFY2(exposed->title.find(" may contain waits") != std::string::npos, exposed->title.c_str());
        QVERIFY(!findings.areWaitsKnown());
        QVERIFY(findingsText(findings, 5).find("waiting unknown") != std::string::npos);
    }
    /// A barrier moves nothing: its time is waiting for the last one.
    void barrier()
    {
        CollectiveRun run;
        for (int step = 0; step < 4; ++step) {
            for (const int rank : {0, 1, 2}) {
                const int own = rank == 1 ? 700 : 400;
                run.step(rank, step, 1000 * step, 1000);
                run.compute(rank, 1000 * step, own);
                run.call(rank, "AllReduce_Sum_f32", 1000 * step + own, 710 - own,
                         call("barrier", step, 3, 1));
            }
        }
        // Without other collectives the clocks have to be believed.
        const Findings findings = findingsOf(*run.load(), ClockChoice::Raw);
        const Finding* const late = only(findings, FindingKind::LateRank);
        QVERIFY(late);
        QCOMPARE(late->ranks, std::vector<std::int32_t>{1});
        QCOMPARE(late->costNs, 200 * us);
    }
    /// What a rank does after it arrived is not the reason why it arrived late: rank 2 is idle at the end of
    /// each step, while the others compute.
    void idleAfterTheCollective()
    {
        CollectiveRun run;
        for (int step = 0; step < 5; ++step) {
            for (const int rank : {0, 1, 2}) {
                const int begin = 1000 * step;
                const int own = rank == 2 ? 600 : 400;
                run.step(rank, step, begin, 1000);
                run.compute(rank, begin, own);
                run.call(rank, "AllReduce_Sum_f32", begin + own, 650 - own, call("allreduce", step, 3));
                if (rank != 2)
                    run.compute(rank, begin + 650, 350);
            }
        }
        const Findings findings = findingsOf(*run.load());
        const Finding* const late = only(findings, FindingKind::LateRank);
        QVERIFY(late);
        QCOMPARE(late->ranks, std::vector<std::int32_t>{2});
        QVERIFY2(late->title.ends_with(
                     "because it computes longer (200 \u00b5s more per step before it arrives)."),
                 late->title.c_str());
    }
    /// A rank that is late in one step alone.
    void lateInOneStep()
    {
        const TraceModelPtr model
            = dataParallelRun(4, 8, [](int rank, int step) { return rank == 2 && step == 5 ? 800 : 400; });
        const Findings findings = findingsOf(*model);
        const Finding* const late = only(findings, FindingKind::LateRank);
        QVERIFY(late);
        QVERIFY2(late->title.find(", in step 5 alone, because ") != std::string::npos, late->title.c_str());
    }
    /// A larger grid is more work, not a slower GPU.
    void largerGrid()
    {
        const auto findingsOfGrid = [](int grid) {
            CausedRun planted(4, {});
            planted.play([&](int, int rank, int place) {
                if (place == 3)
                    planted.kernel(rank, "gemm_large", rank == 2 ? 800 : 400,
                                   ", \"grid\": [" + std::to_string(rank == 2 ? grid : 64)
                                       + ", 1, 1], \"block\": [256, 1, 1]");
            });
            return findingsOf(*planted.run().load());
        };
        const Findings same = findingsOfGrid(64);
        QVERIFY(only(same, FindingKind::SlowKernelsOnRank));
        const Findings larger = findingsOfGrid(128);
        QVERIFY(!only(larger, FindingKind::SlowKernelsOnRank));
        const Finding* const late = only(larger, FindingKind::LateRank);
        QVERIFY(late);
        QCOMPARE(late->cause, std::string("more_compute"));
    }
    /// The marks cover a tenth of the time: the rest is not counted, and that is said.
    void timeBetweenTheSteps()
    {
        KinetoText trace;
        for (int step = 0; step < 6; ++step) {
            trace.annotation("ProfilerStep#" + std::to_string(step), 1, 1000 * step, 100);
            trace.kernel("gemm", 7, 1000 * step, 99, 0);
        }
        const Findings findings = findingsOf(*trace.load());
        QCOMPARE(findings.headline(), std::string("Inside its steps, this run computes 99 % of the time."));
        QVERIFY(std::any_of(findings.warnings.begin(), findings.warnings.end(), [](const std::string& text) {
            return text.starts_with("The steps cover 13 % of the time"); // 400 of 3,100 us
        }));
    }
    /// All ranks compute longer in step 3 alone.
    void outlierStep()
    {
        const TraceModelPtr model
            = dataParallelRun(2, 8, [](int, int step) { return step == 3 ? 700 : 400; });
        const Findings findings = findingsOf(*model);
        const Finding* const outlier = only(findings, FindingKind::OutlierSteps);
        QVERIFY(outlier);
        QCOMPARE(outlier->costNs, 50 * us); // 300 us in one of six inner steps
        QVERIFY2(outlier->title.starts_with("Step 3 computes longer than the other steps of the same rank: "),
                 outlier->title.c_str());
        QCOMPARE(outlier->places.all().front().range.beginNs, 3000 * us);
        QVERIFY(!only(findings, FindingKind::LateRank));
        CHECKED(checkCosts(findings));
    }
    /// Every third all-reduce takes four times as long as the others of its size.
    void slowCollectives()
    {
        CollectiveRun run;
        for (int step = 0; step < 12; ++step) {
            for (const int rank : {0, 1}) {
                run.step(rank, step, 1000 * step, 1000);
                run.compute(rank, 1000 * step, 400);
                run.call(rank, "AllReduce_Sum_f32", 1000 * step + 400, step % 3 == 0 ? 400 : 100,
                         call("allreduce", step, 2));
            }
        }
        const Findings findings = findingsOf(*run.load());
        const Finding* const slow = only(findings, FindingKind::SlowCollectives);
        QVERIFY(slow);
        QCOMPARE(slow->count, 6); // steps 3, 6 and 9 on two ranks
        QCOMPARE(slow->costNs, 120 * us); // 3 x 400 us of 10 inner steps
        QVERIFY(slow->title.find("25 %") != std::string::npos);
        const Finding* const exposed = only(findings, FindingKind::ExposedCommunication);
        QVERIFY(exposed);
        QCOMPARE(exposed->costNs, 70 * us);
        CHECKED(checkCosts(findings));
    }
    /// A receiver waits for its sender: a bubble, and no late rank.
    void pipelineBubble()
    {
        CollectiveRun run;
        for (int step = 0; step < 4; ++step) {
            for (const int rank : {0, 1}) {
                CallText text = call(rank == 0 ? "send" : "recv", step, 2);
                text.source = 0;
                text.destination = 1;
                run.step(rank, step, 1000 * step, 1000);
                run.compute(rank, 1000 * step + (rank == 0 ? 0 : 420), rank == 0 ? 400 : 500);
                run.call(rank, "SendRecv", 1000 * step + (rank == 0 ? 400 : 0), rank == 0 ? 20 : 420, text,
                         30);
            }
        }
        // Without a wall clock and collectives of all, the clocks have to be believed.
        const Findings findings = findingsOf(*run.load(), ClockChoice::Raw);
        const Finding* const bubble = only(findings, FindingKind::PipelineBubble);
        QVERIFY(bubble);
        QCOMPARE(bubble->costNs, 200 * us); // one of two ranks waits 400 us
        QCOMPARE(bubble->ranks, std::vector<std::int32_t>{1});
        QVERIFY(!only(findings, FindingKind::LateRank));
        CHECKED(checkCosts(findings));
    }
    /// Idle time by cause, in one step alone.
    void idleInOneStep()
    {
        KinetoText trace;
        for (int step = 0; step < 6; ++step) {
            const int begin = 1000 * step;
            trace.annotation("ProfilerStep#" + std::to_string(step), 1, begin, 1000);
            const int at = step == 3 ? begin + 500 : begin;
            if (step == 3)
                trace.call("cudaMalloc", 1, begin, 495);
            trace.kernel("gemm", 7, at, begin + 1000 - at, trace.call("cudaLaunchKernel", 1, at - 4, 1));
        }
        const TraceModelPtr model = trace.load();
        QVERIFY(model);
        const Findings findings = findingsOf(*model);
        const Finding* const allocator = only(findings, FindingKind::Allocator);
        QVERIFY(allocator);
        QCOMPARE(allocator->costNs, 125 * us); // 500 us in one of four inner steps
        QCOMPARE(allocator->name, std::string("cudaMalloc"));
        QVERIFY(allocator->title.find("in step 3 alone") != std::string::npos);
        QCOMPARE(allocator->places.all().front().range.lengthNs(), 500 * us);
        QCOMPARE(std::string(model->nameOf(allocator->places.all().front().slice)),
                 std::string("cudaMalloc"));
        CHECKED(checkCosts(findings));
    }
    /// Nothing to improve is said, too.
    void healthy()
    {
        const TraceModelPtr model = dataParallelRun(4, 6, [](int, int) { return 900; });
        const Findings findings = findingsOf(*model);
        const Finding* const exposed = findings.worst();
        QVERIFY(exposed);
        QVERIFY(exposed->kind == FindingKind::ExposedCommunication); // 10 % of the step
        const TraceModelPtr better = [] {
            KinetoText trace;
            trace.annotation("ProfilerStep#1", 1, 0, 1000);
            trace.kernel("gemm", 7, 0, 990, 0);
            return trace.load();
        }();
        QVERIFY(better);
        const Findings none = findingsOf(*better);
        QVERIFY(!none.hasLargeCost());
        QCOMPARE(none.headline(), std::string("This run computes 99 % of the time."));
    }
    /// Without step markers the times are of the whole trace, and that is said first.
    void withoutSteps()
    {
        KinetoText trace;
        trace.kernel("gemm", 7, 0, 100, 0);
        trace.kernel("gemm", 7, 300, 100, 0);
        const TraceModelPtr model = trace.load();
        QVERIFY(model);
        const Findings findings = findingsOf(*model);
        QVERIFY(!findings.all.empty() && findings.all.front().kind == FindingKind::NoSteps);
        QCOMPARE(findings.stepNs, 400 * us);
        QCOMPARE(findings.window, std::string("whole trace"));
    }
    void withoutGpuWork()
    {
        KinetoText trace;
        trace.cpuOp("aten::add", 1, 0, 100);
        const TraceModelPtr model = trace.load();
        QVERIFY(model);
        Analysis analysis(*model, {});
        QVERIFY(!findCosts(analysis));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestFindings)
#include "tst_findings.moc"
