// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Which rows the timeline shows: pinned, filtered, collapsed, focused; and several slices selected at once.

#include "app/files/resources.h"
#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/common/time_axis.h"
#include "views/timeline/timeline_view.h"
#include "views/widgets/quick_pick.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>

#include <set>

namespace collscope {

namespace {

constexpr int rankCount = 12; // more than fit into the window

SmallRun runOfTwelve()
{
    SmallRun run(rankCount);
    SmallCall call;
    call.sequence = 1;
    call.ranks = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]";
    for (int rank = 0; rank < rankCount; ++rank) {
        run.step(rank, 1, 0, 1000);
        run.cpu(rank, "train", 10, 900);
        run.kernel(rank, 100, 300, 7, "gemm", 40);
        run.kernel(rank, 450, 100, 7, "softmax", 150);
        run.call(rank, 600, 200, call, 20, 400);
    }
    return run;
}

} // namespace

class TestRowChoices : public WindowTest
{
    Q_OBJECT

private:
    QLineEdit& filter() const { return *timeline().findChild<QLineEdit*>(QStringLiteral("rowFilter")); }
    const std::vector<TimelineRow>& rows() const { return timeline().layout().rows(); }
    /// The ranks that have a row, each once, in the order of rows.
    std::vector<std::int32_t> shownRanks() const
    {
        std::vector<std::int32_t> ranks;
        for (const TimelineRow& row : rows()) {
            if (row.key.rank >= 0 && (ranks.empty() || ranks.back() != row.key.rank))
                ranks.push_back(row.key.rank);
        }
        return ranks;
    }
    /// Something is painted in the middle of the lanes that are no rows.
    bool saysSomethingInTheMiddle() const
    {
        const int pinned = timeline().layout().pinnedHeight();
        const QPoint middle = timeline().lanesRect().adjusted(0, pinned, 0, 0).center();
        const QImage band = timelineImage().copy(middle.x() - 150, middle.y() - 10, 300, 20);
        const QRgb base = timeline().palette().color(QPalette::Base).rgb();
        for (int y = 0; y < band.height(); ++y) {
            for (int x = 0; x < band.width(); ++x) {
                if (band.pixel(x, y) != base)
                    return true;
            }
        }
        return false;
    }
    void click(SliceRef clicked, Qt::KeyboardModifiers modifiers = {}) const
    {
        QTest::mouseClick(timeline().viewport(), Qt::LeftButton, modifiers,
                          timeline().rectOf(clicked).center().toPoint());
    }
    /// Clicks the name of a row that is in sight.
    void clickName(const TimelineRow& row) const
    {
        const int scroll = row.isPinned ? 0 : timeline().verticalScrollBar()->value();
        QTest::mouseClick(timeline().viewport(), Qt::LeftButton, {},
                          {20, timeline().lanesRect().top() + row.y + row.height / 2 - scroll});
    }
    void openFirst() override
    {
        CHECKED(openRun(runOfTwelve()));
        timeline().rows().setRanksCollapsed(false); // they do not fit
        state().viewport().setVisibleRange(state().run().range());
        timeline().setFocus();
        QCoreApplication::processEvents();
    }

private slots:
    void aPinnedRowStaysInSight()
    {
        const SliceRef gemm = slice("gemm", 2);
        click(gemm);
        press(Qt::Key_P);
        QVERIFY(rows().front().isPinned && rows().front().tracks.front() == gemm.track);
        QCOMPARE(rows().front().title, QStringLiteral("rank 2"));
        timeline().verticalScrollBar()->setValue(timeline().verticalScrollBar()->maximum());
        const QRectF drawn = timeline().rectOf(gemm);
        QVERIFY2(!drawn.isEmpty(), "in sight although all others are scrolled");
        QVERIFY2(timeline().rectOf(slice("softmax", 0)).isEmpty(), "rank 0 is scrolled away");
        state().selection().setSlice({});
        click(gemm);
        QVERIFY2(state().selection().slice() == gemm, "and can be clicked there");
        const QColor painted = timelineImage().pixelColor(drawn.center().toPoint() + QPoint(0, -6));
        QVERIFY(painted != timeline().palette().color(QPalette::Base));
    }
    void pinsKeepTheirOrderAndAreUndone()
    {
        click(slice("gemm", 1));
        press(Qt::Key_P);
        click(slice("softmax", 0));
        press(Qt::Key_P);
        QCOMPARE(rows()[0].key.rank, 1);
        QCOMPARE(rows()[1].key.rank, 0);
        press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(rows()[0].isPinned && !rows()[1].isPinned);
        press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(rows()[1].isPinned);
        click(slice("gemm", 1));
        press(Qt::Key_P);
        QVERIFY2(rows()[0].isPinned && rows()[0].key.rank == 0 && !rows()[1].isPinned, "P lets go, too");
    }
    void anUnpinnedRowUnderThePinsIsNotClicked()
    {
        click(slice("gemm", 0));
        press(Qt::Key_P);
        const int pinned = timeline().layout().pinnedHeight();
        timeline().verticalScrollBar()->setValue(150);
        const QPoint inPins(timeline().rectOf(slice("gemm", 0)).center().toPoint());
        QVERIFY(inPins.y() < timeline().lanesRect().top() + pinned);
        QCOMPARE(timeline().sliceAt(inPins), std::optional(slice("gemm", 0)));
    }
    void withoutARowThereIsNothingToPin()
    {
        QSignalSpy noticed(&timeline(), &TimelineView::noticed);
        press(Qt::Key_P);
        QCOMPARE(noticed.count(), 1);
        QVERIFY(state().run().edits()->pins().empty());
    }
    /// Ranks that do not fit open collapsed, one row each; what is looked for is opened.
    void ranksThatDoNotFitOpenCollapsed()
    {
        CHECKED(openRun(runOfTwelve()));
        const auto rowsOfRank = [&](std::int32_t rank) {
            return std::count_if(rows().begin(), rows().end(),
                                 [&](const TimelineRow& row) { return row.key.rank == rank; });
        };
        for (std::int32_t rank = 0; rank < static_cast<std::int32_t>(rankCount); ++rank)
            QCOMPARE(rowsOfRank(rank), 1);
        QTest::keyClicks(&filter(), QStringLiteral("/rank (3|11) .*comm/"));
        QCOMPARE(shownRanks(), (std::vector<std::int32_t>{3, 11})); // rows of collapsed ranks are found
        filter().clear();
        QCOMPARE(rowsOfRank(3), 3);
        SmallRun two(2);
        two.kernel(0, 10, 5);
        two.kernel(1, 10, 5);
        CHECKED(openRun(two)); // they fit
        QVERIFY(timeline().rows().choices().collapsedRanks.empty());
        SmallRun one(1);
        one.kernel(0, 10, 5);
        one.cpu(0, "main", 0, 100);
        CHECKED(openRun(one)); // one rank opens with its threads
        QVERIFY(std::any_of(rows().begin(), rows().end(),
                            [](const TimelineRow& row) { return row.kind == RowKind::Stack; }));
    }
    /// Process groups give way to ranks, and the tabs below to the timeline.
    void aSmallWindowShowsRanks()
    {
        m_window = shownWindow();
        m_window->resize(1150, 700);
        QVERIFY(openAndWait(*m_window, {QString::fromStdString(resourceFolder("demo"))}));
        QTRY_VERIFY(state().run().collectives());
        QCoreApplication::processEvents();
        const int bottom = timeline().viewport()->height();
        const auto isInSight = [&](const TimelineRow& row) {
            return row.firstOfTimeline && timeline().positions().topOf(row) + row.height <= bottom;
        };
        const auto inSight = std::count_if(rows().begin(), rows().end(), isInSight);
        QVERIFY2(inSight >= 4, qPrintable(QString::number(inSight)));
    }
    /// Until the user moves their edge. A click into a tab does not count as one.
    void theTabsFollowTheWindow()
    {
        m_window = shownWindow();
        QVERIFY(openAndWait(*m_window, {QString::fromStdString(resourceFolder("demo"))}));
        const auto& tabs = *m_window->findChild<QDockWidget*>(QStringLiteral("dockDetails"));
        QTRY_COMPARE(tabs.height(), 250);
        QTest::mouseClick(&widgetNamed<QLabel>(tabs, "stepTime"), Qt::LeftButton);
        m_window->resize(1150, 700);
        QTRY_COMPARE(tabs.height(), 182); // 26 %
        const QPoint edge(tabs.geometry().center().x(), tabs.geometry().top() - 1);
        QTest::mousePress(m_window.get(), Qt::LeftButton, {}, edge);
        QTest::mouseMove(m_window.get(), edge + QPoint(0, 20));
        QTRY_COMPARE(tabs.height(), 162); // Qt moves it in its own time
        QTest::mouseRelease(m_window.get(), Qt::LeftButton, {}, edge + QPoint(0, 20));
        m_window->resize(1680, 1010);
        QCoreApplication::processEvents();
        QCOMPARE(tabs.height(), 162);
    }
    /// The row of a collapsed rank is hatched where the rank waits.
    void aCollapsedRankShowsItsWaits()
    {
        SmallRun run(2);
        for (const int rank : {0, 1}) {
            const int arrival = rank == 0 ? 200 : 700;
            run.step(rank, 1, 0, 1000);
            run.kernel(rank, 0, arrival);
            SmallCall call{"allreduce", "0", "[0, 1]", 2, 4096, 4096};
            call.sequence = 1;
            run.call(rank, arrival, 900 - arrival, call);
        }
        CHECKED(openRun(run));
        QTRY_VERIFY(state().run().collectives());
        timeline().rows().setRanksCollapsed(true);
        state().viewport().setVisibleRange(state().run().range());
        const auto coloursAt = [&](std::int32_t rank, std::int64_t fromUs, std::int64_t toUs) {
            const auto row = std::find_if(rows().begin(), rows().end(),
                                          [&](const TimelineRow& one) { return one.key.rank == rank; });
            const QImage image = timelineImage();
            const int y = timeline().lanesRect().top() + row->yOfLevel(0) + row->laneHeight / 2;
            std::set<QRgb> colours;
            for (int x = timelinePoint(fromUs * 1000, y).x(); x < timelinePoint(toUs * 1000, y).x(); ++x)
                colours.insert(image.pixel(x, y));
            return colours.size();
        };
        QVERIFY2(coloursAt(0, 250, 650) > 1, "hatched");
        QCOMPARE(coloursAt(0, 750, 850), std::size_t{1}); // data moves
        QCOMPARE(coloursAt(1, 750, 850), std::size_t{1}); // it is the last one
    }
    void theFilterKeepsRowsByName()
    {
        press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(filter().hasFocus());
        QTest::keyClicks(&filter(), QStringLiteral("rank 1"));
        QCOMPARE(shownRanks(), std::vector<std::int32_t>{1}); // not 10 and 11
        filter().clear();
        QTest::keyClicks(&filter(), QStringLiteral("/rank (3|11) .*comm/"));
        QCOMPARE(shownRanks(), (std::vector<std::int32_t>{3, 11}));
        QCOMPARE(rows().size(), std::size_t{2});
        QVERIFY2(rows()[0].title == QStringLiteral("rank 3"), "the first row shown says whose it is");
        QTest::keyClick(&filter(), Qt::Key_Escape);
        QVERIFY(timeline().hasFocus());
        QCOMPARE(shownRanks().size(), std::size_t{rankCount});
    }
    void aThreadIsFoundWhileThreadsAreCollapsed()
    {
        QTest::keyClicks(&filter(), QStringLiteral("thread"));
        QVERIFY(std::any_of(rows().begin(), rows().end(),
                            [](const TimelineRow& row) { return row.kind == RowKind::Stack; }));
        QVERIFY(std::none_of(rows().begin(), rows().end(),
                             [](const TimelineRow& row) { return row.kind == RowKind::Stream; }));
    }
    void whatFitsNothingSaysSo()
    {
        press(Qt::Key_G); // no lines but those of letters
        QTest::keyClicks(&filter(), QStringLiteral("nowhere"));
        QVERIFY(rows().empty());
        QVERIFY2(saysSomethingInTheMiddle(), "why the timeline is empty");
        filter().clear();
        QVERIFY(!rows().empty());
        QSignalSpy noticed(&timeline(), &TimelineView::noticed);
        QTest::keyClicks(&filter(), QStringLiteral("/rank (/"));
        QVERIFY2(noticed.last().first().toString().contains(QStringLiteral("character")), "a broken pattern");
        QCOMPARE(shownRanks().size(), std::size_t{rankCount});
        filter().clear();
        click(slice("gemm", 1));
        press(Qt::Key_P);
        state().clearSelection();
        QTest::keyClicks(&filter(), QStringLiteral("nowhere"));
        QCOMPARE(rows().size(), std::size_t{1}); // a pinned row stays
        QVERIFY2(saysSomethingInTheMiddle(), "why all others are gone");
    }
    void whatIsShownOutweighsTheFilter()
    {
        QTest::keyClicks(&filter(), QStringLiteral("rank 1"));
        state().revealSlice(slice("gemm", 5));
        QVERIFY(!timeline().rectOf(slice("gemm", 5)).isEmpty());
        QVERIFY(filter().text().isEmpty());
    }
    void aRankCollapsesToOneRow()
    {
        const auto first = std::find_if(rows().begin(), rows().end(),
                                        [](const TimelineRow& row) { return row.key.rank == 0; });
        const auto count = [&](std::int32_t rank) {
            return std::count_if(rows().begin(), rows().end(),
                                 [&](const TimelineRow& row) { return row.key.rank == rank; });
        };
        QCOMPARE(count(0), 3); // compute, communication, CPU
        clickName(TimelineRow(*first));
        QCOMPARE(count(0), 1);
        QCOMPARE(count(1), 3);
        QVERIFY(timeline().rows().focused());
        const TimelineRow collapsed = *timeline().rows().focused();
        QVERIFY2(collapsed.key.rank == 0 && collapsed.tracks.size() == 2, "one row for both streams");
        QVERIFY(timeline().rectOf(slice("gemm", 0)).isEmpty());
        press(Qt::Key_Return);
        QCOMPARE(count(0), 3);
        press(Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(count(0), 1); // Enter alone is for the threads
        press(Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(count(0), 3);
        QTest::mouseClick(
            timeline().viewport(), Qt::LeftButton, {},
            {timelineHeaderWidth - 10, timeline().lanesRect().top() + timeline().rows().focused()->y + 5});
        QCOMPARE(count(0), 3); // the right half only chooses the row
    }
    void theFilterChoosesWhichRanksCollapse()
    {
        QTest::keyClicks(&filter(), QStringLiteral("/rank [0-5] /"));
        m_window->findChild<QAction*>(QStringLiteral("collapseRanks"))->trigger();
        QTest::keyClick(&filter(), Qt::Key_Escape);
        QVERIFY(timeline().rows().choices().collapsedRanks == (std::set<std::int32_t>{0, 1, 2, 3, 4, 5}));
        m_window->findChild<QAction*>(QStringLiteral("expandRanks"))->trigger();
        QVERIFY(timeline().rows().choices().collapsedRanks.empty());
    }
    void arrowsWalkOverRowsWithoutASelection()
    {
        QVERIFY(!timeline().rows().focused());
        press(Qt::Key_Down);
        QVERIFY(timeline().rows().focused() == &rows().front());
        press(Qt::Key_Down);
        QVERIFY(timeline().rows().focused() == &rows()[1]);
        for (std::size_t i = 0; i < rows().size(); ++i)
            press(Qt::Key_Down);
        QVERIFY2(timeline().rows().focused() == &rows().back(), "it ends at the last row");
        QVERIFY2(timeline().verticalScrollBar()->value() > 0, "which is scrolled into sight");
        click(slice("gemm", rankCount - 1));
        QVERIFY2(timeline().rows().focused()->tracks.front() == slice("gemm", rankCount - 1).track,
                 "a selected slice takes the focus to its row");
    }
    void goToTrackFindsItByAFewLetters()
    {
        const SliceRef train = slice("train", 11);
        QVERIFY2(timeline().rectOf(train).isEmpty(), "its thread is collapsed");
        press(Qt::Key_P, Qt::ControlModifier);
        QVERIFY(m_window->view<QuickPick>()->isOpen());
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("rank 11 thread"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QVERIFY(!m_window->view<QuickPick>()->isOpen());
        QVERIFY(timeline().hasFocus());
        QVERIFY2(!timeline().rectOf(train).isEmpty(), "opened, and scrolled into sight");
        QVERIFY(timeline().rows().focused()->tracks.front() == train.track);
    }
    void controlClickSelectsSeveral()
    {
        click(slice("gemm", 0));
        click(slice("softmax", 0), Qt::ControlModifier);
        QVERIFY(state().selection().slice() == slice("softmax", 0));
        QCOMPARE(state().selection().otherSlices(), std::vector<SliceRef>{slice("gemm", 0)});
        const QImage both = timelineImage();
        click(slice("gemm", 0), Qt::ControlModifier);
        QVERIFY(state().selection().otherSlices().empty()
                && state().selection().slice() == slice("softmax", 0));
        QVERIFY2(timelineImage() != both, "its outline is gone");
        click(slice("gemm", 0), Qt::ControlModifier);
        click(slice("gemm", 0), Qt::ControlModifier);
        QVERIFY2(state().selection().slice() == slice("softmax", 0),
                 "taking out the last leaves the one before");
        click(slice("softmax", 0), Qt::ControlModifier);
        QVERIFY(!state().selection().slice());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestRowChoices)
#include "tst_row_choices.moc"
