// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The pipeline's stages above each other: there only where a run has some, with the numbers of the metric, on
// the axis of the timeline.

#include "tests/gui/driver/window_test.h"
#include "tests/support/runs/pipeline_run.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/collectives/pipeline_lanes.h"
#include "views/collectives/pipeline_view.h"
#include "views/common/palette.h"
#include "views/common/theme.h"
#include "views/timeline/timeline_view.h"

#include <QClipboard>
#include <QLabel>
#include <QTabWidget>
#include <QTest>

namespace collscope {

class TestPipelineView : public WindowTest
{
    Q_OBJECT

private:
    PipelineView& view() const { return *m_window->view<PipelineView>(); }
    PipelineLanes& lanes() const { return *view().lanes(); }
    QTabWidget& tabs() const
    {
        for (QTabWidget* own : m_window->findChildren<QTabWidget*>()) {
            if (own->indexOf(&view()) >= 0)
                return *own;
        }
        qFatal("no tab");
    }
    bool isOffered() const { return tabs().isTabVisible(tabs().indexOf(&view())); }
    void open(const SmallRun& run)
    {
        CHECKED(openRun(run));
        tabs().setCurrentWidget(&view());
        QCoreApplication::processEvents();
    }
    static PipelineShape fourStages()
    {
        PipelineShape shape;
        shape.stages = 4;
        shape.tensor = 2;
        shape.slowStageUs = 50;
        return shape;
    }
    /// Where a stage is at a time (axis ns).
    QPoint at(std::size_t stage, std::int64_t ns) const
    {
        const QRect lane = lanes().laneRect(stage);
        const TimeAxis axis(state().viewport().visibleRange(), lane.width());
        return {lane.left() + static_cast<int>(axis.xOf(ns)), lane.center().y()};
    }
    std::map<QString, QStringList> numbers() const
    {
        std::map<QString, QStringList> rows;
        for (const QString& line : view().numbersAsText().split(QLatin1Char('\n'))) {
            const QStringList cells = line.split(QLatin1Char('\t'));
            rows[cells.mid(1, 2).join(QLatin1Char(' '))] = cells;
        }
        return rows;
    }

private slots:
    void isOfferedOnlyWithStages()
    {
        QVERIFY(!isOffered());
        open(pipelineRun(fourStages()));
        QVERIFY(isOffered());
        QCOMPARE(lanes().stages().size(), std::size_t{4});
        PipelineShape flat;
        flat.stages = 1;
        flat.replicas = 2;
        open(pipelineRun(flat));
        QVERIFY(!isOffered());
        QVERIFY(lanes().stages().empty());
    }
    void sendsWithoutStagesAreExplained()
    {
        SmallRun run(2);
        SmallCall call;
        call.name = "send";
        call.kernel = "ncclDevKernel_SendRecv";
        call.ranks = "[0, 1]";
        call.groupSize = 2;
        run.call(0, 10, 5, call);
        call.name = "recv";
        run.call(1, 10, 5, call);
        open(run);
        QVERIFY(isOffered());
        bool explained = false;
        for (const QLabel* label : view().findChildren<QLabel*>())
            explained
                |= label->isVisible() && label->text().contains(QStringLiteral("workload_card.yaml with pp"));
        QVERIFY(explained);
    }
    void dragsAsOnTheTimeline()
    {
        open(pipelineRun(fourStages()));
        QWidget& lanes = *this->lanes().viewport();
        const TimeRange all = state().viewport().visibleRange();
        const auto share = [&](int tenths) { return all.beginNs + all.lengthNs() * tenths / 10; };
        const auto drag = [&](Qt::MouseButton button, Qt::KeyboardModifiers keys) {
            QTest::mousePress(&lanes, button, keys, at(1, share(3)));
            QMouseEvent move(QEvent::MouseMove, at(1, share(6)), lanes.mapToGlobal(at(1, share(6))),
                             Qt::NoButton, button, keys);
            QCoreApplication::sendEvent(&lanes, &move);
            QTest::mouseRelease(&lanes, button, keys, at(1, share(6)));
        };
        const std::int64_t pixel = all.lengthNs() / this->lanes().laneRect(1).width() + 1;
        const auto isNear = [&](std::int64_t a, std::int64_t b) { return std::abs(a - b) <= 2 * pixel; };
        drag(Qt::LeftButton, {});
        const auto range = state().selection().range();
        QVERIFY(range && isNear(range->beginNs, share(3)) && isNear(range->endNs, share(6)));
        QCOMPARE(state().viewport().visibleRange(), all);
        drag(Qt::MiddleButton, {});
        QVERIFY(isNear(state().viewport().visibleRange().beginNs, all.beginNs - 3 * all.lengthNs() / 10));
        state().viewport().setVisibleRange(all);
        drag(Qt::RightButton, {});
        const TimeRange zoomed = state().viewport().visibleRange();
        QVERIFY(zoomed.lengthNs() < all.lengthNs() / 2 && zoomed.beginNs < share(3)
                && zoomed.endNs > share(6));
        QVERIFY(!state().selection().slice());
    }
    void numbersAreTheMetrics()
    {
        open(pipelineRun(fourStages()));
        const MetricResult metric = measured(*state().run().model(), "bubble_size_pipeline");
        const std::map<QString, QStringList> rows = numbers();
        const auto share = [&](const QString& row) { return rows.at(row).constLast().toDouble(); };
        QVERIFY(areClose(share(QStringLiteral("all counted")), metric.value.value_or(-1)));
        int compared = 0;
        for (const MetricRow& row : metric.rows) {
            const QString name = QString::number(row.rank.value_or(-1)) + QLatin1Char(' ')
                + (row.step ? QString::number(*row.step) : QStringLiteral("counted"));
            if (!rows.contains(name))
                continue; // another rank of the stage
            QVERIFY2(areClose(share(name), row.value), qPrintable(name));
            ++compared;
        }
        QCOMPARE(compared, 4 * 3); // four stages, in both inner steps and over them
        for (const QString& step : {QStringLiteral("0 10"), QStringLiteral("0 13")})
            QVERIFY(rows.contains(step)); // the outer steps have numbers, too
        QTest::keyClick(&lanes(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), view().numbersAsText());
    }
    void showsWhatEachStageDoes()
    {
        open(pipelineRun(fourStages()));
        const Timeline& first = state().run().model()->timelines.front();
        const TimeRange step = first.steps[1].range;
        state().viewport().setVisibleRange(step);
        // The last stage has to wait for the first micro-batch, in its receive.
        const auto [waits, receive] = lanes().workAt(at(3, step.beginNs + 300'000));
        QVERIFY(waits == StageWork::Waiting);
        QCOMPARE(state().run().model()->classOf(receive), KernelClass::SendRecv);
        const QPoint computing = at(0, step.beginNs + 60'000);
        const auto [works, gemm] = lanes().workAt(computing);
        QVERIFY(works == StageWork::Compute);
        QTest::mouseClick(lanes().viewport(), Qt::LeftButton, {}, computing);
        QVERIFY(state().selection().slice() == gemm);
        const QString tip = lanes().toolTipAt(computing);
        QVERIFY(tip.contains(QStringLiteral("computing")) && tip.contains(QStringLiteral("Step 11")));
        const QImage image = lanes().viewport()->grab().toImage();
        state().clearSelection();
        QCOMPARE(image.pixelColor(computing + QPoint(2, 4)),
                 kernelColor(state().run().model()->classOf(gemm), lanes().palette()));
        // The last stage is the first that is done, and then has nothing to do until the optimizer.
        QVERIFY(lanes().workAt(at(3, step.endNs - 90'000)).first == StageWork::Idle);
    }
    void sharesPixelsAndCrossHairWithTheTimeline()
    {
        open(pipelineRun(fourStages()));
        const QRect lane = lanes().laneRect(0);
        const QRect above = m_window->view<TimelineView>()->lanesRect();
        const auto inWindow
            = [&](const QWidget* widget, int x) { return widget->mapTo(m_window.get(), QPoint(x, 0)).x(); };
        QCOMPARE(inWindow(lanes().viewport(), lane.left()),
                 inWindow(m_window->view<TimelineView>()->viewport(), above.left()));
        QCOMPARE(lane.width(), above.width());
        const std::int64_t time
            = state().viewport().visibleRange().beginNs + state().viewport().visibleRange().lengthNs() / 3;
        QTest::mouseMove(lanes().viewport(), at(1, time));
        QVERIFY(state().selection().hoverTime().has_value());
        const TimeAxis axis(state().viewport().visibleRange(), lane.width());
        QVERIFY(std::abs(*state().selection().hoverTime() - time) <= axis.nsPerPixel());
    }
    void clocksAreFollowed()
    {
        SmallRun run = pipelineRun(fourStages());
        for (const int rank : {4, 5})
            run.shiftClock(rank, 2000);
        open(run);
        state().setClockChoice(ClockChoice::Aligned);
        const std::size_t timeline = 4;
        QVERIFY(!state().run().clocks().isIdentity());
        const Timeline& shifted = state().run().model()->timelines[timeline];
        QCOMPARE(shifted.rank, 4);
        SliceRef gemm;
        for (const TrackId track : shifted.tracks) {
            if (state().run().model()->track(track).kind == TrackKind::GpuStream
                && !state().run().model()->track(track).communication)
                gemm = {track, 6};
        }
        const TimeRange range = state().run().rangeOf(gemm);
        state().viewport().showRange(range);
        const auto [work, slice] = lanes().workAt(at(2, range.beginNs + range.lengthNs() / 2));
        QVERIFY(work == StageWork::Compute);
        QVERIFY(slice == gemm);
    }
    void otherRanksCanStandForTheStages()
    {
        open(pipelineRun(fourStages()));
        QComboBox& chooser = widgetNamed<QComboBox>(*m_window, "pipelineRanks");
        QVERIFY(chooser.isVisible());
        QCOMPARE(lanes().stages()[2].rank.value_or(-1), 4);
        chooser.setCurrentIndex(chooser.findText(QStringLiteral("TP1")));
        QCOMPARE(lanes().stages()[2].rank.value_or(-1), 5);
        QVERIFY(numbers().contains(QStringLiteral("5 11")));
    }
    void aStageWhoseTraceIsMissing()
    {
        SmallRun run = pipelineRun(fourStages());
        run.leaveOut(2);
        open(run);
        QVERIFY(!lanes().stages()[1].rank);
        QVERIFY(lanes().toolTipAt(lanes().laneRect(1).center()).contains(QStringLiteral("not loaded")));
        QVERIFY(lanes().workAt(lanes().laneRect(1).center()).first == StageWork::Idle);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestPipelineView)
#include "tst_pipeline_view.moc"
