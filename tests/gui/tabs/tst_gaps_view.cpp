// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The Gaps tab and the strip of findings: what was planted is on top, and a click leads to it.

#include "app/files/resources.h"
#include "tests/gui/driver/window_test.h"
#include "tests/support/runs/caused_run.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/collectives/cause_view.h"
#include "views/common/palette.h"
#include "views/common/theme.h"
#include "views/summary/finding_strip.h"
#include "views/summary/gaps_view.h"
#include "views/summary/summary_view.h"
#include "views/tables/cell_table.h"
#include "views/timeline/timeline_tool_tips.h"

#include <QAbstractButton>
#include <QAction>
#include <QTabWidget>
#include <QTest>

namespace collscope {

/// Two ranks, of which rank 1 allocates memory for 2 ms in each step.
class TestGapsView : public WindowTest
{
    Q_OBJECT

private:
    GapsView& gaps() const { return *m_window->view<GapsView>(); }
    FindingStrip& strip() const { return *m_window->view<FindingStrip>(); }
    void openFirst() override
    {
        CausedRun planted(2, {});
        planted.play([&](int, int rank, int place) {
            if (rank == 1 && place == 2)
                planted.cpu(rank, "cudaMalloc", 2000, "cuda_runtime");
        });
        openRun(planted.run());
        QTRY_VERIFY(gaps().emptyText().isEmpty());
    }
    void bringToFront() const { tabs().setCurrentWidget(&gaps()); }
    static void click(CellTable& table, int row)
    {
        const QModelIndex cell = table.model()->index(row, 0);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(cell).center());
    }

