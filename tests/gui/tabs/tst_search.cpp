// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Search: / and a part of a name, the way from match to match over all ranks, the table of what was found.

#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/search/search_bar.h"
#include "views/search/search_results.h"
#include "views/timeline/timeline_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>

namespace collscope {

namespace {

/// Five GEMMs on two ranks at 100, 150, 200 (rank 0) and 120, 300 us (rank 1), and other names between them.
SmallRun runWithGemms()
{
    SmallRun run(2);
    run.step(0, 1, 0, 1000);
    run.step(1, 1, 0, 1000);
    run.kernel(0, 100, 10, 7, "sm90_gemm_a");
    run.kernel(0, 150, 20, 7, "sm90_GEMM_b");
    run.kernel(0, 200, 90, 7, "sm90_gemm_a");
    run.kernel(0, 400, 10, 7, "softmax");
    run.kernel(1, 120, 30, 7, "sm90_gemm_a");
    run.kernel(1, 300, 40, 7, "sm90_gemm_a");
    run.kernel(1, 500, 10, 7, "softmax(float*)");
    return run;
}

} // namespace

class TestSearch : public WindowTest
{
    Q_OBJECT

private:
    SearchBar& bar() const { return *m_window->view<SearchBar>(); }
    SearchResults& results() const { return *m_window->view<SearchResults>(); }
    std::int64_t selectedStart() const
    {
        return state().selection().slice() ? state().run().rangeOf(state().selection().slice()).beginNs / 1000
                                           : -1;
    }
    void clickPattern() const { widgetNamed<QToolButton>(bar(), "searchPattern").click(); }

