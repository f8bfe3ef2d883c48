// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What happens in a range: the label of the selection, and the tab "Range".

#include "metrics/analysis/range_summary.h"
#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/collectives/collectives_table.h"
#include "views/metrics/metrics_panel.h"
#include "views/search/search_bar.h"
#include "views/search/search_results.h"
#include "views/tables/range_panel.h"
#include "views/timeline/timeline_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLineEdit>
#include <QTableView>
#include <QTimer>
#include <QToolTip>

namespace collscope {

namespace {

/// 1 ms on two ranks. From 200 to 600 us: on rank 0 sm90_gemm_a 100 + 50 us and softmax 100 us, on rank 1
/// sm90_gemm_a 50 us and a copy of 50 us at the same time as half of it.
SmallRun runOfTwo()
{
    SmallRun run(2);
    for (int rank = 0; rank < 2; ++rank) {
        run.step(rank, 1, 0, 1000);
        run.cpu(rank, "train", 0, 1000);
    }
    run.kernel(0, 150, 150, 7, "sm90_gemm_a"); // 50 us before the range
    run.kernel(0, 300, 50, 7, "sm90_gemm_a");
    run.kernel(0, 400, 100, 7, "softmax");
    run.kernel(0, 800, 100, 7, "late");
    run.kernel(1, 550, 100, 7, "sm90_gemm_a"); // 50 us behind it
    run.copy(1, 525, 50, -1, 22);
    return run;
}

/// As people see it: without the unbreakable blanks.
QString plain(QString text)
{
    return text.replace(QChar(0xa0), QLatin1Char(' ')).replace(QChar(0x202f), QLatin1Char(' ')).trimmed();
}

} // namespace

class TestRangePanel : public WindowTest
{
    Q_OBJECT

private:
    RangePanel& panel() const { return *m_window->view<RangePanel>(); }
    QTableView& table() const { return *panel().table(); }
    const RangeModel& rows() const { return panel().rows(); }
    std::int64_t us(double value) const { return static_cast<std::int64_t>(value * 1000); }
    QString cell(int row, int column) const { return plain(rows().index(row, column).data().toString()); }
    /// From top to bottom.
    QString column(int column) const
    {
        QStringList cells;
        for (int row = 0; row < rows().rowCount(); ++row)
            cells << cell(row, column);
        return cells.join(QStringLiteral(" | "));
    }
    static void choose(QComboBox& box, int index)
    {
        box.setFocus();
        QTest::keyClick(&box, Qt::Key_Home);
        for (int i = 0; i < index; ++i)
            QTest::keyClick(&box, Qt::Key_Down);
        QCOMPARE(box.currentIndex(), index);
    }
    void groupBy(RangeGrouping grouping) const
    {
        choose(widgetNamed<QComboBox>(panel(), "rangeGrouping"), static_cast<int>(grouping));
    }
    void count(RangeWork work) const
    {
        choose(widgetNamed<QComboBox>(panel(), "rangeWork"), static_cast<int>(work));
    }
    void type(const QString& filter) const
    {
        auto* line = panel().findChild<QLineEdit*>();
        line->clear();
        QTest::keyClicks(line, filter);
    }
    void drag(double fromUs, double toUs) const
    {
        QWidget* viewport = timeline().viewport();
        const QPoint from = timelinePoint(us(fromUs), 300), to = timelinePoint(us(toUs), 300);
        QTest::mousePress(viewport, Qt::LeftButton, {}, from);
        QTest::mouseMove(viewport, (from + to) / 2);
        QTest::mouseMove(viewport, to);
        QTest::mouseRelease(viewport, Qt::LeftButton, {}, to);
    }
    /// Exactly; a pixel is more than a microsecond.
    void select(double fromUs, double toUs) const
    {
        state().selection().setRange(TimeRange{us(fromUs), us(toUs)});
        QTRY_VERIFY(state().selection().summary()
                    && state().selection().summary()->range == *state().selection().range());
    }
    void clickRow(int row) const
    {
        const QPoint at = table().visualRect(rows().index(row, RangeModel::Label)).center();
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, at);
    }
    QString scope() const { return widgetNamed<QComboBox>(*m_window, "metricsScope").currentText(); }
    std::int64_t selectedStart() const
    {
        return state().selection().slice() ? state().run().rangeOf(state().selection().slice()).beginNs / 1000
                                           : -1;
    }
    /// What is written when the entry is chosen and the dialog is answered.
    QByteArray exported(const QTableView& of) const
    {
        const QString path = m_folder.filePath(QStringLiteral("table.csv"));
        QFile::remove(path);
        entryNamed(of, QStringLiteral("exportRows"))->trigger();
        const auto* const dialog = m_window->findChild<QFileDialog*>();
        const QString suggested = dialog ? dialog->findChild<QLineEdit*>()->text() : QString();
        answerFileDialog(*m_window, path);
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? suggested.toUtf8() + '\n' + file.readAll() : QByteArray();
    }

