// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How long the found slices last: bars that can be dragged over, the two fields below them, and the slices of
// a range.

#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/charts/duration_chart.h"
#include "views/charts/duration_filter.h"
#include "views/search/search_bar.h"
#include "views/search/search_results.h"
#include "views/timeline/timeline_view.h"
#include "views/widgets/content_stack.h"

#include <QAction>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>

namespace collscope {

namespace {

/// Six slices named "k": 10, 10, 20 and 100 us on rank 0, 100 and 1000 us on rank 1; and one of another name.
SmallRun runWithDurations()
{
    SmallRun run(2);
    run.kernel(0, 100, 10, 7, "k");
    run.kernel(0, 200, 10, 7, "k");
    run.kernel(0, 300, 20, 7, "k");
    run.kernel(0, 400, 100, 7, "k");
    run.kernel(1, 100, 100, 7, "k");
    run.kernel(1, 400, 1000, 7, "k");
    run.kernel(0, 600, 500, 7, "other");
    return run;
}

} // namespace

class TestDurationHistogram : public WindowTest
{
    Q_OBJECT

private:
    SearchResults& results() const { return *m_window->view<SearchResults>(); }
    SearchBar& bar() const { return *m_window->view<SearchBar>(); }
    DurationFilter& filter() const { return *results().durations(); }
    DurationChart& chart() const { return *filter().chart(); }
    int rowCount() const { return results().table()->model()->rowCount(); }
    std::size_t matchCount() const
    {
        return state().emphasis().matches() ? state().emphasis().matches()->size() : 999;
    }
    /// Where the chart has a duration.
    QPoint at(double us) const
    {
        return {static_cast<int>(std::lround(chart().xOf(std::llround(us * 1000)))), chart().height() / 2};
    }
    void drag(QPoint from, QPoint to) const
    {
        QTest::mousePress(&chart(), Qt::LeftButton, {}, from);
        QTest::mouseMove(&chart(), (from + to) / 2);
        QTest::mouseMove(&chart(), to);
        QTest::mouseRelease(&chart(), Qt::LeftButton, {}, to);
    }
    void type(QLineEdit* line, const QString& text) const
    {
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, text);
        QTest::keyClick(line, Qt::Key_Return);
    }
    static QString plain(QString text)
    {
        return text.replace(QChar(0xa0), QLatin1Char(' ')).replace(QChar(0x202f), QLatin1Char(' '));
    }
    SliceRef sliceAtUs(std::int32_t rank, std::int64_t startUs) const
    {
        const TraceModel& model = *state().run().model();
        for (std::uint32_t t = 0; t < model.tracks.size(); ++t) {
            for (std::uint32_t row = 0; row < model.tracks[t].slices.size(); ++row) {
                const SliceRef slice{TrackId{t}, row};
                if (model.timelineOf(slice).rank == rank
                    && model.rangeOf(slice).beginNs
                        == (startUs - 100) * 1000) // the first one is the axis' zero
                    return slice;
            }
        }
        return {};
    }

