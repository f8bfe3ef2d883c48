// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is said about runs whose numbers do not mean what they seem to.

#include "tests/support/runs/collective_run.h"
#include "tests/support/runs/findings_of.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/kineto_text.h"

#include <algorithm>

namespace collscope {

class TestFindingWarnings : public QObject
{
    Q_OBJECT

private slots:
    /// Two GPUs that take turns are measured as one: neither of them computes all the time.
    void severalGpusOfARank()
    {
        KinetoText trace;
        trace.annotation("ProfilerStep#1", 1, 0, 1000);
        trace.kernel("gemm", 7, 0, 990, 0);
        Findings findings = findingsOf(*trace.load());
        findings.joinsGpus = true;
        QCOMPARE(findings.headline(),
                 std::string("At least one GPU of each rank computes 99 % of the time."));
    }
    /// Rank 1 counts its steps from another begin: the same all-reduce is launched in step 4 and in step 2.
    /// That its GPU runs behind, so that the all-reduce begins in the next step there, is something else.
    void stepsOfDifferentNumbers()
    {
        const auto isSaid = [](int lessOnRank1, double laterOnRank1) {
            SmallRun run(2);
            for (int step = 0; step < 8; ++step) {
                for (const int rank : {0, 1}) {
                    const double begin = 1000 * step;
                    const double later = rank * laterOnRank1;
                    SmallCall call{"allreduce", "0", "[0, 1]", 2, 4096, 4096};
                    call.sequence = step + 1;
                    run.step(rank, step + 2 - rank * lessOnRank1, begin, 1000);
                    run.kernel(rank, begin + 50 + later, 500, 7, "gemm", begin + 10);
                    run.call(rank, begin + 600 + later, 300, call, 20, begin + 20);
                }
            }
            return mentions(findingsOf(*run.load()).warnings, "steps of one number are not the same steps");
        };
        QVERIFY(isSaid(2, 0));
        QVERIFY(isSaid(5, 0)); // no collective has two calls in steps that are counted
        QVERIFY(!isSaid(0, 0));
        QVERIFY(!isSaid(0, 600));
    }
    /// Without a wait for the GPU, the CPU marks steps of 1000 us while the GPU needs 1500 us for each.
    void theCpuRunsAhead()
    {
        const auto isSaid = [](int kernelUs) {
            KinetoText trace;
            double free = 0;
            for (int step = 0; step < 10; ++step) {
                const double begin = 1000.0 * step;
                trace.annotation("ProfilerStep#" + std::to_string(step), 1, begin, 1000);
                const int launched = trace.launch(1, begin + 10);
                const double at = std::max(free, begin + 20);
                trace.kernel("gemm", 7, at, kernelUs, launched);
                free = at + kernelUs;
            }
            const Findings findings = findingsOf(*trace.load());
            return mentions(findings.warnings, "The CPU runs ahead of the GPU");
        };
        QVERIFY(isSaid(1500));
        QVERIFY(!isSaid(900));
    }
    /// Two steps ahead throughout: the launches of the first two lie before the trace.
    void theCpuIsAheadThroughout()
    {
        KinetoText trace;
        for (int step = 0; step < 10; ++step) {
            trace.annotation("ProfilerStep#" + std::to_string(step), 1, 1000.0 * step, 1000);
            trace.kernel("gemm", 7, 1000.0 * step + 5, 990,
                         step < 2 ? 0 : trace.launch(1, 1000.0 * (step - 2) + 10));
        }
        const Findings findings = findingsOf(*trace.load());
        QVERIFY(!mentions(findings.warnings, "The CPU runs ahead of the GPU"));
    }
    /// Each step computes the same. The CPU marks one of them late, because it is ahead of the GPU.
    void aLongMarkIsNotALongStep()
    {
        const auto costOf = [](int longerUs, int moreUs) {
            KinetoText trace;
            double begin = 0;
            double free = 500;
            for (int step = 0; step < 10; ++step) {
                const double length = 1000 + (step == 4 ? longerUs : step == 5 ? -longerUs : 0);
                trace.annotation("ProfilerStep#" + std::to_string(step), 1, begin, length);
                const int launched = trace.launch(1, begin + 1);
                const int kernelUs = 990 + (step == 4 ? moreUs : 0);
                trace.kernel("gemm", 7, free, kernelUs, launched);
                free += kernelUs + 10;
                begin += length;
            }
            const Findings findings = findingsOf(*trace.load());
            const auto outliers = allOf(findings, FindingKind::OutlierSteps);
            return outliers.empty() ? 0 : outliers.front()->costNs;
        };
        QCOMPARE(costOf(400, 0), 0);
        QCOMPARE(costOf(400, 200), 200 * 1000 / 8); // of 8 inner steps
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestFindingWarnings)
#include "tst_finding_warnings.moc"
