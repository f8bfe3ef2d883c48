// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A folder of summaries in the window: who held the others up is on the screen before anything is clicked,
// and from each rank a way leads to its events.

#include "app/comparison/comparison_window.h"
#include "tests/gui/driver/summaries_test.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/workloads/planted_run.h"
#include "views/collectives/lateness_map.h"
#include "views/collectives/straggler_panel.h"
#include "views/metrics/metrics_panel.h"
#include "views/ranks/ranks_panel.h"
#include "views/search/search_bar.h"
#include "views/summary/finding_strip.h"
#include "views/summary/parts_bar.h"
#include "views/summary/summary_view.h"
#include "views/tables/cell_table.h"
#include "views/whatif/gain_button.h"

#include <QAbstractButton>
#include <QClipboard>
#include <QCryptographicHash>
#include <QDateTime>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>
#include <QTreeWidget>

namespace collscope {

class TestWindowSummaries : public SummariesTest
{
    Q_OBJECT

private:
    static constexpr int culprit = 13;
    static constexpr std::int64_t extraNs = 500'000;
    static constexpr int ranks = 32;

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
        summarize(run, sums);
    }
    void writeFiles() override { writeSummaries(plan(), "run", "sums"); }
    void openFirst() override { QVERIFY(openAndWait(*m_window, {path("sums")})); }

