// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Late ranks on planted runs: what they did since they got their last work, waits that nobody felt, ranks
// that are not recorded, and who passes lateness on.

#include "tests/support/runs/played_run.h"
#include "tests/support/suite/suite.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace collscope {

namespace {

constexpr std::int64_t us = 1000;
constexpr int steps = playedSteps;

} // namespace

class TestLateRanks : public QObject
{
    Q_OBJECT

private slots:
    /// Both stages of one pipeline have had their last work when one of them stalls. Without the stall, the
    /// first stage is last because its turn is.
    void laterThanItsLastWork()
    {
        QVERIFY(lateRanks(pipelines(1, none, none)).empty());
        const Findings findings = pipelines(1, none, [](int rank) { return rank == 1 ? 8000 : 0; });
        QCOMPARE(lateRanks(findings), std::vector<std::int32_t>{1});
        const Finding& late = *findingOf(findings, FindingKind::LateRank, 1);
        QCOMPARE(late.costNs, (8000 - 1000) * us / 2); // rank 0 has another pass to do
        QVERIFY2(late.title.find("its GPU is idle longer") != std::string::npos, late.title.c_str());
    }
    /// Rank 2 starts late, so that rank 3 gets its work late. Rank 1, its peer, waits for that, and rank 3 is
    /// not to blame.
    void itsWorkCameLate()
    {
        const Findings findings = pipelines(
            2, [](int rank) { return rank == 2 ? 4000 : 0; }, none);
        const std::vector<std::int32_t> late = lateRanks(findings);
        QVERIFY(std::find(late.begin(), late.end(), 3) == late.end());
        QVERIFY(std::find(late.begin(), late.end(), 1) == late.end());
    }
    /// Waits in collectives of stages are not bubbles: a stage may be late there.
    void waitsOfStagesAreOfTwoKinds()
    {
        const Findings findings = pipelines(1, none, none);
        std::vector<std::string> titles;
        for (const Finding& finding : findings.all) {
            if (finding.kind == FindingKind::PipelineBubble)
                titles.push_back(finding.title);
        }
        QCOMPARE(titles.size(), 2U);
        QVERIFY(mentions(titles, "in sends and receives"));
        QVERIFY(mentions(titles, "in collectives for the one that arrives last"));
    }
    /// Rank 0 waits for rank 1 on a stream beside its compute, which hides all of it. Later rank 0 stalls for
    /// a reason of its own, and rank 2 waits for it.
    void aWaitThatNobodyFelt()
    {
        Play play(4);
        for (int step = 0; step < steps; ++step) {
            const int begin = play.now(0);
            for (const auto& [a, b] : {std::pair(0, 1), std::pair(2, 3)}) {
                const int lateUs = a == 0 ? 3000 : 0;
                play.now(b) += lateUs;
                play.meetAt({a, b}, std::to_string(1 + a), begin + lateUs + 300, "AllReduce_Sum_f32",
                            "allreduce", 40);
                play.now(b) -= lateUs;
            }
            for (int rank = 0; rank < 4; ++rank)
                play.compute(rank, 8000);
            play.now(0) += 3000;
            play.meet({0, 2}, "5");
            play.meet({1, 3}, "6");
            play.endStep(step, begin);
        }
        const Findings findings = findingsOf(*play.run().load());
        QCOMPARE(lateRanks(findings), std::vector<std::int32_t>{0});
        QCOMPARE(findingOf(findings, FindingKind::LateRank, 0)->costNs, 3000 * us / 4);
    }
    /// Rank 1 stalls, and rank 0 waits for it in a visible all-reduce. Meanwhile a prefetch of ranks 0 and 2
    /// ends on another stream: that does not make up for anything. Rank 2 waits for rank 0 at the end,
    /// because of rank 1.
    void aMeetingBesideTheWork()
    {
        Play play(4);
        for (int step = 0; step < steps; ++step) {
            const int begin = play.now(0);
            play.now(1) += 3000;
            play.meet({0, 1}, "1");
            play.meet({2, 3}, "2");
            std::vector<int> free;
            for (int rank = 0; rank < 4; ++rank) {
                free.push_back(play.now(rank));
                play.now(rank) = begin + 3100;
            }
            play.meetAt({0, 2}, "3", begin + 3280, "AllGather_RING_LL", "_allgather_base", 40);
            play.meetAt({1, 3}, "4", begin + 3280, "AllGather_RING_LL", "_allgather_base", 40);
            for (int rank = 0; rank < 4; ++rank) {
                play.now(rank) = free[static_cast<std::size_t>(rank)];
                play.compute(rank, 8000);
            }
            play.meet({0, 2}, "5");
            play.meet({1, 3}, "6");
            play.endStep(step, begin);
        }
        const Findings findings = findingsOf(*play.run().load());
        const Finding* const late = findingOf(findings, FindingKind::LateRank, 1);
        QVERIFY(late && !findingOf(findings, FindingKind::LateRank, 0));
        QVERIFY(late->costNs >= 2 * 3000 * us / 4);
    }
    /// Rank 3 is late in each step, and its file is missing. Rank 2 waits for it, and rank 0 for rank 2.
    void theLateRankIsMissing()
    {
        Play play(4);
        for (int step = 0; step < steps; ++step) {
            const int begin = play.now(0);
            for (int rank = 0; rank < 4; ++rank)
                play.compute(rank, 4000);
            play.now(3) += 3000;
            play.meet({0, 1}, "1");
            play.meet({2, 3}, "2");
            for (int rank = 0; rank < 4; ++rank)
                play.compute(rank, 2000);
            play.meet({0, 2}, "5");
            play.meet({1, 3}, "6");
            play.endStep(step, begin, 3);
        }
        play.run().load();
        std::filesystem::remove(play.run().folder() + "/rank3_trace.json");
        const Findings findings = findingsOf(**loadPath(play.run().folder()));
        const Finding* const late = findingOf(findings, FindingKind::LateRank, 2);
        QVERIFY(late);
        QCOMPARE(late->cause, std::string("waited_itself"));
        QVERIFY2(late->title.find("it may have waited itself") != std::string::npos, late->title.c_str());
    }
    /// In each of three groups the same rank is late in each step. They do not take turns.
    void notByTurns()
    {
        Play play(9);
        for (int step = 0; step < steps; ++step) {
            const int begin = play.now(0);
            for (int rank = 0; rank < 9; ++rank)
                play.compute(rank, rank % 3 == 2 ? 6000 : 4000);
            for (const int first : {0, 3, 6})
                play.meet({first, first + 1, first + 2}, std::to_string(first + 1));
            play.endStep(step, begin);
        }
        const Findings findings = findingsOf(*play.run().load());
        QCOMPARE(lateRanks(findings), (std::vector<std::int32_t>{2, 5, 8}));
    }
    /// A side stream computes beside the wait. What comes next waits for the main stream nevertheless.
    void computeOfASideStream()
    {
        Play play(4);
        for (int step = 0; step < steps; ++step) {
            const int begin = play.now(0);
            for (int rank = 0; rank < 4; ++rank)
                play.run().compute(rank, begin, 3500, "average", 9);
            play.now(1) += 3000;
            play.meet({0, 1}, "1");
            play.meet({2, 3}, "2");
            for (int rank = 0; rank < 4; ++rank)
                play.compute(rank, 8000);
            play.meet({0, 2}, "5");
            play.meet({1, 3}, "6");
            play.endStep(step, begin);
        }
        QCOMPARE(lateRanks(findingsOf(*play.run().load())), std::vector<std::int32_t>{1});
    }
    /// Rank 0 waits for rank 1 in each step, while ranks 2 and 3 have as much more to do. No collective of
    /// ranks 0 and 2 makes up for that. In step 9 rank 0 comes late to one for a reason of its own.
    void waitsOfOldSteps()
    {
        Play play(4);
        for (int step = 0; step < 12; ++step) {
            const int begin = play.now(0);
            for (int rank = 0; rank < 4; ++rank)
                play.compute(rank, rank == 0 ? 3000 : 4000);
            play.meet({0, 1}, "1");
            play.meet({2, 3}, "2");
            const int free = play.now(0);
            const int lateUs = step == 9 ? 5000 : 0;
            play.now(0) += lateUs;
            play.meetAt({0, 2}, "5", free + lateUs + 300, "AllReduce_Sum_f32", "allreduce", 40);
            play.now(0) = free;
            play.meetAt({1, 3}, "6", free + 300, "AllReduce_Sum_f32", "allreduce", 40);
            for (int rank = 0; rank < 4; ++rank) {
                play.compute(rank, 2000);
                play.now(rank) = free + 5000;
                play.compute(rank, 3000);
            }
            play.endStep(step, begin);
        }
        const Findings findings = findingsOf(*play.run().load());
        QCOMPARE(lateRanks(findings), (std::vector<std::int32_t>{0, 1}));
        QCOMPARE(findingOf(findings, FindingKind::LateRank, 0)->costNs, 3000 * us / 4 / 10);
    }
    /// Rank 0 waits for rank 1 beside its last kernel. Its next collective, on a stream of its own, starts
    /// when that wait ends: rank 2 waits there for rank 1.
    void aChainOverTwoStreams()
    {
        Play play(4);
        for (int step = 0; step < steps; ++step) {
            const int begin = play.now(0);
            for (int rank = 0; rank < 4; ++rank)
                play.compute(rank, rank == 1 ? 7000 : 4000);
            const auto shard = [&](int a, int b, const char* group, int end) {
                play.meetAt({a, b}, group, end, "ReduceScatter_Sum_f32", "_reduce_scatter_base", 30);
            };
            shard(0, 1, "1", begin + 7300);
            shard(2, 3, "2", begin + 4300);
            for (int rank = 0; rank < 4; ++rank) {
                if (rank != 1)
                    play.run().compute(rank, begin + 4000, 2900);
                play.now(rank) = begin + (rank < 2 ? 7304 : 4304);
            }
            play.meet({0, 2}, "5");
            play.meet({1, 3}, "6");
            play.endStep(step, begin);
        }
        QCOMPARE(lateRanks(findingsOf(*play.run().load())), std::vector<std::int32_t>{1});
    }
    /// Rank 1 begins each step late, and rank 0 waits for it. Their all-reduces with ranks 2 and 3 run beside
    /// the backward pass, each as soon as a reduce-scatter ends: rank 0 only passes the lateness on.
    void allReducesBesideTheWork()
    {
        Play play(4);
        for (int step = 0; step < steps; ++step) {
            const int begin = play.now(0);
            play.now(1) += 4000;
            play.meet({0, 1}, "1");
            play.meet({2, 3}, "2");
            std::vector<int> sent(4, begin);
            for (int layer = 0; layer < 4; ++layer) {
                std::vector<int> computed;
                for (int rank = 0; rank < 4; ++rank) {
                    play.compute(rank, 1000);
                    computed.push_back(play.now(rank));
                }
                for (const int first : {0, 2})
                    play.meetAt({first, first + 1}, first == 0 ? "1" : "2", play.now(first) + 300,
                                "ReduceScatter_Sum_f32", "_reduce_scatter_base", 31);
                for (int rank = 0; rank < 4; ++rank)
                    play.now(rank) = std::max(play.now(rank) + 300, sent[static_cast<std::size_t>(rank)]);
                const int end = play.last() + 400;
                play.meetAt({0, 2}, "5", end, "AllReduce_Sum_f32", "allreduce", 32);
                play.meetAt({1, 3}, "6", end, "AllReduce_Sum_f32", "allreduce", 32);
                sent.assign(4, end);
                for (int rank = 0; rank < 4; ++rank)
                    play.now(rank) = computed[static_cast<std::size_t>(rank)];
            }
            for (int rank = 0; rank < 4; ++rank)
                play.now(rank) = sent.front();
            play.endStep(step, begin);
        }
        QCOMPARE(lateRanks(findingsOf(*play.run().load())), std::vector<std::int32_t>{1});
    }
    void aroundTheRing_data()
    {
        QTest::addColumn<bool>("meets");
        QTest::newRow("then all meet") << true;
        QTest::newRow("only neighbours meet") << false;
    }
    /// Ring attention: each rank sends on what it got, beside its compute. Rank 3 begins late; its lateness
    /// goes around, and nobody else is to blame. With and without a collective of all at the end of the step.
    void aroundTheRing()
    {
        QFETCH(const bool, meets);
        constexpr int ranks = 4;
        Play play(ranks);
        int sequence = 0;
        for (int step = 0; step < steps; ++step) {
            std::array<int, ranks> begins{};
            for (int rank = 0; rank < ranks; ++rank)
                begins[static_cast<std::size_t>(rank)] = play.now(rank);
            play.now(3) += 6000;
            for (int rank = 0; rank < ranks; ++rank)
                play.compute(rank, 500);
            std::array<int, ranks> got{};
            std::array<int, ranks> sent{};
            for (int rank = 0; rank < ranks; ++rank)
                got[static_cast<std::size_t>(rank)] = play.now(rank);
            for (int hop = 0; hop < ranks - 1; ++hop, ++sequence) {
                const std::array<int, ranks> ready = got;
                for (std::size_t from = 0; from < ranks; ++from) {
                    const std::size_t to = (from + 1) % ranks;
                    const int sends = std::max(ready[from], sent[from]);
                    const int end = std::max(sends, ready[to]) + 250;
                    play.transfer(static_cast<int>(from), sends, static_cast<int>(to), ready[to], end,
                                  sequence);
                    sent[from] = got[to] = end;
                }
                for (int rank = 0; rank < ranks; ++rank) {
                    play.compute(rank, 900);
                    play.now(rank) = std::max(play.now(rank), got[static_cast<std::size_t>(rank)]);
                }
            }
            for (int rank = 0; rank < ranks; ++rank)
                play.compute(rank, 1500);
            if (meets)
                play.meet({0, 1, 2, 3}, "0");
            for (int rank = 0; rank < ranks; ++rank) {
                const int begin = begins[static_cast<std::size_t>(rank)];
                play.now(rank) += 100;
                play.run().step(rank, step, begin, play.now(rank) - begin);
            }
        }
        // Neighbours alone do not show the clocks.
        QCOMPARE(lateRanks(findingsOf(*play.run().load(), ClockChoice::Raw)), std::vector<std::int32_t>{3});
    }
    /// At the end of each step rank 3 is late, and rank 1 waits for it. Rank 0 waits for rank 1 in the next
    /// step: also in the first step that counts, for what happened before it.
    void latenessFromTheStepBefore()
    {
        Play play(4);
        for (int step = 0; step < steps; ++step) {
            std::vector<int> begins;
            for (int rank = 0; rank < 4; ++rank) {
                begins.push_back(play.now(rank));
                play.compute(rank, 2000);
            }
            play.meet({0, 1}, "1");
            play.meet({2, 3}, "2");
            for (int rank = 0; rank < 4; ++rank)
                play.compute(rank, 1000);
            play.now(3) += 5000;
            play.meet({0, 2}, "5");
            play.meet({1, 3}, "6");
            for (int rank = 0; rank < 4; ++rank)
                play.run().step(rank, step, begins[static_cast<std::size_t>(rank)],
                                play.now(rank) - begins[static_cast<std::size_t>(rank)]);
        }
        QCOMPARE(lateRanks(findingsOf(*play.run().load())), std::vector<std::int32_t>{3});
    }
    /// A cost is the mean of all ranks. What one rank pays is said, too.
    void theMeanAndTheRank()
    {
        Play play(4);
        for (int step = 0; step < steps; ++step) {
            const int begin = play.now(0);
            for (int rank = 0; rank < 4; ++rank)
                play.compute(rank, rank == 2 ? 4600 : 3000, "softmax");
            play.meet({0, 1, 2, 3}, "1");
            play.endStep(step, begin);
        }
        const Findings findings = findingsOf(*play.run().load());
        const Finding* const slow = findingOf(findings, FindingKind::SlowKernelsOnRank, 2);
        QVERIFY(slow);
        QVERIFY2(slow->title.find("400 \u00b5s per step (8 %, mean of 4 ranks), 1.6 ms on rank 2")
                     != std::string::npos,
                 slow->title.c_str());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestLateRanks)
#include "tst_late_ranks.moc"
