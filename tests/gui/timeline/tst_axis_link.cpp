// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Two timelines and two charts with linked axes, as a comparison shows them.

#include "tests/gui/driver/window_driver.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/suite.h"
#include "views/charts/nvlink_chart.h"
#include "views/common/axis_link.h"
#include "views/timeline/timeline_view.h"

#include <QSplitter>
#include <QTest>
#include <QVBoxLayout>
#include <QWheelEvent>

namespace collscope {

namespace {

/// A step of 1 ms that begins at `stepUs`, on one rank.
TraceModelPtr runWithStepAt(double stepUs)
{
    SmallRun run(1);
    run.step(0, 1, stepUs, 1000);
    run.kernel(0, stepUs + 100, 200, 7, "gemm");
    run.kernel(0, stepUs + 3000, 100, 7, "late");
    return run.load();
}

} // namespace

class TestAxisLink : public QObject
{
    Q_OBJECT

private:
    /// One run with its views, one above the other.
    struct Side
    {
        ViewState state;
        TimelineView* timeline = nullptr;
        NvlinkChart* chart = nullptr;
    };
    Side m_left, m_right;
    std::unique_ptr<QSplitter> m_window;
    std::unique_ptr<AxisLink> m_link;

    void build(Side& side, const TraceModelPtr& model)
    {
        auto* column = new QWidget(m_window.get());
        auto* layout = new QVBoxLayout(column);
        side.timeline = new TimelineView(&side.state, column);
        side.chart = new NvlinkChart(&side.state, column);
        layout->addWidget(side.timeline, 1);
        layout->addWidget(side.chart);
        side.state.setModel(model);
    }
    static std::int64_t stepBegin(const Side& side)
    {
        return side.state.run().model()->timelines.front().steps.front().range.beginNs;
    }
    static QImage imageOf(const Side& side) { return side.timeline->viewport()->grab().toImage(); }

private slots:
    void init()
    {
        m_window = std::make_unique<QSplitter>();
        m_window->resize(1400, 500);
        build(m_left, runWithStepAt(0));
        build(m_right, runWithStepAt(40));
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_link = std::make_unique<AxisLink>(&m_left.state, &m_right.state);
        m_link->align(stepBegin(m_left), stepBegin(m_right));
    }
    void cleanup()
    {
        m_link.reset();
        m_window.reset();
    }
    void zoomingOneZoomsBoth()
    {
        const QPointF position(600, 200);
        const TimeRange before = m_right.state.viewport().visibleRange();
        QWheelEvent wheel(position, m_left.timeline->viewport()->mapToGlobal(position), {}, {0, 120},
                          Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(m_left.timeline->viewport(), &wheel);
        const TimeRange left = m_left.state.viewport().visibleRange();
        QVERIFY(m_right.state.viewport().visibleRange() != before);
        QCOMPARE(m_right.state.viewport().visibleRange().beginNs - stepBegin(m_right),
                 left.beginNs - stepBegin(m_left));
        QCOMPARE(m_right.state.viewport().visibleRange().lengthNs(), left.lengthNs());
        QTest::keyClick(m_right.timeline, Qt::Key_D);
        QCOMPARE(m_left.state.viewport().visibleRange().beginNs - stepBegin(m_left),
                 m_right.state.viewport().visibleRange().beginNs - stepBegin(m_right));
    }
    void stepsLieBelowEachOther()
    {
        m_left.state.viewport().setVisibleRange({stepBegin(m_left), stepBegin(m_left) + 1'000'000});
        const auto gemmX = [](const Side& side) {
            const TraceModel& model = *side.state.run().model();
            for (std::uint32_t t = 0; t < model.tracks.size(); ++t) {
                if (model.tracks[t].kind == TrackKind::GpuStream)
                    return side.timeline->rectOf({TrackId{t}, 0}).left();
            }
            return -1.0;
        };
        QVERIFY(gemmX(m_left) > 0);
        QCOMPARE(gemmX(m_right), gemmX(m_left));
    }
    void theCrossHairIsInBoth()
    {
        const QImage before = imageOf(m_right);
        QTest::mouseMove(m_left.timeline->viewport(), {400, 200});
        QVERIFY(m_left.state.selection().hoverTime());
        QCOMPARE(*m_right.state.selection().hoverTime() - *m_left.state.selection().hoverTime(),
                 m_link->offsetNs());
        QVERIFY(imageOf(m_right) != before);
    }
    void aRunThatIsOverKeepsTheScale()
    {
        m_link.reset();
        SmallRun small(1);
        small.step(0, 1, 0, 100);
        small.kernel(0, 10, 50, 7, "short");
        m_right.state.setModel(small.load());
        m_link = std::make_unique<AxisLink>(&m_left.state, &m_right.state);
        const TimeRange late{2'500'000, 3'000'000}; // the short run was over after 100 us
        m_left.state.viewport().setVisibleRange(late);
        QVERIFY(m_left.state.viewport().visibleRange() == late);
        QVERIFY2(m_right.state.viewport().visibleRange() == late, "empty, but at the same scale and place");
        m_right.state.selection().setHoverTime(late.beginNs + 10);
        QVERIFY2(m_left.state.viewport().visibleRange() == late, "pointing at it moves nothing");
        QCOMPARE(m_left.state.selection().hoverTime(), std::optional(late.beginNs + 10));
        QTest::keyClick(m_right.timeline, Qt::Key_W);
        QCOMPARE(m_left.state.viewport().visibleRange(), m_right.state.viewport().visibleRange());
        m_link.reset(); // alone, it keeps to its own limits
        m_right.state.viewport().setVisibleRange(late);
        QVERIFY(m_right.state.viewport().visibleRange().beginNs < late.beginNs);
    }
    void selectionsAreOfEachRun()
    {
        m_left.state.selection().setRange(TimeRange{100, 200});
        QVERIFY(!m_right.state.selection().range());
    }
    void withoutTheLinkEachGoesItsWay()
    {
        m_link.reset();
        const TimeRange before = m_right.state.viewport().visibleRange();
        QTest::keyClick(m_left.timeline, Qt::Key_W);
        QVERIFY(m_right.state.viewport().visibleRange() == before);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestAxisLink)
#include "tst_axis_link.moc"