    /// Names, times and contents of the files of a folder.
    static QStringList stateOf(const QString& folder)
    {
        QStringList state;
        for (const QFileInfo& entry : QDir(folder).entryInfoList(QDir::Files | QDir::Hidden)) {
            QFile file(entry.filePath());
            const bool isRead = file.open(QIODevice::ReadOnly);
            const QByteArray digest = QCryptographicHash::hash(isRead ? file.readAll() : QByteArray(),
                                                               QCryptographicHash::Sha256);
            state << entry.fileName() + entry.lastModified().toString(Qt::ISODateWithMs)
                    + QString::fromLatin1(digest.toHex());
        }
        return state;
    }
    /// Of the findings, the row about the straggler.
    int rowOfStraggler() const
    {
        const auto& shown = m_window->view<SummaryView>()->shown();
        for (std::size_t row = 0; row < shown.size(); ++row) {
            if (shown[row]->kind == FindingKind::Straggler)
                return static_cast<int>(row);
        }
        return -1;
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
        const QString parts = m_window->view<SummaryView>()->parts()->text();
        QVERIFY2(parts.contains(QStringLiteral("waiting for other ranks unknown;")), qPrintable(parts));
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
        QCOMPARE(shownTabs(), tabsOfSummaries());
        const char* const commands[]{"find",     "findSame",   "listRange",    "explainHere", "exportPage",
                                     "keepMark", "removeMark", "copyLocation", "nextMark",    "back",
                                     "forward",  "zoomIn",     "rawClocks"};
        for (const char* const command : commands) {
            QVERIFY2(!isEnabled(command), command);
            QVERIFY2(action(command).toolTip().contains(QLatin1String("no events")), command);
        }
        QVERIFY(!m_window->view<SearchBar>()->isEnabled());
        QVERIFY(isEnabled("exportCsv") && isEnabled("reload"));
        m_window->goToLocation({});
        QVERIFY(banner().message() && banner().message()->text.contains(QLatin1String("no events")));
        QVERIFY(openAndWait(*m_window, {path("run")}));
        const QStringList tabs = shownTabs();
        for (const char* const tab : {"causes", "whatIf", "gaps", "lateness", "collectives", "rangePanel",
                                      "peakKernels", "selectionDetails", "searchResults"})
            QVERIFY2(tabs.contains(QLatin1String(tab)), tab);
        for (const char* const command :
             {"find", "explainHere", "exportPage", "keepMark", "copyLocation", "back"})
            QVERIFY2(isEnabled(command), command);
        QVERIFY(timeline().isVisible() && !view().isVisible() && m_window->view<SearchBar>()->isEnabled());
    }
    /// They have no place on a timeline, and nothing can say more about them without events.
    void aFindingLeadsToItsRank()
    {
        QTRY_VERIFY(canvas().lateness() != nullptr);
        view().choose(canvas().lateness()->ranks.back());
        CellTable& table = *m_window->view<SummaryView>()->table();
        const int row = rowOfStraggler();
        QVERIFY(row >= 0);
        const auto choose
            = [&](int finding) { table.setCurrentIndex(table.model()->index(table.shownRow(finding), 0)); };
        choose(row);
        QCOMPARE(view().chosen(), std::optional(culprit));
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_Return);
        QVERIFY(opensEventsOf({culprit}));
        for (std::size_t i = 0; i < m_window->view<SummaryView>()->shown().size(); ++i) {
            choose(static_cast<int>(i));
            QVERIFY(!widgetNamed<QToolButton>(*m_window, "findingWhy").isVisible());
            QVERIFY(!m_window->view<SummaryView>()->whatIf()->isVisible());
        }
        for (QAbstractButton* const card : m_window->view<FindingStrip>()->cards())
            card->click();
        QVERIFY(!state().selection().range() && !m_window->isComputing());
        // Whoever asks for a hidden tab: it stays hidden.
        for (const Finding* const finding : m_window->view<SummaryView>()->shown())
            emit m_window->view<SummaryView>()->whyWanted(*finding);
        QCOMPARE(tabs().currentWidget(), m_window->view<SummaryView>());
    }
    void theListOfRanksMarksTheStraggler()
    {
        QTRY_VERIFY(rowOfStraggler() >= 0);
        QTreeWidget& tree = *m_window->view<RanksPanel>()->tree();
        const auto items = tree.findItems(QStringLiteral("rank 13"), Qt::MatchExactly | Qt::MatchRecursive);
        QCOMPARE(items.size(), 1);
        QCOMPARE(items.front()->text(1), QStringLiteral("late"));
        QVERIFY(items.front()->toolTip(1).contains(QLatin1String("ank 13 ")));
    }
    /// What a cell of sums is differs from one of a collective.
    void theLegendIsThatOfSums()
    {
        QTRY_VERIFY(canvas().lateness() != nullptr);
        const auto& legend = *view().findChild<LatenessLegend*>();
        QVERIFY(legend.isVisible() && legend.width() >= legend.sizeHint().width());
        QVERIFY(legend.toolTip().contains(QLatin1String("in the mean of its collectives")));
        QVERIFY(canvas().parentWidget()->minimumSizeHint().width() < legend.sizeHint().width());
    }
    /// A small sum is painted as on time, and the words say so; if the clocks are uncertain, they say that.
    void cellsSayHowSureTheyAre()
    {
        QTRY_VERIFY(canvas().lateness() != nullptr);
        const auto textOf = [this](bool isLate) {
            const StepLateness& lateness = *canvas().lateness();
            for (std::size_t row = 0; row < lateness.ranks.size(); ++row) {
                for (std::size_t column = 0; column < lateness.steps().size(); ++column) {
                    const FoldedCell* const cell = lateness.cellOf(row, column);
                    if (cell && cell->latenessNs > 0 && (lateness.at(row, column) > 0) == isLate)
                        return canvas().cellText(row, column);
                }
            }
            return QString();
        };
        QVERIFY(!textOf(true).isEmpty() && !textOf(true).contains(QLatin1String("uncertain")));
        PlantedPlan scattered = plan();
        scattered.endJitterUs = 12;
        writeSummaries(scattered, "scattered", "sumsScattered");
        QVERIFY(openAndWait(*m_window, {path("sumsScattered")}));
        QTRY_VERIFY(canvas().lateness() != nullptr);
        QVERIFY(canvas().lateness()->significantNs > lateNs);
        QVERIFY(textOf(false).contains(QLatin1String("counts as on time")));
        QVERIFY(textOf(true).contains(QLatin1String("clocks are uncertain")));
    }
    void theMetricsWarningsAreShown()
    {
        PlantedPlan poor = plan();
        poor.endJitterUs = 200; // too much for clocks
        writeSummaries(poor, "poor", "sumsPoor");
        QVERIFY(openAndWait(*m_window, {path("sumsPoor")}));
        QTRY_VERIFY(canvas().isVisible());
        const QString warning = QStringLiteral("waits are derived from durations");
        QVERIFY(isSaid(view(), warning));
        clickTab(*m_window->view<StragglerPanel>());
        QVERIFY(isSaid(*m_window->view<StragglerPanel>(), warning));
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
        QTest::mouseClick(&button("openNeighbours"), Qt::LeftButton);
        QVERIFY(opensEventsOf({8, 9, 10, 11, 12, 13, 14, 15}));
        const std::vector<std::int32_t> some{0, 7, 8, 9, 13, 16};
        QCOMPARE(RankSummariesView::neighboursOf(13, some), (std::vector<std::int32_t>{8, 9, 13}));
        QCOMPARE(RankSummariesView::neighboursOf(16, some), std::vector<std::int32_t>{16});
    }
    /// Ranks that are not there are not counted, and a rank that was chosen before a reload is not kept.
    void buttonsNameTheRanksThatAreThere()
    {
        PlantedPlan gappy = plan();
        for (const int rank : {10, 11, 15})
            gappy.missing.insert(rank);
        writeSummaries(gappy, "gappy", "sumsGappy");
        QVERIFY(openAndWait(*m_window, {path("sumsGappy")}));
        QTRY_COMPARE(view().chosen(), std::optional(culprit));
        QVERIFY(button("openNeighbours").text().endsWith(QStringLiteral("8\u20139, 12\u201314")));
        view().choose(20);
        QSignalSpy reloaded(m_window.get(), &MainWindow::runOpened);
        action("reload").trigger();
        QVERIFY(reloaded.wait(20'000));
        QTRY_COMPARE(view().chosen(), std::optional(culprit));
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
    /// Neither one that is being laid out when another run takes its place, nor one that is asked for before
    /// the stragglers of that run are known.
    void aMapOfTheRunBeforeIsNotShown()
    {
        QTRY_VERIFY(canvas().lateness() != nullptr);
        PlantedPlan fewer = plan();
        fewer.ranks = 8;
        fewer.culprit = 5;
        writeSummaries(fewer, "fewer", "sumsFewer");
        const TraceModelPtr next = *loadPath(path("sumsFewer").toStdString());
        const auto isStale
            = [&] { return canvas().lateness() && canvas().lateness()->ranks.size() > next->ranks().size(); };
        QVERIFY(isStale());
        constexpr int whileMs = 300;
        state().preferences().setHiddenRanks({0});
        state().setModel(next);
        QVERIFY(!QTest::qWaitFor(isStale, whileMs));
        QVERIFY(openAndWait(*m_window, {path("sums")}));
        QTRY_VERIFY(isStale());
        state().setModel(next);
        state().preferences().setHiddenRanks({1});
        QVERIFY(!QTest::qWaitFor(isStale, whileMs));
        QVERIFY(openAndWait(*m_window, {path("sumsFewer")}));
        QTRY_VERIFY(canvas().lateness() != nullptr);
        QCOMPARE(canvas().lateness()->ranks.front(), fewer.culprit);
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
        const auto refuses = [&] {
            doubleClick(canvas().viewport(), middleOf(0, 1));
            return !openedWindow() && banner().message()
                && banner().message()->text.contains(path("gone/rank13_trace.json"));
        };
        QVERIFY(refuses());
        QVERIFY(QDir(path("gone")).removeRecursively());
        QVERIFY(refuses());
        banner().message()->action();
        const auto commands = [] { return QGuiApplication::clipboard()->text().split(u'\n'); };
        QCOMPARE(commands().size(), 3);
        QCOMPARE(commands()[0],
                 QStringLiteral("collscope --batch plan %1 --tasks 1 --keep all -o ranks-13.json")
                     .arg(path("gone/rank13_trace.json")));
        QCOMPARE(commands()[1],
                 QStringLiteral("collscope --batch reduce ranks-13.json --task 0 -o ranks-13"));
        QCOMPARE(commands()[2], QStringLiteral("collscope ranks-13"));
        QTest::mouseClick(&button("copyCommands"), Qt::LeftButton);
        QVERIFY(commands()[0].contains(path("gone/rank8_trace.json"))
                && commands()[0].endsWith(QLatin1String("-o ranks-8-15.json")));
    }
    /// Without sequence numbers nobody knows which calls belong together.
    void whatCannotBeToldIsSaid()
    {
        PlantedPlan unnumbered = plan();
        unnumbered.writesSequence = false;
        writeSummaries(unnumbered, "unnumbered", "sumsUnnumbered");
        QVERIFY(openAndWait(*m_window, {path("sumsUnnumbered")}));
        QTRY_VERIFY(view().emptyText().contains(QLatin1String("have no sequence number")));
        QVERIFY(view().emptyText().contains(QLatin1String("no map")));
        QVERIFY(!canvas().isVisible());
        QCOMPARE(view().chosen(), std::optional(0)); // no rank is the worst
        QTest::mouseClick(&button("openRank"), Qt::LeftButton);
        QVERIFY(opensEventsOf({0}));
    }
    /// A comparison measures events: without them its numbers would be wrong.
    void summariesAreNotCompared()
    {
        QVERIFY(!isEnabled("compare"));
        m_window->compareWith({path("run")});
        QVERIFY(!m_window->comparison());
        QVERIFY(banner().message() && banner().message()->text.contains(QLatin1String("--keep all")));
        QVERIFY(openAndWait(*m_window, {path("run")}));
        QVERIFY(isEnabled("compare"));
        m_window->compareWith({path("sums")});
        QVERIFY(m_window->comparison());
        QSignalSpy failed(m_window->comparison(), &ComparisonWindow::failed);
        QVERIFY(failed.wait(20'000));
        QVERIFY(failed.front().front().toString().contains(QLatin1String("--keep all")));
        m_window->comparison()->close();
    }
    void theFolderStaysAsItIs()
    {
        writeSummaries(plan(), "kept", "sumsKept");
        const QStringList before = stateOf(path("sumsKept"));
        QVERIFY(!before.isEmpty());
        QVERIFY(openAndWait(*m_window, {path("sumsKept")}));
        QTRY_VERIFY(canvas().lateness() != nullptr);
        doubleClick(canvas().viewport(), middleOf(0, 1));
        QVERIFY(opensEventsOf({culprit}));
        m_window->close();
        QCOMPARE(stateOf(path("sumsKept")), before);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestWindowSummaries)
#include "tst_window_summaries.moc"
