// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Exposed time of single kernels, of the rows of a range, and of kernels by name.

#include "metrics/export/kernel_summary.h"
#include "metrics/partition/exposure.h"
#include "tests/support/runs/collective_run.h"
#include "tests/support/suite/suite.h"

namespace collscope {

namespace {

constexpr std::int64_t us = 1000;

/// An all-reduce of two ranks.
CallText pairCall()
{
    return {.name = "allreduce",
            .inElements = 1000,
            .outElements = 1000,
            .groupSize = 2,
            .group = "0",
            .ranks = "[0, 1]",
            .sequence = 1};
}

/// Two ranks; rank 1 arrives 100 us later. Each computes beside the first half of what then moves data.
///
///            0         100       200       300       400
/// rank 0     [ all-reduce: waits, then moves         ]
///                      [ gemm    ]
/// rank 1               [ all-reduce                  ]
///                      [ gemm    ]
TraceModelPtr halfHiddenRun()
{
    CollectiveRun run;
    for (const int rank : {0, 1}) {
        const int begin = 100 * rank;
        run.step(rank, 1, 0, 500);
        run.call(rank, "AllReduce_Sum_f32", begin, 400 - begin, pairCall());
        run.compute(rank, 100, 100);
    }
    return run.load();
}

MetricOptions believingClocks()
{
    MetricOptions options;
    options.clocks = ClockChoice::Raw;
    return options;
}

/// The row of a rank's all-reduce.
const RangeRow* rowOf(const TraceModel& model, const RangeSummary& summary, std::int32_t rank)
{
    for (const RangeRow& row : summary.rows) {
        if (row.kernelClass == KernelClass::AllReduce
            && model.timeline(model.track(row.track).timeline).rank == rank)
            return &row;
    }
    return nullptr;
}

} // namespace

class TestExposure : public QObject
{
    Q_OBJECT

private slots:
    void ofEachKernel()
    {
        const TraceModelPtr model = halfHiddenRun();
        const ExposurePtr exposure = measureExposure(*model, believingClocks());
        QVERIFY(exposure);
        QCOMPARE(exposure->calls.times.size(), std::size_t{2});
        for (const CallTiming& call : exposure->calls.times) {
            const auto exposed = exposure->of(call.slice);
            QVERIFY(exposed);
            const bool isFirst = model->timelineOf(call.slice).rank == 0;
            QCOMPARE(exposed->ns, (isFirst ? 300 : 200) * us);
            QCOMPARE(exposed->waitingNs, (isFirst ? 100 : 0) * us);
        }
        QVERIFY(!exposure->of(SliceRef()));
    }
    /// Only what lies inside the range counts.
    void insideARange()
    {
        const TraceModelPtr model = halfHiddenRun();
        const ExposurePtr exposure = measureExposure(*model, believingClocks());
        QVERIFY(exposure);
        const std::int64_t beginNs = model->range.beginNs;
        const auto summary = summarizeRange(*model, {}, {beginNs + 50 * us, beginNs + 250 * us});
        QVERIFY(summary);
        addExposure(
            *model, *exposure, {}, {}, [] { return false; }, *summary);
        const RangeRow* const first = rowOf(*model, *summary, 0);
        QVERIFY(first && first->exposedNs && first->waitingNs);
        QCOMPARE(*first->exposedNs, 100 * us); // 50 of the wait, 50 of what moves data
        QCOMPARE(*first->waitingNs, 50 * us);
        const RangePivot byClass = pivotOf(*model, *summary, RangeGrouping::Class, RangeWork::Gpu);
        for (const RangeRow& row : byClass.rows) {
            if (row.kernelClass == KernelClass::AllReduce)
                QCOMPARE(row.exposedNs.value_or(-1), 150 * us);
            else
                QVERIFY(!row.exposedNs); // compute cannot be exposed
        }
    }
    void byName()
    {
        const TraceModelPtr model = halfHiddenRun();
        const auto rows = kernelSummary(*model, believingClocks());
        QVERIFY(rows.has_value());
        QCOMPARE(rows->size(), std::size_t{2});
        QCOMPARE(rows->front().exposedNs.value_or(-1), 500 * us);
        QCOMPARE(rows->front().waitingNs.value_or(-1), 100 * us);
        QVERIFY(!rows->back().exposedNs);
        QVERIFY(kernelSummaryCsv(*rows).find(",500000,100000,ncclDevKernel_AllReduce_Sum_f32\n")
                != std::string::npos);
        QCOMPARE(rows->front().unsplit, 0);
    }
    /// One of two ranks: nothing shows how long it waited, which is not 0. A call without a partner does not
    /// hide the waits of another row, but those of the group that both are in.
    void withoutThePartner()
    {
        CollectiveRun run;
        run.step(0, 1, 0, 500);
        run.call(0, "AllReduce_Sum_f32", 0, 400, pairCall());
        CallText alone = pairCall();
        alone.ranks = "[0]";
        alone.groupSize = 1;
        run.call(0, "AllReduce_Sum_f16", 420, 40, alone);
        const TraceModelPtr model = run.load();
        const ExposurePtr exposure = measureExposure(*model, believingClocks());
        const auto summary = summarizeRange(*model, {}, model->range);
        QVERIFY(exposure && summary);
        addExposure(
            *model, *exposure, {}, {}, [] { return false; }, *summary);
        int calls = 0;
        for (const RangeRow& row : summary->rows) {
            if (row.kernelClass != KernelClass::AllReduce)
                continue; // the mark of the step
            ++calls;
            const bool isAlone = row.longest && model->rangeOf(row.longest).lengthNs() == 40 * us;
            QCOMPARE(row.exposedNs.value_or(-1), (isAlone ? 40 : 400) * us);
            QCOMPARE(row.waitingNs.has_value(), isAlone);
        }
        QCOMPARE(calls, 2);
        const RangePivot byClass = pivotOf(*model, *summary, RangeGrouping::Class, RangeWork::Gpu);
        QCOMPARE(byClass.rows.size(), std::size_t{1});
        QCOMPARE(byClass.rows.front().exposedNs.value_or(-1), 440 * us);
        QVERIFY(!byClass.rows.front().waitingNs);
    }
    void byNameWithoutThePartner()
    {
        CollectiveRun run;
        run.step(0, 1, 0, 500);
        run.call(0, "AllReduce_Sum_f32", 0, 400, pairCall());
        const TraceModelPtr model = run.load(); // the rows refer to its names
        const auto rows = kernelSummary(*model, believingClocks());
        QVERIFY(rows.has_value());
        QCOMPARE(rows->front().exposedNs.value_or(-1), 400 * us);
        QVERIFY(!rows->front().waitingNs);
        QCOMPARE(rows->front().unsplit, 1);
        QVERIFY(kernelSummaryCsv(*rows).find(",400000,,ncclDevKernel_AllReduce_Sum_f32\n")
                != std::string::npos);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestExposure)
#include "tst_exposure.moc"
