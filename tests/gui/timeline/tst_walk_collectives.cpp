// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Collectives under mouse and keys: lanes that are clicked, walks over the ranks, clocks that are switched.

#include "tests/gui/driver/window_test.h"
#include "tests/support/runs/collective_run.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/selection_details.h"
#include "views/timeline/timeline_view.h"

#include <QAction>
#include <QHelpEvent>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

namespace collscope {

namespace {

constexpr std::int64_t us = 1000;
constexpr int ranks = 3;

/// With breaking spaces.
QString plain(QString text)
{
    return text.replace(QChar(0x00a0), u' ').replace(QChar(0x202f), u' ').replace(QChar(0x2009), u' ');
}

/// Twelve all-reduces, 1000 us apart. Rank r comes at 100 + 100 r us; all leave at 600 us. Rank 1's clock is
/// ahead by `aheadUs`. A gemm on each rank at the beginning.
void addCalls(CollectiveRun& run, int aheadUs)
{
    CallText text;
    text.name = "allreduce";
    text.inElements = text.outElements = 1'000'000;
    text.groupSize = ranks;
    text.group = "0";
    text.ranks = "[0, 1, 2]";
    for (int rank = 0; rank < ranks; ++rank) {
        const int ahead = rank == 1 ? aheadUs : 0;
        run.compute(rank, ahead, 50);
        for (int i = 0; i < 12; ++i) {
            text.sequence = i + 1;
            run.call(rank, "AllReduce_Sum_f32_RING_LL", ahead + i * 1000 + 100 + rank * 100, 500 - rank * 100,
                     text);
        }
    }
}

} // namespace

class TestWalkCollectives : public WindowTest
{
    Q_OBJECT

private:
    CollectiveRun m_run, m_aligned;

    QWidget& viewport() const { return *timeline().viewport(); }
    const RunCollectives& run() const { return *state().run().collectives(); }
    QAction& rawClocks() const { return *m_window->findChild<QAction*>(QStringLiteral("rawClocks")); }
    SliceRef callOf(int rank, std::size_t call) const
    {
        return run().ranks[static_cast<std::size_t>(rank)].calls[call].slice;
    }
    int selectedRank() const
    {
        return state().selection().slice()
            ? state().run().model()->timelineOf(state().selection().slice()).rank
            : -1;
    }
    std::uint32_t instanceOf(std::size_t call) const { return run().instanceOf(callOf(0, call)).value(); }
    QPoint middleOf(std::uint32_t instance) const
    {
        return timeline().positions().rectOfCollective(instance).center().toPoint();
    }
    void open(const CollectiveRun& collectives)
    {
        QVERIFY(openAndWait(*m_window, {QString::fromStdString(collectives.folder())}));
        state().viewport().setVisibleRange({0, 4000 * us});
        QCoreApplication::processEvents();
    }

