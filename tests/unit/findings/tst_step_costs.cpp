// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// "Why slow?" without a late rank: what costs time in that step is said, with its place.

#include "metrics/findings/step_costs.h"
#include "tests/support/runs/caused_run.h"
#include "tests/support/suite/suite.h"

#include <algorithm>

namespace collscope {

class TestStepCosts : public QObject
{
    Q_OBJECT

private slots:
    /// The only step of a rank cannot be compared with others.
    void onlyStep()
    {
        SmallRun run(1);
        run.step(0, 5, 0, 2000);
        run.cpu(0, "cudaMalloc", 300, 900, "cuda_runtime");
        run.kernel(0, 10, 280, 7, "gemm", 2);
        run.kernel(0, 1210, 700, 7, "gemm", 1205);
        const TraceModelPtr model = run.load();
        QVERIFY(model);
        Analysis analysis(*model, {});
        const CauseAnswer answer = answerWhyAndCosts(analysis, {5, {}, {}});
        QVERIFY(answer.status);
        QVERIFY2(answer.verdict.find("No rank was clearly late. The GPU is idle ") == 0,
                 answer.verdict.c_str());
        QVERIFY2(answer.verdict.find(": the CPU allocates or frees memory, mostly `cudaMalloc`")
                     != std::string::npos,
                 answer.verdict.c_str());
        QVERIFY2(answer.verdict.find("per step") == std::string::npos, "it is one step");
        const auto isAboutMemory = [&](const CauseClause& one) {
            return !one.slices.empty() && model->nameOf(one.slices.front()) == "cudaMalloc";
        };
        QVERIFY(std::any_of(answer.chain.clauses.begin(), answer.chain.clauses.end(), isAboutMemory));
    }
    /// Where a rank was late, it is the answer.
    void lateRank()
    {
        CausedRun planted(4, {});
        planted.play([&](int, int rank, int place) {
            if (rank == 2 && place == 2)
                planted.slowNextKernel(rank, 700);
        });
        const TraceModelPtr model = planted.run().load();
        Analysis analysis(*model, {});
        const CauseAnswer plain = answerWhy(analysis, {12, {}, {}});
        const CauseAnswer answer = answerWhyAndCosts(analysis, {12, {}, {}});
        QCOMPARE(answer.verdict, plain.verdict);
        QCOMPARE(answer.chain.clauses.size(), plain.chain.clauses.size());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestStepCosts)
#include "tst_step_costs.moc"
