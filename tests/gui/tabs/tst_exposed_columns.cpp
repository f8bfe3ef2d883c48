// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// "Which kernel has the most exposed communication?": one click on a header of a table.

#include "tests/gui/driver/window_test.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/collectives/collectives_table.h"
#include "views/tables/frozen_column.h"
#include "views/tables/range_panel.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

namespace collscope {

/// Two ranks. The first collective takes longest, and compute hides it; nothing hides the second one.
class TestExposedColumns : public WindowTest
{
    Q_OBJECT

private:
    void openFirst() override
    {
        SmallRun run(2);
        for (const int rank : {0, 1}) {
            run.step(rank, 1, 0, 1000);
            run.kernel(rank, 0, 500);
            SmallCall hidden{"allreduce", "0", "[0, 1]", 2, 4096, 4096};
            hidden.sequence = 1;
            run.call(rank, 0, 400, hidden);
            SmallCall exposed{"_allgather_base", "0", "[0, 1]", 2, 4096, 4096};
            exposed.sequence = 2;
            exposed.kernel = "ncclDevKernel_AllGather_RING_LL";
            run.call(rank, 600, 200, exposed);
        }
        openRun(run);
        QTRY_VERIFY(state().run().exposure());
    }
    /// The text of a column in the first row, after a click on its header.
    static QString firstSortedBy(QTableView& table, int column, int shown)
    {
        QHeaderView& header = *table.horizontalHeader();
        table.scrollTo(table.model()->index(0, column));
        const int x = header.sectionViewportPosition(column) + header.sectionSize(column) / 2;
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, {x, header.height() / 2});
        return table.model()->index(0, shown).data().toString();
    }
    void bringToFront(QWidget* tab) const { m_window->findChild<QTabWidget*>()->setCurrentWidget(tab); }

private slots:
    void range()
    {
        auto* const panel = m_window->view<RangePanel>();
        bringToFront(panel);
        state().viewport().setVisibleRange(state().run().range());
        const auto isMeasured = [&] {
            const RangeSummaryPtr& summary = state().selection().summary();
            return summary
                && std::any_of(summary->rows.begin(), summary->rows.end(),
                               [](const RangeRow& row) { return row.exposedNs.value_or(0) > 0; });
        };
        QTRY_VERIFY(isMeasured());
        QVERIFY(firstSortedBy(*panel->table(), RangeModel::Exposed, RangeModel::Label)
                    .contains(QStringLiteral("AllGather")));
        // 200 us on each rank; compute is not exposed.
        QCOMPARE(panel->table()->model()->index(0, RangeModel::Exposed).data().toString(),
                 panel->table()->model()->index(0, RangeModel::Total).data().toString());
        const int last = panel->table()->model()->rowCount() - 1;
        QCOMPARE(panel->table()->model()->index(last, RangeModel::Exposed).data().toString(),
                 QString::fromUtf8("\u2013"));
    }
    void collectives()
    {
        auto* const view = m_window->view<CollectivesTable>();
        bringToFront(view);
        QTRY_COMPARE(view->table()->model()->rowCount(), 2);
        // The most expensive one comes first without a click.
        QCOMPARE(view->table()->model()->index(0, CollectivesModel::Name).data().toString(),
                 QStringLiteral("_allgather_base"));
        // A click on its row leads to it.
        const QModelIndex first = view->table()->model()->index(0, CollectivesModel::Name);
        QTest::mouseClick(view->table()->viewport(), Qt::LeftButton, {},
                          view->table()->visualRect(first).center());
        QVERIFY(state().selection().slice());
        QCOMPARE(
            QString::fromStdString(std::string(state().run().model()->nameOf(state().selection().slice()))),
            QStringLiteral("ncclDevKernel_AllGather_RING_LL"));
        QCOMPARE(firstSortedBy(*view->table(), CollectivesModel::Exposed, CollectivesModel::Name),
                 QStringLiteral("allreduce")); // the other way round
    }
    void namesStayInSight()
    {
        auto* const view = m_window->view<CollectivesTable>();
        bringToFront(view);
        QTableView& table = *view->table();
        QTRY_COMPARE(table.model()->rowCount(), 2);
        auto* const names = table.findChild<FrozenColumn*>();
        QScrollBar& bar = *table.horizontalScrollBar();
        bar.setValue(0);
        QVERIFY(!names->isVisible());
        QVERIFY(bar.maximum() > 0);
        bar.setValue(bar.maximum());
        QVERIFY(names->isVisible());
        QCOMPARE(names->mapTo(&table, QPoint()).x(), table.viewport()->x());
        const QModelIndex first = table.model()->index(0, CollectivesModel::Name);
        const int y = table.visualRect(first).center().y();
        QCOMPARE(names->visualRect(first).center().y(), y);
        // A click on a name is a click on its row, a click on the heading sorts.
        state().selection().setSlice({});
        QTest::mouseClick(names->viewport(), Qt::LeftButton, {}, {10, y});
        QVERIFY(state().selection().slice());
        QVERIFY(table.selectionModel()->isRowSelected(0));
        QHeaderView& heading = *names->horizontalHeader();
        QTest::mouseClick(heading.viewport(), Qt::LeftButton, {}, {10, heading.height() / 2});
        QCOMPARE(table.horizontalHeader()->sortIndicatorSection(), int(CollectivesModel::Name));
        const QString top = first.data().toString();
        QTest::mouseClick(heading.viewport(), Qt::LeftButton, {}, {10, heading.height() / 2});
        QVERIFY(table.model()->index(0, CollectivesModel::Name).data().toString() != top);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestExposedColumns)
#include "tst_exposed_columns.moc"
