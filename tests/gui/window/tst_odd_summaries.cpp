// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Summaries in the window that are not those of one GPU trace per rank with steps: what cannot be told is
// said, and a way still leads to the events.

#include "tests/gui/driver/summaries_test.h"
#include "tests/support/runs/pipeline_run.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/gloo_jobs.h"
#include "views/run_chooser.h"

#include <filesystem>

namespace collscope {

class TestOddSummaries : public SummariesTest
{
    Q_OBJECT

private:
    /// Steps of all-reduces on all ranks; the last rank is late.
    static SmallRun lateRun(int ranks, bool hasSteps = true)
    {
        SmallRun run(ranks);
        SmallCall call;
        call.groupSize = ranks;
        call.inElements = call.outElements = 4096;
        call.ranks = "[0";
        for (int rank = 1; rank < ranks; ++rank)
            call.ranks += ", " + std::to_string(rank);
        call.ranks += "]";
        constexpr double stepUs = 4000, everyUs = 1000, lateUs = 300;
        for (int i = 0; i < 24; ++i) {
            const double begin = i * everyUs;
            call.sequence = i + 1;
            for (int rank = 0; rank < ranks; ++rank) {
                const double arrival = begin + 400 + (rank + 1 == ranks ? lateUs : 0);
                run.kernel(rank, begin + 10, arrival - begin - 20);
                run.call(rank, arrival, begin + 800 - arrival, call);
                if (hasSteps && i % 4 == 0)
                    run.step(rank, i / 4, begin, stepUs);
            }
        }
        return run;
    }
    void openSums(const char* name)
    {
        const std::string sums = std::string("sumsOf") + name;
        summarize(name, sums.c_str());
        QVERIFY(openAndWait(*m_window, {path(sums.c_str())}));
        QVERIFY(state().run().model()->isSummarized());
    }
    void openSums(const char* name, const SmallRun& run)
    {
        run.write(path(name).toStdString());
        openSums(name);
    }
    void openChosen() const { QTest::mouseClick(&button("openRank"), Qt::LeftButton); }

private slots:
    /// Its stages are painted from events.
    void aPipelineHasTheSameTabs()
    {
        PipelineShape shape;
        shape.stages = 4;
        shape.tensor = 2;
        CHECKED(openSums("pipeline", pipelineRun(shape)));
        QCOMPARE(state().run().mesh().extent(MeshDimension::Pipeline).size, 4);
        QCOMPARE(shownTabs(), tabsOfSummaries());
    }
    /// The list of runs and the welcome page are wider than what a run shows.
    void otherPagesDoNotWidenTheWindow()
    {
        CHECKED(openSums("narrow", lateRun(4)));
        QVERIFY(m_window->centralWidget()->minimumSizeHint().width()
                < m_window->view<RunChooser>()->minimumSizeHint().width());
    }
    void withoutStepsTheStragglersAreTold()
    {
        CHECKED(openSums("unmarked", lateRun(4, false)));
        QTRY_VERIFY(view().emptyText().contains(QLatin1String("mark no steps")));
        QVERIFY(!canvas().isVisible());
        QCOMPARE(view().chosen(), std::optional(3));
        openChosen();
        QVERIFY(opensEventsOf({3}));
    }
    void aSingleRankIsNotCompared()
    {
        CHECKED(openSums("alone", lateRun(1)));
        QTRY_VERIFY(view().emptyText().contains(QLatin1String("no map")));
        QVERIFY(isSaid(view(), view().emptyText()));
        QCOMPARE(view().chosen(), std::optional(0));
        QVERIFY(!button("openNeighbours").isVisible());
        QCOMPARE(shownTabs(), tabsOfSummaries());
        openChosen();
        QVERIFY(opensEventsOf({0}));
    }
    void ranksOnCpusSayWhy()
    {
        writeGlooJob(GlooJob::Straggler, path("gloo").toStdString());
        CHECKED(openSums("gloo"));
        QTRY_VERIFY(view().emptyText().contains(QLatin1String("CPU")));
        QCOMPARE(view().chosen(), std::optional(0));
        QCOMPARE(shownTabs(), tabsOfSummaries());
        openChosen();
        QVERIFY(opensEventsOf({0}));
    }
    /// The file of a node holds all of its GPUs: it is opened whole, and its ranks keep their numbers.
    void aFileOfSeveralRanksIsOpenedWhole()
    {
        RunFiles files;
        files.kineto = files.nvlink = files.card = false;
        files.nsys = true;
        writeRun(planRun(WorkloadDescription()), path("node").toStdString(), files);
        CHECKED(openSums("node"));
        QCOMPARE(state().run().model()->ranks(), (std::vector<std::int32_t>{0, 1, 2, 3}));
        view().choose(2);
        openChosen();
        QVERIFY(opensEventsOf({0, 1, 2, 3}));
        QVERIFY(!banner().message() || banner().message()->about != QLatin1String("detail"));
    }
    /// Of a second node they cannot: the numbers follow from the files that are opened.
    void otherNumbersAreSaid()
    {
        RunFiles files;
        files.kineto = files.nvlink = files.card = false;
        files.nsys = true;
        const std::filesystem::path nodes = path("nodes").toStdString();
        writeRun(planRun(WorkloadDescription()), nodes / "made", files);
        WorkloadDescription other;
        other.seed = 2;
        other.jitter = 0.1;
        writeRun(planRun(other), nodes / "alsoMade", files);
        std::filesystem::rename(nodes / "made" / "nsys_0.sqlite", nodes / "first.sqlite");
        std::filesystem::rename(nodes / "alsoMade" / "nsys_0.sqlite", nodes / "second.sqlite");
        CHECKED(openSums("nodes"));
        const std::vector<std::int32_t> ranks = state().run().model()->ranks();
        QCOMPARE(ranks, (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
        view().choose(6);
        openChosen();
        QVERIFY(banner().message() && banner().message()->text.contains(QLatin1String("other numbers")));
        QVERIFY(opensEventsOf({0, 1, 2, 3}));
        QTest::mouseClick(&button("openNeighbours"), Qt::LeftButton);
        QVERIFY(opensEventsOf(ranks));
    }
    /// Neither the file nor its name states a rank: it keeps the one that it has here.
    void aRankByOrderIsKept()
    {
        SmallRun run = lateRun(3);
        run.worldSize(0);
        const std::filesystem::path folder = path("unnamed").toStdString();
        run.write(folder.string());
        for (int rank = 0; rank < 3; ++rank)
            std::filesystem::rename(folder / ("rank" + std::to_string(rank) + "_trace.json"),
                                    folder / (std::string(1, static_cast<char>('a' + rank)) + "_trace.json"));
        CHECKED(openSums("unnamed"));
        QCOMPARE(state().run().model()->ranks(), (std::vector<std::int32_t>{0, 1, 2}));
        view().choose(2);
        openChosen();
        QVERIFY(opensEventsOf({2}));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestOddSummaries)
#include "tst_odd_summaries.moc"
