// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The lists of gaps: what was planted comes first, and the sums are those of the partition.

#include "metrics/findings/gap_table.h"
#include "tests/support/runs/caused_run.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"

#include <algorithm>

namespace collscope {

class TestGapTable : public QObject
{
    Q_OBJECT

private slots:
    void thePlantedGapsComeFirst()
    {
        CausedRun planted(3, {});
        planted.play([&](int step, int rank, int place) {
            if (rank == 1 && place == 2)
                planted.cpu(rank, "cudaMalloc", 2000 + 10 * step, "cuda_runtime");
        });
        const TraceModelPtr model = planted.run().load();
        Analysis analysis(*model, {});
        const auto table = listGaps(analysis);
        QVERIFY(table);
        QVERIFY(!table->causes.empty());
        QCOMPARE(table->causes.front().cause, IdleCause::Allocates);
        QCOMPARE(table->causes.front().count, 2); // of four steps the inner two
        const ListedGap& longest = table->longest.front();
        QCOMPARE(longest.rank, 1);
        QCOMPARE(longest.step, 12);
        QCOMPARE(longest.cause, IdleCause::Allocates);
        QCOMPARE(longest.name, "cudaMalloc");
        // The six kernels before it were still running for most of the call.
        QVERIFY(longest.range.lengthNs() > 1'000'000 && longest.range.lengthNs() < 2'120'000);
        QVERIFY(longest.shown);
        QCOMPARE(model->text(model->track(longest.shown.track).slices.name[longest.shown.row]), "cudaMalloc");
    }
    void sumsAreThoseOfThePartition()
    {
        CausedRun planted(2, {});
        planted.play([&](int, int rank, int place) {
            if (place == 1)
                planted.cpu(rank, "forward", 300);
        });
        const TraceModelPtr model = planted.run().load();
        Analysis analysis(*model, {});
        const auto table = listGaps(analysis);
        QVERIFY(table);
        const Partition& partition = partitionOf(analysis);
        std::int64_t ns = 0;
        std::int64_t count = 0;
        for (const CauseGaps& cause : table->causes) {
            QCOMPARE(cause.ns, partition.idle[static_cast<std::size_t>(cause.cause)]);
            ns += cause.ns;
            count += cause.count;
        }
        QCOMPARE(ns, partition.parts.of(Part::Idle));
        QCOMPARE(ns, table->idleNs);
        QCOMPARE(count, table->count);
        QVERIFY(table->count > 0);
        QVERIFY(std::is_sorted(
            table->longest.begin(), table->longest.end(),
            [](const ListedGap& a, const ListedGap& b) { return a.range.lengthNs() > b.range.lengthNs(); }));
    }
    void listsOnlyTheLongestOfManyGaps()
    {
        SmallRun run(1);
        constexpr int gaps = 500;
        double begin = 0;
        for (int i = 0; i <= gaps; ++i) {
            run.kernel(0, begin, 10, 7, "gemm_kernel");
            begin += 10 + 1 + i;
        }
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, {});
        const auto table = listGaps(analysis);
        QVERIFY(table);
        QCOMPARE(table->count, gaps);
        QCOMPARE(table->longest.size(), GapTable::mostPerCause);
        QCOMPARE(table->longest.front().range.lengthNs(), gaps * 1000);
        QCOMPARE(table->longest.back().range.lengthNs(),
                 (gaps - static_cast<int>(GapTable::mostPerCause) + 1) * 1000);
        QVERIFY(!table->isPerStep);
    }
    void noGpuWorkHasAReason()
    {
        SmallRun run(1);
        run.cpu(0, "aten::mm", 10, 100, "cpu_op");
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, {});
        const auto table = listGaps(analysis);
        QVERIFY(!table);
        QVERIFY(!table.error().message.empty());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestGapTable)
#include "tst_gap_table.moc"
