// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Charts answer to the hands that know the timeline.

#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/suite.h"
#include "views/charts/nvlink_chart.h"
#include "views/collectives/collectives_table.h"

#include <QLineEdit>
#include <QWheelEvent>

namespace collscope {

class TestChartGestures : public WindowTest
{
    Q_OBJECT

private:
    void turnWheel(QWidget& view, QPoint position, QPoint steps, Qt::KeyboardModifiers modifiers) const
    {
        QWheelEvent event(position, view.mapToGlobal(position), {}, steps, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&view, &event);
    }
    static void dragWith(Qt::MouseButton button, Qt::KeyboardModifiers modifiers, QWidget& view, QPoint from,
                         QPoint to)
    {
        QTest::mousePress(&view, button, modifiers, from);
        for (const QPoint& at : {(from + to) / 2, to}) {
            QMouseEvent move(QEvent::MouseMove, at, view.mapToGlobal(at), button, button, modifiers);
            QCoreApplication::sendEvent(&view, &move);
        }
        QTest::mouseRelease(&view, button, modifiers, to);
    }

    void writeFiles() override { writeSmallRun(runPath()); }

private slots:
    void theGesturesOfTheTimeline()
    {
        QVERIFY(openAndWait(*m_window, {runPath()}));
        QWidget& view = *m_window->view<NvlinkChart>()->viewport();
        const TimeRange run = state().run().range();
        const TimeRange middle{run.beginNs + run.lengthNs() / 4, run.endNs - run.lengthNs() / 4};
        const int y = view.height() - 30;
        const QPoint left(timelineHeaderWidth + 200, y);
        const QPoint right(timelineHeaderWidth + 400, y);
        state().viewport().setVisibleRange(middle);
        turnWheel(view, left, {0, -120}, Qt::ShiftModifier);
        QVERIFY2(state().viewport().visibleRange().beginNs > middle.beginNs, "Shift+wheel pans");
        QCOMPARE(state().viewport().visibleRange().lengthNs(), middle.lengthNs());
        turnWheel(view, left, {120, 0}, {});
        QVERIFY2(std::abs(state().viewport().visibleRange().beginNs - middle.beginNs) <= 2,
                 "a swipe pans back");
        dragWith(Qt::MiddleButton, {}, view, right, left);
        QVERIFY2(state().viewport().visibleRange().beginNs > middle.beginNs, "the axis follows the hand");
        QVERIFY(!state().selection().range());
        state().viewport().setVisibleRange(middle);
        dragWith(Qt::RightButton, {}, view, left, right);
        QVERIFY2(state().viewport().visibleRange().lengthNs() < middle.lengthNs() / 2,
                 "zoomed to what was dragged over");
        QVERIFY(!state().selection().range());
        state().viewport().setVisibleRange(middle);
        dragWith(Qt::LeftButton, {}, view, left, right);
        QVERIFY(state().selection().range());
        const TimeRange selected = *state().selection().range();
        QTest::mouseClick(&view, Qt::LeftButton, Qt::ShiftModifier, right + QPoint(150, 0));
        QVERIFY2(state().selection().range()->beginNs == selected.beginNs
                     && state().selection().range()->endNs > selected.endNs,
                 "Shift+click extends");
    }
    void theKeysOfTheTimelineAfterAClick()
    {
        QVERIFY(openAndWait(*m_window, {runPath()}));
        m_window->activateWindow();
        m_window->view<CollectivesTable>()->findChild<QLineEdit*>()->setFocus();
        QWidget& view = *m_window->view<NvlinkChart>()->viewport();
        QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(timelineHeaderWidth + 200, view.height() - 30));
        const TimeRange before = state().viewport().visibleRange();
        QVERIFY(QApplication::focusWidget());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_W);
        QVERIFY(state().viewport().visibleRange().lengthNs() < before.lengthNs());
    }
    void theWheelZoomsHereTooWhereItIsSetTo()
    {
        QVERIFY(openAndWait(*m_window, {runPath()}));
        QWidget& view = *m_window->view<NvlinkChart>()->viewport();
        const QPoint position(timelineHeaderWidth + 200, view.height() - 30);
        const TimeRange before = state().viewport().visibleRange();
        turnWheel(view, position, {0, 120}, {});
        QVERIFY2(state().viewport().visibleRange() == before, "there is nothing to scroll");
        m_window->findChild<QAction*>(QStringLiteral("wheelZooms"))->trigger();
        turnWheel(view, position, {0, 120}, {});
        QVERIFY(state().viewport().visibleRange().lengthNs() < before.lengthNs());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestChartGestures)
#include "tst_chart_gestures.moc"
