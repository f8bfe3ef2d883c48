// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is said about runs whose numbers do not mean what they seem to.

#include "metrics/findings/finding.h"
#include "tests/support/runs/collective_run.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/kineto_text.h"

namespace collscope {

namespace {

Findings findingsOf(const TraceModel& model)
{
    Analysis analysis(model, {});
    auto findings = findCosts(analysis);
    return findings ? std::move(*findings) : Findings();
}

} // namespace

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
        QVERIFY(!isSaid(0, 0));
        QVERIFY(!isSaid(0, 600));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestFindingWarnings)
#include "tst_finding_warnings.moc"
