// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Who made a job hang: small jobs, each with one planted fault. What is expected follows from what was
// planted, and from what the recorder keeps of it.

#include "tests/support/runs/hung_job.h"
#include "tests/support/suite/suite.h"

namespace collscope {

namespace {

/// One word against the words of the others.
struct OddCall
{
    const char* name;
    std::string operation; ///< of all; the odd one has `oddOperation`
    std::string oddOperation;
    std::string oddType;
    std::vector<std::int64_t> oddInput, oddOutput;
    const char* verdict;
};

std::vector<OddCall> oddCalls()
{
    const std::string type = "BFloat16";
    const std::vector<std::int64_t> size{64, 8}, other{63, 8};
    return {
        {"operation", "all_reduce", "all_gather", type, size, size, "yes: type 2 in A 5"},
        {"element type", "all_reduce", "all_reduce", "Float", size, size, "yes: dtype 2 in A 5"},
        {"size", "all_reduce", "all_reduce", type, other, other, "yes: size 2 in A 5"},
        {"operation before type", "all_reduce", "broadcast", "Float", other, other, "yes: type 2 in A 5"},
        {"type before size", "all_reduce", "all_reduce", "Float", other, other, "yes: dtype 2 in A 5"},
        // What need not agree: all members have called, and which GPU stands is not known.
        {"another shape", "all_reduce", "all_reduce", type, {8, 64}, {8, 64}, "yes: gpu of 0 1 2 in A 5"},
        {"output", "all_reduce", "all_reduce", type, size, other, "yes: gpu of 0 1 2 in A 5"},
        {"parts of a gather", "all_gather", "all_gather", type, other, size, "yes: gpu of 0 1 2 in A 5"},
        {"input of a scatter", "_reduce_scatter_base", "_reduce_scatter_base", type, other, size,
         "yes: gpu of 0 1 2 in A 5"},
        {"output of a scatter", "_reduce_scatter_base", "_reduce_scatter_base", type, size, other,
         "yes: size 2 in A 5"},
        {"input of a gather", "_all_gather_base", "_all_gather_base", type, other, size,
         "yes: size 2 in A 5"},
        {"output of a gather", "_all_gather_base", "_all_gather_base", type, size, other,
         "yes: gpu of 0 1 2 in A 5"},
        // The sum of what is sent is not the sum of what is received.
        {"splits", "all_to_all", "all_to_all", type, size, other, "yes: a2a of 0 1 2 in A 5"},
        {"splits that fit", "all_to_all", "all_to_all", type, other, other, "yes: gpu of 0 1 2 in A 5"},
    };
}

/// All ranks are in call 5 of one group, the last rank with other arguments.
HungJob jobWith(const OddCall& odd, const std::vector<int>& ranks)
{
    HungJob job;
    const auto a = job.group("A", ranks);
    job.finishAll(a, 4);
    for (const int rank : ranks) {
        HungCall& call = job.call(rank, a, 5, odd.operation);
        if (rank != ranks.back())
            continue;
        call.operation = odd.oddOperation;
        call.type = odd.oddType;
        call.input = odd.oddInput;
        call.output = odd.oddOutput;
    }
    return job;
}

/// A watchdog's line of a rank that is in `number`, with the counters of its group.
std::string counterLine(int rank, const std::string& group, int number, int enqueued, int completed)
{
    const std::string own = std::to_string(rank);
    return "[rank" + own + "]:[E1123 18:01:01.000000001 ProcessGroupNCCL.cpp:2241] [PG ID 0 PG GUID " + group
        + " Rank " + own + "]  failure detected by watchdog at work sequence id: " + std::to_string(number)
        + " PG status: last enqueued work: " + std::to_string(enqueued)
        + ", last completed work: " + std::to_string(completed) + "\n";
}

std::string exitLines(int rank, int code)
{
    return "  rank      : " + std::to_string(rank) + " (local_rank: " + std::to_string(rank)
        + ")\n  exitcode  : " + std::to_string(code) + " (pid: 4711)\n";
}

/// Ranks 0 to 3 wait in call 5 of A, but for some.
HungJob waitingJob(const std::vector<int>& except)
{
    HungJob job;
    const auto a = job.group("A", {0, 1, 2, 3});
    job.finishAll(a, 4);
    job.callAll(a, 5, except);
    return job;
}

} // namespace

class TestHangVerdict : public QObject
{
    Q_OBJECT

private slots:
    void aRankThatDoesNotCall()
    {
        const HangVerdict verdict = waitingJob({2}).verdict();
        QCOMPARE(told(verdict), QStringLiteral("yes: cpu 2 in A 5"));
        QCOMPARE(verdict.victims, (std::vector<std::int32_t>{0, 1, 3}));
        QVERIFY(verdict.missing.empty());
        QCOMPARE(verdict.coverage, 1.0);
        QVERIFY(holds(verdict.text, "it never made call 5 (all_reduce) of A (0-3)"));
        QVERIFY(holds(verdict.text, "ranks 0, 1 and 3 wait there"));
        QVERIFY(holds(verdict.text, "It has finished everything that it called."));
    }
    void twoRanksThatDoNotCall()
    {
        QCOMPARE(told(waitingJob({1, 2}).verdict()), QStringLiteral("yes: cpu 1 2 in A 5"));
    }
    /// 3 waits for 2, 2 for 0, 0 for 1.
    void theWaitLeadsThroughGroups()
    {
        HungJob job;
        const auto low = job.group("TP", {0, 1}), high = job.group("TP", {2, 3});
        const auto data = job.group("DP", {0, 2});
        for (const auto group : {low, high, data})
            job.finishAll(group, 4);
        job.call(0, low, 5);
        job.call(2, data, 5);
        job.call(3, high, 5);
        const HangVerdict verdict = job.verdict();
        QCOMPARE(told(verdict), QStringLiteral("yes: cpu 1 in TP 5"));
        QCOMPARE(verdict.victims, (std::vector<std::int32_t>{0, 2, 3}));
        QVERIFY(holds(verdict.text, "through up to 3 groups"));
        QCOMPARE(verdict.groups[*verdict.findings.front().group].ranks, (std::vector<std::int32_t>{0, 1}));
    }
    /// A group without a communicator is one in which the rank has not called anything yet.
    void aGroupThatARankNeverUsed()
    {
        HungJob job;
        const auto a = job.group("A", {0, 1, 2}), b = job.group("B", {0, 1, 2});
        job.finishAll(a, 4);
        job.callAll(b, 1, {2});
        QCOMPARE(told(job.verdict()), QStringLiteral("yes: cpu 2 in B 1"));
    }
    /// The recorder has the call before NCCL is called, the counter rises after it has returned.
    void insideTheLibrary()
    {
        HungJob job = waitingJob({});
        job.rank(2).calls.back().stay();
        HangVerdict verdict = job.verdict();
        QCOMPARE(told(verdict), QStringLiteral("yes: cpu 2 in A 5"));
        QVERIFY(holds(verdict.text, "is inside call 5 (all_reduce) of A (0-3) on the CPU"));
        for (auto& [number, rank] : job.ranks())
            rank.version = {2, 2}; // without counters
        job.options.isKnownToHang = true;
        QCOMPARE(told(job.verdict()), QStringLiteral("yes: gpu of 0 1 2 3 in A 5"));
    }
    void aCallThatThePeersFinished()
    {
        HungJob job = waitingJob({});
        for (const int rank : {0, 1, 3})
            job.rank(rank).calls.back().finish();
        const HangVerdict verdict = job.verdict();
        QCOMPARE(told(verdict), QStringLiteral("yes: gpu 2 in A 5"));
        QVERIFY(holds(verdict.text, "has not finished call 5 (all_reduce) of A (0-3), which ranks 0, 1 and"));
    }
    void twoGpusInTheirOwnCalls()
    {
        HungJob job;
        const auto a = job.group("A", {0, 1}), b = job.group("B", {2, 3}), all = job.group("W", {0, 1, 2, 3});
        job.finishAll(a, 4);
        job.finishAll(b, 7);
        job.callAll(a, 5);
        job.callAll(b, 8);
        job.rank(0).calls.back().finish();
        job.rank(2).calls.back().finish();
        job.call(0, all, 1); // where 1 and 3 are waited for
        job.call(2, all, 1);
        const HangVerdict verdict = job.verdict();
        QCOMPARE(told(verdict), QStringLiteral("yes: gpu 1 in W 1; gpu 3 in W 1"));
        const auto& findings = verdict.findings;
        QVERIFY(holds(findings[0].text, "call 5 (all_reduce) of A (0, 1), which rank 0 finished"));
        QVERIFY(holds(findings[1].text, "call 8 (all_reduce) of B (2, 3), which rank 2 finished"));
    }
    /// The root of a broadcast is done when it has sent.
    void whoMayLeaveEarlyProvesNothing()
    {
        for (const char* operation : {"broadcast", "reduce", "gather", "scatter"}) {
            HungJob job;
            const auto a = job.group("A", {0, 1, 2});
            job.finishAll(a, 4);
            for (const int rank : {0, 1, 2})
                job.call(rank, a, 5, operation);
            job.rank(0).calls.back().finish();
            const HangVerdict verdict = job.verdict();
            QCOMPARE(told(verdict), QStringLiteral("yes"));
            QVERIFY(!verdict.inconclusive.empty());
        }
    }
    void allJoined()
    {
        HungJob job = waitingJob({});
        const HangVerdict verdict = job.verdict();
        QCOMPARE(told(verdict), QStringLiteral("yes: gpu of 0 1 2 3 in A 5"));
        QVERIFY(holds(verdict.text, "All 4 ranks of A (0-3) are in call 5"));
        QVERIFY(holds(verdict.text, "TORCH_NCCL_ENABLE_TIMING=1"));
    }
    void allJoinedAndOneDidNotStart()
    {
        HungJob job;
        const auto a = job.group("A", {0, 1, 2, 3});
        for (const int rank : {0, 1, 2, 3})
            job.call(rank, a, 4).start().finish();
        job.callAll(a, 5);
        for (const int rank : {0, 1, 3})
            job.rank(rank).calls.back().start();
        QCOMPARE(told(job.verdict()), QStringLiteral("yes: gpu 2 in A 5"));
        job.rank(2).calls.back().start(); // now all did
        const HangVerdict verdict = job.verdict();
        QCOMPARE(told(verdict), QStringLiteral("yes: gpu of 0 1 2 3 in A 5"));
        QVERIFY(!holds(verdict.text, "they have no start times"));
        job.rank(2).calls.back().state = "scheduled";
        job.rank(2).calls.back().startedMs.reset();
        for (auto& [number, rank] : job.ranks())
            rank.version = {2, 2}; // without counters: it may be inside the call
        job.options.isKnownToHang = true;
        QCOMPARE(told(job.verdict()), QStringLiteral("yes: cpu or gpu 2 in A 5"));
    }
    /// 0 and 1 are in A 5, but 0 cannot get to it: it waits for 2 in B.
    void joinedBehindAnOlderCall()
    {
        HungJob job;
        const auto a = job.group("A", {0, 1}), b = job.group("B", {0, 2});
        job.finishAll(a, 4);
        job.finishAll(b, 4);
        job.call(0, b, 5);
        job.callAll(a, 5);
        const HangVerdict verdict = job.verdict();
        QCOMPARE(told(verdict), QStringLiteral("yes: cpu 2 in B 5"));
        QCOMPARE(verdict.victims, (std::vector<std::int32_t>{0, 1}));
    }
    void oneDumpIsMissing()
    {
        HungJob job = waitingJob({});
        job.rank(2).hasDump = false;
        HangVerdict verdict = job.verdict();
        QCOMPARE(told(verdict), QStringLiteral("yes: dead of 2 in A 5"));
        QCOMPARE(verdict.missing, std::vector<std::int32_t>{2});
        QVERIFY(holds(verdict.text, "is the only rank whose part in call 5 (all_reduce) of A (0-3) is not"));
        job.others["stderr.log"] = exitLines(2, -9);
        verdict = job.verdict();
        QCOMPARE(told(verdict), QStringLiteral("yes: dead 2 in A 5"));
        QVERIFY(holds(verdict.text, "Rank 2 ended with exit code -9 (line "));
        QVERIFY(!holds(verdict.text, "the only rank"));
        job.others["stderr.log"] = exitLines(1, -9); // another rank
        QCOMPARE(told(job.verdict()), QStringLiteral("yes: dead of 2 in A 5"));
        job.rank(1).hasDump = false;
        job.others.clear();
        QCOMPARE(told(job.verdict()), QStringLiteral("yes: dead of 1 2 in A 5"));
    }
    /// Only the communicator of the whole job numbers its ranks as the job does.
    void aRankThatNcclTakesForDead()
    {
        HungJob job = waitingJob({});
        job.rank(2).hasDump = false;
        for (const int size : {4, 3}) {
            job.others["nccl_ras.json"] = "{\"nccl_version\": \"2.28.9\", \"communicators\": [{\"hash\": "
                                          "\"0x1\", \"size\": "
                + std::to_string(size)
                + ", \"ranks\": [], \"missing_ranks\": [{\"rank\": 2, \"status\": {\"unresponsive\": true, "
                  "\"considered_dead\": true}}]}]}";
            QCOMPARE(told(job.verdict()),
                     size == 4 ? QStringLiteral("yes: dead 2 in A 5")
                               : QStringLiteral("yes: dead of 2 in A 5"));
        }
    }
    /// A dump can be lost, and there is another reason why the job hangs.
    void aLostDumpBesideACulprit()
    {
        HungJob job = waitingJob({2, 3});
        job.rank(3).hasDump = false;
        const HangVerdict verdict = job.verdict();
        QCOMPARE(told(verdict), QStringLiteral("yes: cpu 2 in A 5"));
        QCOMPARE(verdict.missing, std::vector<std::int32_t>{3});
        QVERIFY(!verdict.notes.empty() && holds(verdict.notes.front(), "nothing here accuses it"));
    }
    /// The same, where nobody but the lost one is waited for.
    void aLostDumpInAnotherGroup()
    {
        HungJob job;
        const auto a = job.group("A", {0, 1}), b = job.group("B", {2, 3});
        job.finishAll(a, 4);
        job.finishAll(b, 4);
        job.call(0, a, 5);
        job.callAll(b, 5);
        job.rank(3).hasDump = false;
        QCOMPARE(told(job.verdict()), QStringLiteral("yes: cpu 1 in A 5"));
    }
    /// Its counters in a log are as good as those of a dump.
    void aRankWithoutADumpThatPrintedALine()
    {
        HungJob job = waitingJob({2});
        job.rank(2).hasDump = false;
        job.others["stderr.log"] = counterLine(2, "0(A)", 4, 4, 4);
        HangVerdict verdict = job.verdict();
        QCOMPARE(verdict.aliveByLog, std::vector<std::int32_t>{2});
        QCOMPARE(told(verdict), QStringLiteral("yes: cpu 2 in A 5"));
        job.others["stderr.log"] = counterLine(2, "0(A)", 5, 5, 4); // it is in the call, too
        QCOMPARE(told(job.verdict()), QStringLiteral("yes"));
    }
    /// Its watchdog says in which call it waited: its process was alive, and it did not stop before the call.
    void aRankWithoutADumpWhoseWatchdogTimedOut()
    {
        HungJob job = waitingJob({});
        job.rank(2).hasDump = false;
        job.others["stderr.log"]
            = "[rank2]:[E1123 18:01:01.000000001 ProcessGroupNCCL.cpp:683] [Rank 2] Watchdog caught "
              "collective "
              "operation timeout: WorkNCCL(SeqNum=5, OpType=ALLREDUCE, NumelIn=512, NumelOut=512, "
              "Timeout(ms)=600000) ran for 600067 milliseconds before timing out.\n";
        const HangVerdict verdict = job.verdict();
        QCOMPARE(verdict.aliveByLog, std::vector<std::int32_t>{2});
        QVERIFY(!holds(verdict.text, "Its process is gone"));
    }
    /// torchrun lists every process that its watchdog ended.
    void theEndOfAllProcessesAccusesNobody()
    {
        HungJob job = waitingJob({});
        job.rank(2).hasDump = false;
        for (const int rank : {0, 1, 2, 3})
            job.others["stderr.log"] += exitLines(rank, -6);
        QCOMPARE(told(job.verdict()), QStringLiteral("yes: dead of 2 in A 5"));
    }

