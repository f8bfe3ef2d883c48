// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a dump does not hold: counters whose group is not written beside them, calls that the ring lost,
// batches without a state of their own, dumps of active calls, dumps that are cut off or older than the
// others.

#include "tests/support/runs/hung_job.h"
#include "tests/support/suite/suite.h"

namespace collscope {

namespace {

constexpr std::pair<int, int> withoutNames{1, 4}, withoutCounters{2, 2};

void setVersions(HungJob& job, std::pair<int, int> version)
{
    for (auto& [number, rank] : job.ranks())
        rank.version = version;
    job.options.isKnownToHang = true; // the timeout is not stated before 2.3
}

void keepActiveOnly(HungJob& job)
{
    for (auto& [number, rank] : job.ranks())
        rank.isActiveOnly = true;
}

/// Two groups, B before A. Ranks 0 and 1 wait in call 6 of A, which rank 2 has finished: their GPUs stand. Of
/// rank 2 only the counters say so, because its dump has active calls only. Taken for those of B, they would
/// say that it never made call 6.
HungJob finishedByCounters(const std::string& nameOfB, const std::string& nameOfA,
                           const std::string& descriptionOfB = "B")
{
    HungJob job;
    const auto b = job.group(descriptionOfB, {0, 1, 2}, nameOfB);
    const auto a = job.group("A", {0, 1, 2}, nameOfA);
    job.finishAll(b, 2);
    job.finishAll(a, 5);
    job.callAll(a, 6);
    job.rank(2).calls.back().finish();
    job.rank(2).isActiveOnly = true;
    return job;
}

/// What counters that belong to the right group say of that job.
const char* const standing = "yes: gpu 0 1 in A 6";

/// Rank 0 and 1 exchange something in one batch, then rank 1 does not call A 5.
HungJob batchJob()
{
    HungJob job;
    const auto stages = job.group("PP", {0, 1}), a = job.group("A", {0, 1});
    job.finishAll(a, 4);
    job.batch(0, stages, 1, {"send 0->1", "recv 0<-1"}).finish();
    job.batch(1, stages, 1, {"send 1->0", "recv 1<-0"}).finish();
    job.call(0, a, 5);
    return job;
}

/// The ranks that a verdict accuses, also if it is not proven.
std::set<std::int32_t> accusedBy(const HangVerdict& verdict)
{
    std::set<std::int32_t> ranks;
    for (const auto* findings : {&verdict.findings, &verdict.suspects}) {
        for (const ReportedFinding& finding : *findings)
            ranks.insert(finding.ranks.begin(), finding.ranks.end());
    }
    return ranks;
}

/// Jobs that hang for different reasons, ranks 0 to 3.
std::vector<HungJob> hungJobs()
{
    std::vector<HungJob> jobs;
    const auto begin = [&]() -> HungJob& {
        HungJob& job = jobs.emplace_back();
        for (const char* name : {"A", "B"}) {
            const auto group = job.group(name, {0, 1, 2, 3});
            for (const int number : {1, 2, 3, 4})
                job.finishAll(group, number);
        }
        return job;
    };
    begin().callAll(0, 5, {2}); // a rank that does not call
    HungJob& inside = begin();
    inside.callAll(0, 5);
    inside.rank(1).calls.back().stay();
    HungJob& standing = begin();
    standing.callAll(0, 5);
    for (const int rank : {0, 1, 2})
        standing.rank(rank).calls.back().finish();
    HungJob& size = begin();
    size.callAll(0, 5);
    size.rank(3).calls.back().input = {63, 8};
    begin().callAll(0, 5); // all joined
    HungJob& order = begin();
    order.callAll(0, 5, {2});
    order.call(2, 1, 5);
    HungJob& transfers = begin();
    const auto stages = transfers.group("PP", {0, 1});
    transfers.call(0, stages, 1, "recv 0<-1");
    transfers.call(1, stages, 1, "recv 1<-0");
    HungJob& behind = begin(); // 0 waits for 1, and the others for both
    const auto others = behind.group("PP", {0, 1});
    behind.call(0, others, 1, "recv 0<-1").finish();
    behind.call(1, others, 1, "send 1->0").finish();
    behind.call(0, others, 2, "recv 0<-1");
    behind.callAll(0, 5, {0, 1});
    return jobs;
}

} // namespace

class TestHangCounters : public QObject
{
    Q_OBJECT

private slots:
    /// Rank 2 is inside call 6 of A. The counters of B are higher.
    void groupsByTheCallsOfTheDump()
    {
        HungJob job;
        const auto b = job.group("mesh", {0, 1, 2}, "q7"), a = job.group("mesh", {0, 1, 2}, "p1");
        job.finishAll(b, 9);
        job.finishAll(a, 5);
        job.callAll(a, 6);
        job.rank(2).calls.back().stay();
        const HangVerdict verdict = job.verdict();
        QCOMPARE(told(verdict), QStringLiteral("yes: cpu 2 in mesh 6"));
        QCOMPARE(verdict.groups[*verdict.findings.front().group].name, std::string("p1"));
    }
    /// Both sorted as numbers: as texts, 10 comes before 3.
    void groupsByNumericNames()
    {
        HungJob job = finishedByCounters("3", "10");
        keepActiveOnly(job);
        QCOMPARE(toldOf(job), QString::fromLatin1(standing));
    }
    /// Names are hashes. Ranks 0 and 1 have calls of both groups, which say in which order they were created.
    void groupsByTheOrderOfDescriptions()
    {
        QCOMPARE(toldOf(finishedByCounters("q7", "p1")), QString::fromLatin1(standing));
    }
    void theOnlyGroupThatIsLeft()
    {
        HungJob job;
        const auto a = job.group("A", {0, 1, 2}, "q7");
        job.finishAll(a, 5);
        job.callAll(a, 6);
        job.rank(2).calls.back().finish();
        keepActiveOnly(job);
        QCOMPARE(toldOf(job), QString::fromLatin1(standing));
    }
    /// What belongs to which is not known, and so not what rank 2 did.
    void groupsThatCannotBeTold()
    {
        HungJob job = finishedByCounters("q7", "p1", "A"); // of one description
        QVERIFY(accusedBy(job.verdict()).empty());
        job = finishedByCounters("q7", "p1");
        keepActiveOnly(job); // nobody has a call of B, but at ranks 0 and 1 it is the only one that is left
        QCOMPARE(toldOf(job), QString::fromLatin1(standing));
    }
    /// Ranks 4 to 7 are in fewer groups, so that B has a lower number there than A has at ranks 2 and 3.
    /// Everywhere, A was created before B.
    void numbersOfDifferentRanksAreNotCompared()
    {
        HungJob job;
        job.group("default", {0, 1, 2, 3, 4, 5, 6, 7}, "d");
        job.group("X", {0, 1, 2, 3}, "x");
        const auto low = job.group("A", {0, 1}, "a1"), high = job.group("A", {2, 3}, "a2");
        const auto b = job.group("B", {0, 1, 2, 3, 4, 5, 6, 7}, "b");
        job.finishAll(low, 5);
        job.finishAll(high, 5);
        job.callAll(b, 100);
        job.rank(0).calls.back().finish(); // the others stand
        job.callAll(high, 6);
        keepActiveOnly(job);
        const auto accused = accusedBy(job.verdict());
        QVERIFY(!accused.contains(0));
    }

