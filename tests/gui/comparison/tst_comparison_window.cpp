// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Two runs compared on screen: from the open run to its difference from another, and from any figure to both
// timelines.

#include "tests/gui/comparison/comparison_test.h"
#include "tests/support/runs/compared_runs.h"
#include "tests/support/suite/close.h"
#include "tests/support/suite/suite.h"
#include "views/common/theme.h"
#include "views/comparison/rank_changes.h"
#include "views/comparison/waterfall_view.h"

#include <QComboBox>
#include <QDirIterator>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QLabel>
#include <QMimeData>
#include <QProcess>
#include <QSignalSpy>
#include <QTabWidget>

namespace collscope {

class TestComparisonWindow : public ComparisonTest
{
    Q_OBJECT

private:
    void writeFiles() override
    {
        comparedRun().write(path("base").toStdString());
        comparedRun({700, 0, 0, false}).write(path("slow").toStdString());
        comparedRun({0, 70, 40, false}).write(path("late").toStdString());
        std::filesystem::create_directories(path("empty").toStdString());
    }
    void openFirst() override { QVERIFY(openAndWait(*m_window, {path("base")})); }

private slots:
    void theDifferenceAddsUp()
    {
        QVERIFY(compareWith("slow"));
        const StepWaterfall& waterfall = view().waterfall()->waterfall();
        QCOMPARE(waterfall.testNs - waterfall.baseNs, std::int64_t{700'000});
        QCOMPARE(view().waterfall()->parts().front(), StepPart::Gemm);
        std::int64_t sum = 0;
        for (const StepPart part : view().waterfall()->parts())
            sum += waterfall.change(part);
        QCOMPARE(sum, std::int64_t{700'000});
        QVERIFY(hasText(QStringLiteral("+700\u00a0\u00b5s")));
        QVERIFY(hasText(QStringLiteral("slower")));
        QVERIFY(hasText(QStringLiteral("Worse")));
        QVERIFY(window().windowTitle().startsWith(QLatin1String("slow against base")));
        // The bar of the part that makes the difference is as long as from one step to the other.
        const QRectF gemm = view().waterfall()->barOf(StepPart::Gemm);
        const QRectF copies = view().waterfall()->barOf(StepPart::Copies);
        QVERIFY(gemm.width() > 50);
        QVERIFY(copies.width() < 3);
        QVERIFY(std::abs(gemm.right() - copies.left()) < 3);
    }
    void stepsLieOverEachOther()
    {
        QVERIFY(compareWith("late")); // the steps have other numbers
        QCOMPARE(view().shownSteps(), std::optional(StepPair{1, 41}));
        RunPane& base = *view().basePane();
        RunPane& test = *view().testPane();
        QVERIFY(std::abs(xOf(base, 1) - xOf(test, 41)) < 1);
        auto& steps = widgetNamed<QComboBox>(window(), "alignedSteps");
        QCOMPARE(steps.count(), 3);
        QCOMPARE(steps.currentText(), QStringLiteral("Steps 1 and 41"));
        QTest::keyClick(&window(), Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(view().shownSteps(), std::optional(StepPair{2, 42}));
        QCOMPARE(steps.currentText(), QStringLiteral("Steps 2 and 42"));
        // Keys and pointer on one lead the other.
        QTest::keyClick(test.timeline(), Qt::Key_W);
        QCOMPARE(base.state()->viewport().visibleRange().lengthNs(),
                 test.state()->viewport().visibleRange().lengthNs());
        QVERIFY(base.state()->viewport().visibleRange().lengthNs() < 10'000'000);
        QVERIFY(std::abs(xOf(base, 2) - xOf(test, 42)) < 1);
        m_window->move(5000, 0); // it would get the pointer's moves
        const QRect lanes = base.timeline()->lanesRect();
        QTest::mouseMove(base.timeline()->viewport(), lanes.center() + QPoint(3, 0));
        QTest::mouseMove(base.timeline()->viewport(), lanes.center());
        QVERIFY(base.state()->selection().hoverTime());
        QVERIFY(test.state()->selection().hoverTime());
    }
    void aPartShowsItsKernels()
    {
        QVERIFY(compareWith("slow"));
        WaterfallView& waterfall = *view().waterfall();
        QTest::mouseClick(&waterfall, Qt::LeftButton, {}, waterfall.barOf(StepPart::Gemm).center().toPoint());
        QTRY_VERIFY(!window().isBusy());
        QCOMPARE(waterfall.chosenPart(), std::optional(StepPart::Gemm));
        for (RunPane* pane : {view().basePane(), view().testPane()}) {
            QCOMPARE(pane->state()->emphasis().evidence().size(),
                     std::size_t{4}); // of each rank, in the step on show
            QCOMPARE(selectedName(*pane), std::string("gemm_kernel"));
            QVERIFY(!pane->timeline()->rectOf(pane->state()->selection().slice()).isEmpty());
        }
        // The ranks' chart is about that part now.
        for (const RankChanges::Bar& bar : view().rankChanges()->bars())
            QCOMPARE(bar.changeNs(), std::int64_t{700'000});
        QTest::keyClick(&waterfall, Qt::Key_Down);
        QTRY_VERIFY(!window().isBusy());
        QVERIFY(waterfall.chosenPart() && *waterfall.chosenPart() != StepPart::Gemm);
        QTest::keyClick(&waterfall, Qt::Key_Up);
        QTest::keyClick(&waterfall, Qt::Key_Up);
        QVERIFY(!waterfall.chosenPart());
    }
    void aRowLeadsToBothTimelines_data()
    {
        QTest::addColumn<QByteArray>("sheet");
        QTest::addColumn<QString>("row");
        QTest::addColumn<QString>("name");
        QTest::newRow("kernel") << QByteArray("Kernel_Cmp") << "gemm_kernel"
                                << "gemm_kernel";
        QTest::newRow("class") << QByteArray("Kernel_Class_Cmp") << "GEMM"
                               << "gemm_kernel";
        QTest::newRow("type") << QByteArray("GPU_Summary_Cmp") << "computation_time"
                              << "gemm_kernel";
        QTest::newRow("part") << QByteArray("Step_Waterfall") << "copies"
                              << "Memcpy HtoD (Pageable -> Device)";
        QTest::newRow("collective") << QByteArray("NCCL_ImplSync_Cmp") << "_allgather_base"
                                    << "ncclDevKernel_AllGather_RING_LL";
        QTest::newRow("call") << QByteArray("NCCL_Long_Cmp") << "allreduce"
                              << "ncclDevKernel_AllReduce_Sum_f32_RING_LL";
    }
    void aRowLeadsToBothTimelines()
    {
        QFETCH(QByteArray, sheet);
        QFETCH(QString, row);
        QFETCH(QString, name);
        QVERIFY(compareWith("slow"));
        QVERIFY(clickRow(sheet.constData(), row));
        for (RunPane* pane : {view().basePane(), view().testPane()}) {
            QCOMPARE(QString::fromStdString(selectedName(*pane)), name);
            QVERIFY(!pane->state()->emphasis().evidence().empty());
            QVERIFY(!pane->timeline()->rectOf(pane->state()->selection().slice()).isEmpty());
        }
    }
    void aRowOfAStepShowsThatStep()
    {
        QVERIFY(compareWith("slow"));
        QVERIFY(clickRow("Step_Cmp", QStringLiteral("3")));
        QCOMPARE(view().shownSteps(), std::optional(StepPair{3, 3}));
        QVERIFY(std::abs(xOf(*view().basePane(), 3) - xOf(*view().testPane(), 3)) < 1);
    }
    void differencesHaveSignColourAndWord()
    {
        applyTheme(*qApp, ThemeChoice::Light);
        QVERIFY(compareWith("slow"));
        const Surfaces colors = surfaces(window().palette());
        QVERIFY(clickRow("Kernel_Cmp", QStringLiteral("gemm_kernel")));
        QCOMPARE(heading("Kernel_Cmp", "diff_ms_per_step"), QStringLiteral("\u0394 ms per step"));
        QCOMPARE(heading("Kernel_Cmp", "change_percent"), QStringLiteral("change %"));
        QCOMPARE(heading("Kernel_Cmp", "status"), QStringLiteral("verdict"));
        QCOMPARE(cell("Kernel_Cmp", 0, "name"), QStringLiteral("gemm_kernel"));
        QCOMPARE(cell("Kernel_Cmp", 0, "diff_ms_per_step"), QStringLiteral("+0.7000"));
        QCOMPARE(cell("Kernel_Cmp", 0, "change_percent"), QStringLiteral("+35.0"));
        QCOMPARE(cell("Kernel_Cmp", 0, "status"), QStringLiteral("Worse"));
        QCOMPARE(cell("Kernel_Cmp", 0, "status", Qt::ForegroundRole), colors.worse.name());
        QCOMPARE(cell("Kernel_Cmp", 0, "change_percent", Qt::ForegroundRole), colors.worse.name());
        QCOMPARE(cell("Kernel_Cmp", 1, "status"), QStringLiteral("Similar"));
        // With a wider threshold nothing is worse.
        widgetNamed<QDoubleSpinBox>(window(), "similarUpTo").setValue(40);
        QTRY_VERIFY(!window().isBusy());
        QCOMPARE(cell("Kernel_Cmp", 0, "status"), QStringLiteral("Similar"));
        QVERIFY(hasText(QStringLiteral("Similar")));
        QVERIFY(hasText(QStringLiteral("Changes of up to 40 % count as similar")));
    }
    void aPlantedCallIsOnTop()
    {
        QVERIFY(compareWith("late")); // rank 2 begins its all-reduce 70 us too early: 7 %
        QCOMPARE(cell("NCCL_Long_Cmp", 0, "rank"), QStringLiteral("2"));
        QCOMPARE(cell("NCCL_Long_Cmp", 0, "Collective name"), QStringLiteral("allreduce"));
        QCOMPARE(cell("NCCL_Long_Cmp", 0, "status"), QStringLiteral("Worse"));
        QCOMPARE(view().waterfall()->parts().front(), StepPart::Waiting);
        QVERIFY(clickRow("NCCL_Long_Cmp", QStringLiteral("2")));
        QCOMPARE(view().rankChanges()->chosenRank(), std::optional<std::int32_t>(2));
        QCOMPARE(view().waterfall()->waterfall().change(StepPart::Waiting), std::int64_t{70'000});
    }
    void ranksAreChosenByKeys()
    {
        QVERIFY(compareWith("late"));
        view().tabs()->setCurrentIndex(1);
        RankChanges& ranks = *view().rankChanges();
        QVERIFY(ranks.isVisible());
        QCOMPARE(ranks.bars().size(), std::size_t{4});
        ranks.setFocus();
        QTest::keyClick(&ranks, Qt::Key_Right);
        QTest::keyClick(&ranks, Qt::Key_Right);
        QCOMPARE(ranks.chosenRank(), std::optional<std::int32_t>(1));
        QCOMPARE(view().waterfall()->waterfall().change(StepPart::Waiting), std::int64_t{0});
        const QRectF bar = ranks.barOf(2);
        QTest::mouseClick(&ranks, Qt::LeftButton, {}, bar.center().toPoint());
        QCOMPARE(ranks.chosenRank(), std::optional<std::int32_t>(2));
        QCOMPARE(view().waterfall()->waterfall().change(StepPart::Waiting), std::int64_t{70'000});
        QTest::keyClick(&ranks, Qt::Key_Escape);
        QVERIFY(!ranks.chosenRank());
        QCOMPARE(view().waterfall()->waterfall().change(StepPart::Waiting), std::int64_t{17'500});
    }
    void aCollectiveIsLaidOverItsCounterpart()
    {
        QVERIFY(compareWith("slow"));
        QAction* align = window().actionTable()->action(QStringLiteral("alignAtSelection"));
        QVERIFY(!align->isEnabled());
        QVERIFY(!align->toolTip().isEmpty());
        RunPane& base = *view().basePane();
        RunPane& test = *view().testPane();
        QVERIFY(clickRow("NCCL_ImplSync_Cmp", QStringLiteral("allreduce")));
        const SliceRef slice = base.state()->selection().slice();
        test.state()->selection().setSlice({});
        view().showSteps({2, 2});
        QVERIFY(align->isEnabled());
        QTest::keyClick(base.timeline(), Qt::Key_L);
        QCOMPARE(selectedName(test), selectedName(base));
        QCOMPARE(base.state()->selection().slice(), slice);
        const TimeRange own = base.state()->run().rangeOf(slice);
        const TimeRange other = test.state()->run().rangeOf(test.state()->selection().slice());
        QCOMPARE(own.beginNs - base.state()->viewport().visibleRange().beginNs,
                 other.beginNs - test.state()->viewport().visibleRange().beginNs);
        QVERIFY(!view().shownSteps());
        QCOMPARE(widgetNamed<QComboBox>(window(), "alignedSteps").currentText(),
                 QStringLiteral("A collective"));
        QTest::keyClick(&window(), Qt::Key_Escape);
        QVERIFY(!base.state()->selection().slice() && !test.state()->selection().slice());
        QVERIFY(base.state()->emphasis().evidence().empty());
    }
    void aRunWithItselfDoesNotDiffer()
    {
        QVERIFY(compareWith("base"));
        QVERIFY(hasText(QStringLiteral("no difference")));
        for (const StepPart part : view().waterfall()->parts())
            QCOMPARE(view().waterfall()->waterfall().change(part), std::int64_t{0});
        for (const char* sheet : {"GPU_Summary_Cmp", "Step_Cmp", "Kernel_Cmp", "NCCL_ImplSync_Cmp"}) {
            QVERIFY(view().table(QLatin1String(sheet))->model()->rowCount() > 0);
            for (int row = 0; row < view().table(QLatin1String(sheet))->model()->rowCount(); ++row) {
                const QString verdict = cell(sheet, row, "status");
                QVERIFY2(verdict == QLatin1String("Similar") || verdict == QLatin1String("Info"),
                         qPrintable(verdict));
            }
        }
    }
    void severalTests()
    {
        QVERIFY(compareWith("slow"));
        QVERIFY(!window().actionTable()->action(QStringLiteral("exportAllRuns"))->isEnabled());
        ComparisonWindow* const first = &window();
        QMimeData dropped;
        dropped.setUrls({QUrl::fromLocalFile(path("late"))});
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &dropped, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&window(), &enter);
        QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &dropped, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&window(), &drop);
        QVERIFY(window().isBusy());
        QTRY_VERIFY(!window().isBusy());
        QCOMPARE(&window(), first);
        auto& tests = widgetNamed<QComboBox>(window(), "comparedTest");
        QCOMPARE(tests.count(), 2);
        QCOMPARE(tests.currentText(), QStringLiteral("late"));
        QCOMPARE(view().testPane()->run()->sheets.label, std::string("late"));
        QVERIFY(window().actionTable()->action(QStringLiteral("exportAllRuns"))->isEnabled());
        tests.setFocus();
        QTest::keyClick(&tests, Qt::Key_Up);
        QTRY_COMPARE(view().testPane()->run()->sheets.label, std::string("slow"));
        QTRY_VERIFY(!window().isBusy());
        QCOMPARE(view().waterfall()->parts().front(), StepPart::Gemm);
    }
    void whatCannotBeOpenedIsSaid()
    {
        m_window->compareWith({path("empty")});
        QVERIFY(m_window->comparison());
        QSignalSpy failed(&window(), &ComparisonWindow::failed);
        QVERIFY(failed.wait(10'000));
        QVERIFY(!window().isBusy());
        QVERIFY(hasText(QStringLiteral("Nothing readable")));
        QVERIFY(hasText(QStringLiteral("could not be opened")));
        QVERIFY(!window().actionTable()->action(QStringLiteral("exportReports"))->isEnabled());
        // Another one can.
        QVERIFY(compareWith("slow"));
        QVERIFY(hasText(QStringLiteral("slower")));
        QVERIFY(!hasText(QStringLiteral("Nothing readable")));
    }
    void theReportsAreThoseOfBatch()
    {
        QVERIFY(compareWith("slow"));
        const QString own = m_folder.filePath(QStringLiteral("own"));
        const QString other = m_folder.filePath(QStringLiteral("other"));
        QVERIFY(QDir().mkpath(own));
        QSignalSpy exported(&window(), &ComparisonWindow::exported);
        window().actionTable()->action(QStringLiteral("exportReports"))->trigger();
        QVERIFY(answerFileDialog(window(), own));
        QVERIFY(exported.wait(60'000));
        QProcess batch;
        batch.start(QStringLiteral(COLLSCOPE_PROGRAM),
                    {QStringLiteral("--batch"), QStringLiteral("--baseline"), path("base"),
                     QStringLiteral("--test"), path("slow"), QStringLiteral("--output"), other});
        QVERIFY(batch.waitForFinished(60'000));
        QCOMPARE(batch.exitCode(), 0);
        const auto filesIn = [](const QString& folder) {
            QStringList files;
            QDirIterator walk(folder, QDir::Files, QDirIterator::Subdirectories);
            while (walk.hasNext())
                files << QDir(folder).relativeFilePath(walk.next());
            files.sort();
            return files;
        };
        QCOMPARE(filesIn(own), filesIn(other));
        QCOMPARE(exported.front().front().toStringList().size(), filesIn(own).size());
        for (const QString& file : filesIn(own)) {
            QFile left(own + QLatin1Char('/') + file);
            QFile right(other + QLatin1Char('/') + file);
            QVERIFY(left.open(QIODevice::ReadOnly) && right.open(QIODevice::ReadOnly));
            QVERIFY2(left.readAll() == right.readAll(), qPrintable(file));
        }
    }
    void theTableOnShowIsExported()
    {
        QVERIFY(compareWith("slow"));
        QVERIFY(clickRow("Kernel_Cmp", QStringLiteral("gemm_kernel")));
        window().actionTable()->action(QStringLiteral("exportTable"))->trigger();
        const QString file = m_folder.filePath(QStringLiteral("kernels.csv"));
        QVERIFY(answerFileDialog(window(), file));
        QFile csv(file);
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const QByteArray head = csv.readLine();
        QVERIFY2(head.startsWith(
                     "class,name,base_ms_per_step,slow_ms_per_step,diff_ms_per_step,change_percent,status"),
                 head.constData());
        const QByteArray row = csv.readLine();
        QVERIFY2(row.startsWith("GEMM,gemm_kernel,2,"), row.constData());
        COLLSCOPE_CLOSE(row.split(',').at(4).toDouble(), 0.7);
    }
    void aRunWithoutGpuWork()
    {
        SmallRun idle(2);
        for (int rank = 0; rank < 2; ++rank)
            idle.step(rank, 1, 0, 1000);
        idle.write(path("idle").toStdString());
        QVERIFY(compareWith("idle"));
        // Its steps are compared with those of the other run all the same.
        QVERIFY(hasText(QStringLiteral("idle has no GPU work: steps are compared by their markers")));
        QVERIFY(view().basePane()->state()->run().model() && view().testPane()->state()->run().model());
        QVERIFY(!widgetNamed<QComboBox>(window(), "alignedSteps").currentText().isEmpty());
    }
    void aRunOfManyLettersLeavesRoomForNumbers()
    {
        const char* const name = "an experiment with a name that says all that was changed since Monday";
        comparedRun({0, 70, 0, false}).write(path(name).toStdString());
        QVERIFY(compareWith(name));
        const QAbstractItemModel& model = *view().table(QStringLiteral("Kernel_Cmp"))->model();
        int longest = 0;
        for (int column = 0; column < model.columnCount(); ++column)
            longest = std::max(longest, int(model.headerData(column, Qt::Horizontal).toString().size()));
        QVERIFY(longest < 35);
        QVERIFY(view().basePane()->width() > 600 && view().testPane()->width() > 600);
    }
    void aFolderDroppedWithCtrl()
    {
        QMimeData dropped;
        dropped.setUrls({QUrl::fromLocalFile(path("slow"))});
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &dropped, Qt::LeftButton, Qt::ControlModifier);
        QCoreApplication::sendEvent(m_window.get(), &enter);
        QDragMoveEvent move(QPoint(12, 10), Qt::CopyAction, &dropped, Qt::LeftButton, Qt::ControlModifier);
        QCoreApplication::sendEvent(m_window.get(), &move);
        const auto* overlay = m_window->findChild<QLabel*>(QStringLiteral("dropOverlay"));
        QVERIFY(overlay->isVisible() && overlay->text().startsWith(QLatin1String("Compare")));
        QDropEvent drop(QPointF(12, 10), Qt::CopyAction, &dropped, Qt::LeftButton, Qt::ControlModifier);
        QCoreApplication::sendEvent(m_window.get(), &drop);
        QVERIFY(!overlay->isVisible());
        QTRY_VERIFY(m_window->comparison() && !window().isBusy());
        QCOMPARE(view().testPane()->run()->sheets.label, std::string("slow"));
        QCOMPARE(state().run().model()->title, std::string("base")); // the run on show stays
    }
    void onlyALoadedRunIsCompared()
    {
        const auto other = shownWindow();
        other->compareWith({path("slow")});
        QVERIFY(!other->comparison());
        // What was asked for is done as soon as there is a run to compare with.
        QVERIFY(openAndWait(*other, {path("base")}));
        QTRY_VERIFY(other->comparison() && !other->comparison()->isBusy());
        QCOMPARE(other->comparison()->view()->testPane()->run()->sheets.label, std::string("slow"));
        // Another run has a comparison of its own.
        const QPointer<ComparisonWindow> first = other->comparison();
        QVERIFY(openAndWait(*other, {path("late")}));
        other->compareWith({path("slow")});
        QTRY_VERIFY(other->comparison() != first && !other->comparison()->isBusy());
        QVERIFY(first && first->isVisible());
        QCOMPARE(other->comparison()->view()->basePane()->run()->sheets.label, std::string("late"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestComparisonWindow)
#include "tst_comparison_window.moc"