    void argumentsOfThree_data() { argumentRows(); }
    void argumentsOfThree()
    {
        QFETCH(const int, row);
        const OddCall odd = oddCalls()[static_cast<std::size_t>(row)];
        QCOMPARE(told(jobWith(odd, {0, 1, 2}).verdict()), QString::fromLatin1(odd.verdict));
    }
    void argumentsOfTwo_data() { argumentRows(); }
    /// One word against the other: the same class, and nobody is accused.
    void argumentsOfTwo()
    {
        QFETCH(const int, row);
        const OddCall odd = oddCalls()[static_cast<std::size_t>(row)];
        QString expected = QString::fromLatin1(odd.verdict);
        expected.replace(QStringLiteral("of 0 1 2"), QStringLiteral("of 0 1"));
        expected.replace(QStringLiteral(" 2 in"), QStringLiteral(" of 0 1 in"));
        QCOMPARE(told(jobWith(odd, {0, 1}).verdict()), expected);
    }
    void bothArgumentsAreNamed()
    {
        const HangVerdict verdict = jobWith(oddCalls()[2], {0, 1, 2}).verdict();
        QVERIFY(holds(verdict.text, "Ranks 0 and 1 gave 512 elements, rank 2 gave 504 elements"));
    }
    /// Ranks 0 and 1 have not finished call 5, which 2 has: that is why they hang. What differs in call 6
    /// follows.
    void onlyTheFirstCallTellsOfArguments()
    {
        HungJob job;
        const auto a = job.group("A", {0, 1, 2});
        job.finishAll(a, 4);
        job.callAll(a, 5);
        job.rank(2).calls.back().finish();
        job.callAll(a, 6);
        job.rank(2).calls.back().input = {63, 8};
        const HangVerdict verdict = job.verdict();
        QCOMPARE(told(verdict), QStringLiteral("yes: gpu 0 1 in A 6")); // where 2 waits for them
        QVERIFY(holds(verdict.text, "not finished call 5 (all_reduce) of A (0-2), which rank 2 finished"));
    }
    /// A call that can never end says nothing of a rank that has not made it.
    void argumentsBeforeARankThatDoesNotCall()
    {
        HungJob job = waitingJob({3});
        job.rank(2).calls.back().input = {63, 8};
        QCOMPARE(told(job.verdict()), QStringLiteral("yes: size 2 in A 5"));
    }
    void splitsNeedAllMembers()
    {
        HungJob job = jobWith(oddCalls()[12], {0, 1, 2});
        job.rank(0).hasDump = false;
        QCOMPARE(told(job.verdict()), QStringLiteral("yes: dead of 0 in A 5"));
    }

