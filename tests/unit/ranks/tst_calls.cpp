// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Which calls of several ranks are one collective.

#include "metrics/matching/call_alignment.h"
#include "tests/support/runs/collective_run.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"

#include <QDir>

#include <random>
#include <set>

namespace collscope {

namespace {

CallText allReduce(int elements, int sequence = -1, const std::string& group = "0",
                   const std::string& ranks = "[0, 1]", int size = 2)
{
    return {"allreduce", elements, elements, size, group, ranks, sequence};
}

/// Start times in us of the members of each instance, in time order, ranks apart: {{0, 1}, {10, 12}}.
std::vector<std::vector<int>> startsOf(Analysis& analysis)
{
    std::vector<std::vector<int>> starts;
    std::int64_t zero = std::numeric_limits<std::int64_t>::max();
    for (const RankCalls& rank : analysis.calls()) {
        for (const Call& call : rank.calls)
            zero = std::min(zero, call.range.beginNs);
    }
    for (const CollectiveInstance& instance : analysis.matching().instances) {
        std::vector<int>& own = starts.emplace_back();
        for (const CallRef member : analysis.matching().membersOf(instance))
            own.push_back(static_cast<int>(
                (analysis.calls()[member.rank].calls[member.call].range.beginNs - zero) / 1000));
    }
    return starts;
}

using Starts = std::vector<std::vector<int>>;

} // namespace

class TestCalls : public QObject
{
    Q_OBJECT

private slots:
    void busFactorsOfTheField()
    {
        QCOMPARE(busFactor(KernelClass::AllReduce, 4).value(), 1.5);
        QCOMPARE(busFactor(KernelClass::AllGather, 4).value(), 0.75);
        QCOMPARE(busFactor(KernelClass::ReduceScatter, 8).value(), 0.875);
        QCOMPARE(busFactor(KernelClass::AllToAll, 2).value(), 0.5);
        QCOMPARE(busFactor(KernelClass::Broadcast, 4).value(), 1.0);
        QVERIFY(!busFactor(KernelClass::AllReduce, 1)); // nothing is transferred
        QVERIFY(!busFactor(KernelClass::AllReduce, 0)); // unknown
    }
    /// A call that one rank's trace lacks must not shift those after it: Seq says which is which.
    void sequenceHoldsThoughACallIsDropped()
    {
        CollectiveRun run;
        for (int i = 0; i < 4; ++i) {
            run.call(0, "AllReduce", i * 100, 10, allReduce(64, i));
            if (i != 1)
                run.call(1, "AllReduce", i * 100 + 3, 10, allReduce(64, i));
        }
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, MetricOptions());
        QCOMPARE(startsOf(analysis), (Starts{{0, 3}, {100}, {200, 203}, {300, 303}}));
        QCOMPARE(analysis.matching().rule, std::string("by process group and Seq"));
        QCOMPARE(static_cast<int>(analysis.incompleteInWindow()), 1);
        QCOMPARE(analysis.matching().instances[1].absent, 1);
        QVERIFY(
            mentions(analysis.matchingWarnings(),
                     "Missing on at least one rank whose trace is loaded: 1 collective call in the window."));
    }
    /// With Seq even clocks that are far apart do no harm.
    void sequenceNeedsNoClock()
    {
        CollectiveRun run;
        for (int i = 0; i < 3; ++i) {
            run.call(0, "AllReduce", i * 100, 10, allReduce(64, i));
            if (i > 0)
                run.call(1, "AllReduce", i * 100 + 150, 10, allReduce(64, i));
        }
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, MetricOptions());
        QCOMPARE(startsOf(analysis), (Starts{{0}, {100, 250}, {200, 350}}));
    }
    void coalescedCallsShareANumber()
    {
        CollectiveRun run;
        for (const int rank : {0, 1}) {
            run.call(rank, "AllReduce", rank, 10, allReduce(64, 7));
            run.call(rank, "AllReduce", 20 + rank, 10, allReduce(64, 7));
        }
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, MetricOptions());
        QCOMPARE(startsOf(analysis), (Starts{{0, 1}, {20, 21}}));
    }
    /// Without Seq the k-th calls belong together, whatever the clocks say.
    void orderMatchesEqualSequences()
    {
        CollectiveRun run;
        for (int i = 0; i < 3; ++i) {
            run.call(0, "AllReduce", i * 100, 10, allReduce(64));
            run.call(1, "AllReduce", i * 100 + 250, 10, allReduce(64));
        }
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, MetricOptions());
        QCOMPARE(startsOf(analysis), (Starts{{0, 250}, {100, 350}, {200, 450}}));
        QCOMPARE(analysis.matching().rule, std::string("by process group and call order"));
        QCOMPARE(static_cast<int>(analysis.incompleteInWindow()), 0);
    }
    /// Without Seq a dropped call shows by what the others are...
    void contentAlignsWhereACallIsDropped()
    {
        CollectiveRun run;
        const int sizes[] = {16, 32, 64, 128};
        for (int i = 0; i < 4; ++i) {
            run.call(0, "AllReduce", i * 100, 10, allReduce(sizes[i]));
            if (i != 0)
                run.call(1, "AllReduce", i * 100 + 3, 10, allReduce(sizes[i]));
        }
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, MetricOptions());
        QCOMPARE(startsOf(analysis), (Starts{{0}, {100, 103}, {200, 203}, {300, 303}}));
        QCOMPARE(analysis.matching().mismatched, 0);
        QVERIFY(analysis.matching().rule.find("aligned") != std::string::npos);
    }
    /// ... and among calls that are all the same, by when they were.
    void timeAlignsEqualCalls()
    {
        CollectiveRun run;
        for (int i = 0; i < 6; ++i) {
            run.call(0, "AllReduce", i * 100, 10, allReduce(64));
            if (i != 0 && i != 3)
                run.call(1, "AllReduce", i * 100 + 3, 10, allReduce(64));
        }
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, MetricOptions());
        QCOMPARE(startsOf(analysis), (Starts{{0}, {100, 103}, {200, 203}, {300}, {400, 403}, {500, 503}}));
    }
    void oneNameForTwoGroupsIsTwoGroups()
    {
        CollectiveRun run;
        for (int rank = 0; rank < 4; ++rank)
            run.call(rank, "AllReduce", rank, 10,
                     allReduce(64, 1, "1",
                               rank < 2        ? "[0, 1]"
                                   : rank == 2 ? "[2, 3]"
                                               : "[2,3]"));
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, MetricOptions());
        QCOMPARE(startsOf(analysis), (Starts{{0, 1}, {2, 3}}));
        QVERIFY(mentions(analysis.matching().warnings,
                         "process group name 1 is used by 2 different groups ([0, 1]; [2, 3])"));
    }
    /// Four ranks cannot be one group of two: better no match than a wrong one.
    void oneNameForGroupsNobodyListsIsNotMatched()
    {
        CollectiveRun run;
        for (int rank = 0; rank < 4; ++rank)
            run.call(rank, "AllReduce", rank, 10, allReduce(64, 1, "1", ""));
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, MetricOptions());
        QCOMPARE(startsOf(analysis), (Starts{{0}, {1}, {2}, {3}}));
        QVERIFY(!analysis.matching().complete);
        QVERIFY(mentions(analysis.matching().warnings, "Process group 1 has 2 ranks, but 4"));
    }
    void callsThatDifferAreLeftOutAndCounted()
    {
        CollectiveRun run;
        run.call(0, "AllReduce", 0, 10, allReduce(64, 1));
        run.call(1, "AllReduce", 0, 10, allReduce(65, 1));
        run.call(0, "AllReduce", 100, 10, allReduce(64, 2));
        run.call(1, "AllReduce", 101, 10, allReduce(64, 2));
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, MetricOptions());
        QCOMPARE(startsOf(analysis), (Starts{{100, 101}}));
        QCOMPARE(analysis.matching().mismatched, 1);
        QVERIFY(mentions(analysis.matching().warnings, "1 collective call excluded"));
    }
    /// Splits of an all-to-all differ between the ranks; it is one call all the same.
    void allToAllMayDifferInSize()
    {
        CollectiveRun run;
        for (const int rank : {0, 1})
            run.call(rank, "SendRecv", rank, 10,
                     {"all_to_allv", 100 + rank, 200 - rank, 2, "0", "[0, 1]", 1});
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, MetricOptions());
        QCOMPARE(startsOf(analysis), (Starts{{0, 1}}));
    }
    /// In a pipeline of three the k-th calls of the group have nothing to do with each other; pairs do.
    void sendAndReceiveArePairs()
    {
        CollectiveRun run;
        const auto send
            = [](int to) { return CallText{"send", 8, 8, 3, "pp", "[0, 1, 2]", 1, "Float", -1, to}; };
        const auto receive
            = [](int from) { return CallText{"recv", 8, 8, 3, "pp", "[0, 1, 2]", 1, "Float", from, -1}; };
        run.call(0, "SendRecv", 0, 10, send(1));
        run.call(1, "SendRecv", 2, 8, receive(0));
        run.call(1, "SendRecv", 20, 10, send(2));
        run.call(2, "SendRecv", 21, 9, receive(1));
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, MetricOptions());
        QCOMPARE(startsOf(analysis), (Starts{{0, 2}, {20, 21}}));
    }
    void withoutGroupsOneStreamIsMatchedByOrder()
    {
        CollectiveRun run;
        for (const int rank : {0, 1}) {
            run.call(rank, "AllReduce_Sum", rank, 10);
            run.call(rank, "AllGather_RING", 50 + rank, 10);
        }
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, MetricOptions());
        QCOMPARE(startsOf(analysis), (Starts{{0, 1}, {50, 51}}));
        QVERIFY(analysis.matching().complete);
    }
    /// Which stream of another rank is the same one is a guess: three calls or more must have ended together.
    void withoutGroupsEqualStreamsAreMatchedIfTheirEndsAgree()
    {
        CollectiveRun run;
        for (const int rank : {0, 1}) {
            for (const int begin : {0, 700, 1100}) {
                run.call(rank, "AllReduce_Sum", begin + rank, 10);
                run.call(rank, "AllGather_RING", begin + 5 + rank, 10, {}, 21);
            }
        }
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, MetricOptions());
        QCOMPARE(startsOf(analysis),
                 (Starts{{0, 1}, {5, 6}, {700, 701}, {705, 706}, {1100, 1101}, {1105, 1106}}));
        QVERIFY(analysis.matching().complete);
        QVERIFY(analysis.matching().instances.front().rule == MatchRule::StreamOrder);
    }
    void withoutGroupsDifferentStreamsAreNotMatched()
    {
        CollectiveRun run;
        for (const int rank : {0, 1})
            run.call(rank, "AllReduce_Sum", rank, 10);
        run.call(1, "AllGather_RING", 6, 10, {}, 21);
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, MetricOptions());
        QVERIFY(analysis.matching().instances.empty());
        QVERIFY(!analysis.matching().complete);
        QCOMPARE(analysis.matching().skipped, 3);
        QCOMPARE(analysis.matching().unmatched.size(), 3u);
        QVERIFY(analysis.matching().unmatched.front().reason == UnmatchedReason::NobodyInTime);
    }
    /// k is counted over the whole file, so that a call before the window shifts nothing in it; what counts
    /// is where the first arriver starts.
    void callsOutsideTheStepsCountForTheOrderOnly()
    {
        CollectiveRun run;
        for (const int rank : {0, 1}) {
            for (int step = 0; step < 3; ++step)
                run.step(rank, step, step * 100, 100);
            for (int i = 0; i < 3; ++i)
                run.call(rank, "AllReduce", i * 100 + 95 + rank * 10, 3, allReduce(64));
        }
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, MetricOptions());
        // Rank 1 starts its first call in the inner step, rank 0 its second: only the second instance's first
        // arriver is inside.
        QCOMPARE(startsOf(analysis), (Starts{{0, 10}, {100, 110}, {200, 210}}));
        const std::vector<const CollectiveInstance*>& counted = analysis.instancesInWindow();
        std::vector<bool> inside;
        for (const CollectiveInstance& instance : analysis.matching().instances)
            inside.push_back(std::count(counted.begin(), counted.end(), &instance) == 1);
        QCOMPARE(inside, (std::vector<bool>{false, true, false}));
    }
    /// The calls of a range are found without looking at those of the whole run; one rank alone lists its
    /// own.
    void aroundWindowAreTheCallsOfARange()
    {
        CollectiveRun run;
        for (int rank = 0; rank < 2; ++rank) {
            for (int i = 0; i < 6; ++i)
                run.call(rank, "AllReduce", 10 * i, 5, allReduce(64, i));
        }
        const auto model = run.load();
        QVERIFY(model);
        const std::int64_t us = 1000;
        const std::int64_t zero
            = Analysis(*model, MetricOptions()).calls().front().calls.front().range.beginNs;
        for (const auto& rank : {std::optional<std::int32_t>(), std::optional<std::int32_t>(1)}) {
            const auto startsIn = [&](std::int64_t beginUs, std::int64_t endUs) {
                MetricOptions options;
                options.rank = rank;
                options.range = TimeRange{zero + beginUs * us, zero + endUs * us};
                Analysis analysis(*model, options);
                std::vector<std::int64_t> starts;
                for (const RankCalls& own : analysis.calls()) {
                    for (const Call& call : own.aroundWindow())
                        starts.push_back((call.range.beginNs - zero) / us);
                }
                return starts;
            };
            const std::vector<std::int64_t> once{20, 30};
            std::vector<std::int64_t> all;
            for (int i = 0; i < (rank ? 1 : 2); ++i)
                all.insert(all.end(), once.begin(), once.end());
            QCOMPARE(startsIn(15, 38), all);
            QVERIFY(startsIn(26, 29).empty());
        }
    }
    /// Whatever is dropped from either side: distinct calls are found again, and nothing is matched twice.
    void alignmentFindsWhatIsLeft()
    {
        std::mt19937 random(7);
        for (int round = 0; round < 200; ++round) {
            const bool distinct = round % 2 == 0;
            std::vector<AlignedCall> base, other;
            std::vector<std::size_t> baseIds, otherIds;
            const auto count = static_cast<std::size_t>(random() % 40);
            for (std::size_t i = 0; i < count; ++i) {
                const AlignedCall call{distinct ? i + 1 : i % 3, static_cast<std::int64_t>(i) * 1000};
                const auto chance = random() % 10;
                if (chance != 0) {
                    base.push_back(call);
                    baseIds.push_back(i);
                }
                if (chance != 1) {
                    other.push_back({call.signature, call.startNs + static_cast<int>(random() % 300)});
                    otherIds.push_back(i);
                }
            }
            const auto partner = alignCalls(base, other);
            QVERIFY(partner.has_value());
            QCOMPARE(partner->size(), other.size());
            std::size_t last = 0;
            for (std::size_t i = 0; i < other.size(); ++i) {
                const std::size_t found = (*partner)[i];
                if (found == notAligned) {
                    QVERIFY(!distinct
                            || std::find(baseIds.begin(), baseIds.end(), otherIds[i]) == baseIds.end());
                    continue;
                }
                QVERIFY(found >= last); // in order, each at most once
                last = found + 1;
                QCOMPARE(base[found].signature, other[i].signature);
                QVERIFY(!distinct || baseIds[found] == otherIds[i]);
            }
        }
    }
    void alignmentGivesUpBeforeItTakesForever()
    {
        std::vector<AlignedCall> base(40'000), other(40'000);
        for (std::size_t i = 0; i < base.size(); ++i) {
            base[i].signature = 2 * i;
            other[i].signature = 2 * i + 1;
        }
        QVERIFY(!alignCalls(base, other).has_value());
    }
    /// The edge cases of the report oracle: our matching gives each its plain bandwidth back.
    void edgeCasesOfTheReports_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<int>("incomplete");
        for (const auto& [folder, incomplete] :
             {std::pair("plain", 0), std::pair("drop_first_rank3", 1), std::pair("drop_last_rank3", 1),
              std::pair("drop_step_rank3_silent", 3), std::pair("clock_offset_rank1_5ms", 0),
              std::pair("pg_name_collision_lax", 0)})
            QTest::newRow(folder) << QString::fromLatin1(folder) << incomplete;
    }
    void edgeCasesOfTheReports()
    {
        QFETCH(QString, folder);
        QFETCH(int, incomplete);
        const QString path = oracleFolder() + QStringLiteral("/reports/multirank/edge/") + folder;
        if (oracleFolder().isEmpty() || !QDir(path).exists())
            QSKIP("no oracle: set COLLSCOPE_ORACLE");
        const auto model = loadPath(path.toStdString());
        QVERIFY(bool(model));
        Analysis analysis(**model, MetricOptions());
        QCOMPARE(analysis.matching().mismatched, 0);
        QCOMPARE(static_cast<int>(analysis.incompleteInWindow()), incomplete);
        QVERIFY(analysis.matching().complete);
        // The reports' figures (GiB/s) x 1.073741824.
        const MetricResult scatter = metricOf(**model, "avg_reducescatter_bandwidth");
        QVERIFY(std::abs(scatter.value.value_or(0) - 35.724804351625316 * 1.073741824) < 1e-9);
        const MetricResult reduce = metricOf(**model, "avg_allreduce_bandwidth");
        QVERIFY(std::abs(reduce.value.value_or(0) - 7.319953287683448 * 1.073741824) < 1e-9);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestCalls)
#include "tst_calls.moc"