    void openFirst() override
    {
        CHECKED(openRun(runWithGemms()));
        state().viewport().setVisibleRange(state().run().range());
        timeline().setFocus();
        QCoreApplication::processEvents();
    }

private slots:
    void slashFindsAndEnterWalksInOrderOfTime()
    {
        state().viewport().setVisibleRange({90'000, 110'000});
        state().selection().setSlice({});
        CHECKED(searchFor(QStringLiteral("gemm")));
        QCOMPARE(state().emphasis().matches()->size(), std::size_t{5});
        QCOMPARE(bar().countText(), QStringLiteral("5"));
        std::vector<std::int64_t> starts;
        for (int i = 0; i < 6; ++i) {
            QTest::keyClick(bar().line(), Qt::Key_Return);
            starts.push_back(selectedStart());
            QVERIFY(state().viewport().visibleRange().contains(
                state().run().rangeOf(state().selection().slice()).beginNs));
        }
        QCOMPARE(starts, (std::vector<std::int64_t>{100, 120, 150, 200, 300, 100}));
        QCOMPARE(bar().countText(), QStringLiteral("1 of 5"));
        QTest::keyClick(bar().line(), Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(selectedStart(), 300);
        QCOMPARE(bar().countText(), QStringLiteral("5 of 5"));
        timeline().setFocus();
        QTest::keyClick(&timeline(), Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(selectedStart(), 200);
        QTest::keyClick(&timeline(), Qt::Key_F3);
        QCOMPARE(selectedStart(), 300);
        QTest::keyClick(&timeline(), Qt::Key_F3, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(selectedStart(), 200); // it lasts 90 us
    }
    void enterBeforeTheAnswerIsNotLost()
    {
        QTest::keyClick(&timeline(), Qt::Key_Slash);
        state().viewport().setVisibleRange({0, 100'000});
        QTest::keyClicks(bar().line(), QStringLiteral("softmax"));
        QTest::keyClick(bar().line(), Qt::Key_Return);
        QTRY_COMPARE(selectedStart(), 400);
    }
    void matchesAreEmphasisedAndCounted()
    {
        const QImage before = timelineImage();
        CHECKED(searchFor(QStringLiteral("softmax")));
        QVERIFY(state().emphasis().contains(state().emphasis().matches()->at(0)));
        QVERIFY(timelineImage() != before);
        const QImage emphasised = timelineImage();
        QTest::mouseClick(timeline().viewport(), Qt::LeftButton, {}, timelinePoint(950'000, 60));
        QVERIFY2(timelineImage() == emphasised, "a click on empty space leaves the matches as they are");
        QCOMPARE(results().summaryText().replace(QChar(0xa0), QLatin1Char(' ')),
                 QStringLiteral("2 slices of 2 names, 20.0 \u00b5s total, 10.0 \u00b5s mean, 10.0 \u00b5s "
                                "median, 10.0 \u00b5s p95, 10.0 \u00b5s min, 10.0 \u00b5s max."));
        QTest::keyClick(bar().line(), Qt::Key_Escape);
        QVERIFY(bar().isEmpty() && !state().emphasis().matches() && !state().emphasis().isActive());
        QCOMPARE(timelineImage(), before);
        QVERIFY2(timeline().hasFocus(), "Escape leads back");
        QVERIFY(results().emptyText().contains(QStringLiteral("Press /")));
    }
    void escapeClearsTheSearchBeforeTheSelection()
    {
        CHECKED(searchFor(QStringLiteral("softmax")));
        QTest::keyClick(bar().line(), Qt::Key_Return);
        timeline().setFocus();
        QTest::keyClick(&timeline(), Qt::Key_Escape);
        QVERIFY(bar().isEmpty() && state().selection().slice());
        QTest::keyClick(&timeline(), Qt::Key_Escape);
        QVERIFY(!state().selection().slice());
    }
    void patternsAndTheirMistakes()
    {
        clickPattern();
        CHECKED(searchFor(QStringLiteral("gemm_[ab]$")));
        QCOMPARE(state().emphasis().matches()->size(), std::size_t{5});
        bar().clear();
        QTest::keyClicks(bar().line(), QStringLiteral("soft(max"));
        QTRY_COMPARE(bar().countText(), QStringLiteral("invalid pattern"));
        QVERIFY(!m_window->isComputing());
        clickPattern();
        QTRY_VERIFY(state().emphasis().matches());
        QCOMPARE(state().emphasis().matches()->size(), std::size_t{0});
        QCOMPARE(bar().countText(), QStringLiteral("none"));
        bar().clear();
        QTest::keyClicks(bar().line(), QStringLiteral("max("));
        QTRY_VERIFY(state().emphasis().matches() && state().emphasis().matches()->size() == 1);
    }
    void theSameName()
    {
        CHECKED(searchFor(QStringLiteral("GEMM_b")));
        QTest::keyClick(bar().line(), Qt::Key_Return);
        QCOMPARE(selectedStart(), 150);
        timeline().setFocus();
        QTest::keyClick(&timeline(), Qt::Key_F3, Qt::ControlModifier);
        QTRY_VERIFY(state().emphasis().matches());
        QCOMPARE(state().emphasis().matches()->size(), std::size_t{1});
        QCOMPARE(bar().line()->text(), QStringLiteral("sm90_GEMM_b"));
        QVERIFY2(results().isVisible(), "its tab comes to the front");
    }
    void theTableLeadsToItsSlices()
    {
        CHECKED(searchFor(QStringLiteral("gemm_a")));
        CHECKED(clickTab(results()));
        QTableView& table = *results().table();
        QCOMPARE(table.model()->rowCount(), 4);
        const auto duration = [&](int row) {
            return table.model()->index(row, SearchModel::Duration).data(RawRole).toDouble();
        };
        QVERIFY2(duration(0) == 90'000 && duration(3) == 10'000, "the longest first");
        const QRect cell = table.visualRect(table.model()->index(1, SearchModel::Name));
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, cell.center());
        doubleClick(table.viewport(), cell.center());
        QCOMPARE(selectedStart(), 300);
        QTest::keyClick(&table, Qt::Key_Down);
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(selectedStart(), 120);
        QTest::keyClick(&table, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
        QCOMPARE(lines[0], QStringLiteral("name\tstart_ns\tduration_ns\texposed_ns\trank\ttrack"));
        QCOMPARE(lines[1], QStringLiteral("sm90_gemm_a\t200000\t90000\t\t0\tstream 7"));
    }
    void anotherRunStartsOver()
    {
        CHECKED(searchFor(QStringLiteral("softmax")));
        SmallRun other(1);
        other.kernel(0, 0, 50, 7, "softmax");
        CHECKED(openRun(other));
        QTRY_VERIFY(state().emphasis().matches());
        QCOMPARE(state().emphasis().matches()->size(), std::size_t{1});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestSearch)
#include "tst_search.moc"
