// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Who is blamed for a wait, on small planted runs in which the obvious answer would be wrong.

#include "tests/support/runs/collective_run.h"
#include "tests/support/runs/findings_of.h"
#include "tests/support/suite/suite.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::int64_t us = 1000;
constexpr int steps = 6;

/// The cost of all waiting that a rank is blamed for.
std::int64_t blamedOn(const Findings& findings, int rank)
{
    std::int64_t ns = 0;
    for (const Finding* late : allOf(findings, FindingKind::LateRank))
        ns += late->ranks == std::vector<std::int32_t>{rank} ? late->costNs : 0;
    return ns;
}

CallText call(const std::string& name, const std::string& group, const std::vector<int>& ranks, int sequence,
              const std::string& description = {})
{
    std::string list;
    for (const int rank : ranks)
        list += (list.empty() ? "[" : ", ") + std::to_string(rank);
    return {.name = name,
            .inElements = 100'000,
            .outElements = 100'000,
            .groupSize = static_cast<int>(ranks.size()),
            .group = group,
            .ranks = list + "]",
            .sequence = sequence,
            .description = description};
}

const std::vector<int> four{0, 1, 2, 3};

/// Each step of 10,000 us: compute, then all meet in an all-to-all, and nothing else shows the clocks.
/// `lateUs`: by which rank 1 really arrives later. `aheadUs`: by which its clock is ahead.
TraceModelPtr allToAllRun(int lateUs, int aheadUs)
{
    CollectiveRun run;
    run.wallClock();
    for (int step = 0; step < steps; ++step) {
        for (const int rank : four) {
            const int begin = 10'000 * step + (rank == 1 ? aheadUs : 0);
            const int own = 3000 + (rank == 1 ? lateUs : 0);
            run.step(rank, step, begin, 10'000);
            run.compute(rank, begin, own);
            run.call(rank, "SendRecv", begin + own, 3000 + lateUs + 1700 - own,
                     call("all_to_allv", "7", four, step));
            run.compute(rank, begin + 3000 + lateUs + 1700, 1000);
        }
    }
    return run.load();
}

/// Ranks send to the next one and receive from the one before, all at the same time, then compute, then meet
/// in an all-reduce. Rank 2 starts each step `earlyUs` late, and is `lateUs` late at the all-reduce.
TraceModelPtr ringRun(int earlyUs, int lateUs)
{
    CollectiveRun run;
    for (int step = 0; step < steps; ++step) {
        const int begin = 20'000 * step;
        const auto startOf = [&](int rank) { return begin + 1000 + (rank == 2 ? earlyUs : 0); };
        const int last = begin + 1000 + earlyUs + 500 + 8000 + lateUs;
        for (const int rank : four) {
            const int next = (rank + 1) % 4;
            const int before = (rank + 3) % 4;
            run.step(rank, step, begin, 20'000);
            run.compute(rank, startOf(rank) - 1000, 1000);
            int end = 0;
            for (const auto& [name, from, to, stream] :
                 {std::tuple("send", rank, next, 30), std::tuple("recv", before, rank, 31)}) {
                const int both = std::max(startOf(from), startOf(to)) + 500;
                CallText text = call(name, "5", four, -1);
                text.source = from;
                text.destination = to;
                run.call(rank, "SendRecv", startOf(rank), both - startOf(rank), text, stream);
                end = std::max(end, both);
            }
            run.compute(rank, end, 8000);
            const int arrival = end + 8000 + (rank == 2 ? lateUs : 0);
            run.call(rank, "AllReduce_Sum_f32", arrival, last + 600 - arrival,
                     call("allreduce", "0", four, step));
        }
    }
    return run.load();
}

/// Pipelines of two stages, next to each other. The first stage hands work over, then both compute, and all
/// meet in an all-reduce. `lateUs` gives by how much a rank is later than the others, in its own work;
/// `waitUs`, by how much longer it waits for the work of the first stage.
template<typename Late, typename Wait>
TraceModelPtr pipelineRun(int pipelines, const Late& lateUs, const Wait& waitUs)
{
    CollectiveRun run;
    std::vector<int> all;
    int mostUs = 0;
    for (int rank = 0; rank < 2 * pipelines; ++rank) {
        all.push_back(rank);
        mostUs = std::max(mostUs, lateUs(rank) + waitUs(rank));
    }
    for (int step = 0; step < steps; ++step) {
        const int begin = 20'000 * step;
        for (const int rank : all) {
            const bool isFirst = rank % 2 == 0;
            CallText text = call(isFirst ? "send" : "recv", "4", {rank - rank % 2, rank - rank % 2 + 1}, -1);
            text.source = rank - rank % 2;
            text.destination = text.source + 1;
            run.step(rank, step, begin, 20'000);
            run.compute(rank, begin, 2000);
            const int handed = begin + 2060 + waitUs(rank);
            run.call(rank, "SendRecv", begin + 2000, handed - begin - 2000, text, 30);
            run.compute(rank, handed, 4000 + lateUs(rank));
            const int arrival = handed + 4000 + lateUs(rank);
            run.call(rank, "AllReduce_Sum_f32", arrival, begin + 6060 + mostUs + 100 - arrival,
                     call("allreduce", "0", all, step));
        }
    }
    return run.load();
}

/// Four stages that take two turns each and only run forward: 0, 1, 2, 3, 0, 1, 2, 3. Then all meet.
TraceModelPtr interleavedRun()
{
    CollectiveRun run;
    constexpr int turnUs = 1000;
    for (int step = 0; step < steps; ++step) {
        const int begin = 20'000 * step;
        for (const int rank : four)
            run.step(rank, step, begin, 20'000);
        for (int turn = 0; turn < 8; ++turn) {
            const int rank = turn % 4;
            const int computed = begin + turn * (turnUs + 60) + turnUs;
            run.compute(rank, computed - turnUs, turnUs);
            for (const int side : {rank, (rank + 1) % 4}) {
                CallText text = call(side == rank ? "send" : "recv", "4", four, -1);
                text.source = rank;
                text.destination = (rank + 1) % 4;
                if (turn < 7)
                    run.call(side, "SendRecv", computed, 60, text, side == rank ? 30 : 31);
            }
            if (turn >= 4)
                run.call(rank, "AllReduce_Sum_f32", computed + 60,
                         begin + 8 * (turnUs + 60) + 100 - computed - 60, call("allreduce", "0", four, step));
        }
    }
    return run.load();
}

/// One rank of tensor-parallel pairs and data-parallel pairs in a step: the times of its work.
struct PairedWork
{
    int stallUs = 0; ///< before its first kernel
    int laterUs = 0; ///< between the two collectives
};

/// Tensor-parallel groups [0, 1] and [2, 3], data-parallel groups [0, 2] and [1, 3].
template<typename WorkOf>
TraceModelPtr pairedRun(int count, const WorkOf& workOf)
{
    CollectiveRun run;
    int begin = 0;
    for (int step = 0; step < count; ++step) {
        int longest = 0;
        for (const int rank : four) {
            const int tp = rank / 2;
            const int dp = rank % 2;
            const auto leftTp = [&](int pair) {
                return begin + 4000 + 200
                    + std::max(workOf(2 * pair, step).stallUs, workOf(2 * pair + 1, step).stallUs);
            };
            const auto atDp
                = [&](int other) { return leftTp(other / 2) + 5000 + workOf(other, step).laterUs; };
            const int stall = workOf(rank, step).stallUs;
            run.compute(rank, begin + stall, 4000);
            run.call(rank, "AllGather_RING_LL", begin + stall + 4000, leftTp(tp) - begin - stall - 4000,
                     call("_allgather_base", std::to_string(1 + tp), {2 * tp, 2 * tp + 1}, step));
            run.compute(rank, atDp(rank) - 5000, 5000);
            const int left = std::max(atDp(dp), atDp(dp + 2)) + 600;
            run.call(rank, "AllReduce_Sum_f32", atDp(rank), left - atDp(rank),
                     call("allreduce", std::to_string(3 + dp), {dp, dp + 2}, step));
            longest = std::max(longest, left - begin);
        }
        for (const int rank : four)
            run.step(rank, step, begin, longest + 100);
        begin += longest + 100;
    }
    return run.load();
}

/// Ranks take turns in arriving 2,000 us later at an all-to-all, because they compute or because they idle.
/// Where they idle, rank 3 computes longest in each step, while the others idle as long.
TraceModelPtr turnsRun(bool isComputing, const std::string& description)
{
    CollectiveRun run;
    for (int step = 0; step < 10; ++step) {
        for (const int rank : four) {
            const int begin = 10'000 * step;
            const int lateUs = rank == step % 4 ? 2000 : 0;
            run.step(rank, step, begin, 10'000);
            if (isComputing)
                run.compute(rank, begin, 4000 + lateUs);
            else
                run.compute(rank, begin + lateUs, rank == 3 ? 4000 : 2000);
            run.call(rank, "SendRecv", begin + 4000 + lateUs, 2000 + 500 - lateUs,
                     call("all_to_all", "7", four, step, description));
            run.compute(rank, begin + 6500, 3500);
        }
    }
    return run.load();
}

} // namespace

class TestBlame : public QObject
{
    Q_OBJECT

private slots:
    /// Nothing but an all-to-all of unequal amounts: if the clock of one rank is ahead, all its calls seem to
    /// begin and end later. Nobody waits.
    void clockAheadOfTheOthers()
    {
        const Findings findings = findingsOf(*allToAllRun(0, 1500));
        QVERIFY(allOf(findings, FindingKind::LateRank).empty());
        QVERIFY(!findings.areWaitsKnown());
        QCOMPARE(findings.parts.of(Part::Waiting), 0);
    }
    /// The same run with one clock, and a rank that is late: the ends agree, so that the begins are believed.
    void lateAtAnAllToAll()
    {
        const Findings findings = findingsOf(*allToAllRun(1500, 0));
        QCOMPARE(blamedOn(findings, 1), 3 * 1500 * us / 4);
        QVERIFY(findings.areWaitsKnown());
    }
    /// Ring attention sends and receives, too. Its ranks are not stages of a pipeline.
    void lateBesideARing()
    {
        const Findings findings = findingsOf(*ringRun(0, 3900));
        QVERIFY(allOf(findings, FindingKind::PipelineBubble).empty());
        QCOMPARE(blamedOn(findings, 2), 3 * 3900 * us / 4);
    }
    /// Rank 2 is late in the ring: its neighbours wait there, and the rank that is not its neighbour waits
    /// later for all three. For 500 us of their wait, the neighbours also exchange data with others.
    void lateInARing()
    {
        const Findings findings = findingsOf(*ringRun(3000, 0));
        QVERIFY(allOf(findings, FindingKind::PipelineBubble).empty());
        QCOMPARE(blamedOn(findings, 2), (2 * 2500 + 3000) * us / 4);
        QCOMPARE(findings.parts.of(Part::Waiting), blamedOn(findings, 2));
    }
    /// The stage whose turn is last is not late, though each stage sends to one and receives from one.
    void interleavedPipeline()
    {
        const Findings findings = findingsOf(*interleavedRun());
        QVERIFY(allOf(findings, FindingKind::LateRank).empty());
        QCOMPARE(allOf(findings, FindingKind::PipelineBubble).size(), 1U);
    }
    /// Two pipelines take the same turns: what rank 3 is later than both stages of the other one is its own.
    void laterThanTheOtherPipeline()
    {
        const Findings findings = findingsOf(*pipelineRun(
            2, [](int rank) { return rank == 3 ? 4000 : 0; }, [](int) { return 0; }));
        QVERIFY(allOf(findings, FindingKind::PipelineBubble).empty());
        QCOMPARE(blamedOn(findings, 3), 3 * 4000 * us / 4);
    }
    /// One pipeline: the last stage is last, and nothing tells whether it is slow.
    void onePipeline()
    {
        const Findings findings = findingsOf(*pipelineRun(
            1, [](int rank) { return rank == 1 ? 4000 : 0; }, [](int) { return 0; }));
        QVERIFY(allOf(findings, FindingKind::LateRank).empty());
        QCOMPARE(allOf(findings, FindingKind::PipelineBubble).size(), 1U);
    }
    /// Rank 3 is late because it got its work late: rank 2 may be to blame, and it is not rank 3.
    void workHandedOverLate()
    {
        const Findings findings = findingsOf(*pipelineRun(
            2, [](int) { return 0; }, [](int rank) { return rank == 3 ? 4000 : 0; }));
        QCOMPARE(blamedOn(findings, 3), 0);
        QCOMPARE(allOf(findings, FindingKind::PipelineBubble).size(), 1U);
    }
    /// Rank 1 stalls at the begin of each step. Rank 0 waits for it in the first group, ranks 2 and 3 in the
    /// second ones: it is the same stall.
    void oneStallInSeveralGroups()
    {
        const Findings findings = findingsOf(
            *pairedRun(steps, [](int rank, int) { return PairedWork{.stallUs = rank == 1 ? 3000 : 0}; }));
        QCOMPARE(blamedOn(findings, 1), 3 * 3000 * us / 4);
        const Finding& late = *allOf(findings, FindingKind::LateRank).front();
        QVERIFY2(late.title.find("(3 ms more per step before it arrives)") != std::string::npos,
                 late.title.c_str());
    }
    /// In step 2 all ranks but rank 0 stall, so that rank 0 waits. Two steps later rank 0 is late for a
    /// reason of its own: its old wait does not explain that, because it left step 3 together with the
    /// others.
    void anOldWaitIsForgotten()
    {
        const Findings findings = findingsOf(*pairedRun(8, [](int rank, int step) {
            return PairedWork{.stallUs = step == 2 && rank > 0 ? 10'000 : 0,
                              .laterUs = step == 4 && rank == 0 ? 6000 : 0};
        }));
        QCOMPARE(blamedOn(findings, 0), 6000 * us / 4 / 6); // of 6 inner steps
        QCOMPARE(blamedOn(findings, 1), 10'000 * us / 4 / 6);
    }
    /// All-to-all is used for sequence parallelism and embeddings, too: only a name shows experts.
    void allToAllWithoutExperts()
    {
        const Findings unknown = findingsOf(*turnsRun(true, "mesh_sp"));
        QVERIFY(allOf(unknown, FindingKind::UnbalancedExperts).empty());
        QCOMPARE(allOf(unknown, FindingKind::UnbalancedWork).size(), 1U);
        const Findings experts = findingsOf(*turnsRun(true, "mesh_ep"));
        QCOMPARE(allOf(experts, FindingKind::UnbalancedExperts).size(), 1U);
    }
    /// Ranks take turns in being late, and none of them computes longer.
    void turnsWithoutMoreCompute()
    {
        const Findings findings = findingsOf(*turnsRun(false, "mesh_sp"));
        QVERIFY(allOf(findings, FindingKind::UnbalancedWork).empty());
        QVERIFY(allOf(findings, FindingKind::LateRank).size() > 1);
    }
    /// A group of one rank has nobody to wait for.
    void groupOfOne()
    {
        CollectiveRun run;
        for (int step = 0; step < steps; ++step) {
            run.step(0, step, 1000 * step, 1000);
            run.compute(0, 1000 * step, 600);
            run.call(0, "AllReduce_Sum_f32", 1000 * step + 600, 300, call("allreduce", "0", {0}, step));
        }
        const Findings findings = findingsOf(*run.load());
        QVERIFY(findings.areWaitsKnown());
        QCOMPARE(findings.unsplit, 0);
        const std::vector<const Finding*> exposed = allOf(findings, FindingKind::ExposedCommunication);
        QCOMPARE(exposed.size(), 1U);
        QVERIFY2(exposed.front()->title.find("may contain waits") == std::string::npos,
                 exposed.front()->title.c_str());
    }
    void groupsWithoutDescription_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("numbers") << QString();
        QTest::newRow("numbered names") << QStringLiteral("pg_");
    }
    /// Groups that are numbered and not described: neighbours reach more than ranks two apart, and both are
    /// as fast as they can be.
    void groupsWithoutDescription()
    {
        QFETCH(const QString, name);
        const std::string prefix = name.toStdString();
        CollectiveRun run;
        for (int step = 0; step < 10; ++step) {
            for (const int rank : four) {
                const int begin = 10'000 * step;
                const int pair = rank / 2;
                const int apart = rank % 2;
                run.step(rank, step, begin, 10'000);
                run.compute(rank, begin, 4000);
                run.call(rank, "AllReduce_Sum_f32", begin + 4000, 300,
                         call("allreduce", prefix + std::to_string(11 + pair), {2 * pair, 2 * pair + 1}, step,
                              "undefined"));
                run.call(rank, "AllReduce_Sum_f32", begin + 5000, 2000,
                         call("allreduce", prefix + std::to_string(21 + apart), {apart, apart + 2}, step,
                              "undefined"));
            }
        }
        const Findings findings = findingsOf(*run.load());
        QVERIFY(allOf(findings, FindingKind::SlowCollectives).empty());
        const std::vector<const Finding*> exposed = allOf(findings, FindingKind::ExposedCommunication);
        QCOMPARE(exposed.size(), 2U);
        QCOMPARE(exposed[0]->group, std::string("groups like [0, 2]"));
        QCOMPARE(exposed[0]->costNs, 2000 * us);
        QCOMPARE(exposed[1]->group, std::string("groups like [0, 1]"));
        QCOMPARE(exposed[1]->costNs, 300 * us);
    }
    /// In every fourth all-to-all three ranks send four times as much: it takes four times as long, although
    /// rank 0 sends what it always sends.
    void unequalParts()
    {
        const auto slow = [](int elementsOfOthers) {
            CollectiveRun run;
            for (int step = 0; step < 16; ++step) {
                for (const int rank : four) {
                    const int begin = 10'000 * step;
                    const bool isLarge = step % 4 == 3;
                    CallText text = call("all_to_allv", "7", four, step);
                    text.inElements = text.outElements = isLarge && rank > 0 ? elementsOfOthers : 100'000;
                    run.step(rank, step, begin, 10'000);
                    run.compute(rank, begin, 4000);
                    run.call(rank, "SendRecv", begin + 4000, isLarge ? 4000 : 1000, text);
                }
            }
            return allOf(findingsOf(*run.load()), FindingKind::SlowCollectives).size();
        };
        QCOMPARE(slow(400'000), 0U);
        QCOMPARE(slow(100'000), 1U);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestBlame)
#include "tst_blame.moc"