    /// Rank 2 has made call 5 of A, though newer calls took its place in the ring: its counters say so.
    void aPendingCallThatTheRingLost()
    {
        HungJob job;
        const auto a = job.group("A", {0, 1, 2}), b = job.group("B", {0, 1, 2, 3});
        job.finishAll(a, 4);
        job.callAll(a, 5);
        job.finishAll(b, 4);
        job.rank(2).ring = 1;
        const HangVerdict verdict = job.verdict();
        QCOMPARE(told(verdict), QStringLiteral("yes"));
        QVERIFY(holds(verdict.inconclusive, "TORCH_FR_BUFFER_SIZE"));
        job.callAll(b, 5, {3}); // and then waits for 3, like the others
        QCOMPARE(toldOf(job), QStringLiteral("yes: cpu 3 in B 5"));
    }
    /// Without counters a call that is not in the ring is not known to be made, finished or missing.
    void aLostCallWithoutCounters()
    {
        HungJob job;
        const auto a = job.group("A", {0, 1, 2}), b = job.group("B", {0, 1, 2});
        job.finishAll(a, 4);
        job.callAll(a, 5);
        job.finishAll(b, 4);
        job.callAll(b, 5, {0, 1});
        job.rank(2).ring = 2;
        setVersions(job, withoutCounters);
        QVERIFY(!accusedBy(job.verdict()).contains(2));
    }
    /// All are in A 5. Rank 0 ran ahead, and its ring has only calls behind it, none of them finished.
    void aRankThatRanAheadOfItsRing()
    {
        for (const std::size_t next : {0u, 1u}) { // in the same group, in another one
            HungJob job;
            job.group("A", {0, 1, 2, 3});
            job.group("B", {0, 1, 2, 3});
            job.finishAll(0, 4);
            job.callAll(0, 5);
            job.call(0, next, next == 0 ? 6 : 1);
            job.call(0, next, next == 0 ? 7 : 2);
            for (auto& [number, rank] : job.ranks())
                rank.ring = number == 0 ? 2 : 1;
            setVersions(job, withoutCounters);
            const auto accused = accusedBy(job.verdict());
            QCOMPARE(accused, std::set<std::int32_t>());
        }
    }

