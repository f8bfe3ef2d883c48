// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Dumps that look as if they accused somebody, and leave open who it is: each of these jobs was planted with
// somebody else at fault than the one who seems to be.

#include "tests/support/runs/hung_job.h"
#include "tests/support/suite/suite.h"

namespace collscope {

namespace {

/// All ranks that a verdict names as the cause, also without proof, or as one of several candidates.
std::set<std::int32_t> namedBy(const HangVerdict& verdict)
{
    std::set<std::int32_t> ranks;
    for (const auto* findings : {&verdict.findings, &verdict.suspects}) {
        for (const ReportedFinding& finding : *findings) {
            ranks.insert(finding.ranks.begin(), finding.ranks.end());
            ranks.insert(finding.candidates.begin(), finding.candidates.end());
        }
    }
    return ranks;
}

/// Ranks 0 to 2 wait in A 5 for rank 3, which made four calls.
HungJob waitingForThree()
{
    HungJob job;
    const auto a = job.group("A", {0, 1, 2, 3});
    for (const int number : {1, 2, 3, 4})
        job.finishAll(a, number);
    job.callAll(a, 5, {3});
    return job;
}

} // namespace

class TestHangDoubts : public QObject
{
    Q_OBJECT

private slots:
    /// Rank 0 stopped behind its send; or it waits for the send, and rank 1 stopped. Both leave these dumps.
    void aSendThatNobodyReceives()
    {
        HungJob job;
        const auto stages = job.group("PP", {0, 1}), a = job.group("A", {0, 2});
        job.finishAll(a, 1);
        job.call(0, stages, 1, "send 0->1");
        job.rank(1).hasUnlisted = true;
        job.call(2, a, 2);
        const HangVerdict verdict = job.verdict();
        QCOMPARE(told(verdict), QStringLiteral("yes"));
        QVERIFY2(holds(verdict.text, "a send that is not finished"), verdict.text.c_str());
    }

    /// The ring lost the sends of the group; its collectives still tell that there were some. The counters
    /// count both: 9 is not the number of a collective, and call 5 is not finished.
    void countersOfTransfersThatTheRingLost()
    {
        HungJob job = waitingForThree();
        for (auto& [number, rank] : job.ranks()) {
            for (HungCall& call : rank.calls)
                call.otherNumber = 9;
        }
        job.rank(2).isActiveOnly = true;
        job.rank(2).statuses = std::vector<DumpedStatus>{{0, 9, 9, 9}};
        const HangVerdict verdict = job.verdict();
        QCOMPARE(told(verdict), QStringLiteral("yes: cpu 3 in A 5"));
    }
    /// The same, where only the counters themselves tell: more calls are finished than were made.
    void countersThatContradictThemselves()
    {
        HungJob job = waitingForThree();
        job.rank(3).isActiveOnly = true;
        job.rank(3).statuses = std::vector<DumpedStatus>{{0, 4, 4, 9}};
        QCOMPARE(said(job.verdict()).find("gpu"), std::string::npos);
    }

    /// The process destroyed a group and made another one of the same name, whose calls count from 1 again.
    void aNameThatIsUsedAgain()
    {
        HungJob job;
        const auto a = job.group("A", {0, 1, 2, 3});
        for (const int number : {1, 2, 3, 4, 5, 6})
            job.finishAll(a, number);
        for (auto& [number, rank] : job.ranks()) {
            for (HungCall& call : rank.calls)
                call.pgId = 7;
        }
        job.callAll(a, 1, {2});
        for (const int waiting : {0, 1, 3})
            job.rank(waiting).calls.back().pgId = 8;
        for (auto& [number, rank] : job.ranks())
            rank.statuses = std::vector<DumpedStatus>{{7, 6, 6, 6}, {8, number == 2 ? -1 : 1, -1, -1}};
        const HangVerdict verdict = job.verdict();
        QVERIFY2(!namedBy(verdict).contains(0) && !namedBy(verdict).contains(1)
                     && !namedBy(verdict).contains(3),
                 qPrintable(told(verdict)));
    }

    /// Rank 3 dumped early: the others have finished call 4 since, which needs it.
    void aDumpThatIsOlderThanItsPeers()
    {
        HungJob job = waitingForThree();
        job.rank(3).calls.resize(2);
        const HangVerdict verdict = job.verdict();
        QVERIFY2(!holds(said(verdict), "cpu 3"), qPrintable(told(verdict)));
        QVERIFY2(holds(verdict.text, "older than"), verdict.text.c_str());
    }

    /// Rank 3 waits in a call of a group that no dump lists.
    void aCallOfAGroupThatNobodyLists()
    {
        HungJob job = waitingForThree();
        job.call(3, 0, 1).pgId = 40;
        job.rank(3).calls.back().group = job.group("unlisted", {3});
        job.rank(3).statuses = std::vector<DumpedStatus>{{0, 4, 4, 4}, {40, 1, -1, -1}};
        const HangVerdict verdict = job.verdict();
        QVERIFY2(!holds(said(verdict), "cpu 3"), qPrintable(told(verdict)));
    }

    /// A batch that waits for rank 1, whose own batch waits for rank 2: rank 2 is it.
    void batchesInAChain()
    {
        HungJob job;
        const auto stages = job.group("PP", {0, 1, 2});
        job.batch(0, stages, 1, {"send 0->1", "recv 0<-1"});
        job.batch(1, stages, 1, {"send 1->0", "recv 1<-0", "recv 1<-2"});
        job.rank(2).hasUnlisted = true;
        QCOMPARE(told(job.verdict()), QStringLiteral("yes: cpu 2 in PP"));
    }

    /// Everything that the dumps hold is finished. The rank without a dump may be the one that waits.
    void idleDumpsBesideOneThatIsMissing()
    {
        HungJob job;
        const auto a = job.group("A", {0, 1, 2, 3});
        for (const int number : {1, 2, 3, 4})
            job.finishAll(a, number);
        QVERIFY(job.verdict().hang == HangVerdict::Hang::No);
        job.rank(2).hasDump = false;
        const HangVerdict verdict = job.verdict();
        QVERIFY2(verdict.hang != HangVerdict::Hang::No, qPrintable(told(verdict)));
        QVERIFY(holds(verdict.text, "1 rank left no dump"));
    }

    /// Of two communicators, the smaller one is not the job's, even if as many ranks left dumps.
    void aDeadRankOfASmallerCommunicator()
    {
        HungJob job = waitingForThree();
        job.rank(3).hasDump = false;
        job.others["nccl_ras.json"]
            = "{\"nccl_version\": \"2.28.9\", \"communicators\": [{\"hash\": \"0x1\", \"size\": 8, "
              "\"ranks\": [], "
              "\"missing_ranks\": []}, {\"hash\": \"0x2\", \"size\": 4, \"ranks\": [], \"missing_ranks\": "
              "[{\"rank\": 3, \"status\": {\"unresponsive\": true, \"considered_dead\": true}}]}]}";
        QCOMPARE(told(job.verdict()), QStringLiteral("yes: dead of 3 in A 5"));
    }

    /// Before version 2.2 a batch of collectives does not say of what it is made.
    void aBatchOfCollectives()
    {
        HungJob job = waitingForThree();
        job.options.isKnownToHang = true;
        for (auto& [number, rank] : job.ranks())
            rank.version = {2, 1};
        job.rank(1).calls.back().operation = "coalesced";
        QCOMPARE(told(job.verdict()), QStringLiteral("yes: cpu 3 in A 5"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestHangDoubts)
#include "tst_hang_doubts.moc"
