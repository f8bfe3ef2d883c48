// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A folder of summaries in the window: who held the others up is on the screen before anything is clicked,
// and from each rank a way leads to its events.

#include "app/comparison/comparison_window.h"
#include "metrics/summary/summarized_events.h"
#include "tests/gui/driver/window_test.h"
#include "tests/support/runs/reduced_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/planted_run.h"
#include "views/collectives/straggler_panel.h"
#include "views/metrics/metrics_panel.h"
#include "views/ranks/ranks_panel.h"
#include "views/search/search_bar.h"
#include "views/summaries/rank_summaries_view.h"
#include "views/summaries/step_lateness_canvas.h"
#include "views/summary/summary_view.h"
#include "views/tables/cell_table.h"
#include "views/widgets/banner.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTreeWidget>

namespace collscope {

class TestWindowSummaries : public WindowTest
{
    Q_OBJECT

private:
    static constexpr int culprit = 13;
    static constexpr std::int64_t extraNs = 500'000;
    static constexpr int ranks = 32;

    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    static PlantedPlan plan()
    {
        PlantedPlan plan;
        plan.ranks = ranks;
        plan.tensorParallel = 8;
        plan.cause = PlantedCause::SlowKernel;
        plan.culprit = culprit;
        plan.extraUs = extraNs / 1000.0;
        return plan;
    }
    void writeSummaries(const PlantedPlan& plan, const char* run, const char* sums) const
    {
        QVERIFY(QDir().mkpath(path(run)));
        writePlanted(plan, path(run).toStdString());
        QVERIFY(writeReduced(path(run).toStdString(), path(sums).toStdString(), 2, Kept::Summaries,
                             summarizeEvents));
    }
    void writeFiles() override { writeSummaries(plan(), "run", "sums"); }
    void openFirst() override { QVERIFY(openAndWait(*m_window, {path("sums")})); }