    /// The members of a batch stay "scheduled" for ever; the batch is done.
    void membersOfAFinishedBatch()
    {
        for (const auto& version : {std::pair(2, 9), withoutCounters, withoutNames}) {
            HungJob job = batchJob();
            setVersions(job, version);
            const HangVerdict verdict = job.verdict();
            QCOMPARE(verdict.findings.size(), std::size_t{1});
            QCOMPARE(accusedBy(verdict), std::set<std::int32_t>{1});
            QCOMPARE(verdict.findings.front().number, std::optional<std::int64_t>(5));
            QVERIFY(holds(verdict.text, "It has finished everything that it called."));
        }
    }
    /// Rank 0 receives from rank 1, which would have to be in the batch, too, and is in A.
    void aBatchThatWaits()
    {
        for (const auto& version : {std::pair(2, 9), withoutNames}) {
            HungJob job;
            const auto stages = job.group("PP", {0, 1}), a = job.group("A", {0, 1, 2});
            job.finishAll(a, 4);
            job.batch(0, stages, 1, {"send 0->1", "recv 0<-1"});
            job.rank(1).hasUnlisted = true;
            setVersions(job, version);
            HangVerdict verdict = job.verdict();
            QCOMPARE(accusedBy(verdict), std::set<std::int32_t>{1});
            QVERIFY(!verdict.findings.empty() && !verdict.findings.front().number); // not a collective
            job.call(1, a, 5);
            job.call(2, a, 5);
            verdict = job.verdict();
            QCOMPARE(verdict.findings.size(), std::size_t{1});
            QCOMPARE(verdict.findings.front().hangClass, HangClass::Order);
        }
    }
    /// Both are in it, and it does not end: which of them, and whether at all, the dumps do not say.
    void aBatchThatAllHaveJoined()
    {
        for (const auto& version : {std::pair(2, 9), withoutNames}) {
            HungJob job;
            const auto stages = job.group("PP", {0, 1});
            job.batch(0, stages, 1, {"send 0->1", "recv 0<-1"});
            job.batch(1, stages, 1, {"send 1->0", "recv 1<-0"});
            setVersions(job, version);
            const HangVerdict verdict = job.verdict();
            QCOMPARE(accusedBy(verdict), std::set<std::int32_t>());
            QVERIFY(!verdict.findings.empty());
            QCOMPARE(verdict.findings.front().candidates, (std::vector<std::int32_t>{0, 1}));
        }
    }
    /// What a dump of active calls still has of a batch that is done.
    void orphansOfABatch()
    {
        HungJob job = batchJob();
        keepActiveOnly(job);
        const HangVerdict verdict = job.verdict();
        QCOMPARE(told(verdict), QStringLiteral("yes: cpu 1 in A 5"));
        QVERIFY(holds(verdict.text, "It has finished everything that it called."));
        setVersions(job, withoutCounters);
        QVERIFY(!accusedBy(job.verdict()).contains(0));
        setVersions(job, withoutNames);
        QVERIFY(!accusedBy(job.verdict()).contains(0));
    }
    /// One transfer alone looks like one without a batch; the counter says that it is done.
    void theOnlyMemberOfABatch()
    {
        HungJob job;
        const auto stages = job.group("PP", {0, 1}), a = job.group("A", {0, 1});
        job.finishAll(a, 4);
        job.batch(0, stages, 1, {"recv 0<-1"}).finish();
        job.batch(1, stages, 1, {"send 1->0"}).finish();
        job.call(0, a, 5);
        keepActiveOnly(job);
        QCOMPARE(toldOf(job), QStringLiteral("yes: cpu 1 in A 5"));
    }
    /// In a group that has collectives, too, the counter does not tell of transfers.
    void orphansInAMixedGroup()
    {
        HungJob job;
        const auto all = job.group("W", {0, 1, 2});
        job.finishAll(all, 4);
        job.batch(0, all, 1, {"recv 0<-1"}).finish();
        job.batch(1, all, 1, {"send 1->0"}).finish();
        job.callAll(all, 5, {2});
        QCOMPARE(toldOf(job), QStringLiteral("yes: cpu 2 in W 5"));
        keepActiveOnly(job);
        QCOMPARE(toldOf(job), QStringLiteral("yes: cpu 2 in W 5"));
    }

