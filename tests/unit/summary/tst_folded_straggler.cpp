// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Clocks and stragglers from summaries of the ranks: to the last digit those of the whole model.

#include "metrics/core/statistics.h"
#include "metrics/summary/folded_clocks.h"
#include "metrics/summary/folded_collectives.h"
#include "metrics/summary/folded_straggler.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/runs/summarized_folder.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/planted_run.h"

#include <QTemporaryDir>

#include <bit>

namespace collscope {

namespace {

/// Compares the clocks of the summaries with those of the whole model, to the last bit.
void compareClocks(const SummarizedFolder& folder)
{
    const RunCollectivesPtr whole = matchRun(*folder.model, MetricOptions());
    const Result<ClockAlignment> clocks = foldClocks(*folder.run);
    QVERIFY2(clocks.has_value(), clocks ? "" : clocks.error().message.c_str());
    QCOMPARE(clocks->collectives, whole->clocks.collectives);
    QCOMPARE(clocks->residualNs, whole->clocks.residualNs);
    QCOMPARE(clocks->rawResidualNs, whole->clocks.rawResidualNs);
    QCOMPARE(clocks->impossible, whole->clocks.impossible);
    QCOMPARE(clocks->components, whole->clocks.components);
    QCOMPARE(clocks->hasDrift, whole->clocks.hasDrift);
    QCOMPARE(clocks->isNeeded, whole->clocks.isNeeded);
    QCOMPARE(clocks->isTrusted, whole->clocks.isTrusted);
    QCOMPARE(clocks->fits.size(), whole->clocks.fits.size());
    for (std::size_t i = 0; i < clocks->fits.size(); ++i) {
        const ClockFit& here = clocks->fits[i];
        const ClockFit& there = whole->clocks.fits[i];
        QCOMPARE(here.offsetNs, there.offsetNs);
        QCOMPARE(std::bit_cast<std::uint64_t>(here.drift), std::bit_cast<std::uint64_t>(there.drift));
        QCOMPARE(here.pivotNs, there.pivotNs);
        QCOMPARE(here.component, there.component);
        QCOMPARE(here.collectives, there.collectives);
    }
}

/// Compares the straggler of the summaries with the metric, to the last digit.
void compareStraggler(const SummarizedFolder& folder, const MetricOptions& options)
{
    const MetricResult metric = metricOf(*folder.model, "straggler", options);
    const Result<FoldedStraggler> folded = foldStraggler(*folder.run, options);
    QVERIFY2(folded.has_value(), folded ? "" : folded.error().message.c_str());
    QCOMPARE(folded->windowNs.has_value(), metric.value.has_value());
    if (metric.value)
        QVERIFY(static_cast<double>(folded->arrivals.groups.front().skewNs) / *folded->windowNs
                == *metric.value);
    std::size_t ranks = 0; // rows of steps: TestSummarizedRun
    for (const MetricRow& row : metric.rows) {
        if (!row.rank)
            continue;
        ++ranks;
        QVERIFY(static_cast<double>(folded->slowest.behindNs.at(*row.rank)) / *folded->windowNs == row.value);
    }
    QVERIFY(!folded->windowNs || ranks == folded->slowest.behindNs.size());
    QVERIFY(meanOf(folded->skewsUs) == numberOf(metric, {"skew_mean_us"}));
    QVERIFY(medianOf(folded->skewsUs) == numberOf(metric, {"skew_p50_us"}));
    QVERIFY(percentileOf(folded->skewsUs, 0.95) == numberOf(metric, {"skew_p95_us"}));

    Analysis analysis(*folder.model, options);
    const Arrivals& there = measureArrivals(analysis);
    const Arrivals& here = folded->arrivals;
    QCOMPARE(here.verdict(), there.verdict());
    QCOMPARE(here.verdictText(), there.verdictText());
    QCOMPARE(here.counted, static_cast<std::int64_t>(there.matched.size()));
    QCOMPARE(here.straggler() ? here.straggler()->rank : -1,
             there.straggler() ? there.straggler()->rank : -1);
    for (const auto number :
         {&Arrivals::incomplete, &Arrivals::staged, &Arrivals::pointToPoint, &Arrivals::byOrderAlone,
          &Arrivals::lacking, &Arrivals::withoutRoot, &Arrivals::outOfOrder, &Arrivals::clockErrorNs,
          &Arrivals::significantNs, &Arrivals::significantByClocksNs, &Arrivals::orderNs, &Arrivals::windowNs,
          &Arrivals::notSignificant, &Arrivals::lastUnknown, &Arrivals::lastUnknownNs,
          &Arrivals::causeUnknownWaitNs, &Arrivals::causeUnknownNs})
        QCOMPARE(here.*number, there.*number);
    QCOMPARE(here.isByDuration, there.isByDuration);
    QCOMPARE(here.shared.all, there.shared.all);
    QCOMPARE(here.shared.unmatched, there.shared.unmatched);
    QCOMPARE(here.ranks.size(), there.ranks.size());
    for (std::size_t i = 0; i < there.ranks.size(); ++i) {
        QCOMPARE(here.ranks[i].rank, there.ranks[i].rank);
        for (const auto number :
             {&RankWait::ownNs, &RankWait::ownByDurationNs, &RankWait::imposedNs, &RankWait::causedNs,
              &RankWait::possiblyCausedNs, &RankWait::soleNs, &RankWait::delayNs, &RankWait::earlyNs,
              &RankWait::timesEarly, &RankWait::timesLast, &RankWait::calls})
            QCOMPARE(here.ranks[i].*number, there.ranks[i].*number);
    }
    QCOMPARE(here.groups.size(), there.groups.size());
    for (std::size_t i = 0; i < there.groups.size(); ++i) {
        QCOMPARE(here.groups[i].group, there.groups[i].group);
        QCOMPARE(here.groups[i].skewNs, there.groups[i].skewNs);
        QCOMPARE(here.groups[i].longestNs, there.groups[i].longestNs);
        QCOMPARE(here.groups[i].significantNs, there.groups[i].significantNs);
        QCOMPARE(folded->collectivesOfGroup[i], static_cast<std::int64_t>(there.groups[i].arrivals.size()));
    }
}

MetricOptions innerSteps()
{
    return {};
}

} // namespace

class TestFoldedStraggler : public QObject
{
    Q_OBJECT

private slots:
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
        CHECKED(compareClocks(summarized));
        CHECKED(compareStraggler(summarized, innerSteps()));
        CHECKED(compareStraggler(summarized, allSteps()));
        MetricOptions lastSteps;
        lastSteps.steps = {StepChoice::Mode::Range, 3, 4}; // with a time before the window
        lastSteps.clocks = ClockChoice::Aligned;
        CHECKED(compareStraggler(summarized, lastSteps));
    }

