// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Runs at the edge of what metrics are for: a rank without GPU work, a range beside the run, ranks that
// recorded other steps, a pipeline of two. Nothing of it may become a silent 0 or a wrong mean.

#include "metrics/analysis/analysis.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/suite.h"

namespace collscope {

namespace {

/// Rank 0 computes 300 us and communicates 200 us, half of it hidden; rank 1 recorded its CPU only.
SmallRun halfBlindRun()
{
    SmallRun run(2);
    for (int rank = 0; rank < 2; ++rank)
        run.step(rank, 1, 0, 1000);
    run.kernel(0, 100, 300);
    run.call(0, 300, 200, {"allreduce", "0", "[0, 1]", 2, 1000, 1000});
    return run;
}

} // namespace

class TestMetricEdges : public QObject
{
    Q_OBJECT

private slots:
    void ranksWithoutGpuWorkAreLeftOut()
    {
        const TraceModelPtr model = halfBlindRun().load();
        const std::pair<const char*, double> expected[]
            = {{"total_communication_time", 200e-6}, {"exposed_communication_time", 100e-6},
               {"aggregate_gpu_utilization", 40},    {"comm_comp_overlap", 50},
               {"pipeline_efficiency", 0.3},         {"collective_vol_total_gb", 4000e-9},
               {"communication_frequency", 1}};
        for (const auto& [id, value] : expected) {
            const MetricResult result = measured(*model, id, allSteps());
            QVERIFY2(
                result.value && areClose(*result.value, value),
                (std::string(id) + " " + (result.value ? numberText(*result.value) : result.reason)).c_str());
            QVERIFY2(warns(result, "rank 1."), id);
        }
        QCOMPARE(measured(*model, "avg_step_time", allSteps()).rows.size(),
                 std::size_t{3}); // both ranks, one step
    }
    void withoutGpuWorkNothingIsZero()
    {
        SmallRun run(2);
        run.step(0, 1, 0, 1000);
        run.step(1, 1, 0, 1000);
        const TraceModelPtr model = run.load();
        for (const MetricDescriptor& metric : allMetrics()) {
            const MetricResult result = measured(*model, metric.id.data(), allSteps());
            QVERIFY2(!result.value || *result.value != 0 || metric.id == "iteration_time_std",
                     metric.id.data());
        }
    }
    void aRangeBesideTheRunIsNotApplicable()
    {
        const TraceModelPtr model = halfBlindRun().load();
        MetricOptions options;
        options.range = TimeRange{1'000'000'000, 2'000'000'000};
        for (const char* id : {"total_communication_time", "aggregate_gpu_utilization", "gpu_idle_time",
                               "coll_call_num", "collective_vol_total_gb"}) {
            const MetricResult result = measured(*model, id, options);
            QVERIFY2(result.state == MetricState::NotApplicable, id);
            QVERIFY2(result.reason.find("outside") != std::string::npos, result.reason.c_str());
        }
    }
    void stepsMeetByNumber()
    {
        SmallRun run(2); // rank 0: steps 5 to 8, rank 1: 6 to 9
        double begin = 0;
        for (int i = 0; i < 4; ++i) {
            run.step(0, 5 + i, begin, 100 * (i + 1));
            run.step(1, 6 + i, begin, 100 * (i + 2));
            run.kernel(0, begin + 1, 10);
            run.kernel(1, begin + 1, 10);
            begin += 1000;
        }
        const MetricResult result = measured(*run.load(), "avg_step_time", allSteps());
        QVERIFY(
            areClose(numberIn(result, {"sync_s"}), 300e-6)); // steps 6, 7, 8 last 200, 300, 400 us on both
        for (const MetricRow& row : result.rows) {
            if (row.step && !row.rank)
                QVERIFY2(areClose(row.value, static_cast<double>(*row.step - 4) * 100e-6),
                         numberText(row.value).c_str());
        }
    }
    void aPipelineOfTwoHasNoStraggler()
    {
        SmallRun run(2);
        for (int rank = 0; rank < 2; ++rank) {
            run.step(rank, 1, 0, 1000);
            SmallCall send{rank == 0 ? "send" : "recv", "5", "[0, 1]", 2, 64, 64, "mesh_pp"};
            send.kernel = "ncclDevKernel_SendRecv";
            run.call(rank, 100 + 350 * rank, 50, send);
        }
        const MetricResult result = measured(*run.load(), "straggler", allSteps());
        QVERIFY(result.state == MetricState::NotApplicable);
        QVERIFY2(result.reason.find("sends and receives") != std::string::npos, result.reason.c_str());
    }
    void onlyMembersOfTheSlowestGroupHaveRows()
    {
        SmallRun run(4);
        for (int rank = 0; rank < 4; ++rank) {
            run.step(rank, 1, 0, 1000);
            const bool slow = rank % 2 == 1;
            run.call(rank, rank == 3 ? 400 : 100, rank == 1 ? 350 : 50,
                     {"allreduce", slow ? "b" : "a", slow ? "[1, 3]" : "[0, 2]", 2, 64, 64});
        }
        const MetricResult result = measured(*run.load(), "straggler", allSteps());
        for (const MetricRow& row : result.rows)
            QVERIFY(!row.rank || *row.rank % 2 == 1);
        QVERIFY(result.value && areClose(*result.value, 0.3));
    }
    /// Many steps and whole kernels per step: the sum is that of all kernels, in one pass.
    void launchAttributionOfManySteps()
    {
        SmallRun run(1);
        for (int i = 0; i < 300; ++i) {
            run.step(0, i, 100 * i, 100);
            run.call(0, 100 * i + 90, 20, {"allreduce", "0", "[0, 1]", 2, 64, 64}, 20, 100 * i + 10);
        }
        const TraceModelPtr model = run.load();
        MetricOptions options = allSteps();
        options.attribution = MetricOptions::Attribution::Launch;
        Analysis analysis(*model, options);
        QCOMPARE(analysis.work().front().total.kernelSumNs, std::int64_t{300 * 20'000});
        for (const StepBreakdown& step : analysis.work().front().steps)
            QCOMPARE(step.work.communication(), std::int64_t{20'000});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMetricEdges)
#include "tst_metric_edges.moc"