    /// A dump of active calls without any is evidence: nothing of that rank is under way.
    void noActiveCalls()
    {
        HungJob job;
        const auto a = job.group("A", {0, 1, 2});
        job.finishAll(a, 4);
        job.callAll(a, 5, {2});
        keepActiveOnly(job);
        const TraceModelPtr model = job.load();
        QVERIFY(model && model->hang && model->hang->records.size() == 3);
        QCOMPARE(model->hang->records[2].calls.size(), std::size_t{0});
        QCOMPARE(toldOf(job), QStringLiteral("yes: cpu 2 in A 5"));
        setVersions(job, withoutCounters);
        QCOMPARE(toldOf(job), QStringLiteral("yes: cpu 2 in A 5"));
    }
    /// Rank 2 finished what the others wait in; only the ids of the groups differ.
    void versionsMayDiffer()
    {
        HungJob job;
        const auto a = job.group("A", {0, 1, 2});
        job.finishAll(a, 4);
        job.callAll(a, 5, {2});
        job.rank(0).version = {2, 3};
        job.rank(1).version = {2, 10};
        QCOMPARE(toldOf(job), QStringLiteral("yes: cpu 2 in A 5"));
        job.call(2, a, 5);
        QCOMPARE(toldOf(job), QStringLiteral("yes: gpu of 0 1 2 in A 5"));
        job.rank(1).version = withoutNames;
        QCOMPARE(accusedBy(job.verdict()), std::set<std::int32_t>());
    }
    /// Ranks 0 and 1 finished call 5, so rank 2 made it: its dump is from before that.
    void anOlderDump()
    {
        HungJob job;
        const auto a = job.group("A", {0, 1, 2});
        job.finishAll(a, 4);
        for (const int rank : {0, 1}) {
            job.call(rank, a, 5).finish();
            job.call(rank, a, 6);
        }
        const HangVerdict verdict = job.verdict();
        QCOMPARE(accusedBy(verdict), std::set<std::int32_t>());
        QVERIFY(!holds(verdict.text, "the dump has no counters, and the ring does not show that group"));
    }
    void anOlderDumpBesideALostOne()
    {
        HungJob job;
        const auto a = job.group("A", {0, 1, 2});
        job.finishAll(a, 4);
        job.call(0, a, 5).finish();
        job.call(0, a, 6);
        job.rank(1).hasDump = false;
        const HangVerdict verdict = job.verdict();
        QCOMPARE(accusedBy(verdict), std::set<std::int32_t>());
        QVERIFY(!holds(verdict.text, "Ranks 1 and 2 left no dump"));
    }
    /// The list of ranks of a group cannot be read: rank 2 may have used the group.
    void aGroupThatCannotBeRead()
    {
        HungJob job = finishedByCounters("0", "1");
        keepActiveOnly(job);
        job.isJson = true;
        const RunFolder folder;
        job.write(folder);
        std::string text = flightJson(job.dumpOf(2));
        for (std::size_t at = 0; (at = text.find("[0, 1, 2]", at)) != std::string::npos;)
            text.replace(at, 9, "[0, 1, x]");
        folder.write("job/" + HungJob::fileOf(2, true), text);
        const TraceModelPtr model = folder.load("job");
        QVERIFY(model && findProblem(model->problems, "bad_group"));
        const auto accused = accusedBy(judgeHang(*model->hang, model->strings, job.options));
        QCOMPARE(accused, std::set<std::int32_t>());
    }

