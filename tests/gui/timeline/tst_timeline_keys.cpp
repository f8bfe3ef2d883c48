// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Keys and gestures on the real window, beyond zooming, panning and selecting.

#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/timeline/timeline_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QSignalSpy>
#include <QWheelEvent>

#include <set>

namespace collscope {

namespace {

/// Two ranks; on each an operator whose inner call launches a kernel, and a collective beside it.
SmallRun runOfTwo()
{
    SmallRun run(2);
    SmallCall call;
    call.sequence = 1;
    call.ranks = "[0, 1]";
    for (int rank = 0; rank < 2; ++rank) {
        run.step(rank, 1, 0, 1000);
        run.cpu(rank, "train", 10, 900);
        run.cpu(rank, "forward", 20, 300);
        run.cpu(rank, "aten::mm", 30, 100, "cpu_op");
        run.kernel(rank, 200, 200, 7, "gemm", 40);
        run.kernel(rank, 450, 100, 7, "softmax", 150);
        run.call(rank, 600, 200, call, 20, 400);
    }
    return run;
}

} // namespace

class TestTimelineKeys : public WindowTest
{
    Q_OBJECT

private:
    std::string_view selectedName() const
    {
        return state().selection().slice() ? state().run().model()->nameOf(state().selection().slice())
                                           : std::string_view();
    }
    std::int64_t us(double value) const { return static_cast<std::int64_t>(value * 1000); }
    QMenu* openedMenu(QPoint position) const
    {
        QTest::mouseClick(timeline().viewport(), Qt::RightButton, {}, position);
        return qobject_cast<QMenu*>(QApplication::activePopupWidget());
    }
    void drag(QPoint from, QPoint to) const
    {
        QWidget* viewport = timeline().viewport();
        QTest::mousePress(viewport, Qt::LeftButton, {}, from);
        QTest::mouseMove(viewport, (from + to) / 2);
        QTest::mouseMove(viewport, to);
        QTest::mouseRelease(viewport, Qt::LeftButton, {}, to);
    }

