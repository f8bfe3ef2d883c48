// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Clocks and stragglers from summaries of the ranks: to the last digit those of the whole model.

#include "metrics/summary/folded_collectives.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/runs/compared_straggler.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/planted_run.h"

#include <QTemporaryDir>

namespace collscope {

namespace {

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