    /// The rank that was made slow is blamed, also where clocks are off and ends scatter too much to tell
    /// waits.
    void plantedStragglerIsBlamed_data()
    {
        QTest::addColumn<double>("endJitterUs");
        QTest::addColumn<bool>("byDuration");
        QTest::newRow("good clocks") << 0.3 << false;
        QTest::newRow("poor clocks") << 120.0 << true;
    }
    void plantedStragglerIsBlamed()
    {
        QFETCH(double, endJitterUs);
        QFETCH(bool, byDuration);
        PlantedPlan plan;
        plan.ranks = 8;
        plan.tensorParallel = 2;
        plan.steps = 8;
        plan.cause = PlantedCause::SlowKernel;
        plan.culprit = 5;
        plan.extraUs = 5000;
        plan.endJitterUs = endJitterUs;
        plan.offsetUs = {{1, 900}, {5, -1500}, {7, 30}};
        plan.driftPpm = {{2, 8}};
        const QTemporaryDir folder;
        writePlanted(plan, folder.path().toStdString());
        const SummarizedFolder summarized = summarizeFolder(folder.path().toStdString());
        const Result<FoldedStraggler> folded = foldStraggler(*summarized.run, {});
        QVERIFY(folded.has_value());
        QCOMPARE(folded->arrivals.isByDuration, byDuration);
        QCOMPARE(folded->arrivals.verdict(), StragglerVerdict::OneRank);
        QCOMPARE(folded->arrivals.straggler()->rank, 5);
        CHECKED(compareClocks(summarized));
        CHECKED(compareStraggler(summarized, innerSteps()));
        CHECKED(compareStraggler(summarized, allSteps()));
    }

    /// Sends and receives are matched by order, which summaries do not have: nobody is blamed.
    void pipelinesAreRefused()
    {
        CollectiveRun run;
        for (int rank = 0; rank < 2; ++rank) {
            run.step(rank, 1, 0, 10'000);
            for (int sequence = 1; sequence <= 4; ++sequence)
                run.call(rank, "AllReduce", sequence * 1000 + 10 * rank, 100, allreduce(sequence));
        }
        run.call(0, "SendRecv", 6000, 100, {"send", 10, 10, 2, "p", "[0, 1]", 1, "Float", 0, 1});
        run.call(1, "SendRecv", 6000, 100, {"recv", 10, 10, 2, "p", "[0, 1]", 1, "Float", 0, 1});
        run.load();
        const SummarizedFolder folder = summarizeFolder(run.folder());
        const FoldedRun folded = foldCollectives(*folder.run, {});
        QVERIFY(folded.areCollectivesComplete);
        QCOMPARE(folded.groups.at(1).needs, NeedsDetail::PointToPoint);
        QCOMPARE(folded.groups.at(0).waits.collectives, 4);
        CHECKED(compareClocks(folder));
        const Result<FoldedStraggler> straggler = foldStraggler(*folder.run, allSteps());
        QVERIFY(!straggler.has_value());
        QVERIFY(straggler.error().message.find("sends and receives") != std::string::npos);
    }

    /// Clocks that drift, dropped calls, roots, and more collectives than the fit uses.
    void simulatedRunsEqualTheWholeModel_data() { simulatedRows(); }
    void simulatedRunsEqualTheWholeModel()
    {
        QFETCH(int, seed);
        QFETCH(int, collectives);
        const SimulatedPlan plan = simulatedPlan(seed, collectives);
        const QTemporaryDir folder;
        writeSimulated(plan, folder);
        const SummarizedFolder summarized = summarizeFolder(folder.path().toStdString(), 100);
        CHECKED(compareClocks(summarized));
        CHECKED(compareStraggler(summarized, allSteps()));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestFoldedStraggler)
#include "tst_folded_straggler.moc"
