// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A match must be physically possible: on real traces, and on small ones written down here.

#include "metrics/causes/arrivals.h"
#include "metrics/causes/cause_chain.h"
#include "metrics/matching/collective_rows.h"
#include "metrics/matching/end_agreement.h"
#include "metrics/matching/wait_rule.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/runs/collective_run.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/planted_run.h"

#include <QDir>

#include <random>
#include <set>

namespace collscope {

namespace {

TraceModelPtr realModel(const QString& name)
{
    const QString path = tracesFolder() + QLatin1Char('/') + name;
    if (tracesFolder().isEmpty() || !QFileInfo::exists(path))
        return nullptr;
    const auto model = loadPath(path.toStdString());
    return model ? *model : nullptr;
}

} // namespace

class TestMatchEvidence : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

private slots:
    /// Two of 128 ranks: of ten calls each three ended together. Order said ten.
    void callsThatEndedApartAreNotOne()
    {
        const TraceModelPtr model = realModel(QStringLiteral("multirank/hta_sampled_2rank"));
        if (!model)
            QSKIP("The real traces are not here: set COLLSCOPE_TRACES to their folder.");
        Analysis analysis(*model, allSteps());
        const RunCollectives& run = analysis.run();
        std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
        for (const CollectiveInstance& instance : run.matching.instances) {
            if (instance.memberCount < 2)
                continue;
            const auto members = run.matching.membersOf(instance);
            QCOMPARE(members.size(), std::size_t{2});
            pairs.emplace(members[0].call, members[1].call);
            QVERIFY(instance.confidence == MatchConfidence::Confirmed);
            QVERIFY(instance.rule == MatchRule::EndTimes);
        }
        const std::set<std::pair<std::uint32_t, std::uint32_t>> expected{{1, 0}, {2, 2}, {8, 8}};
        QVERIFY(pairs == expected);
        QCOMPARE(run.matching.unmatched.size(), std::size_t{14});
        for (const Unmatched& unmatched : run.matching.unmatched)
            QVERIFY(unmatched.reason == UnmatchedReason::NobodyInTime);
        // 4.859 and 22.328 ms by rank 0 and 1 came first to the pairs: 4859 + 3302 + 22328 us.
        const Arrivals arrivals = measureArrivals(analysis);
        std::int64_t waitedNs = 0;
        for (const RankWait& rank : arrivals.ranks)
            waitedNs += rank.ownNs;
        QCOMPARE(waitedNs, std::int64_t{(4859 + 3302 + 22328) * 1000});
    }

    /// The sentence stood under a count of collectives.
    void theSentenceAboutClocksIsTrue()
    {
        const TraceModelPtr model = realModel(QStringLiteral("nsys_sqlite/nsys-ai/mfu_2gpu_before.sqlite"));
        if (!model)
            QSKIP("The real traces are not here.");
        const RunCollectivesPtr run = matchRun(*model, MetricOptions());
        QCOMPARE(run->clocks.ofSeveralRanks, std::int64_t{33});
        const std::string text = run->clocks.summary(ClockChoice::Auto);
        QVERIFY2(text.find("no collectives of several ranks") == std::string::npos, text.c_str());
        QVERIFY2(text.find("(33 calls matched across ranks)") != std::string::npos, text.c_str());
    }

