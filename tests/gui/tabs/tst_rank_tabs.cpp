// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The tabs that compare ranks, by mouse and keyboard: Collectives, Lateness, Stragglers.

#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"
#include "views/collectives/collectives_table.h"
#include "views/collectives/lateness_map.h"
#include "views/collectives/straggler_panel.h"
#include "views/tables/cell_table.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QFile>
#include <QHeaderView>
#include <QLineEdit>
#include <QMimeData>
#include <QScrollBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTest>
#include <QWheelEvent>

namespace collscope {

/// Six ranks, of which rank 3 computes longer than the others.
class TestRankTabs : public WindowTest
{
    Q_OBJECT

private:
    CollectivesTable& collectives() const { return *m_window->view<CollectivesTable>(); }
    QTableView& table() const { return *collectives().table(); }
    const CollectivesModel& rows() const { return collectives().model(); }
    LatenessCanvas& canvas() const { return *m_window->view<LatenessMap>()->canvas(); }
    StragglerPanel& stragglers() const { return *m_window->view<StragglerPanel>(); }

    static void clickRow(QTableView& view, int row, int column)
    {
        const QModelIndex index = view.model()->index(row, column);
        view.scrollTo(index);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(index).center());
    }
    static void click(QCheckBox& box)
    {
        QTest::mouseClick(&box, Qt::LeftButton, {}, QPoint(8, box.height() / 2));
    }
    /// Opens a folder with the traces of some of the ranks only.
    bool openSome(const QString& name, const QList<int>& ranks) const
    {
        const QDir folder(m_folder.filePath(name));
        bool done = folder.mkpath(QStringLiteral("."));
        for (const int rank : ranks) {
            const QString file = QStringLiteral("rank%1_trace.json.gz").arg(rank);
            done &= QFile::copy(runPath() + QLatin1Char('/') + file, folder.filePath(file));
        }
        return done && openAndWait(*m_window, {folder.path()});
    }
    /// The row of `ranks` in the straggler table that a rank is in.
    int stragglerRow(std::int32_t rank) const
    {
        for (int row = 0; row < stragglers().ranks()->model()->rowCount(); ++row) {
            if (stragglers().ranks()->model()->index(row, 0).data(RawRole).toInt() == rank)
                return row;
        }
        return -1;
    }
    /// The cell in which a rank was latest, and its column's row.
    std::size_t latestColumn(std::size_t rank) const
    {
        const LatenessGrid& grid = *canvas().grid();
        std::size_t latest = 0;
        for (std::size_t column = 0; column < grid.columns.size(); ++column) {
            if (grid.at(rank, column) > grid.at(rank, latest))
                latest = column;
        }
        return latest;
    }