    void writeFiles() override
    {
        addCalls(m_run, 5000);
        addCalls(m_aligned, 0);
        m_run.load(); // writes the files, too
        m_aligned.load();
    }
    void openFirst() override { open(m_run); }

private slots:
    void aLaneSpansFirstArrivalToEnd()
    {
        const QRectF box = timeline().positions().rectOfCollective(instanceOf(1));
        const QRect lanes = timeline().lanesRect();
        const double pixelsPerUs = lanes.width() / 4000.0;
        QVERIFY(std::abs(box.left() - (lanes.left() + 1100 * pixelsPerUs)) <= 1);
        QVERIFY(std::abs(box.right() - (lanes.left() + 1600 * pixelsPerUs)) <= 1);
        QVERIFY2(box.bottom() < timeline().rectOf(callOf(0, 1)).top(), "the lane is above the ranks");
    }
    void aClickSelectsWhoCameLast()
    {
        const TimeRange before = state().viewport().visibleRange();
        QTest::mouseClick(&viewport(), Qt::LeftButton, {}, middleOf(instanceOf(2)));
        QVERIFY(state().selection().slice() == callOf(2, 2));
        QCOMPARE(state().selection().collective(), std::optional(instanceOf(2)));
        QVERIFY(state().viewport().visibleRange() == before);
    }
    void aDoubleClickShowsAllOfIt()
    {
        doubleClick(&viewport(), middleOf(instanceOf(2)));
        const TimeRange visible = state().viewport().visibleRange();
        QVERIFY(visible.contains(2100 * us) && visible.contains(2599 * us));
        QVERIFY(visible.lengthNs() < 1000 * us);
    }
    void theToolTipSaysWhoMadeOthersWait()
    {
        const QPoint at = middleOf(instanceOf(2));
        QHelpEvent event(QEvent::ToolTip, at, viewport().mapToGlobal(at));
        QCoreApplication::sendEvent(&viewport(), &event);
        const QString text = plain(QToolTip::text());
        QToolTip::hideText();
        QVERIFY2(text.contains(QStringLiteral("AllReduce  4.00 MB")), qPrintable(text));
        QVERIFY2(
            text.contains(QStringLiteral("over 200 \u00b5s; rank 2 arrived last, 100 \u00b5s after rank 1")),
            qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("all 3")), qPrintable(text));
        // 4 MB in the 300 us of the shortest kernel; times 2 (n - 1) / n = 4 / 3.
        QVERIFY2(text.contains(QStringLiteral("13.3 GB/s algbw")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("17.8 GB/s busbw")), qPrintable(text));
        QVERIFY2(text.contains(toText(matchRuleName(MatchRule::GroupSequence))), qPrintable(text));
    }
    void cWalksOverTheRanksAndAround()
    {
        state().selection().setSlice(callOf(0, 1));
        const TimeRange before = state().viewport().visibleRange();
        for (const int rank : {1, 2, 0}) {
            QTest::keyClick(&timeline(), Qt::Key_C);
            QVERIFY(state().selection().slice() == callOf(rank, 1));
            QVERIFY2(state().viewport().visibleRange() == before,
                     "the view moved though all of it was in sight");
        }
        QTest::keyClick(&timeline(), Qt::Key_C, Qt::ShiftModifier);
        QCOMPARE(selectedRank(), 2);
        QTest::keyClick(&timeline(), Qt::Key_C, Qt::ShiftModifier);
        QCOMPARE(selectedRank(), 1);
    }
    void walkingShowsAHiddenRank()
    {
        state().preferences().setRankHidden(1, true);
        state().selection().setSlice(callOf(0, 1));
        m_window->findChild<QAction*>(QStringLiteral("nextRank"))->trigger();
        QCOMPARE(selectedRank(), 1);
        QVERIFY(!state().preferences().isRankHidden(1));
        QVERIFY(!timeline().rectOf(callOf(1, 1)).isEmpty());
    }
    void walkingFollowsWhatIsOutOfSight()
    {
        state().viewport().setVisibleRange({8000 * us, 9000 * us});
        state().selection().setSlice(callOf(0, 1));
        QTest::keyClick(&timeline(), Qt::Key_C);
        QCOMPARE(selectedRank(), 1);
        QVERIFY(!timeline().rectOf(callOf(1, 1)).isEmpty());
    }
    void walkingWithoutACollectiveSaysSo()
    {
        QSignalSpy noticed(&timeline(), &TimelineView::noticed);
        QTest::keyClick(&timeline(), Qt::Key_C);
        QVERIFY(!state().selection().slice());
        const SliceRef gemm{state().run().model()->timelines[0].tracks[0], 0};
        QCOMPARE(state().run().model()->track(gemm.track).slices.kernelClass[0], KernelClass::Gemm);
        state().selection().setSlice(gemm);
        QTest::keyClick(&timeline(), Qt::Key_C, Qt::ShiftModifier);
        QVERIFY(state().selection().slice() == gemm);
        QCOMPARE(noticed.count(), 2);
    }
    void rawClocksMoveOneRankByItsOffset()
    {
        QVERIFY(rawClocks().isEnabled() && rawClocks().isCheckable() && !rawClocks().isChecked());
        const SliceRef late = callOf(1, 0);
        QCOMPARE(state().run().rangeOf(late).beginNs, 200 * us);
        QVERIFY(!timeline().rectOf(late).isEmpty());
        rawClocks().trigger();
        QVERIFY(rawClocks().isChecked());
        QCOMPARE(state().run().rangeOf(late).beginNs, 5200 * us);
        QCOMPARE(state().run().rangeOf(callOf(0, 0)).beginNs, 100 * us);
        state().viewport().setVisibleRange({0, 8000 * us});
        const QRect lanes = timeline().lanesRect();
        const double pixelsPerUs = lanes.width() / 8000.0;
        const auto leftUs
            = [&](SliceRef slice) { return (timeline().rectOf(slice).left() - lanes.left()) / pixelsPerUs; };
        QVERIFY(std::abs(leftUs(late) - 5200) <= 1 / pixelsPerUs);
        // What is drawn there can be clicked there.
        QTest::mouseClick(&viewport(), Qt::LeftButton, {}, timeline().rectOf(late).center().toPoint());
        QVERIFY(state().selection().slice() == late);
        QTRY_VERIFY(!m_window->isComputing());
        rawClocks().trigger();
        QVERIFY(std::abs(leftUs(late) - 200) <= 1 / pixelsPerUs);
        QTRY_VERIFY(!m_window->isComputing());
    }
    void withoutNeedThereIsNothingToSwitch()
    {
        CHECKED(open(m_aligned));
        QVERIFY(!rawClocks().isEnabled());
        QVERIFY2(rawClocks().toolTip().contains(QStringLiteral("they agree")),
                 qPrintable(rawClocks().toolTip()));
    }
    void theDetailsSayWhenItWasRecorded()
    {
        state().selection().setSlice(callOf(1, 0));
        const QString text = plain(m_window->view<SelectionDetails>()->toPlainText());
        QVERIFY2(text.contains(QStringLiteral("200 \u00b5s")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("5.2 ms (this rank's own clock)")), qPrintable(text));
        state().selection().setSlice(callOf(0, 0));
        QVERIFY(!m_window->view<SelectionDetails>()->toPlainText().contains(QStringLiteral("as recorded")));
    }
    void waitingIsHatchedOnTheRanks()
    {
        state().emphasis().setEvidence({}, {});
        const QImage image = viewport().grab().toImage();
        const QRect box = timeline().rectOf(callOf(0, 1)).toRect();
        const QColor hue = kernelColor(KernelClass::AllReduce, timeline().palette());
        // Rank 0 is there from 100 to 600 us, and the last one comes at 300 us.
        const auto pixelAt = [&](double share, int y) {
            return image.pixelColor(box.left() + static_cast<int>(box.width() * share), box.top() + y);
        };
        int hatched = 0;
        for (int y = 1; y < box.height() - 1; ++y) {
            hatched += pixelAt(0.05, y) != hue ? 1 : 0;
            QCOMPARE(pixelAt(0.97, y), hue);
        }
        QVERIFY2(hatched > box.height() / 3, "the waiting part looks like the transfer");
        const QRect last = timeline().rectOf(callOf(2, 1)).toRect();
        QCOMPARE(image.pixelColor(last.left() + 1, last.top() + 2), hue); // nobody waits for rank 2 to come
    }
    void theSectionCollapses()
    {
        const double before = timeline().rectOf(callOf(0, 1)).top();
        QVERIFY(!timeline().positions().rectOfCollective(instanceOf(1)).isEmpty());
        QTest::mouseClick(&viewport(), Qt::LeftButton, {}, {20, timeline().lanesRect().top() + 12});
        QVERIFY(timeline().positions().rectOfCollective(instanceOf(1)).isEmpty());
        QVERIFY(timeline().rectOf(callOf(0, 1)).top() < before);
        QTest::mouseClick(&viewport(), Qt::LeftButton, {}, {20, timeline().lanesRect().top() + 12});
        QVERIFY(!timeline().positions().rectOfCollective(instanceOf(1)).isEmpty());
    }
    void anotherRunHasNoLanesOfTheOld()
    {
        QTemporaryDir folder;
        const QString file = writeKineto(folder.filePath(QStringLiteral("rank0.json")), 0,
                                         {completeEvent("kernel", QStringLiteral("gemm"), 0, 7, 1000, 80)});
        QVERIFY(openAndWait(*m_window, {file}));
        QVERIFY(timeline().positions().rectOfCollective(0).isEmpty());
        QVERIFY(!viewport().grab().isNull());
        QVERIFY(!rawClocks().isEnabled());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestWalkCollectives)
#include "tst_walk_collectives.moc"
