// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Collectives with a root: whoever sends fills buffers and leaves, and who comes late finds the data there.
// No kernel of them lasts as long as the transfer, and none tells by its length who waited.

#include "metrics/export/collective_table.h"
#include "metrics/export/text_report.h"
#include "metrics/matching/collective_rows.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/suite.h"

#include <QTest>

namespace collscope {

namespace {

constexpr std::int64_t elements = 250'000; ///< of 4 bytes: 1 MB

SmallCall callOf(const std::string& name)
{
    SmallCall call{name, "0", "[0, 1]", 2, elements, elements};
    if (name == "broadcast")
        call.kernel = "ncclDevKernel_Broadcast_RING_LL";
    else if (name == "reduce")
        call.kernel = "ncclDevKernel_Reduce_Sum_f32_RING_LL";
    else if (name != "allreduce")
        call.kernel = "ncclDevKernel_SendRecv";
    return call;
}

/// Four all-reduces of 100 us (10 GB/s), for which rank 1 comes 10 us late. `name`: four calls with a root
/// besides, which rank 0 has left before rank 1 comes, in 60 us against 20.
SmallRun runWith(const std::string& name, bool hasReductions = true)
{
    SmallRun run(2);
    SmallCall rooted = callOf(name);
    SmallCall reduction = callOf("allreduce");
    for (int rank = 0; rank < 2; ++rank) {
        run.step(rank, 1, 0, 2000);
        for (int i = 0; i < 4; ++i) {
            const double begin = 400 * i;
            rooted.sequence = 2 * i + 1;
            reduction.sequence = 2 * i + 2;
            if (!name.empty())
                run.call(rank, begin + 10 + 80 * rank, rank == 0 ? 60 : 20, rooted);
            if (hasReductions)
                run.call(rank, begin + 200 + 10 * rank, 110 - 10 * rank, reduction);
        }
    }
    return run;
}

} // namespace

class TestRootedCollectives : public QObject
{
    Q_OBJECT

private slots:
    void names_data() const
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"broadcast", "reduce", "gather", "scatter"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void haveNoBandwidth_data() { names_data(); }
    void haveNoBandwidth()
    {
        QFETCH(QString, name);
        const TraceModelPtr model = runWith(name.toStdString()).load();
        Analysis analysis(*model, allSteps());
        for (const RankCollectives& rank : collectivesByType(analysis)) {
            // 1 MB x 2 (n - 1) / n in 100 us; the calls with a root would make it more.
            COLLSCOPE_CLOSE(rank.collectiveBandwidth().value_or(-1), 10);
            for (const auto& [type, row] : rank.types) {
                QCOMPARE(row.calls, std::int64_t{4});
                QCOMPARE(row.rooted, std::int64_t{type == KernelClass::AllReduce ? 0 : 4});
                QCOMPARE(row.bandwidths.size(), std::size_t{type == KernelClass::AllReduce ? 4u : 0u});
            }
        }
        const auto run = matchRun(*model, allSteps());
        const auto table = listCollectives(model, run, ClockChoice::Auto);
        QCOMPARE(table->rows.size(), std::size_t{8});
        for (const CollectiveRow& row : table->rows) {
            const bool isReduction = row.kind == KernelClass::AllReduce;
            QCOMPARE(table->busBandwidth(row).has_value(), isReduction);
            QCOMPARE(table->algorithmBandwidth(row).has_value(), isReduction);
        }
    }
    void metricsAndReportSayWhy_data() { names_data(); }
    void metricsAndReportSayWhy()
    {
        QFETCH(QString, name);
        const TraceModelPtr model = runWith(name.toStdString()).load();
        const MetricResult result = measured(*model, "communication_efficiency", allSteps());
        const Value* const speeds = detailOf(result, {"busbw_median_by_type"});
        QVERIFY(speeds && speeds->as<Value::Object>());
        QCOMPARE(speeds->as<Value::Object>()->size(), std::size_t{1});
        COLLSCOPE_CLOSE(numberIn(result, {"busbw_median_by_type", "AllReduce"}), 10);
        const auto says
            = [](const std::string& text) { return text.find("have a root") != std::string::npos; };
        QVERIFY(std::any_of(result.inputs.begin(), result.inputs.end(), says));
        Analysis analysis(*model, allSteps());
        const std::string report = textReport(analysis);
        QVERIFY2(says(report) && report.find("10.000 GB/s") != std::string::npos, report.c_str());
        const TraceModelPtr sound = runWith("").load();
        Analysis others(*sound, allSteps());
        QVERIFY(!says(textReport(others)));
    }
    void doNotCountInTheSpread_data() { names_data(); }
    void doNotCountInTheSpread()
    {
        QFETCH(QString, name);
        const TraceModelPtr model = runWith(name.toStdString()).load();
        const MetricResult result = measured(*model, "straggler_slowdown", allSteps());
        COLLSCOPE_CLOSE(result.value.value_or(-1), 1.1); // with the others: 680 us against 480
        COLLSCOPE_CLOSE(numberIn(result, {"culprit_rank"}), 1);
        const TraceModelPtr alone = runWith(name.toStdString(), false).load();
        const MetricResult untold = measured(*alone, "straggler_slowdown", allSteps());
        QVERIFY(untold.state == MetricState::NotApplicable && !untold.value);
        QVERIFY2(untold.reason.find("a root") != std::string::npos, untold.reason.c_str());
        COLLSCOPE_CLOSE(measured(*runWith("").load(), "straggler_slowdown", allSteps()).value.value_or(-1),
                        1.1);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestRootedCollectives)
#include "tst_rooted_collectives.moc"