    void writeFiles() override { writeRun(planRun(lateDescription()), runPath().toStdString(), RunFiles()); }
    void openFirst() override { QVERIFY(openAndWait(*m_window, {runPath()})); }

private slots:
    void filteringByWordsGroupsAndLateness()
    {
        CHECKED(clickTab(collectives()));
        const int all = rows().rowCount();
        QVERIFY(all > 20);
        QVERIFY(collectives().summaryText().contains(QStringLiteral("100.0")));
        QVERIFY(collectives().emptyText().isEmpty());
        auto* words = collectives().findChild<QLineEdit*>();
        QTest::mouseClick(words, Qt::LeftButton);
        QTest::keyClicks(words, QStringLiteral("ALLGATHER"));
        const int gathers = rows().rowCount();
        QVERIFY(gathers > 0 && gathers < all);
        for (int row = 0; row < gathers; ++row)
            QVERIFY(rows().rowAt(row).kind == KernelClass::AllGather);
        QTest::keyClicks(words, QStringLiteral(" nonsense"));
        QCOMPARE(rows().rowCount(), 0);
        QVERIFY(collectives().emptyText().contains(QStringLiteral("filter")));
        words->clear();
        QCOMPARE(rows().rowCount(), all);

        click(widgetNamed<QCheckBox>(collectives(), "collectivesLateOnly"));
        QVERIFY(rows().rowCount() > 0 && rows().rowCount() < all);
        for (int row = 0; row < rows().rowCount(); ++row)
            QVERIFY(rows().rowAt(row).isLate);
        click(widgetNamed<QCheckBox>(collectives(), "collectivesLateOnly"));

        auto& groups = widgetNamed<QComboBox>(collectives(), "collectivesGroup");
        groups.setFocus();
        QTest::keyClick(&groups, Qt::Key_End); // the last single group
        QVERIFY(rows().rowCount() > 0 && rows().rowCount() < all);
        const std::uint32_t group = rows().collectives()->instanceOf(rows().rowAt(0)).group;
        for (int row = 0; row < rows().rowCount(); ++row)
            QCOMPARE(rows().collectives()->instanceOf(rows().rowAt(row)).group, group);
    }
    void sortingByAHeading()
    {
        CHECKED(clickTab(collectives()));
        table().setCurrentIndex(rows().index(5, 0));
        const std::uint32_t chosen = rows().idAt(5);
        QHeaderView& header = *table().horizontalHeader();
        const auto clickHeading = [&](int column) {
            table().scrollTo(rows().index(0, column));
            const QPoint at(header.sectionViewportPosition(column) + 12, header.height() / 2);
            QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, at);
        };
        clickHeading(CollectivesModel::Skew);
        if (header.sortIndicatorOrder() == Qt::AscendingOrder)
            clickHeading(CollectivesModel::Skew);
        for (int row = 1; row < rows().rowCount(); ++row)
            QVERIFY(rows().rowAt(row).times.skewNs() <= rows().rowAt(row - 1).times.skewNs());
        QCOMPARE(rows().idAt(table().currentIndex().row()), chosen);
        clickHeading(CollectivesModel::Name);
        for (int row = 1; row < rows().rowCount(); ++row) {
            const auto name = [&](int r) { return rows().collectives()->nameOf(rows().rowAt(r)); };
            QVERIFY(header.sortIndicatorOrder() == Qt::AscendingOrder ? name(row - 1) <= name(row)
                                                                      : name(row - 1) >= name(row));
        }
    }
    void clickAndEnterShowTheLastRank()
    {
        CHECKED(clickTab(collectives()));
        clickRow(table(), 3, CollectivesModel::Skew);
        QVERIFY2(state().selection().slice() == rows().collectives()->lastSlice(rows().rowAt(3)),
                 "one click leads to it");
        state().clearSelection();
        QTest::keyClick(&table(), Qt::Key_Return);
        QVERIFY(state().selection().slice() == rows().collectives()->lastSlice(rows().rowAt(3)));
        QVERIFY(state().viewport().visibleRange().overlaps(rows().rowAt(3).times.range()));
        const QModelIndex other = rows().index(6, CollectivesModel::Name);
        table().scrollTo(other);
        const QPoint at = table().visualRect(other).center();
        const SliceRef expected = rows().collectives()->lastSlice(rows().rowAt(6));
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, at);
        doubleClick(table().viewport(), at);
        QVERIFY(state().selection().slice() == expected);
    }
    void theRowFollowsTheSelection()
    {
        CHECKED(clickTab(collectives()));
        const int row = rows().rowCount() - 2;
        const CollectiveRow& wanted = rows().rowAt(row);
        for (const MemberArrival& arrival : rows().collectives()->arrivalsOf(wanted)) {
            state().selection().setSlice({});
            QVERIFY(!table().selectionModel()->hasSelection());
            state().selection().setSlice(arrival.slice);
            QCOMPARE(table().currentIndex().row(), row);
            QVERIFY(table().viewport()->rect().intersects(table().visualRect(rows().index(row, 0))));
        }
    }
    void onlyTheVisibleRange()
    {
        CHECKED(clickTab(collectives()));
        const int all = rows().rowCount();
        click(widgetNamed<QCheckBox>(collectives(), "collectivesVisibleOnly"));
        const TimeRange range = rows().collectives()->rows[4].times.range();
        state().viewport().setVisibleRange(range);
        int inside = 0;
        for (const CollectiveRow& row : rows().collectives()->rows)
            inside += row.times.range().overlaps(state().viewport().visibleRange()) ? 1 : 0;
        QVERIFY(inside > 0 && inside < all / 2);
        QTRY_COMPARE(rows().rowCount(), inside);
        QVERIFY(rows().rowAt(0).times.range().overlaps(state().viewport().visibleRange()));
        click(widgetNamed<QCheckBox>(collectives(), "collectivesVisibleOnly"));
        QCOMPARE(rows().rowCount(), all);
    }
    void copiesRawNumbers()
    {
        CHECKED(clickTab(collectives()));
        clickRow(table(), 2, CollectivesModel::Skew);
        QTest::keyClick(&table(), Qt::Key_C, Qt::ControlModifier);
        const QMimeData* data = QApplication::clipboard()->mimeData();
        const QStringList lines = data->text().trimmed().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 2);
        const QStringList header = lines[0].split(QLatin1Char('\t'));
        const QStringList cells = lines[1].split(QLatin1Char('\t'));
        QCOMPARE(header.size(), cells.size());
        const auto cell = [&](const char* key) { return cells.value(header.indexOf(QLatin1String(key))); };
        const CollectiveRow& row = rows().rowAt(2);
        QCOMPARE(cell("skew_ns").toLongLong(), row.times.skewNs());
        QCOMPARE(cell("transfer_ns").toLongLong(), row.times.transferNs);
        QCOMPARE(cell("message_bytes").toULongLong(), row.bytes.value_or(0));
        QCOMPARE(cell("busbw_gb_per_s").toDouble(), rows().collectives()->busBandwidth(row).value_or(0));
        QVERIFY(
            data->data(QStringLiteral("text/csv")).contains("\"" + cell("process_group").toUtf8() + "\""));
    }
    void oneRankSaysWhatToDo()
    {
        QVERIFY(openSome(QStringLiteral("one"), {0}));
        QVERIFY(
            collectives().emptyText().contains(QStringLiteral("Open the folder that contains the traces")));
        CHECKED(clickTab(*m_window->view<LatenessMap>()));
        QVERIFY(
            m_window->view<LatenessMap>()->emptyText().contains(QStringLiteral("Only one rank is loaded")));
        QVERIFY(stragglers().emptyText().contains(QStringLiteral("only rank 0")));
    }
    void unmatchedCallsAreListedWithWhy()
    {
        // Tensor-parallel neighbours stay away: their groups have one rank each.
        QVERIFY(openSome(QStringLiteral("some"), {0, 2}));
        CHECKED(clickTab(collectives()));
        auto& what = widgetNamed<QComboBox>(collectives(), "collectivesMatched");
        what.setFocus();
        QTest::keyClick(&what, Qt::Key_Down);
        const UnmatchedModel& unmatched = collectives().unmatchedModel();
        QVERIFY(collectives().unmatchedTable()->isVisible());
        QCOMPARE(static_cast<std::size_t>(unmatched.rowCount()),
                 state().run().collectives()->matching.unmatched.size());
        QVERIFY(unmatched.rowCount() > 0);
        QVERIFY(unmatched.index(0, UnmatchedModel::Reason)
                    .data()
                    .toString()
                    .contains(QStringLiteral("not loaded")));
        clickRow(*collectives().unmatchedTable(), 0, UnmatchedModel::Rank);
        QTest::keyClick(collectives().unmatchedTable(), Qt::Key_Return);
        QVERIFY(state().selection().slice() == unmatched.rowAt(0).call->slice);
    }
    void aClickOnTheMapShowsTheKernel()
    {
        CHECKED(clickTab(*m_window->view<LatenessMap>()));
        QTRY_VERIFY(canvas().grid() != nullptr);
        QVERIFY(m_window->view<LatenessMap>()->emptyText().isEmpty());
        const LatenessGrid& grid = *canvas().grid();
        QCOMPARE(grid.ranks.size(), std::size_t{6});
        const std::size_t column = latestColumn(3);
        QVERIFY(grid.at(3, column) > 0);
        QVERIFY(canvas().cellText(3, column).contains(QStringLiteral("rank 3 arrived last")));
        QTest::mouseClick(canvas().viewport(), Qt::LeftButton, {}, canvas().cellRect(3, column).center());
        QCOMPARE(state().run().model()->timelineOf(state().selection().slice()).rank, 3);
        const auto instance = state().selection().collective();
        QVERIFY(instance.has_value());
        QVERIFY(grid.collectives->rowOf(*instance) == grid.collectiveAt(3, column));
    }
    void arrowsAndEnterDoTheSame()
    {
        CHECKED(clickTab(*m_window->view<LatenessMap>()));
        QTRY_VERIFY(canvas().grid() != nullptr);
        const LatenessGrid& grid = *canvas().grid();
        canvas().setFocus();
        QTest::keyClick(&canvas(), Qt::Key_Right); // the first press only shows where the cursor is
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(&canvas(), Qt::Key_Down);
        std::size_t column = 0;
        while (grid.at(3, column) < 0) {
            QTest::keyClick(&canvas(), Qt::Key_Right);
            ++column;
        }
        QTest::keyClick(&canvas(), Qt::Key_Return);
        QCOMPARE(state().run().model()->timelineOf(state().selection().slice()).rank, 3);
        const auto row = grid.collectiveAt(3, column);
        QVERIFY(state().selection().collective() == grid.collectives->rows[row.value()].instance);
    }
    void aDragOverColumnsIsTheVisibleRange()
    {
        CHECKED(clickTab(*m_window->view<LatenessMap>()));
        QTRY_VERIFY(canvas().grid() != nullptr);
        const LatenessGrid& grid = *canvas().grid();
        const QPoint from = canvas().cellRect(1, 4).center();
        const QPoint to = canvas().cellRect(1, 9).center();
        QTest::mousePress(canvas().viewport(), Qt::LeftButton, {}, from);
        QTest::mouseMove(canvas().viewport(), (from + to) / 2);
        QTest::mouseMove(canvas().viewport(), to);
        QTest::mouseRelease(canvas().viewport(), Qt::LeftButton, {}, to);
        TimeRange expected = grid.columns[4].range;
        for (std::size_t column = 5; column <= 9; ++column)
            expected = expected.united(grid.columns[column].range);
        const TimeRange visible = state().viewport().visibleRange();
        QVERIFY(visible.beginNs <= expected.beginNs && visible.endNs >= expected.endNs);
        QVERIFY(visible.lengthNs() < expected.lengthNs() * 3 / 2);
        QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
        QVERIFY2(!(state().viewport().visibleRange() == visible), "one step back leads back");
    }
    void theWheelZoomsAtTheCursor()
    {
        CHECKED(clickTab(*m_window->view<LatenessMap>()));
        QTRY_VERIFY(canvas().grid() != nullptr);
        const std::size_t column = canvas().grid()->columns.size() / 2;
        const QRect before = canvas().cellRect(2, column);
        const auto wheel = [&](int steps) {
            const QPointF at = before.center();
            QWheelEvent event(at, canvas().viewport()->mapToGlobal(at), {}, {0, 120 * steps}, Qt::NoButton,
                              Qt::ControlModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(canvas().viewport(), &event);
        };
        for (int i = 0; i < 4; ++i)
            wheel(1);
        const QRect closer = canvas().cellRect(2, column);
        QVERIFY(closer.width() > before.width() * 2);
        QVERIFY(closer.adjusted(-3, 0, 3, 0).contains(before.center()));
        QVERIFY(canvas().horizontalScrollBar()->maximum() > 0);
        for (int i = 0; i < 8; ++i)
            wheel(-1);
        QCOMPARE(canvas().horizontalScrollBar()->maximum(), 0);
    }
    void stepsAsColumns()
    {
        CHECKED(clickTab(*m_window->view<LatenessMap>()));
        QTRY_VERIFY(canvas().grid() != nullptr);
        auto& columns = widgetNamed<QComboBox>(*m_window, "latenessColumns");
        columns.setFocus();
        QTest::keyClick(&columns, Qt::Key_Down);
        QTRY_VERIFY(canvas().grid()->request.columns == LatenessColumns::StepMean);
        const LatenessGrid& grid = *canvas().grid();
        QCOMPARE(grid.columns.size(), state().run().model()->timelines.front().steps.size());
        QTest::mouseClick(canvas().viewport(), Qt::LeftButton, {}, canvas().cellRect(3, 1).center());
        QCOMPARE(state().run().model()->timelineOf(state().selection().slice()).rank, 3);
    }
    void aStragglersWorstCollectives()
    {
        CHECKED(clickTab(stragglers()));
        QTRY_VERIFY(stragglers().report() != nullptr);
        QVERIFY(stragglers().verdictText().startsWith(QStringLiteral("Straggler: rank 3 arrived last")));
        QCOMPARE(stragglers().ranks()->model()->rowCount(), 6);
        QCOMPARE(stragglerRow(3), 0); // who made the others wait longest stands on top
        QVERIFY(stragglers().groups()->isVisible());
        const int wanted = stragglers().ranks()->horizontalHeader()->length();
        QVERIFY2(stragglers().ranks()->width() >= std::min(wanted, stragglers().width() / 2),
                 "the ranks have no room");
        clickRow(*stragglers().ranks(), 0, 1);
        QVERIFY(stragglers().worst()->isVisible());
        const auto& worst = stragglers().report()->ranks[3].worst;
        QCOMPARE(stragglers().worst()->model()->rowCount(), static_cast<int>(worst.size()));
        QVERIFY(!worst.empty() && worst.size() <= StragglerReport::worstKept);
        clickRow(*stragglers().worst(), 0, 1);
        QVERIFY(state().selection().slice() == worst.front().slice);
    }
    void stragglersFollowTheScopeOfTheMetrics()
    {
        QTRY_VERIFY(stragglers().report() != nullptr);
        const std::int64_t inner = stragglers().report()->collectives;
        auto& scope = widgetNamed<QComboBox>(*m_window, "metricsScope");
        scope.setFocus();
        QTest::keyClick(&scope, Qt::Key_Down);
        QTRY_COMPARE(stragglers().report()->window, std::string("all steps"));
        QVERIFY(stragglers().report()->collectives > inner);
        QTest::keyClick(&scope, Qt::Key_End); // one rank
        QTRY_VERIFY(stragglers().emptyText().contains(QStringLiteral("Select all 6")));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestRankTabs)
#include "tst_rank_tabs.moc"