    void openFirst() override
    {
        CHECKED(openRun(runOfTwo()));
        QTRY_VERIFY(state().run().exposure());
        state().viewport().setVisibleRange(state().run().range());
        CHECKED(clickTab(panel()));
        QTRY_VERIFY(state().selection().summary()
                    && state().selection().summary()->range == state().viewport().visibleRange());
    }

private slots:
    void theLabelSaysWhatHappens()
    {
        state().viewport().setVisibleRange({us(190), us(610)});
        drag(210, 590);
        QVERIFY(std::abs(state().selection().range()->lengthNs() - us(380)) < us(3));
        state().selection().setRange(TimeRange{us(200), us(600)});
        const RangeLabel before = timeline().rangeLabel();
        QVERIFY2(before.text().contains(QString::fromUtf8("\u2026 events")), "the numbers are still to come");
        QTRY_VERIFY(!timeline().rangeLabel().text().contains(QString::fromUtf8("\u2026")));
        QCOMPARE(timeline().rangeLabel().box, before.box); // nothing moves when they come
        // Rank 0 computes for 250 of 400 us, rank 1 for 50, and copies for 25 more. Two slices of each CPU, 3
        // + 2 of the GPUs.
        QCOMPARE(plain(timeline().rangeLabel().text()),
                 QString::fromUtf8("400 \u00b5s \u00b7 2.50 kHz \u00b7 9 events \u00b7 computing 37.5 % "
                                   "\u00b7 exposed 12.5 \u00b5s"));
        QVERIFY(!timeline().rangeLabel().button.box.isEmpty());
        const QImage known = timelineImage();
        state().selection().setSummary(nullptr);
        QVERIFY2(timelineImage() != known, "what the label says is painted");
    }
    void theLabelFollowsADrag()
    {
        state().viewport().setVisibleRange({us(690), us(860)});
        QWidget* viewport = timeline().viewport();
        QTest::mousePress(viewport, Qt::LeftButton, {}, timelinePoint(us(700), 300));
        for (const double to : {720, 750, 780, 850}) {
            QTest::mouseMove(viewport, timelinePoint(us(to), 300));
            const TimeRange range = *state().selection().range();
            QTRY_VERIFY(state().selection().summary() && state().selection().summary()->range == range);
            const QString events = to == 850 ? QStringLiteral("5 events") : QStringLiteral("4 events");
            QVERIFY(timeline().rangeLabel().text().contains(events)); // "late" begins at 800
        }
        QTest::mouseRelease(viewport, Qt::LeftButton, {}, timelinePoint(us(850), 300));
    }
    void aNarrowRangeHasAShorterLabel()
    {
        CHECKED(select(400, 402));
        const RangeLabel label = timeline().rangeLabel();
        QVERIFY(plain(label.text()).startsWith(QString::fromUtf8("2.00 \u00b5s")));
        QVERIFY(!label.text().contains(QStringLiteral("Hz")) && label.box.width() <= 520);
        QVERIFY2(!label.button.box.isEmpty(), "the button stays");
        QVERIFY(timeline().lanesRect().left() <= label.box.left()
                && label.box.right() <= timeline().lanesRect().right());
        for (std::size_t i = 0; i < label.parts.size(); ++i)
            QVERIFY(timeline().viewport()->fontMetrics().horizontalAdvance(label.parts[i].text)
                    < label.parts[i].box.width());
        CHECKED(select(998, 1000));
        QVERIFY(timeline().rangeLabel().box.right() <= timeline().lanesRect().right());
        state().viewport().setVisibleRange({us(100), us(200)});
        QVERIFY2(timeline().rangeLabel().box.isEmpty(), "the range is out of sight");
    }
    void theLabelTellsMoreUnderTheMouse()
    {
        const auto tipAt = [&](QPoint at) {
            QHelpEvent event(QEvent::ToolTip, at, timeline().viewport()->mapToGlobal(at));
            QApplication::sendEvent(timeline().viewport(), &event);
            return plain(QToolTip::text());
        };
        CHECKED(select(200, 600));
        const RangeLabel label = timeline().rangeLabel();
        QCOMPARE(
            tipAt(label.parts.front().box.center()),
            QString::fromUtf8("400 \u00b5s, or 2.50 k periods per second\n"
                              "9 slices, 22.5 k/s, GPUs busy 40.6 %, computing 37.5 %, exposed 12.5 \u00b5s\n"
                              "rank 0: GPU busy 62.5 %, computing 62.5 %\n"
                              "rank 1: GPU busy 18.8 %, computing 12.5 %\n"
                              "Exposed: communication, waiting in it, and copies while nothing computes; "
                              "mean of the GPUs."));
        QVERIFY(tipAt(label.button.box.center()).contains(QStringLiteral("metrics")));
    }
    void numbersForPeople()
    {
        const auto hertz = [](double value) { return plain(formatScaled(value, QStringLiteral("Hz"))); };
        QCOMPARE(hertz(80.645), QStringLiteral("80.6 Hz"));
        QCOMPARE(hertz(999.7), QStringLiteral("1.00 kHz"));
        QCOMPARE(hertz(275'161), QStringLiteral("275 kHz"));
        QCOMPARE(hertz(1e9), QStringLiteral("1.00 GHz"));
        QCOMPARE(hertz(0.02), QStringLiteral("20.0 mHz"));
        QCOMPARE(hertz(0.0004), QStringLiteral("0.400 mHz"));
        QCOMPARE(hertz(0), QStringLiteral("0 Hz"));
        QCOMPARE(plain(formatPercent(82.94)), QStringLiteral("82.9 %"));
    }
    void aButtonLetsTheMetricsCountTheRange()
    {
        QCOMPARE(scope(), QStringLiteral("inner steps"));
        m_window->findChild<QDockWidget*>(QStringLiteral("dockMetrics"))->hide();
        CHECKED(select(200, 600));
        const QPoint button = timeline().rangeLabel().button.box.center();
        const TimeRange visible = state().viewport().visibleRange();
        QTest::mousePress(timeline().viewport(), Qt::LeftButton, {}, button);
        QTest::mouseRelease(timeline().viewport(), Qt::LeftButton, {}, button + QPoint(0, 200));
        QCOMPARE(scope(), QStringLiteral("inner steps")); // let go elsewhere
        QTest::mouseClick(timeline().viewport(), Qt::LeftButton, {}, button);
        QCOMPARE(scope(), QStringLiteral("selected range"));
        QVERIFY(m_window->view<MetricsPanel>()->options().range == state().selection().range());
        QVERIFY(m_window->findChild<QDockWidget*>(QStringLiteral("dockMetrics"))->isVisible());
        QCoreApplication::processEvents(); // the dock takes its room
        doubleClick(timeline().viewport(), timeline().rangeLabel().button.box.center());
        QVERIFY2(state().viewport().visibleRange() == visible, "a second click on a button zooms nowhere");
        QVERIFY2(state().selection().range() == (TimeRange{us(200), us(600)}), "and selects nothing");
        // The number of the panel is that of the label.
        QTRY_VERIFY(!m_window->isComputing());
        for (const auto& [request, result] : m_window->view<MetricsPanel>()->results()) {
            if (request.name == "aggregate_gpu_utilization")
                COLLSCOPE_CLOSE(result.value.value_or(-1), 100 * *state().selection().summary()->busyShare());
        }
    }
    void namesAreAddedUp()
    {
        CHECKED(select(200, 600));
        QCOMPARE(
            plain(panel().summaryText()),
            QString::fromUtf8("Selected 400 \u00b5s: 9 slices, 22.5 k/s, GPUs busy 40.6 %, computing 37.5 %, "
                              "exposed 12.5 \u00b5s"));
        QCOMPARE(column(RangeModel::Label), QStringLiteral("sm90_gemm_a | softmax | Memcpy HtoD"));
        QCOMPARE(column(RangeModel::Count), QStringLiteral("3 | 1 | 1"));
        QCOMPARE(column(RangeModel::Total), QStringLiteral("200.0 | 100.0 | 50.0"));
        QCOMPARE(column(RangeModel::Share), QStringLiteral("57.1 | 28.6 | 14.3"));
        QCOMPARE(column(RangeModel::Mean), QStringLiteral("66.7 | 100.0 | 50.0"));
        QCOMPARE(column(RangeModel::Longest), QStringLiteral("100.0 | 100.0 | 50.0"));
        QCOMPARE(column(RangeModel::Extra), QStringLiteral("GEMM | norm, softmax | copy"));
        count(RangeWork::Cpu);
        QCOMPARE(column(RangeModel::Total), QStringLiteral("800.0 | 800.0")); // the step, and train in it
        count(RangeWork::Everything);
        QCOMPARE(rows().rowCount(), 5);
    }
    void groupings()
    {
        CHECKED(select(200, 600));
        groupBy(RangeGrouping::Class);
        QCOMPARE(column(RangeModel::Label), QStringLiteral("GEMM | norm, softmax | copy"));
        QCOMPARE(rows().columnCount(), int(RangeModel::Extra));
        groupBy(RangeGrouping::Rank);
        QCOMPARE(column(RangeModel::Label), QStringLiteral("rank 0 | rank 1"));
        QCOMPARE(column(RangeModel::Total), QStringLiteral("250.0 | 100.0"));
        QCOMPARE(column(RangeModel::Extra), QStringLiteral("62.5 | 18.8"));
        groupBy(RangeGrouping::Track);
        table().sortByColumn(RangeModel::Label, Qt::AscendingOrder);
        QCOMPARE(
            column(RangeModel::Label),
            QString::fromUtf8("rank 0 \u00b7 stream 7 | rank 1 \u00b7 stream 7 | rank 1 \u00b7 stream 22"));
        QCOMPARE(column(RangeModel::Total), QStringLiteral("250.0 | 50.0 | 50.0"));
    }
    void theFilterIsAboutNamesInEveryGrouping()
    {
        CHECKED(select(200, 600));
        type(QStringLiteral("GEM"));
        QCOMPARE(column(RangeModel::Label), QStringLiteral("sm90_gemm_a"));
        QCOMPARE(column(RangeModel::Share), QStringLiteral("57.1")); // of all GPU time, not of itself
        groupBy(RangeGrouping::Rank);
        QCOMPARE(column(RangeModel::Total), QStringLiteral("150.0 | 50.0"));
        groupBy(RangeGrouping::Name);
        type(QStringLiteral("/^s.*x$/"));
        QCOMPARE(column(RangeModel::Label), QStringLiteral("softmax"));
        type(QStringLiteral("/soft(max/"));
        QVERIFY(panel().emptyText().contains(QStringLiteral("Not a regular expression")));
        type(QStringLiteral("nothing has this name"));
        QVERIFY(panel().emptyText().contains(QStringLiteral("matches the filter")) && !table().isVisible());
    }
    void enterAndDoubleClickShowTheLongest()
    {
        CHECKED(select(200, 600));
        clickRow(0);
        QVERIFY2(!state().selection().slice(), "one click only chooses the row");
        QTest::keyClick(&table(), Qt::Key_Return);
        QCOMPARE(selectedStart(), 150); // 100 us of it are inside
        QVERIFY2(rows().rowCount() == 3 && cell(0, RangeModel::Total) == QStringLiteral("200.0"),
                 "the table is still about the selected range");
        clickRow(1);
        doubleClick(table().viewport(), table().visualRect(rows().index(1, RangeModel::Label)).center());
        QCOMPARE(selectedStart(), 400);
    }
    void theTableOfWhatIsVisibleStaysWhileItIsRead()
    {
        state().viewport().setVisibleRange({us(390), us(910)});
        QTRY_COMPARE(cell(0, RangeModel::Label), QStringLiteral("softmax"));
        QVERIFY(panel().summaryText().startsWith(QStringLiteral("Visible")));
        const TimeRange visible = state().viewport().visibleRange();
        clickRow(0);
        QTest::keyClick(&table(), Qt::Key_Return);
        QCOMPARE(selectedStart(), 400);
        QVERIFY(state().viewport().visibleRange() == visible);
    }
    void slicesOfANameAreFound()
    {
        CHECKED(select(200, 600));
        clickRow(0);
        QAction* show = entryNamed(table(), QStringLiteral("showOnTimeline"));
        show->trigger();
        QTRY_VERIFY(state().emphasis().matches());
        QCOMPARE(state().emphasis().matches()->size(), std::size_t{3});
        QCOMPARE(m_window->view<SearchBar>()->line()->text(), QStringLiteral("sm90_gemm_a"));
        groupBy(RangeGrouping::Class);
        QVERIFY2(!show->isEnabled() && !show->toolTip().isEmpty(), "a class is no name");
    }
    void itKeepsUpWithRanksAndRanges()
    {
        CHECKED(select(200, 600));
        state().preferences().setRankHidden(0, true);
        QTRY_COMPARE(column(RangeModel::Total), QStringLiteral("50.0 | 50.0"));
        QTRY_VERIFY(plain(panel().summaryText()).contains(QStringLiteral("GPU busy 18.8 %")));
        state().preferences().setHiddenRanks({0, 1});
        QTRY_VERIFY(panel().emptyText().contains(QStringLiteral("hidden")));
        state().preferences().setHiddenRanks({});
        CHECKED(select(610, 700));
        QTRY_COMPARE(column(RangeModel::Label), QStringLiteral("sm90_gemm_a"));
        CHECKED(select(920, 980));
        QVERIFY(panel().emptyText().contains(QStringLiteral("No kernel")));
        QTest::keyClick(&timeline(), Qt::Key_Escape);
        QTRY_VERIFY(panel().summaryText().startsWith(QStringLiteral("Visible")));
        QCOMPARE(rows().rowCount(), 4);
    }
    void theTableCatchesUpWhenItIsShown()
    {
        CHECKED(clickTab(*m_window->view<SearchResults>()));
        CHECKED(select(200, 600));
        CHECKED(clickTab(panel()));
        QVERIFY(panel().summaryText().startsWith(QStringLiteral("Selected")));
        QCOMPARE(rows().rowCount(), 3);
    }
    void anotherRunTakesItsPlace()
    {
        CHECKED(select(200, 600));
        SmallRun other(1);
        other.kernel(0, 0, 10, 7, "only");
        CHECKED(openRun(other));
        QTRY_COMPARE(column(RangeModel::Label), QStringLiteral("only"));
    }
    void copiesAndExportsRawNumbers()
    {
        CHECKED(select(200, 600));
        clickRow(1);
        QTest::keyClick(&table(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(
            QApplication::clipboard()->text(),
            QStringLiteral(
                "name\tcount\ttotal_ns\texposed_ns\twaiting_ns\tshare_percent\tmean_ns\tlongest_ns\tclass\n"
                "softmax\t1\t100000\t\t\t28.57142857142857\t100000\t100000\tnorm, softmax\n"));
        QCOMPARE(
            QString::fromUtf8(exported(table())),
            QStringLiteral(
                "slices_in_the_range.csv\n"
                "name,count,total_ns,exposed_ns,waiting_ns,share_percent,mean_ns,longest_ns,class\n"
                "sm90_gemm_a,3,200000,,,57.14285714285714,66666.66666666667,100000,GEMM\n"
                "softmax,1,100000,,,28.57142857142857,100000,100000,\"norm, softmax\"\n"
                "Memcpy HtoD (Pageable -> Device),1,50000,25000,,14.285714285714285,50000,50000,copy\n"));
    }
    void namesTakeTheFreeWidth()
    {
        SmallRun run(1);
        const std::string longName
            = "ampere_bf16_s16816gemm_bf16_256x128_ldg8_f2f_stages_64x3_nt_with_a_long_epilogue_of_its_own";
        run.step(0, 1, 0, 1000);
        run.kernel(0, 0, 500, 7, longName);
        openRun(run);
        m_window->resize(2400, 1000);
        state().selection().setRange(TimeRange{us(0), us(500)});
        QTRY_COMPARE(rows().rowCount(), 1);
        const QHeaderView& header = *table().horizontalHeader();
        QTRY_VERIFY(header.sectionSize(RangeModel::Label)
                    >= table().fontMetrics().horizontalAdvance(QString::fromStdString(longName)));
        // A narrow window takes it back, down to what tells names apart.
        m_window->resize(1200, 1000);
        QTRY_VERIFY(header.sectionSize(RangeModel::Label) < 400);
        QVERIFY(header.sectionSize(RangeModel::Label) >= 170);
        // A width that the user chose stays.
        table().setColumnWidth(RangeModel::Label, 333);
        m_window->resize(2400, 1000);
        QCoreApplication::processEvents();
        QCOMPARE(header.sectionSize(RangeModel::Label), 333);
    }
    void everyTableCanBeExported()
    {
        int tables = 0;
        for (const QTableView* each : m_window->findChildren<QTableView*>()) {
            if (entryNamed(*each, QStringLiteral("copyRows"))) {
                QVERIFY(entryNamed(*each, QStringLiteral("exportRows")));
                ++tables;
            }
        }
        QVERIFY(tables >= 5);
        QVERIFY(exported(*m_window->view<CollectivesTable>()->table())
                    .startsWith("collectives.csv\ncollective,"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestRangePanel)
#include "tst_range_panel.moc"