    void bothReceiveFirst()
    {
        HungJob job;
        const auto stages = job.group("PP", {4, 6});
        job.call(4, stages, 1, "recv 0<-1");
        job.call(6, stages, 1, "recv 1<-0");
        const HangVerdict verdict = job.verdict();
        QCOMPARE(told(verdict), QStringLiteral("yes: p2p 4 6 in PP"));
        QVERIFY(holds(verdict.text, "Ranks 4 and 6 wait for each other"));
    }
    void bothSendFirst()
    {
        HungJob job;
        const auto stages = job.group("PP", {0, 1});
        job.call(0, stages, 1, "send 0->1");
        job.call(0, stages, 2, "recv 0<-1");
        job.call(1, stages, 1, "send 1->0");
        job.call(1, stages, 2, "recv 1<-0");
        QCOMPARE(told(job.verdict()), QStringLiteral("yes: p2p 0 1 in PP"));
    }
    void aRingOfReceives()
    {
        HungJob job;
        const auto stages = job.group("PP", {0, 1, 2});
        job.call(0, stages, 1, "recv 0<-2");
        job.call(1, stages, 1, "recv 1<-0");
        job.call(2, stages, 1, "recv 2<-1");
        QCOMPARE(told(job.verdict()), QStringLiteral("yes: p2p 0 1 2 in PP"));
    }
    void aSendThatIsNotCalled()
    {
        HungJob job;
        const auto stages = job.group("PP", {0, 1});
        job.call(0, stages, 1, "recv 0<-1");
        job.rank(1).hasUnlisted = true;
        QCOMPARE(told(job.verdict()), QStringLiteral("yes: cpu 1 in PP"));
    }
    /// One sends first, the other receives first: it fits, and does not end.
    void transfersThatFit()
    {
        HungJob job;
        const auto stages = job.group("PP", {0, 1});
        job.call(0, stages, 1, "send 0->1");
        job.call(1, stages, 1, "recv 1<-0");
        QCOMPARE(told(job.verdict()), QStringLiteral("yes: gpu of 0 1 in PP"));
    }
    /// NCCL may take a send before it is received. Whoever has finished it is not the one who is at fault.
    void aFinishedSendAccusesNobody()
    {
        HungJob job;
        const auto stages = job.group("PP", {0, 1});
        job.call(0, stages, 1, "send 0->1").finish();
        job.call(1, stages, 1, "recv 1<-0");
        const HangVerdict verdict = job.verdict();
        QVERIFY(verdict.findings.empty() || verdict.findings.front().ranks != std::vector<std::int32_t>{0});
    }

    void groupsInAnotherOrder()
    {
        HungJob job;
        const auto a = job.group("A", {0, 1, 2}), b = job.group("B", {0, 1, 2});
        job.call(0, a, 1);
        job.call(1, a, 1);
        job.call(2, b, 1);
        const HangVerdict verdict = job.verdict();
        QCOMPARE(told(verdict), QStringLiteral("yes: order 2 in A 1"));
        QVERIFY(holds(verdict.text, "A (0-2) and B (0-2)"));
    }
    void groupsInAnotherOrderOfTwo()
    {
        HungJob job;
        const auto a = job.group("A", {0, 1}), b = job.group("B", {0, 1});
        job.call(0, a, 1);
        job.call(1, b, 1);
        QCOMPARE(told(job.verdict()), QStringLiteral("yes: order of 0 1 in A 1"));
    }

private:
    static void argumentRows()
    {
        QTest::addColumn<int>("row");
        int row = 0;
        for (const OddCall& odd : oddCalls())
            QTest::newRow(odd.name) << row++;
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestHangVerdict)
#include "tst_hang_verdict.moc"
