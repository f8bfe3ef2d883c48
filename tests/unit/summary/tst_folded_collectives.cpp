// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Collectives folded from summaries of the ranks: the numbers are those of the whole model, and those that a
// run was made with.

#include "metrics/causes/arrivals.h"
#include "metrics/summary/folded_collectives.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/runs/summarized_folder.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/planted_run.h"

#include <QDir>
#include <QTemporaryDir>

namespace collscope {

namespace {

std::int64_t usNs(double us)
{
    return static_cast<std::int64_t>(us * 1000);
}

/// Compares a fold of the window with the arrivals that the metrics use.
void compareWithArrivals(const SummarizedFolder& folder, MetricOptions options)
{
    options.clocks = ClockChoice::Raw;
    Analysis analysis(*folder.model, options);
    const Arrivals& arrivals = measureArrivals(analysis);
    const auto windows = selectWindows(*folder.run, options);
    QVERIFY(windows.has_value());
    FoldOptions fold;
    fold.windows = windowsOf(*windows);
    fold.significantNs = arrivals.significantNs;
    fold.significantByClocksNs = arrivals.significantByClocksNs;
    fold.orderNs = arrivals.orderNs;
    const FoldedRun folded = foldCollectives(*folder.run, fold);
    QVERIFY(folded.areCollectivesComplete);

    struct Sums
    {
        std::int64_t skewNs = 0, longestNs = 0, significantNs = 0, collectives = 0;
    };
    std::map<std::string, Sums> byName;
    std::int64_t lacking = 0, withoutRoot = 0, incomplete = 0, mismatched = 0, missing = 0;
    SharedCalls shared = folded.sharedWithoutGroup;
    std::map<UnmatchedReason, std::int64_t> unmatched;
    for (std::size_t g = 0; g < folded.groups.size(); ++g) {
        const FoldedGroup& group = folded.groups[g];
        QCOMPARE(group.needs, NeedsDetail::Nothing);
        lacking += group.waits.lacking;
        withoutRoot += group.waits.withoutRoot;
        incomplete += group.waits.incomplete;
        mismatched += group.matches.differing;
        missing += group.matches.missingInWindow;
        shared.all += group.matches.shared.all;
        shared.unmatched += group.matches.shared.unmatched;
        shared.othersNotLoaded += group.matches.shared.othersNotLoaded;
        for (const auto& [reason, calls] : group.matches.unmatched)
            unmatched[reason] += calls;
        if (group.waits.collectives == 0)
            continue;
        Sums& sums = byName[folder.run->groups()[g].group.text];
        sums.skewNs += group.waits.skewNs;
        sums.longestNs = std::max(sums.longestNs, group.waits.longestNs);
        sums.significantNs += group.waits.significantNs;
        sums.collectives += group.waits.collectives;
    }
    QCOMPARE(byName.size(), arrivals.groups.size());
    for (const GroupSkew& group : arrivals.groups) {
        QVERIFY(byName.contains(group.group));
        const Sums& sums = byName.at(group.group);
        QCOMPARE(sums.skewNs, group.skewNs);
        QCOMPARE(sums.longestNs, group.longestNs);
        QCOMPARE(sums.significantNs, group.significantNs);
        QCOMPARE(sums.collectives, static_cast<std::int64_t>(group.arrivals.size()));
    }
    QCOMPARE(lacking, arrivals.lacking);
    QCOMPARE(withoutRoot, arrivals.withoutRoot);
    QCOMPARE(incomplete, arrivals.incomplete);
    QCOMPARE(mismatched, analysis.matching().mismatched);
    QCOMPARE(shared.all, arrivals.shared.all);
    QCOMPARE(shared.unmatched, arrivals.shared.unmatched);
    QCOMPARE(shared.othersNotLoaded, arrivals.shared.othersNotLoaded);
    std::map<UnmatchedReason, std::int64_t> expected;
    for (const Unmatched& call : analysis.matching().unmatched)
        ++expected[call.reason];
    QVERIFY(unmatched == expected);
    const std::int64_t missingThere
        = std::count_if(analysis.instancesInWindow().begin(), analysis.instancesInWindow().end(),
                        [](const CollectiveInstance* instance) { return instance->gap == Gap::NoCall; });
    QCOMPARE(missing, missingThere);

    QCOMPARE(folded.ranks.size(), arrivals.ranks.size());
    for (std::size_t i = 0; i < folded.ranks.size(); ++i) {
        const RankWait& there = arrivals.ranks[i];
        const FoldedRank& here = folded.ranks[i];
        QCOMPARE(folder.run->ranks()[i].rank, there.rank);
        QCOMPARE(here.ownNs, there.ownNs);
        QCOMPARE(here.ownByDurationNs, there.ownByDurationNs);
        QCOMPARE(here.calls, there.calls);
        QCOMPARE(here.timesLast, there.timesLast);
        QCOMPARE(here.imposedNs, there.imposedNs);
    }

    // Lateness by step and rank, added up from the timer.
    std::map<std::pair<std::int64_t, std::uint32_t>, std::pair<std::int64_t, std::int64_t>> cells;
    CollectiveTimer timer = analysis.timer();
    for (const Arrival& arrival : arrivals.matched) {
        timer.of(*arrival.instance);
        const auto members = analysis.matching().membersOf(*arrival.instance);
        const CallRef first = members[arrival.times.first];
        const Step* const step = stepOf(analysis.communicating().ranks[first.rank], analysis.callOf(first));
        QVERIFY(step != nullptr);
        for (std::size_t m = 0; m < members.size(); ++m) {
            auto& [latenessNs, waitNs] = cells[{step->number, members[m].rank}];
            latenessNs += timer.lateness()[m];
            waitNs += timer.waits()[m];
        }
    }
    std::size_t count = 0;
    for (std::uint32_t rank = 0; rank < folded.steps.size(); ++rank) {
        for (const auto& [step, cell] : folded.steps[rank].cells()) {
            ++count;
            QVERIFY(cells.contains({step, rank}));
            QCOMPARE(cell.latenessNs, cells.at({step, rank}).first);
            QCOMPARE(cell.waitNs, cells.at({step, rank}).second);
        }
    }
    QCOMPARE(count, cells.size());
}

MetricOptions innerSteps()
{
    return {};
}

} // namespace

class TestFoldedCollectives : public QObject
{
    Q_OBJECT

private slots:
    /// The example of blame.md, by hand: rank 0 is 5 ms late, and rank 1 passes that on.
    void plantedWaitsComeOut()
    {
        CollectiveRun run;
        for (int rank = 0; rank < 3; ++rank)
            run.step(rank, 7, 0, 100'000);
        run.call(0, "AllReduce", 15'000, 1000, allreduce(1));
        run.call(1, "AllReduce", 10'000, 6000, allreduce(1));
        run.call(1, "AllReduce", 17'000, 1000, allreduce(1, "[1, 2]"));
        run.call(2, "AllReduce", 12'000, 6000, allreduce(1, "[1, 2]"));
        run.call(0, "AllReduce", 20'000, 900, allreduce(2));
        run.call(1, "AllReduce", 20'000, 900, allreduce(2));
        run.load();
        const SummarizedFolder folder = summarizeFolder(run.folder());
        const auto windows = selectWindows(*folder.run, allSteps());
        QVERIFY(windows.has_value());
        FoldOptions options;
        options.windows = windowsOf(*windows);
        const FoldedRun folded = foldCollectives(*folder.run, options);
        QCOMPARE(folded.groups.size(), std::size_t{2});
        QCOMPARE(folded.groups[0].waits.collectives, 2);
        QCOMPARE(folded.groups[0].waits.skewNs, usNs(5000));
        QCOMPARE(folded.groups[1].waits.collectives, 1);
        QCOMPARE(folded.groups[1].waits.waitNs, usNs(5000));
        QCOMPARE(folded.ranks[0].imposedNs, usNs(5000));
        QCOMPARE(folded.ranks[0].timesLast, 1);
        QCOMPARE(folded.ranks[1].ownNs, usNs(5000));
        QCOMPARE(folded.ranks[1].latenessNs, usNs(5000));
        QCOMPARE(folded.ranks[2].ownNs, usNs(5000));
        QCOMPARE(folded.steps[0].cells().size(), std::size_t{1});
        QCOMPARE(folded.steps[0].cells().front().first, 7);
        QCOMPARE(folded.steps[0].cells().front().second.latenessNs, usNs(5000));
    }

    void equalsTheWholeModel_data()
    {
        QTest::addColumn<quint64>("seed");
        for (quint64 seed = 1; seed <= 12; ++seed)
            QTest::addRow("seed %llu", static_cast<unsigned long long>(seed)) << seed;
    }
    void equalsTheWholeModel()
    {
        QFETCH(quint64, seed);
        PlantedPlan plan = plannedBy(seed);
        plan.writesSequence = true;
        const QTemporaryDir folder;
        writePlanted(plan, folder.path().toStdString());
        const SummarizedFolder summarized = summarizeFolder(folder.path().toStdString());
        if (summarized.run->ranks().size() < 2)
            QSKIP("one rank has a file");
        CHECKED(compareWithArrivals(summarized, allSteps()));
        CHECKED(compareWithArrivals(summarized, innerSteps()));
    }

    /// Dropped calls, roots, and many collectives.
    void simulatedRunsEqualTheWholeModel_data() { simulatedRows(); }
    void simulatedRunsEqualTheWholeModel()
    {
        QFETCH(int, seed);
        QFETCH(int, collectives);
        const SimulatedPlan plan = simulatedPlan(seed, collectives);
        const QTemporaryDir folder;
        writeSimulated(plan, folder);
        const SummarizedFolder summarized = summarizeFolder(folder.path().toStdString(), 100);
        CHECKED(compareWithArrivals(summarized, allSteps()));
    }

    /// Dropped calls, calls that differ, calls without numbers, a group of one rank: by hand.
    void leftOutCallsAreCounted()
    {
        CollectiveRun run;
        for (int rank = 0; rank < 3; ++rank)
            run.step(rank, 1, 0, 100'000);
        const std::string all = "[0, 1, 2]";
        for (int sequence = 1; sequence <= 60; ++sequence) {
            for (int rank = 0; rank < 3; ++rank) {
                CallText text = allreduce(sequence, all, 3);
                if (sequence == 30 && rank == 2)
                    text.inElements = 999; // differs
                if (sequence != 20 || rank != 1) // dropped
                    run.call(rank, "AllReduce", sequence * 1000 + rank, 500 - rank, text);
            }
        }
        for (int rank = 0; rank < 2; ++rank)
            run.call(rank, "AllReduce", 70'000, 500, allreduce(-1)); // without Seq
        run.call(2, "AllReduce", 80'000, 500, allreduce(5, "[2]", 1));
        run.call(2, "AllReduce", 90'000, 500, allreduce(-1, "[2]", 1)); // nobody else can make it
        run.load();
        const SummarizedFolder folder = summarizeFolder(run.folder());
        const FoldedRun folded = foldCollectives(*folder.run, {});
        QCOMPARE(folded.groups.size(), std::size_t{3});
        const FoldedGroup& big = folded.groups[0];
        QCOMPARE(big.needs, NeedsDetail::Nothing);
        QCOMPARE(big.matches.calls, 179);
        QCOMPARE(big.matches.ofSeveral, 59);
        QCOMPARE(big.matches.lacking, 1);
        QCOMPARE(big.matches.differing, 1);
        QCOMPARE(big.matches.unmatched.at(UnmatchedReason::Differs), 3);
        QCOMPARE(big.waits.collectives, 58);
        QCOMPARE(big.waits.lacking, 1);
        QCOMPARE(big.waits.skewNs, usNs(58 * 2));
        QCOMPARE(big.waits.waitNs, usNs(58 * 3));
        QCOMPARE(folded.groups[1].needs, NeedsDetail::NoNumbers);
        QCOMPARE(folded.groups[1].waits.collectives, 0);
        QVERIFY(!folded.areCollectivesComplete);
        QCOMPARE(folded.groups[2].needs, NeedsDetail::Nothing);
        QCOMPARE(folded.groups[2].matches.calls, 2);
        QVERIFY(folded.groups[2].matches.unmatched.empty());
    }

    /// Where numbers contradict the calls, another rule may fit better, and nothing is guessed.
    void contradictingNumbersAreRefused()
    {
        CollectiveRun run;
        for (int rank = 0; rank < 2; ++rank)
            run.step(rank, 1, 0, 100'000);
        for (int sequence = 1; sequence <= 40; ++sequence) {
            for (int rank = 0; rank < 2; ++rank) {
                CallText text = allreduce(sequence);
                text.inElements = text.outElements = 100 * (sequence + (rank == 1 ? 1 : 0));
                run.call(rank, "AllReduce", sequence * 1000, 500, text);
            }
        }
        run.load();
        const FoldedRun folded = foldCollectives(*summarizeFolder(run.folder()).run, {});
        QCOMPARE(folded.groups.size(), std::size_t{1});
        QCOMPARE(folded.groups[0].needs, NeedsDetail::NumbersContradict);
        QCOMPARE(folded.groups[0].matches.ofSeveral, 0);
    }

    void realTracesEqualTheWholeModel_data()
    {
        QTest::addColumn<QString>("folder");
        const QDir traces(tracesFolder());
        for (const char* name : {"multirank/hta_sampled_2rank", "multirank/param_dlrm_8rank/kineto",
                                 "multirank/tokenomics_2rank"}) {
            if (traces.exists(QString::fromLatin1(name)))
                QTest::newRow(name) << traces.filePath(QString::fromLatin1(name));
        }
        QTest::newRow("generated") << generatedRun();
    }
    void realTracesEqualTheWholeModel()
    {
        QFETCH(QString, folder);
        const SummarizedFolder summarized = summarizeFolder(folder.toStdString(), CallChunks::mostCalls);
        const FoldedRun folded = foldCollectives(*summarized.run, {});
        if (!folded.areCollectivesComplete) {
            // None of the real ones numbers its calls: they are refused, not guessed.
            for (const FoldedGroup& group : folded.groups) {
                QVERIFY(group.needs != NeedsDetail::Nothing);
                QCOMPARE(group.matches.ofSeveral, 0);
                QCOMPARE(group.waits.collectives, 0);
            }
            return;
        }
        CHECKED(compareWithArrivals(summarized, allSteps()));
        CHECKED(compareWithArrivals(summarized, innerSteps()));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestFoldedCollectives)
#include "tst_folded_collectives.moc"