    RankSummariesView& view() const { return *m_window->view<RankSummariesView>(); }
    StepLatenessCanvas& canvas() const { return *m_window->view<StepLatenessCanvas>(); }
    bool isTabShown(const char* name) const
    {
        const QTabWidget& tabs = *m_window->findChild<QTabWidget*>();
        return tabs.isTabVisible(tabs.indexOf(&widgetNamed<QWidget>(*m_window, name)));
    }
    bool isEnabled(const char* command) const { return widgetNamed<QAction>(*m_window, command).isEnabled(); }
    /// The window that opened beside this one, with its run; nullptr if there is none.
    MainWindow* openedWindow() const
    {
        for (QWidget* widget : QApplication::topLevelWidgets()) {
            auto* const window = qobject_cast<MainWindow*>(widget);
            if (window && window != m_window.get() && window->isVisible())
                return window;
        }
        return nullptr;
    }
    /// Whether another window has the events of these ranks; closes it.
    bool opensEventsOf(const std::vector<std::int32_t>& expected) const
    {
        MainWindow* const opened = openedWindow();
        if (!opened
            || !QTest::qWaitFor([&] { return opened->viewState()->run().model() != nullptr; }, 20'000))
            return false;
        const TraceModelPtr model = opened->viewState()->run().model();
        opened->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return model->ranks() == expected && model->sliceCount() > 0 && !model->isSummarized();
    }
    QPoint middleOf(std::size_t row, std::size_t column) const
    {
        return canvas().cellRect(row, column).center();
    }

private slots:
    /// Without a click and without scrolling.
    void theWorstRankIsOnTheScreen()
    {
        QVERIFY(canvas().isVisible());
        QVERIFY(!timeline().isVisible());
        QTRY_VERIFY(canvas().lateness() != nullptr);
        const StepLateness& lateness = *canvas().lateness();
        QCOMPARE(lateness.ranks.size(), std::size_t{ranks});
        QCOMPARE(lateness.ranks.front(), culprit);
        QCOMPARE(lateness.steps().size(), std::size_t{4}); // the inner ones of six
        const QImage image = canvas().viewport()->grab().toImage();
        for (std::size_t column = 0; column < lateness.steps().size(); ++column) {
            // The kernel takes so much longer in each step; what others add is noise.
            QVERIFY(lateness.cellOf(0, column)->latenessNs >= extraNs * 9 / 10);
            const QRect cell = canvas().cellRect(0, column);
            QVERIFY(canvas().viewport()->rect().contains(cell));
            QCOMPARE(image.pixel(cell.left() + 3, cell.top() + 2),
                     canvas().scale().colorOf(lateness.at(0, column)));
        }
        QVERIFY(m_window->view<StragglerPanel>()->verdictText().contains(QLatin1String("rank 13 ")));
        QCOMPARE(view().chosen(), std::optional(culprit));
        const auto& findings = m_window->view<SummaryView>()->shown();
        QVERIFY(std::any_of(findings.begin(), findings.end(), [](const Finding* finding) {
            return finding->title.find("rank 13 ") != std::string::npos;
        }));
    }
    void itIsTheFirstRowOfTheStragglers()
    {
        auto& panel = *m_window->view<StragglerPanel>();
        clickTab(panel);
        QTRY_VERIFY(panel.report() != nullptr);
        QCOMPARE(panel.report()->straggler, std::optional(culprit));
        QCOMPARE(panel.ranks()->model()->index(0, 0).data().toString(), QStringLiteral("13"));
        QVERIFY(panel.groups()->model()->rowCount() > 1);
        const auto cell
            = [&] { return panel.ranks()->visualRect(panel.ranks()->model()->index(0, 0)).center(); };
        QTRY_VERIFY(panel.ranks()->viewport()->rect().contains(cell()));
        QTest::mouseClick(panel.ranks()->viewport(), Qt::LeftButton, {}, cell()); // a double click begins so
        doubleClick(panel.ranks()->viewport(), cell());
        QVERIFY(opensEventsOf({culprit}));
    }
    void metricsHaveValues()
    {
        const auto& results = m_window->view<MetricsPanel>()->results();
        const auto stateOf = [&](const char* id) {
            const auto found = std::find_if(results.begin(), results.end(), [&](const auto& result) {
                return result.first.metric->id == id;
            });
            return found == results.end() ? MetricState::Error : found->second.state;
        };
        QCOMPARE(stateOf("straggler"), MetricState::Value);
        QCOMPARE(stateOf("avg_step_time"), MetricState::Value);
        QCOMPARE(stateOf("collective_bandwidth"), MetricState::MissingInput);
    }
    void whatNeedsEventsIsNotOffered()
    {
        for (const char* const tab : {"summary", "stragglers", "problems"})
            QVERIFY2(isTabShown(tab), tab);
        const char* const tabs[]{"causes",      "whatIf",           "gaps",
                                 "lateness",    "collectives",      "rangePanel",
                                 "peakKernels", "selectionDetails", "searchResults"};
        for (const char* const tab : tabs)
            QVERIFY2(!isTabShown(tab), tab);
        QVERIFY(!isEnabled("find") && !isEnabled("explainHere"));
        QVERIFY(
            widgetNamed<QAction>(*m_window, "explainHere").toolTip().contains(QLatin1String("no events")));
        QVERIFY(!m_window->view<SearchBar>()->isEnabled());
        QVERIFY(openAndWait(*m_window, {path("run")}));
        for (const char* const tab : tabs)
            QVERIFY2(isTabShown(tab), tab);
        QVERIFY(isEnabled("find") && isEnabled("explainHere") && timeline().isVisible());
        QVERIFY(!view().isVisible() && m_window->view<SearchBar>()->isEnabled());
    }
    void aDoubleClickOpensARank()
    {
        QTRY_VERIFY(canvas().lateness() != nullptr);
        const std::int32_t second = canvas().lateness()->ranks[1];
        QTest::mouseClick(canvas().viewport(), Qt::LeftButton, {}, middleOf(1, 2));
        QCOMPARE(view().chosen(), std::optional(second));
        doubleClick(canvas().viewport(), middleOf(0, 1));
        QCOMPARE(view().chosen(), std::optional(culprit));
        QVERIFY(opensEventsOf({culprit}));
    }
    void keysOpenARank()
    {
        QTRY_VERIFY(canvas().lateness() != nullptr);
        canvas().setFocus();
        QTest::keyClick(&canvas(), Qt::Key_Down); // the first press only shows where the cursor is
        QTest::keyClick(&canvas(), Qt::Key_Down);
        const std::int32_t second = canvas().lateness()->ranks[1];
        QTest::keyClick(&canvas(), Qt::Key_Return);
        QVERIFY(opensEventsOf({second}));
    }
    void aButtonOpensItsNeighbours()
    {
        QTRY_VERIFY(canvas().lateness() != nullptr);
        QTest::mouseClick(&widgetNamed<QPushButton>(*m_window, "openNeighbours"), Qt::LeftButton);
        QVERIFY(opensEventsOf({8, 9, 10, 11, 12, 13, 14, 15}));
        QCOMPARE(RankSummariesView::neighboursOf(777, 2047), (RankBlock{776, 783}));
        QCOMPARE(RankSummariesView::neighboursOf(9, 9), (RankBlock{8, 9}));
    }
    void theListOfRanksOpensARankAndHidesIt()
    {
        QTRY_VERIFY(canvas().lateness() != nullptr);
        QTreeWidget& tree = *m_window->view<RanksPanel>()->tree();
        const auto items = tree.findItems(QStringLiteral("rank 13"), Qt::MatchExactly | Qt::MatchRecursive);
        QCOMPARE(items.size(), 1);
        tree.setCurrentItem(items.front());
        tree.setFocus();
        QTest::keyClick(&tree, Qt::Key_Return);
        QVERIFY(opensEventsOf({culprit}));
        QTest::keyClick(&tree, Qt::Key_Space);
        QTRY_COMPARE(canvas().lateness()->ranks.size(), std::size_t{ranks - 1});
        QVERIFY(canvas().lateness()->ranks.front() != culprit);
    }
    /// The traces are on another machine, or others have their names.
    void missingTracesAreSaidWithTheCommands()
    {
        writeSummaries(plan(), "gone", "sumsOfGone");
        QVERIFY(openAndWait(*m_window, {path("sumsOfGone")}));
        QTRY_VERIFY(canvas().lateness() != nullptr);
        QFile changed(path("gone/rank13_trace.json"));
        QVERIFY(changed.open(QIODevice::Append) && changed.write(" ") == 1);
        changed.close();
        const auto& banner = widgetNamed<Banner>(*m_window, "banner");
        const auto refuses = [&] {
            doubleClick(canvas().viewport(), middleOf(0, 1));
            return !openedWindow() && banner.message()
                && banner.message()->text.contains(path("gone/rank13_trace.json"))
                && banner.message()->text.contains(QLatin1String("--ranks 13 --keep all"));
        };
        QVERIFY(refuses());
        QVERIFY(QDir(path("gone")).removeRecursively());
        QVERIFY(refuses());
        banner.message()->action();
        const QStringList commands = QGuiApplication::clipboard()->text().split(u'\n');
        QCOMPARE(commands.size(), 3);
        QCOMPARE(
            commands[0],
            QStringLiteral("collscope --batch plan '%1' --tasks 1 --ranks 13 --keep all -o ranks-13.json")
                .arg(path("gone")));
        QCOMPARE(commands[1], QStringLiteral("collscope --batch reduce ranks-13.json --task 0 -o ranks-13"));
        QCOMPARE(commands[2], QStringLiteral("collscope ranks-13"));
    }
    /// Without sequence numbers nobody knows which calls belong together.
    void whatCannotBeToldIsSaid()
    {
        PlantedPlan unnumbered = plan();
        unnumbered.writesSequence = false;
        writeSummaries(unnumbered, "unnumbered", "sumsUnnumbered");
        QVERIFY(openAndWait(*m_window, {path("sumsUnnumbered")}));
        QTRY_VERIFY(view().emptyText().contains(QLatin1String("have no sequence number")));
        QVERIFY(!canvas().isVisible());
    }
    /// A comparison measures events: without them its numbers would be wrong.
    void summariesAreNotCompared()
    {
        QVERIFY(!isEnabled("compare"));
        m_window->compareWith({path("run")});
        QVERIFY(!m_window->comparison());
        const auto& banner = widgetNamed<Banner>(*m_window, "banner");
        QVERIFY(banner.message() && banner.message()->text.contains(QLatin1String("--keep metrics")));
        QVERIFY(openAndWait(*m_window, {path("run")}));
        QVERIFY(isEnabled("compare"));
        m_window->compareWith({path("sums")});
        QVERIFY(m_window->comparison());
        QSignalSpy failed(m_window->comparison(), &ComparisonWindow::failed);
        QVERIFY(failed.wait(20'000));
        QVERIFY(failed.front().front().toString().contains(QLatin1String("--keep metrics")));
        m_window->comparison()->close();
    }
    void theFolderStaysAsItIs()
    {
        const QStringList before = QDir(path("sums")).entryList(QDir::AllEntries | QDir::Hidden);
        doubleClick(canvas().viewport(), middleOf(0, 1));
        QVERIFY(opensEventsOf({culprit}));
        m_window->close();
        QCOMPARE(QDir(path("sums")).entryList(QDir::AllEntries | QDir::Hidden), before);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestWindowSummaries)
#include "tst_window_summaries.moc"
