// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Runs that do not fit together, and work that is given up: what the comparison window says and shows.

#include "tests/gui/comparison/comparison_test.h"
#include "tests/support/suite/suite.h"
#include "views/common/theme.h"
#include "views/comparison/rank_changes.h"
#include "views/comparison/waterfall_view.h"

#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QSignalSpy>
#include <QToolButton>

namespace collscope {

class TestComparisonEdges : public ComparisonTest
{
    Q_OBJECT

private:
    void writeFiles() override
    {
        comparedRun().write(path("base").toStdString());
        comparedRun({700, 0, 0, false}).write(path("slow").toStdString());
        comparedRun({0, 0, 2, false}).write(path("later").toStdString()); // steps 2 to 6: two are shared
        SmallRun fewer = comparedRun();
        fewer.leaveOut(3);
        fewer.write(path("three ranks").toStdString());
        SmallRun unmarked(4);
        for (int rank = 0; rank < 4; ++rank)
            unmarked.kernel(rank, 0, 2000, 7, "gemm_kernel");
        unmarked.write(path("unmarked").toStdString());
    }
    void openFirst() override { QVERIFY(openAndWait(*m_window, {path("base")})); }
    QToolButton* cancelButton() const { return &widgetNamed<QToolButton>(window(), "workCancel"); }

private slots:
    void aRankOfOneRunIsNoDifference()
    {
        QVERIFY(compareWith("three ranks"));
        QVERIFY(hasText(QStringLiteral("no difference")));
        QVERIFY(hasText(QStringLiteral("Only base has rank 3")));
        QCOMPARE(view().rankChanges()->bars().size(), std::size_t{3});
        for (const StepPart part : view().waterfall()->parts())
            QCOMPARE(view().waterfall()->waterfall().change(part), std::int64_t{0});
        // Its rows lead to where it is; there is no step of it to compare.
        QVERIFY(clickRow("GPU_ByRank_Cmp", QStringLiteral("gone")));
        QVERIFY(!view().rankChanges()->chosenRank());
        QVERIFY(view().waterfall()->waterfall().testNs > 0);
        view().chooseRank(2);
        QVERIFY(compareWith("slow"));
        QVERIFY(view().waterfall()->waterfall().testNs > 0);
    }
    void aStepOfOneRunIsShownThere()
    {
        QVERIFY(compareWith("later"));
        QCOMPARE(view().steps().size(), std::size_t{1}); // of the inner ones, 3 is in both
        QVERIFY(
            hasText(QStringLiteral("base has 3 steps (1 to 3) in its window, later has 3 steps (3 to 5)")));
        const TimeRange before = view().basePane()->state()->viewport().visibleRange();
        QVERIFY(clickRow("Step_Cmp", QStringLiteral("gone")));
        const TimeRange now = view().basePane()->state()->viewport().visibleRange();
        QVERIFY(now != before);
        const auto step = view().basePane()->run()->stepOnAxis(1);
        QVERIFY(step && now.beginNs <= step->beginNs && now.endNs >= step->endNs);
    }
    void aStepIsNoWholeTrace()
    {
        QVERIFY(compareWith("unmarked"));
        QVERIFY(hasText(QStringLiteral("base has step markers and unmarked has none")));
        QVERIFY(view().waterfall()->parts().empty());
        QVERIFY(view().steps().empty());
        QVERIFY(view().table(QStringLiteral("GPU_Summary_Cmp"))->model()->rowCount() > 0);
        QVERIFY(!view().tabs()->isTabVisible(
            view().tabs()->indexOf(view().table(QStringLiteral("Step_Waterfall")))));
    }
    void aLoadCanBeGivenUp()
    {
        m_window->compareWith({path("slow")});
        window().addTest({path("later")});
        QSignalSpy failed(&window(), &ComparisonWindow::failed);
        QTest::keyClick(&window(), Qt::Key_Escape);
        // The other one is loaded all the same.
        QTRY_VERIFY(!window().isBusy());
        QCOMPARE(failed.count(), 1);
        QCOMPARE(view().testPane()->run()->sheets.label, std::string("later"));
    }
    void theOnlyLoadCanBeGivenUp()
    {
        m_window->compareWith({path("slow")});
        QVERIFY(cancelButton()->isVisible());
        cancelButton()->click();
        QTRY_VERIFY(!window().isBusy());
        QVERIFY(hasText(QStringLiteral("Add a test run")));
        QVERIFY(!cancelButton()->isVisible());
        QVERIFY(compareWith("slow"));
        QVERIFY(hasText(QStringLiteral("slower")));
    }
    void anExportCanBeGivenUp()
    {
        QVERIFY(compareWith("slow"));
        const QString folder = m_folder.filePath(QStringLiteral("given up"));
        QVERIFY(QDir().mkpath(folder));
        QSignalSpy exported(&window(), &ComparisonWindow::exported);
        QAction* write = window().actionTable()->action(QStringLiteral("exportReports"));
        write->trigger();
        QVERIFY(answerFileDialog(window(), folder));
        QVERIFY2(!write->isEnabled(), "one at a time");
        QVERIFY(cancelButton()->isVisible());
        cancelButton()->click();
        QVERIFY(!window().isBusy());
        QVERIFY(write->isEnabled());
        QVERIFY(hasText(QStringLiteral("The export was cancelled")));
        // The next export begins when the thread has left the first one: nothing of that comes any more.
        const QString second = m_folder.filePath(QStringLiteral("second"));
        QVERIFY(QDir().mkpath(second));
        write->trigger();
        QVERIFY(answerFileDialog(window(), second));
        QVERIFY(exported.wait(60'000));
        QCOMPARE(exported.size(), 1);
        for (const QString& file : exported.front().front().toStringList())
            QVERIFY2(file.startsWith(second), qPrintable(file));
    }
    void testsOfOneNameAreToldApart()
    {
        comparedRun({700, 0, 0, false}).write(path("monday/run").toStdString());
        comparedRun({100, 0, 0, false}).write(path("tuesday/run").toStdString());
        QVERIFY(compareWith("monday/run"));
        QVERIFY(compareWith("tuesday/run"));
        const auto& tests = widgetNamed<QComboBox>(window(), "comparedTest");
        QCOMPARE(tests.itemText(0), QStringLiteral("monday_run"));
        QCOMPARE(tests.itemText(1), QStringLiteral("tuesday_run"));
    }
    void similarPartsHaveNoColour()
    {
        QVERIFY(compareWith("slow"));
        const QImage coloured = view().waterfall()->grab().toImage();
        const QPoint bar = view().waterfall()->barOf(StepPart::Gemm).center().toPoint();
        const Surfaces colors = surfaces(window().palette());
        QCOMPARE(coloured.pixelColor(bar), colors.worse);
        widgetNamed<QDoubleSpinBox>(window(), "similarUpTo").setValue(50);
        QTRY_VERIFY(!window().isBusy());
        QCOMPARE(view().waterfall()->grab().toImage().pixelColor(bar), colors.dimText);
    }
    void aSlowRankIsSeenAmongThousands()
    {
        RankChanges chart;
        chart.resize(500, 200); // about ten ranks in a column of pixels
        std::vector<RankChanges::Bar> bars;
        for (int rank = 0; rank < 4000; ++rank)
            bars.push_back({rank, 1'000'000, rank == 1237 ? 3'000'000 : 1'020'000});
        chart.setBars(bars, QStringLiteral("Step"), 1.0);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        const QImage picture = chart.grab().toImage();
        const QRectF bar = chart.barOf(1237);
        const QPoint high(static_cast<int>(bar.center().x()), static_cast<int>(bar.top() + bar.height() / 4));
        QCOMPARE(picture.pixelColor(high), surfaces(chart.palette()).worse);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, high);
        QCOMPARE(chart.chosenRank(), std::optional<std::int32_t>(1237));
        QTest::mouseClick(&chart, Qt::LeftButton, {}, high + QPoint(3, 0));
        QVERIFY(chart.chosenRank() > std::optional<std::int32_t>(1237));
        QTest::mouseClick(&chart, Qt::LeftButton, {}, {chart.width() - 1, high.y()});
        QVERIFY(!chart.chosenRank()); // right of the last bar
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestComparisonEdges)
#include "tst_comparison_edges.moc"