    void openFirst() override
    {
        CHECKED(openRun(runOfTwo()));
        state().viewport().setVisibleRange(state().run().range());
        timeline().setFocus();
        QCoreApplication::processEvents();
    }

private slots:
    void bracketsFollowTheLaunch()
    {
        state().selection().setSlice(slice("softmax"));
        press(Qt::Key_BracketLeft);
        QCOMPARE(selectedName(), std::string_view("cudaLaunchKernel"));
        press(Qt::Key_BracketRight);
        QVERIFY(state().selection().slice() == slice("softmax"));
        QSignalSpy noticed(&timeline(), &TimelineView::noticed);
        press(Qt::Key_BracketRight);
        QVERIFY2(state().selection().slice() == slice("softmax"), "nothing follows from a kernel");
        QCOMPARE(noticed.count(), 1);
    }
    void anOperatorLeadsToTheKernelLaunchedInIt()
    {
        state().selection().setSlice(slice("aten::mm"));
        press(Qt::Key_BracketRight);
        QVERIFY(state().selection().slice() == slice("gemm"));
    }
    void arrowsChangeRows()
    {
        state().selection().setSlice(slice("gemm"));
        press(Qt::Key_Down);
        QVERIFY2(selectedName().find("nccl") != std::string_view::npos, "the communication stream is below");
        QVERIFY(state().run().model()->timelineOf(state().selection().slice()).rank == 0);
        press(Qt::Key_Down);
        QVERIFY2(state().run().model()->timelineOf(state().selection().slice()).rank == 1,
                 "then the next rank");
        press(Qt::Key_Up);
        QVERIFY(state().run().model()->timelineOf(state().selection().slice()).rank == 0);
    }
    void altArrowsGoUpAndDownTheStack()
    {
        press(Qt::Key_Asterisk, Qt::ControlModifier | Qt::ShiftModifier);
        state().selection().setSlice(slice("forward"));
        press(Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(selectedName(), std::string_view("aten::mm"));
        press(Qt::Key_Up, Qt::AltModifier);
        press(Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(selectedName(), std::string_view("train"));
    }
    void enterOpensTheThreadsOfARank()
    {
        state().selection().setSlice(slice("gemm", 1));
        QVERIFY(timeline().rectOf(slice("train", 1)).isEmpty());
        press(Qt::Key_Return);
        QVERIFY(!timeline().rectOf(slice("train", 1)).isEmpty());
        QVERIFY2(timeline().rectOf(slice("train", 0)).isEmpty(), "of that rank only");
        press(Qt::Key_Asterisk);
        QVERIFY(timeline().rectOf(slice("train", 1)).isEmpty());
        press(Qt::Key_Asterisk, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!timeline().rectOf(slice("train", 0)).isEmpty() && timeline().rows().areThreadsOpen());
        press(Qt::Key_Asterisk, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(timeline().rectOf(slice("train", 0)).isEmpty());
    }
    void gShowsAndHidesTheGrid()
    {
        const QImage with = timelineImage();
        press(Qt::Key_G);
        const QImage without = timelineImage();
        QVERIFY(with != without);
        press(Qt::Key_G);
        QCOMPARE(timelineImage(), with);
    }
    void qHidesTheDetails()
    {
        const auto* dock = m_window->findChild<QDockWidget*>(QStringLiteral("dockDetails"));
        press(Qt::Key_Q);
        QVERIFY(!dock->isVisible());
        press(Qt::Key_Q);
        QVERIFY(dock->isVisible());
    }
    void f6WalksOverThePartsOfTheWindow()
    {
        std::set<const QWidget*> visited;
        do {
            visited.insert(QApplication::focusWidget());
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6);
        } while (!timeline().hasFocus() && visited.size() < 10);
        QVERIFY2(timeline().hasFocus(), "it comes round");
        QVERIFY2(visited.size() >= 4, "timeline, details, metrics, ranks");
        QTest::keyClick(&timeline(), Qt::Key_F6, Qt::ShiftModifier);
        QVERIFY(!timeline().hasFocus());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6);
        QVERIFY(timeline().hasFocus());
    }
    void anEdgeOfTheRangeCanBeDragged()
    {
        state().selection().setRange(TimeRange{us(200), us(400)});
        drag(timelinePoint(us(400), 300), timelinePoint(us(700), 300));
        QCOMPARE(state().selection().range()->beginNs, us(200));
        QVERIFY(std::abs(state().selection().range()->endNs - us(700)) < us(3));
        drag(timelinePoint(us(200), 300), timelinePoint(us(900), 300));
        QVERIFY2(std::abs(state().selection().range()->beginNs - us(700)) < us(3), "over the other edge");
        const TimeRange before = *state().selection().range();
        QTest::mouseClick(timeline().viewport(), Qt::LeftButton, Qt::ShiftModifier,
                          timelinePoint(us(100), 500));
        QVERIFY2(state().selection().range()->endNs == before.endNs
                     && std::abs(state().selection().range()->beginNs - us(100)) < us(3),
                 "Shift+click extends");
    }
    void theRulerZoomsWithTheLeftEdgeInPlace()
    {
        state().viewport().setVisibleRange({us(100), us(900)});
        drag(timelinePoint(us(300), 8), timelinePoint(us(500), 8));
        QCOMPARE(state().viewport().visibleRange().beginNs, us(100));
        QVERIFY2(std::abs(state().viewport().visibleRange().lengthNs() - us(400)) < us(8),
                 "200 us lie where 400 us lay");
        QVERIFY2(!state().selection().range(), "the ruler selects nothing");
        doubleClick(timeline().viewport(), timelinePoint(us(300), 8));
        QVERIFY(state().viewport().visibleRange().contains(state().run().range().beginNs)
                && state().viewport().visibleRange().lengthNs() >= state().run().range().lengthNs());
    }
    void theRightButtonSaysWhatCanBeDone()
    {
        const QRectF gemm = timeline().rectOf(slice("gemm"));
        QMenu* menu = openedMenu(gemm.center().toPoint());
        QVERIFY(menu);
        QVERIFY(state().selection().slice() == slice("gemm"));
        QVERIFY(!entryNamed(*menu, QStringLiteral("explainHere")));
        entryNamed(*menu, QStringLiteral("sliceCopyName"))->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("gemm"));
        entryNamed(*menu, QStringLiteral("sliceRange"))->trigger();
        QVERIFY(state().selection().range() == state().run().rangeOf(slice("gemm")));
        entryNamed(*menu, QStringLiteral("sliceLink"))->trigger();
        QCOMPARE(selectedName(), std::string_view("cudaLaunchKernel"));
        menu->close();

        state().viewport().setVisibleRange(state().run().range());
        const SliceRef call = slice("ncclDevKernel_AllReduce_Sum_f32_RING_LL");
        menu = openedMenu(timeline().rectOf(call).center().toPoint());
        QVERIFY2(menu && entryNamed(*menu, QStringLiteral("explainHere")), "a collective can be explained");
        menu->close();
    }
    void aRankIsHiddenFromItsRow()
    {
        const int y = static_cast<int>(timeline().rectOf(slice("gemm", 1)).center().y());
        QMenu* menu = openedMenu({20, y});
        QVERIFY(menu);
        QVERIFY2(!entryNamed(*menu, QStringLiteral("sliceCopyName")), "no slice was clicked");
        QAction* const hide = entryNamed(*menu, QStringLiteral("rankHide"));
        QVERIFY2(hide->text().contains(QLatin1Char('1')), qPrintable(hide->text()));
        hide->trigger();
        menu->close();
        QVERIFY(state().preferences().isRankHidden(1) && !state().preferences().isRankHidden(0));
        QVERIFY(timeline().rectOf(slice("gemm", 1)).isEmpty());
    }
    void theWheelCanZoomAsInTracy()
    {
        QAction& setting = *m_window->findChild<QAction*>(QStringLiteral("wheelZooms"));
        const auto turn = [&](Qt::KeyboardModifiers modifiers) {
            QWidget* viewport = timeline().viewport();
            const QPointF position = timelinePoint(us(500), 300);
            QWheelEvent event(position, viewport->mapToGlobal(position), {}, {0, 120}, Qt::NoButton,
                              modifiers, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(viewport, &event);
        };
        const TimeRange before = state().viewport().visibleRange();
        turn({});
        QVERIFY2(state().viewport().visibleRange() == before, "the wheel scrolls rows");
        setting.trigger();
        turn({});
        QVERIFY(state().viewport().visibleRange().lengthNs() < before.lengthNs());
        const TimeRange zoomed = state().viewport().visibleRange();
        turn(Qt::ControlModifier);
        QVERIFY2(state().viewport().visibleRange() == zoomed, "now it scrolls with Ctrl");
    }
    /// The same key twice would do nothing, or the wrong thing.
    void noShortcutIsTaken()
    {
        std::set<QKeySequence> taken;
        for (const QAction* action : m_window->findChildren<QAction*>()) {
            if (action->shortcutContext() == Qt::WidgetShortcut)
                continue; // of one table each
            for (const QKeySequence& key : action->shortcuts()) {
                QVERIFY2(taken.insert(key).second,
                         qPrintable(key.toString() + QStringLiteral(": ") + action->text()));
            }
        }
        QVERIFY(taken.size() > 25);
    }
    void noMnemonicIsTaken()
    {
        for (const QMenu* menu : m_window->menuBar()->findChildren<QMenu*>()) {
            std::set<QChar> taken;
            for (const QAction* action : menu->actions()) {
                const QString text = action->text();
                const auto at = text.indexOf(QLatin1Char('&'));
                if (at >= 0)
                    QVERIFY2(taken.insert(text[at + 1].toLower()).second, qPrintable(text));
            }
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestTimelineKeys)
#include "tst_timeline_keys.moc"
