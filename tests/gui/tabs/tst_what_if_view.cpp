// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The tab "What would help?", by mouse and keyboard.

#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"
#include "views/tables/cell_table.h"
#include "views/whatif/what_if_view.h"

#include <QLineEdit>
#include <QTest>
#include <QToolButton>

namespace collscope {

/// Six ranks, of which rank 3 computes longer than the others.
class TestWhatIfView : public WindowTest
{
    Q_OBJECT

private:
    WhatIfView& view() const { return *m_window->view<WhatIfView>(); }
    CellTable& table() const { return *view().table(); }
    void clickRow(int row) const
    {
        const QModelIndex index = table().model()->index(row, 0);
        table().scrollTo(index);
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, table().visualRect(index).center());
    }
    void openTab() const
    {
        CHECKED(clickTab(view()));
        QTRY_VERIFY(view().answer() != nullptr);
    }

    void writeFiles() override { writeRun(planRun(lateDescription()), runPath().toStdString(), RunFiles()); }
    void openFirst() override { QVERIFY(openAndWait(*m_window, {runPath()})); }

private slots:
    void nothingIsComputedBeforeItIsSeen()
    {
        QVERIFY(!view().answer());
        CHECKED(openTab());
        QVERIFY(view().emptyText().isEmpty());
    }
    void theLateRankIsAmongTheAnswers()
    {
        CHECKED(openTab());
        QVERIFY2(!view().answer()->isRefused(), view().answer()->replay->refused().c_str());
        const auto found
            = std::find_if(view().shown().begin(), view().shown().end(),
                           [](const ScenarioAnswer& own) { return own.scenario.spec == "rank=3"; });
        QVERIFY(found != view().shown().end());
        QVERIFY(found->gainNs > 0);
        QCOMPARE(table().model()->rowCount(), static_cast<int>(view().shown().size()));
    }
    void aClickEmphasisesWhatIsSaved()
    {
        CHECKED(openTab());
        clickRow(0);
        const ScenarioAnswer& first
            = view().shown()[static_cast<std::size_t>(table().rowOf(table().currentIndex()))];
        QVERIFY(!first.evidence.empty());
        QCOMPARE(state().emphasis().evidence().size(), first.evidence.size());
        QVERIFY(state().emphasis().isEvidence(first.evidence.front().slice));
        QVERIFY(state().selection().slice() == first.evidence.front().slice);
    }
    void whatIsWrittenIsTried()
    {
        CHECKED(openTab());
        const auto before = view().shown().size();
        QTest::mouseClick(view().line(), Qt::LeftButton);
        QTest::keyClicks(view().line(), QStringLiteral("kernels=gemm:50%"));
        QTest::keyClick(view().line(), Qt::Key_Return);
        QTRY_COMPARE(view().shown().size(), before + 1);
        QCOMPARE(view().shown().front().scenario.spec, std::string("kernels=gemm:50%"));
        QVERIFY(view().shown().front().gainNs > 0);
        // The same again takes its place, and what is not known is said.
        QTest::keyClick(view().line(), Qt::Key_Return);
        QTest::qWait(50);
        QCOMPARE(view().shown().size(), before + 1);
        view().line()->clear();
        QTest::keyClicks(view().line(), QStringLiteral("faster"));
        QTest::keyClick(view().line(), Qt::Key_Return);
        QVERIFY(view().line()->toolTip().contains(QStringLiteral("is not known")));
    }
    void theTimelineShowsAScenario()
    {
        CHECKED(openTab());
        const QImage before = timelineImage();
        clickRow(0);
        QVERIFY(!state().run().ghost());
        QTest::mouseClick(view().ghostButton(), Qt::LeftButton);
        QTRY_VERIFY(state().run().ghost() != nullptr);
        QVERIFY(timelineImage() != before);
        const auto& rows = timeline().layout().rows();
        QVERIFY(std::any_of(rows.begin(), rows.end(),
                            [](const TimelineRow& row) { return row.ghostHeight > 0; }));
        // Every piece of GPU work has a place there, and no earlier than the step begins.
        for (const auto& [track, ranges] : state().run().ghost()->ranges) {
            QCOMPARE(ranges.size(), state().run().model()->track(track).slices.size());
            for (const TimeRange range : ranges)
                QVERIFY(range.endNs >= range.beginNs);
        }
        QTest::mouseClick(view().ghostButton(), Qt::LeftButton);
        QVERIFY(!state().run().ghost());
        QVERIFY(std::none_of(timeline().layout().rows().begin(), timeline().layout().rows().end(),
                             [](const TimelineRow& row) { return row.ghostHeight > 0; }));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestWhatIfView)
#include "tst_what_if_view.moc"