    QTabWidget& tabs() const { return *gaps().window()->findChild<QTabWidget*>(); }
    /// Chooses the first finding of a kind in the Summary and clicks "Why?" beside it.
    void askWhy(FindingKind kind)
    {
        SummaryView& summary = *m_window->view<SummaryView>();
        tabs().setCurrentWidget(&summary);
        const auto& shown = summary.shown();
        const auto chosen = std::find_if(shown.begin(), shown.end(),
                                         [&](const Finding* finding) { return finding->kind == kind; });
        QVERIFY(chosen != shown.end());
        auto& why = widgetNamed<QAbstractButton>(summary, "findingWhy");
        QVERIFY(!why.isVisible()); // nothing is chosen
        click(*summary.table(), summary.table()->shownRow(static_cast<int>(chosen - shown.begin())));
        QVERIFY(why.isVisible());
        QTest::mouseClick(&why, Qt::LeftButton);
    }

private slots:
    void theLongestGapIsOneClickAway()
    {
        bringToFront();
        QVERIFY(!gaps().shown().empty());
        QCOMPARE(gaps().shown().front()->rank, 1);
        QCOMPARE(gaps().shown().front()->cause, IdleCause::Allocates);
        click(*gaps().list(), 0);
        const TimeRange gap = gaps().shown().front()->range;
        QCOMPARE(state().selection().range(), std::optional(gap));
        const TimeRange visible = state().viewport().visibleRange();
        QVERIFY(visible.contains(gap.beginNs) && visible.contains(gap.endNs));
    }
    void aCauseListsOnlyItsGaps()
    {
        bringToFront();
        CellTable& causes = *gaps().causes();
        const std::size_t all = gaps().shown().size();
        const int rows = causes.model()->rowCount();
        QVERIFY(rows >= 3); // all, the planted cause, and the others
        for (int row = 1; row < rows; ++row) {
            click(causes, row);
            QVERIFY(!gaps().shown().empty());
            QVERIFY(gaps().shown().size() < all);
            const IdleCause cause = gaps().shown().front()->cause;
            for (const ListedGap* gap : gaps().shown())
                QCOMPARE(gap->cause, cause);
        }
        click(causes, 0);
        QCOMPARE(gaps().shown().size(), all);
    }
    void aCardLeadsToItsPlace()
    {
        QVERIFY(strip().isVisible());
        QVERIFY(!strip().cards().empty());
        const FindingPlace place = m_window->view<SummaryView>()->shown().front()->places.all().front();
        QTest::mouseClick(strip().cards().front(), Qt::LeftButton);
        QCOMPARE(state().selection().range(), std::optional(place.range));
    }
    /// "Why?" beside a finding about idle time lists the gaps with its cause.
    void whyListsTheGaps()
    {
        CHECKED(askWhy(FindingKind::Allocator));
        QCOMPARE(tabs().currentWidget(), &gaps());
        QVERIFY(!gaps().shown().empty());
        for (const ListedGap* gap : gaps().shown())
            QCOMPARE(gap->cause, IdleCause::Allocates);
    }
    /// Beside a late rank it explains the collective that waited for it.
    void whyExplainsTheCollective()
    {
        CHECKED(askWhy(FindingKind::LateRank));
        auto* const causes = m_window->view<CauseView>();
        QCOMPARE(tabs().currentWidget(), causes);
        QTRY_VERIFY(causes->verdictText().contains(QStringLiteral("Rank 1")));
    }
    /// What the guide says of the demo.
    void whyLeadsToTheFaultOfTheDemo()
    {
        QVERIFY(openAndWait(*m_window, {QString::fromStdString(resourceFolder("demo"))}));
        QTRY_VERIFY(gaps().emptyText().isEmpty());
        QCOMPARE(m_window->view<SummaryView>()->shown()[2]->kind, FindingKind::LateRank); // row 3
        CHECKED(askWhy(FindingKind::LateRank));
        auto* const causes = m_window->view<CauseView>();
        QTRY_VERIFY2(causes->verdictText().contains(QStringLiteral("Rank 5")),
                     qPrintable(causes->verdictText()));
        QVERIFY2(causes->verdictText().contains(QStringLiteral("slower kernels")),
                 qPrintable(causes->verdictText()));
    }
    /// The lane of a rank shows the cause as a colour, in its tool tip, and a click selects the gap.
    void theLaneOfARankShowsTheGap()
    {
        const ListedGap planted = *gaps().shown().front();
        QCOMPARE(planted.cause, IdleCause::Allocates);
        const QRect lanes = timeline().positions().lanesRect();
        const auto& rows = timeline().layout().rows();
        const auto row = std::find_if(rows.begin(), rows.end(), [](const TimelineRow& candidate) {
            return candidate.key.rank == 1 && candidate.firstOfTimeline;
        });
        QVERIFY(row != rows.end() && row->gapHeight > 0);
        state().viewport().showRange({planted.range.beginNs - planted.range.lengthNs(),
                                      planted.range.endNs + planted.range.lengthNs()});
        const QPoint inLane(lanes.left() + lanes.width() / 2,
                            timeline().positions().topOf(*row) + row->height + 2);
        const QImage picture = timelineImage();
        const QPalette palette = timeline().palette();
        QCOMPARE(picture.pixel(inLane), idleCauseColor(IdleCause::Allocates, palette).rgb());
        QCOMPARE(picture.pixel(inLane.x(), inLane.y() + 4), surfaces(palette).base.rgb());
        QVERIFY(timelineToolTip(timeline().positions(), inLane).contains(QStringLiteral("cudaMalloc")));
        QTest::mouseClick(timeline().viewport(), Qt::LeftButton, {}, inLane);
        QCOMPARE(state().selection().range(), std::optional(planted.range));
    }
    void allFindingsAreInTheSummary()
    {
        bringToFront();
        QTest::mouseClick(&widgetNamed<QAbstractButton>(strip(), "allFindings"), Qt::LeftButton);
        QCOMPARE(tabs().currentWidget(), m_window->view<SummaryView>());
    }
    void theStripStaysClosed()
    {
        QTest::mouseClick(&widgetNamed<QAbstractButton>(strip(), "closeFindings"), Qt::LeftButton);
        QVERIFY(!strip().isVisible());
        openFirst();
        QVERIFY(!strip().isVisible());
        m_window->findChild<QAction*>(QStringLiteral("findingStrip"))->trigger();
        QVERIFY(strip().isVisible());
        QVERIFY(!strip().cards().empty());
    }
    void aRunWithoutGpuWorkSaysWhy()
    {
        SmallRun run(1);
        run.cpu(0, "aten::mm", 10, 100, "cpu_op");
        openRun(run);
        QTRY_VERIFY(!gaps().emptyText().isEmpty() && !gaps().emptyText().contains(QStringLiteral("Finding")));
        QVERIFY(gaps().shown().empty());
        QVERIFY(!strip().isVisible());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestGapsView)
#include "tst_gaps_view.moc"
