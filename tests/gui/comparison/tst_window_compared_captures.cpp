// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Captures without steps, and runs without GPU work, in the comparison window.

#include "tests/gui/comparison/comparison_test.h"
#include "tests/support/runs/captured_run.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/comparison/rank_changes.h"
#include "views/comparison/waterfall_view.h"

#include <QHeaderView>

namespace collscope {

class TestWindowComparedCaptures : public ComparisonTest
{
    Q_OBJECT

private:
    void writeFiles() override
    {
        capturedRun({}).write(path("base").toStdString());
        capturedRun({300'000, 45}).write(path("less").toStdString());
        capturedRun({300'000, 50, 2, 1000, 1000, 200, 2}).write(path("other").toStdString());
    }
    void openFirst() override { QVERIFY(openAndWait(*m_window, {path("base")})); }
    QString titleOfTab(const char* sheet) const
    {
        QTabWidget& tabs = *view().tabs();
        const int tab = tabs.indexOf(view().table(QLatin1String(sheet)));
        return tabs.isTabVisible(tab) ? tabs.tabText(tab) : QString();
    }

private slots:
    void lessWorkIsNotBetter()
    {
        QVERIFY(compareWith("less"));
        QVERIFY(
            hasText(QStringLiteral("The test did 10 % less work in that time: attention 100 -> 90 calls")));
        QVERIFY(hasText(QStringLiteral("It is 11 % slower per unit of work.")));
        QVERIFY(hasText(QStringLiteral("repeats 50 times in the baseline and 45 times in the test")));
        const StepWaterfall& waterfall = view().waterfall()->waterfall();
        QCOMPARE(waterfall.baseNs, std::int64_t{6'000'000}); // 300 ms / 50
        QCOMPARE(waterfall.testNs, std::int64_t{6'666'667});
        QCOMPARE(waterfall.change(StepPart::Gemm), std::int64_t{0});
        QCOMPARE(view().waterfall()->parts().front(), StepPart::Idle);
        QCOMPARE(titleOfTab("Step_Waterfall"), QStringLiteral("Unit of work"));
        QCOMPARE(titleOfTab("Step_Cmp"), QString());
        for (const char* sheet :
             {"Unit_Summary_Cmp", "GPU_Summary_Cmp", "Kernel_Cmp", "Kernel_Class_Cmp", "Step_Waterfall"}) {
            const QAbstractItemModel& model = *view().table(QLatin1String(sheet))->model();
            for (int column = 0; column < model.columnCount(); ++column)
                QVERIFY2(!model.headerData(column, Qt::Horizontal).toString().contains(QLatin1String("step")),
                         sheet);
            for (int row = 0; row < model.rowCount(); ++row)
                QVERIFY2(cell(sheet, row, "status") != QLatin1String("Better"), sheet);
        }
        QCOMPARE(heading("Kernel_Cmp", "diff_us_per_call"), QStringLiteral("\u0394 \u00b5s per call"));
        QCOMPARE(cell("Kernel_Cmp", 0, "diff_us_per_call"), QStringLiteral("0"));
        QCOMPARE(cell("Kernel_Cmp", 0, "change_percent"), QStringLiteral("0.0"));
    }
    void workThatCannotBeTold()
    {
        QVERIFY(compareWith("other"));
        QVERIFY(hasText(QStringLiteral("The amount of work in each capture cannot be determined")));
        QCOMPARE(titleOfTab("Step_Waterfall"), QStringLiteral("Capture"));
        // No bar is better or worse.
        const QImage picture = view().waterfall()->grab().toImage();
        const Surfaces colors = surfaces(window().palette());
        for (const StepPart part : view().waterfall()->parts()) {
            const QColor color = picture.pixelColor(view().waterfall()->barOf(part).center().toPoint());
            QVERIFY(color != colors.better && color != colors.worse);
        }
    }
    void idleTimeIsShown()
    {
        QVERIFY(compareWith("less"));
        WaterfallView& waterfall = *view().waterfall();
        QTest::mouseClick(&waterfall, Qt::LeftButton, {}, waterfall.barOf(StepPart::Idle).center().toPoint());
        QTRY_VERIFY(!window().isBusy());
        // A unit of 3.6 ms every 6.666 ms: the longest gap is 3.066 ms, and it is marked and in sight.
        const ViewState& test = *view().testPane()->state();
        QCOMPARE(test.emphasis().evidenceRanges().size(), std::size_t{1});
        const TimeRange gap = test.emphasis().evidenceRanges().front();
        QVERIFY(gap.lengthNs() >= 3'066'000 && gap.lengthNs() < 3'300'000);
        QVERIFY(test.viewport().visibleRange().beginNs < gap.beginNs
                && test.viewport().visibleRange().endNs > gap.endNs);
        QVERIFY(test.viewport().visibleRange().lengthNs() < 10 * gap.lengthNs());
    }
    void zerosHaveNoSign()
    {
        QCOMPARE(withSign(-0.03, QStringLiteral("-0.0")), QStringLiteral("0.0"));
        QCOMPARE(withSign(0.03, QStringLiteral("0.0")), QStringLiteral("0.0"));
        QCOMPARE(withSign(-0.06, QStringLiteral("-0.1")), QString(QChar(0x2212)) + QStringLiteral("0.1"));
        QCOMPARE(withSign(3, QStringLiteral("3")), QStringLiteral("+3"));
    }
    void stepsWithoutGpuWork()
    {
        for (const int slower : {0, 5000}) {
            SmallRun run(2);
            for (int rank = 0; rank < 2; ++rank) {
                for (int step = 0; step < 5; ++step) {
                    run.step(rank, step, 100'000 * step, 20'000 + rank * slower);
                    run.cpu(rank, "aten::linear", 100'000 * step + 100, 5000, "cpu_op");
                }
            }
            run.write(path(slower ? "cpu_slow" : "cpu").toStdString());
        }
        QVERIFY(openAndWait(*m_window, {path("cpu")}));
        QVERIFY(compareWith("cpu_slow"));
        QVERIFY(hasText(QStringLiteral("slower")));
        QVERIFY(hasText(QStringLiteral("Neither run has GPU work")));
        QCOMPARE(titleOfTab("Step_Cmp"), QStringLiteral("Steps"));
        QCOMPARE(titleOfTab("Operator_Cmp"), QStringLiteral("Operators"));
        QCOMPARE(titleOfTab("Step_Waterfall"), QString());
        QCOMPARE(cell("Step_ByRank_Cmp", 1, "change_percent"), QStringLiteral("+25.0"));
        QCOMPARE(view().steps().size(), std::size_t{3});
        QCOMPARE(view().rankChanges()->bars().at(1).changeNs(), std::int64_t{5'000'000});
        QVERIFY(clickRow("Step_Cmp", QStringLiteral("2")));
        QCOMPARE(view().shownSteps(), std::optional(StepPair{2, 2}));
    }
    void realCaptures()
    {
        const QString folder = tracesFolder() + QStringLiteral("/nsys_sqlite/nsys-ai/");
        if (!QFile::exists(folder + QStringLiteral("mfu_2gpu_after.sqlite")))
            QSKIP("No real traces (COLLSCOPE_TRACES).");
        QVERIFY(openAndWait(*m_window, {folder + QStringLiteral("mfu_2gpu_before.sqlite")}));
        m_window->compareWith({folder + QStringLiteral("mfu_2gpu_after.sqlite")});
        QTRY_VERIFY_WITH_TIMEOUT(m_window->comparison() && !window().isBusy(), 30'000);
        QVERIFY(
            hasText(QStringLiteral("The test did 12 % less work in that time: attention 34 -> 30 calls")));
        QVERIFY(hasText(QStringLiteral("It is 13 % slower per unit of work.")));
        const StepWaterfall& waterfall = view().waterfall()->waterfall();
        QVERIFY(waterfall.change(StepPart::Waiting) > 10 * std::abs(waterfall.change(StepPart::Moving)));
        for (const char* sheet : {"GPU_Summary_Cmp", "Step_Waterfall", "Kernel_Class_Cmp"}) {
            for (int row = 0; row < view().table(QLatin1String(sheet))->model()->rowCount(); ++row)
                QVERIFY2(cell(sheet, row, "status") != QLatin1String("Better"), sheet);
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestWindowComparedCaptures)
#include "tst_window_compared_captures.moc"