    /// A root that leaves early makes nobody wait; nor do receivers that come late.
    void aRootThatLeavesEarlyWaitsForNobody()
    {
        const TraceModelPtr model = realModel(QStringLiteral("nsys_sqlite/ddp_2gpu_nccl_payloads.sqlite"));
        if (!model)
            QSKIP("The real traces are not here.");
        Analysis analysis(*model, allSteps());
        const Arrivals arrivals = measureArrivals(analysis);
        const std::vector<RankCalls>& ranks = analysis.calls();
        for (std::size_t r = 0; r < ranks.size(); ++r) {
            std::int64_t ownNs = 0;
            for (const Call& call : ranks[r].calls)
                ownNs += call.durationNs();
            QVERIFY(arrivals.ranks[r].ownNs < ownNs);
        }
        // All 111 all-reduces of gradients, of which one ended 186 us apart, the 8 others, and the 111
        // broadcasts, whose root (rank 0) is in the payloads of NCCL.
        QCOMPARE(arrivals.matched.size(), std::size_t{230});
        QCOMPARE(arrivals.withoutRoot, std::int64_t{0});
        // 361 ms were said of rank 0, nearly all of them in broadcasts of which it is the root.
        QVERIFY(arrivals.ranks.front().ownNs < 100'000'000);
    }

    /// Checked by hand: INVENTORY and the kernels' own times.
    void theFirstAllToAllOfDlrmWaitsForRankSeven()
    {
        const TraceModelPtr model = realModel(QStringLiteral("multirank/param_dlrm_8rank/kineto"));
        if (!model)
            QSKIP("The real traces are not here.");
        const RunCollectivesPtr run = matchRun(*model, MetricOptions());
        const CollectiveRowsPtr table = listCollectives(model, run, ClockChoice::Auto);
        QCOMPARE(table->rows.size(), std::size_t{8});
        for (const CollectiveRow& row : table->rows) {
            QCOMPARE(table->instanceOf(row).memberCount, 8u);
            QVERIFY(table->instanceOf(row).confidence == MatchConfidence::Confirmed);
        }
        QCOMPARE(table->lastRank(table->rows.front()), 7);
        QVERIFY(std::abs(table->rows.front().times.skewNs() - 7'624'000) < 10'000);
    }

    void noWaitIsLongerThanItsKernel_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("generated") << generatedRun();
        for (const std::uint64_t seed : {3u, 11u}) {
            const QString planted = m_folder.filePath(QStringLiteral("planted%1").arg(seed));
            QVERIFY(QDir().mkpath(planted));
            writePlanted(plannedBy(seed), planted.toStdString());
            QTest::addRow("planted %d", static_cast<int>(seed)) << planted;
        }
        if (tracesFolder().isEmpty())
            return;
        for (const char* name :
             {"multirank/hta_sampled_2rank", "multirank/param_dlrm_8rank/kineto",
              "multirank/param_dlrm_8rank", "multirank/tokenomics_2rank",
              "nsys_sqlite/ddp_2gpu_nccl_payloads.sqlite", "nsys_sqlite/nsys-ai/mfu_2gpu_before.sqlite",
              "nsys_sqlite/nsys-ai/mfu_2gpu_after.sqlite", "nsys_sqlite/nsys-ai/h100_2gpu_1s.sqlite"})
            QTest::newRow(name) << tracesFolder() + QLatin1Char('/') + QString::fromLatin1(name);
    }
    void noWaitIsLongerThanItsKernel()
    {
        QFETCH(QString, path);
        const auto loaded = loadPath(path.toStdString());
        QVERIFY(loaded);
        const TraceModelPtr& model = *loaded;
        for (const ClockChoice choice : {ClockChoice::Auto, ClockChoice::Aligned, ClockChoice::Raw}) {
            const RunCollectivesPtr run = matchRun(*model, MetricOptions());
            const CollectiveRowsPtr table = listCollectives(model, run, choice);
            // Nothing is known of the kernels of one real trace.
            QVERIFY(!table->rows.empty() || path.endsWith(QStringLiteral("h100_2gpu_1s.sqlite")));
            for (const CollectiveRow& row : table->rows) {
                for (const MemberArrival& member : table->arrivalsOf(row)) {
                    QVERIFY(member.waitNs >= 0);
                    QVERIFY(member.waitNs <= member.range.lengthNs());
                }
                const CollectiveInstance& instance = table->instanceOf(row);
                const bool isByEnds = instance.confidence == MatchConfidence::Confirmed
                    && confirmsByEnd(*model, table->memberOf(row, 0));
                const std::int64_t barNs = std::max(closeEndsNs, table->groupOf(row).endsBarNs)
                    + 2 * run->clocks.residualOf(choice);
                if (isByEnds && choice == ClockChoice::Auto)
                    QVERIFY(row.times.departures.lengthNs() <= barNs);
            }
        }
    }