    void openFirst() override
    {
        CHECKED(openRun(runWithDurations()));
        state().viewport().setVisibleRange(state().run().range());
        CHECKED(clickTab(results()));
        timeline().setFocus();
        QVERIFY(!chart().isVisible());
    }

private slots:
    void theSummaryAndTheBars()
    {
        CHECKED(searchFor(QStringLiteral("k")));
        QVERIFY(chart().isVisible());
        QCOMPARE(plain(results().summaryText()),
                 QStringLiteral("6 slices of 1 name, 1.24 ms total, 207 \u00b5s mean, 60.0 \u00b5s median, "
                                "775 \u00b5s p95, 10.0 \u00b5s min, 1.00 ms max."));
        QCOMPARE(plain(chart().textAt(at(10.1))).left(12), QStringLiteral("2 slices of "));
        QCOMPARE(plain(chart().textAt(at(20.1))).left(11), QStringLiteral("1 slice of "));
        QCOMPARE(plain(chart().textAt(at(50))).left(13), QStringLiteral("no slices of "));
        QVERIFY(chart().textAt({1, 1}).isEmpty());
        QVERIFY2(at(10).x() < 20 && at(1000).x() > chart().width() - 20, "the axis is as long as the chart");
        QVERIFY2(std::abs(at(100).x() - (at(10).x() + at(1000).x()) / 2) <= 1, "it is logarithmic");
    }
    void aDragLeavesTheRest()
    {
        CHECKED(searchFor(QStringLiteral("k")));
        drag(at(50), at(200));
        QTRY_COMPARE(matchCount(), std::size_t{2});
        QCOMPARE(rowCount(), 2);
        QCOMPARE(bar().countText(), QStringLiteral("2"));
        QVERIFY(plain(results().summaryText()).startsWith(QStringLiteral("2 of 6 slices of 1 name, 200 ")));
        QVERIFY(state().emphasis().contains(sliceAtUs(0, 400)));
        QVERIFY2(!state().emphasis().contains(sliceAtUs(0, 100)), "the other matches are none any more");
        timeline().setFocus();
        std::vector<SliceRef> walked;
        for (int i = 0; i < 3; ++i) {
            QTest::keyClick(&timeline(), Qt::Key_F3);
            walked.push_back(state().selection().slice());
        }
        QVERIFY(walked[0] != walked[1] && walked[0] == walked[2]);
        // Bounds are round, and not further off than a pixel.
        const DurationRange range = chart().range();
        const double pixelNs = 50'000 * (std::pow(100, 1.0 / (at(1000).x() - at(10).x())) - 1);
        QVERIFY(range.leastNs % 100 == 0 && std::abs(range.leastNs - 50'000) <= std::lround(pixelNs));
        QCOMPARE(plain(filter().fromLine()->text()), plain(formatDurationExact(range.leastNs)));
    }
    void toTheEndIsWithoutBound()
    {
        CHECKED(searchFor(QStringLiteral("k")));
        drag(at(500), {chart().width() + 30, 40});
        QTRY_COMPARE(matchCount(), std::size_t{1});
        QCOMPARE(chart().range().mostNs, DurationRange().mostNs);
        QVERIFY(filter().toLine()->text().isEmpty());
        QCOMPARE(state().emphasis().matches()->at(0), sliceAtUs(1, 400));
    }
    void edgesAreDraggedAndEscapeGivesAllBack()
    {
        CHECKED(searchFor(QStringLiteral("k")));
        drag(at(50), at(200));
        QTRY_COMPARE(matchCount(), std::size_t{2});
        const DurationRange before = chart().range();
        drag(at(static_cast<double>(before.leastNs) / 1000), at(15));
        QTRY_COMPARE(matchCount(), std::size_t{3});
        QCOMPARE(chart().range().mostNs, before.mostNs);
        drag(at(static_cast<double>(before.mostNs) / 1000), at(12)); // beyond the other edge
        QTRY_COMPARE(matchCount(), std::size_t{0});
        QVERIFY(results().emptyText().contains(QStringLiteral("None of the 6")));
        QVERIFY2(chart().isVisible(), "there is a way back");
        chart().setFocus();
        QTest::keyClick(&chart(), Qt::Key_Escape);
        QTRY_COMPARE(matchCount(), std::size_t{6});
        QVERIFY2(!bar().isEmpty(), "the search itself stays");
        drag(at(50), at(200));
        QTRY_COMPARE(matchCount(), std::size_t{2});
        doubleClick(&chart(), at(30));
        QTRY_COMPARE(matchCount(), std::size_t{6});
        QTest::keyClick(&chart(), Qt::Key_Escape);
        QVERIFY2(bar().isEmpty(), "without a range, Escape means the search");
    }
    void aClickIsNoDrag()
    {
        CHECKED(searchFor(QStringLiteral("k")));
        const QSignalSpy chosen(&chart(), &DurationChart::rangeChosen);
        QTest::mouseClick(&chart(), Qt::LeftButton, {}, at(100));
        QVERIFY(chosen.isEmpty());
        QVERIFY(chart().range().isAll());
    }
    void fieldsAreExact()
    {
        CHECKED(searchFor(QStringLiteral("k")));
        type(filter().fromLine(), QStringLiteral("0.1 ms"));
        QTRY_COMPARE(matchCount(), std::size_t{3});
        type(filter().toLine(), QStringLiteral("100us"));
        QTRY_COMPARE(matchCount(), std::size_t{2});
        QCOMPARE(chart().range(), (DurationRange{100'000, 100'000}));
        const QSignalSpy wanted(&filter(), &DurationFilter::lastingWanted);
        type(filter().fromLine(), QStringLiteral("long"));
        QVERIFY(wanted.isEmpty());
        type(filter().fromLine(), QStringLiteral("20")); // the table is in microseconds
        QTRY_COMPARE(matchCount(), std::size_t{3});
        QTest::keyClick(filter().fromLine(), Qt::Key_Escape);
        QTRY_COMPARE(matchCount(), std::size_t{6});
        QVERIFY(filter().fromLine()->text().isEmpty() && filter().toLine()->text().isEmpty());
    }
    void anotherSearchBeginsWithAll()
    {
        CHECKED(searchFor(QStringLiteral("k")));
        drag(at(50), at(200));
        QTRY_COMPARE(matchCount(), std::size_t{2});
        QTest::keyClick(&timeline(), Qt::Key_Slash);
        QTest::keyClicks(bar().line(), QStringLiteral("^k|other"));
        widgetNamed<QToolButton>(bar(), "searchPattern").click();
        QTRY_COMPARE(matchCount(), std::size_t{7});
        QVERIFY(chart().range().isAll() && filter().fromLine()->text().isEmpty());
    }
    void theSelectedSliceIsMarked()
    {
        CHECKED(searchFor(QStringLiteral("k")));
        const QImage before = chart().grab().toImage();
        state().selection().setSlice(sliceAtUs(0, 300));
        const QImage marked = chart().grab().toImage();
        QVERIFY(marked != before);
        state().selection().setSlice(sliceAtUs(0, 600)); // of another name
        QVERIFY(chart().grab().toImage() == before);
    }
    void durationsAsText_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("ns");
        QTest::newRow("ms") << QStringLiteral("1.2 ms") << qint64{1'200'000};
        QTest::newRow("comma") << QStringLiteral("1,25ms") << qint64{1'250'000};
        QTest::newRow("micro") << QStringLiteral("85 \u00b5s") << qint64{85'000};
        QTest::newRow("mu") << QStringLiteral("85\u03bcs") << qint64{85'000};
        QTest::newRow("as shown") << QStringLiteral("1\u202f380.5\u00a0us") << qint64{1'380'500};
        QTest::newRow("seconds") << QStringLiteral(" .5 s ") << qint64{500'000'000};
        QTest::newRow("no unit") << QStringLiteral("7") << qint64{7'000};
        QTest::newRow("a word") << QStringLiteral("ms") << qint64{-1};
        QTest::newRow("two points") << QStringLiteral("1.2.3 ms") << qint64{-1};
        QTest::newRow("negative") << QStringLiteral("-1 ms") << qint64{-1};
        QTest::newRow("too long") << QStringLiteral("99999999999999 s") << qint64{-1};
    }
    void durationsAsText()
    {
        QFETCH(const QString, text);
        QFETCH(const qint64, ns);
        QCOMPARE(parseDuration(text, 1e3).value_or(-1), std::int64_t{ns});
    }
    void slicesOfTheSelectedRange()
    {
        QVERIFY(!m_window->findChild<QAction*>(QStringLiteral("listRange"))->isEnabled());
        state().selection().setRange(TimeRange{250'000, 600'000}); // us 350 to 700: three slices of two ranks
        QTRY_VERIFY(!m_window->isComputing()); // the label of the range tells what happens in it
        const QImage before = timelineImage();
        auto* const offer = results().findChild<ContentStack*>()->findChild<QPushButton*>();
        QVERIFY(offer->isVisible());
        QTest::mouseClick(offer, Qt::LeftButton);
        QTRY_COMPARE(rowCount(), 3);
        QVERIFY(
            plain(results().summaryText()).startsWith(QStringLiteral("3 slices of 2 names in the range, ")));
        QVERIFY2(!state().emphasis().matches() && !state().emphasis().isActive(), "it is no search");
        QCOMPARE(timelineImage(), before);
        state().selection().setSlice(sliceAtUs(0, 400));
        QCOMPARE(results().rows().sliceAt(results().table()->currentIndex().row()), sliceAtUs(0, 400));
        results().table()->setFocus();
        QTest::keyClick(results().table(), Qt::Key_Up); // the longest is first: 1000, 500, 100 us
        QTest::keyClick(results().table(), Qt::Key_Return);
        QCOMPARE(state().selection().slice(), sliceAtUs(0, 600));
        drag(at(800), at(1100));
        QTRY_COMPARE(rowCount(), 1);
        state().preferences().setRankHidden(1, true);
        QTRY_COMPARE(rowCount(), 0);
        chart().setFocus();
        QTest::keyClick(&chart(), Qt::Key_Escape);
        QTRY_COMPARE(rowCount(), 2);
        state().preferences().setRankHidden(1, false);
        state().selection().setRange(TimeRange{0, 5'000}); // the list follows the range
        QTRY_COMPARE(rowCount(), 2);
        QTRY_COMPARE(results().rows().sliceAt(0), sliceAtUs(1, 100));
        state().selection().setRange(std::nullopt);
        QTRY_VERIFY(results().emptyText().contains(QStringLiteral("Press /")));
        QCOMPARE(rowCount(), 0);
        QVERIFY(!offer->isVisible());
    }
    void theListByKeyEndsASearch()
    {
        CHECKED(searchFor(QStringLiteral("k")));
        timeline().setFocus();
        state().selection().setRange(TimeRange{0, 5'000});
        QTest::keyClick(&timeline(), Qt::Key_L, Qt::ControlModifier);
        QVERIFY(bar().isEmpty() && !state().emphasis().matches());
        QTRY_COMPARE(rowCount(), 2);
        CHECKED(searchFor(QStringLiteral("other")));
        QTRY_COMPARE(rowCount(), 1);
        state().selection().setRange(TimeRange{0, 50'000});
        QTest::qWait(200);
        QCOMPARE(rowCount(), 1);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestDurationHistogram)
#include "tst_duration_histogram.moc"