    void lessEvidenceAccusesNobodyElse_data()
    {
        QTest::addColumn<int>("row");
        int row = 0;
        for (const char* name : {"not called", "inside", "standing", "size", "joined", "order", "transfers",
                                 "behind a transfer"})
            QTest::newRow(name) << row++;
    }
    /// Whatever is not there, nobody is accused who is not accused by the whole.
    void lessEvidenceAccusesNobodyElse()
    {
        QFETCH(const int, row);
        HungJob job = hungJobs()[static_cast<std::size_t>(row)];
        std::string wrong;
        for (const auto& version : {std::pair(2, 9), withoutCounters}) {
            setVersions(job, version);
            const std::set<std::int32_t> whole = accusedBy(job.verdict());
            const auto judge = [&](const std::string& what) {
                const HangVerdict verdict = job.verdict();
                const std::set<std::int32_t> own = accusedBy(verdict);
                if (!std::includes(whole.begin(), whole.end(), own.begin(), own.end()))
                    wrong += what + ": " + said(verdict) + "\n";
            };
            for (auto& [number, rank] : job.ranks()) {
                const std::string name = "rank " + std::to_string(number);
                for (int percent = 16; percent < 100; percent += 6) {
                    rank.keptShare = percent / 100.0;
                    judge(name + " cut at " + std::to_string(percent) + " %");
                }
                rank.keptShare = 1;
                rank.hasDump = false;
                judge(name + " missing");
                rank.hasDump = true;
            }
        }
        QCOMPARE(QString::fromStdString(wrong), QString());
    }

    /// The counters precede the calls. What is cut off is not known, which is not the same as "none".
    void aDumpThatEndsInItsCounters()
    {
        HungJob job = hungJobs().front();
        const std::string whole = flightPickle(job.dumpOf(3));
        const std::size_t begin = whole.find("pg_status"), end = whole.find("entries");
        std::set<std::int32_t> accused;
        for (std::size_t bytes = begin; bytes < end; ++bytes) {
            job.rank(3).keptShare = (static_cast<double>(bytes) + 0.5) / static_cast<double>(whole.size());
            accused.merge(accusedBy(job.verdict()));
        }
        QCOMPARE(accused, std::set<std::int32_t>{2});
    }

private:
    static QString toldOf(const HungJob& job) { return told(job.verdict()); }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestHangCounters)
#include "tst_hang_counters.moc"