    /// Ranks 0 and 1 made the same calls, but rank 1 was at another place of the job: order alone would make
    /// four pairs.
    void orderThatTimesRefuteMakesNoPairs()
    {
        CollectiveRun run;
        const int begins[2][5] = {{1000, 9000, 30000, 41000, 77000}, {2500, 21000, 26500, 60000, 93000}};
        for (int rank = 0; rank < 2; ++rank) {
            for (const int begin : begins[rank])
                run.call(rank, "AllReduce_Sum_f32_RING_LL", begin, 900);
        }
        const TraceModelPtr model = run.load();
        const RunCollectivesPtr matched = matchRun(*model, MetricOptions());
        QCOMPARE(matched->matching.matchedCalls(), std::int64_t{0});
        QCOMPARE(matched->matching.unmatched.size(), std::size_t{10});
        const MetricResult result = metricOf(*model, "straggler", allSteps());
        QVERIFY(!result.value);
        QVERIFY(!result.reason.empty());
    }

    /// The broadcast's root left before the receiver came; then the receiver came first and waited 400 us.
    void receiversWaitForTheRootAndNobodyElse()
    {
        CollectiveRun run;
        const auto text = [](const char* name, int sequence, int root) {
            return CallText{name, 64, 64, 2, "0", "[0, 1]", sequence, "Float", root};
        };
        run.call(0, "Broadcast_RING_LL", 1000, 50, text("broadcast", 1, 0));
        run.call(1, "Broadcast_RING_LL", 5000, 60, text("broadcast", 1, 0));
        run.call(0, "Broadcast_RING_LL", 10400, 50, text("broadcast", 2, 0));
        run.call(1, "Broadcast_RING_LL", 10000, 460, text("broadcast", 2, 0));
        run.call(0, "Reduce_Sum_f32_RING_LL", 20000, 760, text("reduce", 3, 0));
        run.call(1, "Reduce_Sum_f32_RING_LL", 20700, 50, text("reduce", 3, 0));
        run.call(0, "Reduce_Sum_f32_RING_LL", 30900, 60, text("reduce", 4, 0));
        run.call(1, "Reduce_Sum_f32_RING_LL", 30000, 50, text("reduce", 4, 0));
        run.call(0, "Broadcast_RING_LL", 40000, 50, text("broadcast", 5, -1));
        run.call(1, "Broadcast_RING_LL", 45000, 60, text("broadcast", 5, -1));
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, allSteps());
        const Arrivals arrivals = measureArrivals(analysis);
        QCOMPARE(arrivals.matched.size(), std::size_t{4});
        QCOMPARE(arrivals.withoutRoot, std::int64_t{1});
        QCOMPARE(arrivals.ranks[0].ownNs, std::int64_t{700'000});
        QCOMPARE(arrivals.ranks[1].ownNs, std::int64_t{400'000});
        QCOMPARE(arrivals.ranks[0].imposedNs, std::int64_t{400'000});
        QCOMPARE(arrivals.ranks[1].imposedNs, std::int64_t{700'000});
        const MetricResult result = metricOf(*model, "straggler", allSteps());
        QVERIFY(mentions(result.inputs, "root not identified"));
    }

    /// Both ranks leave the all-reduce together. So rank 0 is not late to the next call because it waited in
    /// that one. And while a rank waits itself, it does not make others wait.
    void whoWaitsIsNotToBlame()
    {
        CollectiveRun run;
        for (int step = 0; step < 2; ++step) {
            const int begin = 10'000 * step;
            const auto text = [step](const char* name, int which) {
                return CallText{name, 64, 64, 2, "0", "[0, 1]", 2 * step + which, "Float"};
            };
            run.call(0, "AllReduce_Sum_f32_RING_LL", begin + 1000, 400, text("allreduce", 1));
            run.call(1, "AllReduce_Sum_f32_RING_LL", begin + 1300, 100, text("allreduce", 1));
            run.call(0, "ReduceScatter_Sum_f32_RING_LL", begin + 2250, 100, text("_reduce_scatter_base", 2));
            run.call(1, "ReduceScatter_Sum_f32_RING_LL", begin + 2000, 350, text("_reduce_scatter_base", 2));
        }
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, allSteps());
        const Arrivals arrivals = measureArrivals(analysis);
        QCOMPARE(arrivals.matched.size(), std::size_t{4});
        QCOMPARE(arrivals.ranks[0].causedNs, std::int64_t{500'000});
        QCOMPARE(arrivals.ranks[1].causedNs, std::int64_t{600'000});
    }

    /// Calls so regular that those of one period later would fit as well: without clocks nobody can tell.
    void whatFitsInSeveralWaysIsOrderAlone()
    {
        CollectiveRun run;
        for (int i = 0; i < 20; ++i) {
            run.call(0, "AllReduce_Sum_f32_RING_LL", 1000 + 1000 * i, 300);
            run.call(1, "AllReduce_Sum_f32_RING_LL", 751'200 + 1000 * i, 100);
        }
        const TraceModelPtr model = run.load();
        const RunCollectivesPtr matched = matchRun(*model, MetricOptions());
        QCOMPARE(matched->matching.byOrderAlone(), std::int64_t{20});
        QCOMPARE(matched->clocks.collectives, std::int64_t{0});
        const MetricResult result = metricOf(*model, "straggler", allSteps());
        QVERIFY(!result.value);
        QVERIFY2(result.reason.find("order") != std::string::npos, result.reason.c_str());
    }

    /// Calls every 55 to 75 us. A clock that is ahead by some of them makes a shifted order as
    /// near as the right one, but the ends of that scatter more. A rank that recorded later calls is found
    /// out.
    void aShiftedOrderIsToldByHowEndsScatter_data()
    {
        QTest::addColumn<int>("aheadCalls");
        QTest::addColumn<int>("laterCalls");
        for (const int calls : {1, 2, 7, 15}) {
            QTest::addRow("clock %d ahead", calls) << calls << 0;
            QTest::addRow("recorded %d later", calls) << 0 << calls;
        }
    }
    void aShiftedOrderIsToldByHowEndsScatter()
    {
        QFETCH(int, aheadCalls);
        QFETCH(int, laterCalls);
        constexpr int calls = 200, periodNs = 55'000;
        std::mt19937 random(1); // NOLINT(cert-msc51-cpp): always the same
        const auto below = [&random](unsigned count) { return static_cast<std::int64_t>(random() % count); };
        std::vector<std::int64_t> ends(calls + 20, periodNs);
        for (std::size_t i = 1; i < ends.size(); ++i)
            ends[i] = ends[i - 1] + periodNs + below(20'000);
        std::vector<EndingCall> first, second;
        for (std::size_t i = 0; i < calls; ++i) {
            first.push_back({1, ends[i] + below(500), std::nullopt});
            second.push_back({1,
                              ends[i + static_cast<std::size_t>(laterCalls)] + below(500)
                                  + std::int64_t{aheadCalls} * (periodNs + 10'000),
                              std::nullopt});
        }
        const EndVerdict right = laterCalls > 0 ? EndVerdict::Contradicted : EndVerdict::Confirmed;
        QVERIFY(judgePairs(first, second, true).verdict == right);
    }
};

COLLSCOPE_TEST(TestMatchEvidence)

} // namespace collscope

#include "tst_match_evidence.moc"
