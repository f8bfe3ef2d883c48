// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whether it is a hang at all: what proves it, what a job that goes on looks like, and what says nothing.

#include "tests/support/runs/hung_job.h"
#include "tests/support/suite/suite.h"

namespace collscope {

namespace {

constexpr std::int64_t monthMs = 30LL * 86'400'000;

/// Rank 2 does not call; the others wait.
HungJob waitingJob()
{
    HungJob job;
    const auto a = job.group("A", {0, 1, 2});
    job.finishAll(a, 4);
    job.callAll(a, 5, {2});
    return job;
}

void setFileTimes(HungJob& job, std::int64_t ms)
{
    for (auto& [number, rank] : job.ranks())
        rank.writtenMs = ms;
}

/// The same job, whose files have the time of a copy: nothing says how long the calls waited.
HungJob copied(HungJob job)
{
    setFileTimes(job, monthMs);
    return job;
}

std::string timeoutLine(int rank, int number, int timeoutMs = 600'000)
{
    const std::string own = std::to_string(rank);
    return "[rank" + own + "]:[E1123 18:01:01.000000001 ProcessGroupNCCL.cpp:683] [Rank " + own
        + "] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=" + std::to_string(number)
        + ", OpType=ALLREDUCE, NumelIn=512, NumelOut=512, Timeout(ms)=" + std::to_string(timeoutMs)
        + ") ran for " + std::to_string(timeoutMs + 67) + " milliseconds before timing out.\n";
}

/// Four pairs of ranks, and a group of the first rank of each pair.
HungJob pairs()
{
    HungJob job;
    for (int pair = 0; pair < 4; ++pair)
        job.finishAll(job.group("TP", {2 * pair, 2 * pair + 1}), 4);
    job.group("DP", {0, 2, 4, 6});
    job.group("DP", {1, 3, 5, 7});
    return copied(job);
}

} // namespace

class TestHangProofs : public QObject
{
    Q_OBJECT

private slots:
    /// The timeout is 600 s; the calls were made in the first second.
    void fileTimes()
    {
        HungJob job = waitingJob();
        for (const auto& [writtenMs, isProof] :
             {std::pair(560'000, false), {580'000, true}, {895'000, true}, {905'000, false}}) {
            setFileTimes(job, writtenMs);
            QCOMPARE(toldOf(job),
                     isProof ? QStringLiteral("yes: cpu 2 in A 5")
                             : QStringLiteral("unproven: cpu 2 in A 5"));
        }
        setFileTimes(job, 601'000);
        job.rank(2).writtenMs = 601'000 - 16 * 60'000; // not of one moment
        QCOMPARE(toldOf(job), QStringLiteral("unproven: cpu 2 in A 5"));
        QVERIFY(job.verdict().findings.empty());
    }
    void theUserKnows()
    {
        HungJob job = copied(waitingJob());
        QCOMPARE(toldOf(job), QStringLiteral("unproven: cpu 2 in A 5"));
        job.options.isKnownToHang = true;
        QCOMPARE(toldOf(job), QStringLiteral("yes: cpu 2 in A 5"));
        setFileTimes(job, 1500);
        QCOMPARE(toldOf(job), QStringLiteral("yes: cpu 2 in A 5"));
    }
    void theWatchdogGaveUp()
    {
        HungJob job = copied(waitingJob());
        job.rank(0).calls.back().isRetired = true;
        QCOMPARE(toldOf(job), QStringLiteral("yes: cpu 2 in A 5"));
    }
    void theNewestTimeInAnyDump()
    {
        for (const auto& [ms, isProof] : {std::pair(560'000, false), {580'000, true}}) {
            HungJob job = waitingJob();
            const auto b = job.group("B", {0, 2});
            job.call(2, b, 1).createdMs = ms; // another thread of it goes on
            job.rank(0).hasUnlisted = true;
            job = copied(job);
            const HangVerdict verdict = job.verdict();
            QCOMPARE(verdict.hang == HangVerdict::Hang::Yes, isProof);
        }
    }
    /// 120 s where no timeout is stated.
    void theNewestTimeWithoutATimeout()
    {
        for (const auto& [ms, isProof] : {std::pair(119'000, false), {123'000, true}}) {
            HungJob job = waitingJob();
            job.call(2, job.group("B", {2, 3}), 1).createdMs = ms;
            for (auto& [number, rank] : job.ranks())
                rank.version = {2, 2};
            const HangVerdict verdict = copied(job).verdict();
            QCOMPARE(verdict.hang == HangVerdict::Hang::Yes, isProof);
            QCOMPARE(verdict.proofs.size(), std::size_t{isProof ? 1u : 0u});
            QVERIFY(!isProof || holds(verdict.proofs.front(), "whose timeouts are not stated"));
        }
    }
    void aLineOfTheWatchdog()
    {
        HungJob job = copied(waitingJob());
        job.others["stderr.log"] = "iteration 812/ 5000\n" + timeoutLine(0, 5);
        const HangVerdict verdict = job.verdict();
        QCOMPARE(told(verdict), QStringLiteral("yes: cpu 2 in A 5"));
        QVERIFY(!verdict.proofs.empty() && holds(verdict.proofs.front(), "line 2 of stderr.log"));
    }
    void argumentsThatDoNotFit()
    {
        HungJob job = copied(waitingJob());
        HungCall& call = job.call(2, 0, 5);
        call.input = {63, 8};
        QCOMPARE(toldOf(job), QStringLiteral("yes: size 2 in A 5"));
        call.input = {-63, 8}; // damage, not an argument
        QVERIFY(!toldOf(job).contains(QStringLiteral("size")));
    }
    /// 0 does not call; 1 waits for it, and all others through their groups. A rank that is only late looks
    /// the same.
    void everybodyWaitsForOneRank()
    {
        HungJob job = pairs();
        job.call(1, 0, 5);
        job.callAll(4, 1, {0});
        job.callAll(5, 1, {1});
        job = copied(job);
        const HangVerdict verdict = job.verdict();
        QCOMPARE(told(verdict), QStringLiteral("unproven: cpu 0 in TP 5"));
        QVERIFY(verdict.proofs.empty());
        job.finishAll(job.group("TP", {8, 9}), 4); // two that do not wait: the job may go on
        QCOMPARE(toldOf(copied(job)), QStringLiteral("unproven: cpu 0 in TP 5"));
    }
    void sevenRanksAreTooFewForThat()
    {
        HungJob job;
        const auto tp = job.group("TP", {0, 1}), dp = job.group("DP", {0, 2, 3, 4, 5, 6});
        job.finishAll(tp, 4);
        job.call(1, tp, 5);
        job.callAll(dp, 1, {0});
        QCOMPARE(copied(job).verdict().hang, HangVerdict::Hang::Unproven);
    }
    /// A moment of a job that goes on: each pair is in its call, and of one pair, one rank is a little ahead.
    void pairsThatAreInTheirCalls()
    {
        HungJob job = pairs();
        for (const std::size_t pair : {0u, 1u, 2u, 3u})
            job.callAll(pair, 5);
        job.rank(0).calls.back().finish();
        job.call(0, 4, 1);
        const HangVerdict verdict = copied(job).verdict();
        QCOMPARE(verdict.hang, HangVerdict::Hang::Unproven);
    }

    /// True file times: all calls are a moment old.
    void aJobThatGoesOn()
    {
        HungJob job = waitingJob();
        setFileTimes(job, 1200);
        QCOMPARE(toldOf(job), QStringLiteral("no"));
        job.call(2, 0, 5);
        QCOMPARE(toldOf(job), QStringLiteral("no"));
        setFileTimes(job, 1'000 + 25'000); // neither a moment nor a timeout
        QCOMPARE(toldOf(job), QStringLiteral("unproven: gpu of 0 1 2 in A 5"));
        QCOMPARE(toldOf(copied(job)), QStringLiteral("unproven: gpu of 0 1 2 in A 5"));
    }
    void everythingIsFinished()
    {
        HungJob job;
        const auto a = job.group("A", {0, 1, 2});
        job.finishAll(a, 4);
        job.finishAll(a, 5);
        for (const bool isActiveOnly : {false, true}) {
            for (auto& [number, rank] : job.ranks())
                rank.isActiveOnly = isActiveOnly;
            QCOMPARE(toldOf(job), QStringLiteral("no"));
            QCOMPARE(toldOf(copied(job)), QStringLiteral("no"));
        }
    }
    /// The dumps are of another moment than the line, or the ranks wait for something else.
    void finishedDumpsBesideALine()
    {
        HungJob job;
        job.finishAll(job.group("A", {0, 1, 2}), 5);
        QVERIFY(holds(job.verdict().text, "No hang in communication"));
        job.options.isKnownToHang = true;
        for (const char* const log : {"", "stderr.log"}) {
            if (*log)
                job.others[log] = timeoutLine(0, 5);
            const HangVerdict verdict = job.verdict();
            QCOMPARE(told(verdict), QStringLiteral("yes"));
            QVERIFY(holds(verdict.inconclusive, "Every call in the dumps is finished"));
            job.options.isKnownToHang = false;
        }
    }
    /// A side group hangs for ten minutes, while the others train on: their calls accuse nobody.
    void oneGroupOfALivingJob()
    {
        HungJob job;
        const auto side = job.group("side", {0, 1, 2, 3}), data = job.group("DP", {0, 1, 2, 3});
        job.finishAll(side, 2);
        job.callAll(side, 3, {2});
        job.finishAll(data, 7);
        job.callAll(data, 8, {3}); // a little late
        for (auto& [number, rank] : job.ranks()) {
            for (HungCall& call : rank.calls) {
                call.createdMs += call.group == data ? 599'000 : 0;
                if (call.completedMs && call.group == data)
                    *call.completedMs += 599'000;
            }
        }
        const HangVerdict verdict = job.verdict();
        QCOMPARE(told(verdict), QStringLiteral("yes: cpu 2 in side 3"));
        QCOMPARE(verdict.groups.size(), std::size_t{1});
    }

    /// The watchdog gave up after 10 s, which is a moment otherwise.
    void aShortTimeout()
    {
        HungJob job = waitingJob();
        setFileTimes(job, 12'000);
        for (const int rank : {0, 1})
            job.rank(rank).calls.back().isRetired = true;
        job.others["stderr.log"] = timeoutLine(0, 5, 10'000);
        QCOMPARE(toldOf(job), QStringLiteral("yes: cpu 2 in A 5"));
    }
    void nothingButALog()
    {
        HungJob job;
        job.others["stderr.log"] = timeoutLine(0, 5) + timeoutLine(1, 5);
        const HangVerdict verdict = job.verdict();
        QVERIFY(!verdict.proofs.empty());
        QCOMPARE(told(verdict), QStringLiteral("yes"));
    }
    void nothingButStacks()
    {
        HungJob job;
        job.others["pyspy_rank_0.txt"]
            = "Process 7: python3 train.py\nPython v3.12.3 (/usr/bin/python3.12)\n\nThread 7 (active): "
              "\"MainThread\"\n    read (socket.py:720)\n    <module> (/job/train.py:305)\n";
        QCOMPARE(toldOf(job), QStringLiteral("unproven"));
    }
    void dumpsThatAreCutOff()
    {
        HungJob job = waitingJob();
        for (auto& [number, rank] : job.ranks())
            rank.keptShare = 0.4; // not one call is complete
        const TraceModelPtr model = job.load();
        QVERIFY(model && model->hang && model->hang->records.size() == 3);
        QVERIFY(model->hang->records[0].isCutOff && model->hang->records[0].calls.size() == 0);
        QVERIFY(job.verdict().hang != HangVerdict::Hang::No);
    }
    /// The counters say that call 10 of A is not finished, though newer calls took its place in the ring.
    void pendingCallsThatNoRingHolds()
    {
        HungJob job;
        const auto a = job.group("A", {0, 1}), b = job.group("B", {0, 1});
        job.finishAll(a, 9);
        job.callAll(a, 10);
        job.finishAll(b, 5);
        for (auto& [number, rank] : job.ranks())
            rank.ring = 1;
        QVERIFY(job.verdict().hang != HangVerdict::Hang::No);
    }

private:
    static QString toldOf(const HungJob& job) { return told(job.verdict()); }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestHangProofs)
#include "tst_hang_proofs.moc"
