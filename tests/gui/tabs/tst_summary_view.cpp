// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The Summary tab: what a run opens with names the planted cause, and leads to it.

#include "tests/gui/driver/window_test.h"
#include "tests/support/runs/caused_run.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/common/format.h"
#include "views/ranks/ranks_panel.h"
#include "views/summary/parts_bar.h"
#include "views/summary/summary_view.h"
#include "views/tables/cell_table.h"

#include <QLabel>
#include <QTabWidget>
#include <QTest>
#include <QTreeWidget>

namespace collscope {

/// Four ranks, of which rank 2 has a kernel that takes 700 us longer in each step.
class TestSummaryView : public WindowTest
{
    Q_OBJECT

private:
    SummaryView& summary() const { return *m_window->view<SummaryView>(); }
    QString cell(int row, const char* key) const
    {
        const QAbstractItemModel& model = *summary().table()->model();
        for (int column = 0; column < model.columnCount(); ++column) {
            if (model.headerData(column, Qt::Horizontal, RawRole).toString() == QLatin1String(key))
                return model.index(row, column).data().toString();
        }
        qFatal("no column '%s'", key);
    }
    void openFirst() override
    {
        CausedRun planted(4, {});
        planted.play([&](int, int rank, int place) {
            if (rank == 2 && place == 2)
                planted.slowNextKernel(rank, 700);
        });
        openRun(planted.run());
    }

private slots:
    void isWhatARunOpensWith()
    {
        auto* const tabs = summary().window()->findChild<QTabWidget*>();
        QTRY_VERIFY(summary().emptyText().isEmpty());
        QCOMPARE(tabs->currentWidget(), &summary());
    }
    void theWorstFindingIsThePlantedOneAndLeadsThere()
    {
        QTRY_VERIFY(!summary().shown().empty());
        const Finding& worst = *summary().shown().front();
        QVERIFY2(worst.title.find("ank 2") != std::string::npos, worst.title.c_str());
        QCOMPARE(worst.ranks, std::vector<std::int32_t>{2});
        CellTable& table = *summary().table();
        QVERIFY(cell(0, "where").contains(QStringLiteral("rank ")));
        state().viewport().setVisibleRange(state().run().range());
        const QModelIndex first = table.model()->index(0, 1);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(first).center());
        const FindingPlace& place = worst.places.all().front();
        QCOMPARE(state().selection().range(), std::optional(place.range));
        const TimeRange visible = state().viewport().visibleRange();
        QVERIFY(visible.contains(place.range.beginNs) && visible.contains(place.range.endNs));
        QVERIFY(visible.lengthNs() <= 40 * place.range.lengthNs());
        const auto& advice = widgetNamed<QLabel>(summary(), "findingAdvice");
        QVERIFY(advice.isVisible() && !advice.text().isEmpty());
    }
    void theListOfRanksPointsAtTheLateOne()
    {
        QTRY_VERIFY(!summary().shown().empty());
        const QTreeWidget& ranks = *m_window->view<RanksPanel>()->tree();
        QCOMPARE(ranks.topLevelItemCount(), 4);
        const QString late = formatDuration(summary().shown().front()->costNs);
        for (int rank = 0; rank < 4; ++rank)
            QCOMPARE(ranks.topLevelItem(rank)->text(1).contains(late), rank == 2);
        QVERIFY(ranks.topLevelItem(2)->toolTip(1).contains(QStringLiteral("wait for rank 2")));
    }
    void thePartsAddUpToTheStep()
    {
        QTRY_VERIFY(!summary().shown().empty());
        QVERIFY(summary().parts()->text().contains(QStringLiteral("computing ")));
        QVERIFY(!summary().parts()->text().contains(QStringLiteral("unknown")));
        QVERIFY(widgetNamed<QLabel>(summary(), "stepTime").text().endsWith(QStringLiteral("ms")));
    }
    void aRunWithoutGpuWorkSaysWhy()
    {
        SmallRun run(1);
        run.cpu(0, "aten::mm", 10, 100, "cpu_op");
        openRun(run);
        QTRY_VERIFY(!summary().emptyText().isEmpty());
        QTRY_VERIFY(!summary().emptyText().contains(QStringLiteral("Finding out")));
        QVERIFY(summary().shown().empty());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestSummaryView)
#include "tst_summary_view.moc"
