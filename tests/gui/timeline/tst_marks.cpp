// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Marks: set at the cursor, kept, walked to, written on, taken back, and drawn in every view on the time
// axis.

#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/charts/nvlink_chart.h"
#include "views/common/theme.h"
#include "views/timeline/timeline_view.h"

#include <QAction>
#include <QLineEdit>
#include <QSignalSpy>

namespace collscope {

namespace {

constexpr int middleOfRuler = 8;

/// How many pixels of a column have a colour.
int pixelsOf(const QImage& image, int x, const QColor& color)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        count += image.pixelColor(x, y) == color ? 1 : 0;
    return count;
}

} // namespace

class TestMarks : public WindowTest
{
    Q_OBJECT

private:
    RunEdits& edits() const { return *state().run().edits(); }
    std::int64_t shareOfView(double share) const
    {
        const TimeRange visible = state().viewport().visibleRange();
        return visible.beginNs + static_cast<std::int64_t>(static_cast<double>(visible.lengthNs()) * share);
    }
    void press(Qt::Key key, double share, Qt::KeyboardModifiers modifiers = {}) const
    {
        CHECKED(hoverTimeline(shareOfView(share), 300));
        QTest::keyClick(&timeline(), key, modifiers);
    }
    bool isNear(std::int64_t timeNs, double share) const
    {
        return std::abs(timeNs - shareOfView(share)) * 500 < state().viewport().visibleRange().lengthNs();
    }
    QLineEdit& note() const { return widgetNamed<QLineEdit>(timeline(), "markNote"); }
    void writeNote(const QString& text) const
    {
        doubleClick(timeline().viewport(),
                    timelinePoint(edits().marks().front().timeNs, middleOfRuler) + QPoint(3, 0));
        QVERIFY(note().isVisible());
        QTest::keyClicks(&note(), text);
    }

    void writeFiles() override { writeSmallRun(runPath()); }
    void openFirst() override
    {
        QVERIFY(openAndWait(*m_window, {runPath()}));
        state().viewport().setVisibleRange(state().run().range());
        timeline().setFocus();
        QCoreApplication::processEvents();
    }

private slots:
    void mSetsATemporaryMark()
    {
        press(Qt::Key_M, 0.4);
        QVERIFY(edits().temporaryMark() && isNear(*edits().temporaryMark(), 0.4));
        press(Qt::Key_M, 0.7);
        QVERIFY2(isNear(*edits().temporaryMark(), 0.7), "there is one at a time");
        QVERIFY(edits().marks().empty());
        QVERIFY2(!edits().undoStack()->canUndo(), "looking is no edit");
        QTest::keyClick(&timeline(), Qt::Key_Delete);
        QVERIFY(!edits().temporaryMark());
    }
    void shiftMKeepsAMark()
    {
        press(Qt::Key_M, 0.6, Qt::ShiftModifier);
        press(Qt::Key_M, 0.3, Qt::ShiftModifier);
        QCOMPARE(edits().marks().size(), std::size_t{2});
        QVERIFY2(isNear(edits().marks()[0].timeNs, 0.3) && isNear(edits().marks()[1].timeNs, 0.6),
                 "they stand in the order of time");
        QTest::keyClick(&timeline(), Qt::Key_Delete);
        QCOMPARE(edits().marks().size(), std::size_t{1});
        QVERIFY2(isNear(edits().marks()[0].timeNs, 0.6), "the one set last was removed");
    }
    void editsCanBeTakenBack()
    {
        const QAction& undo = *m_window->findChild<QAction*>(QStringLiteral("undo"));
        QVERIFY(!undo.isEnabled());
        press(Qt::Key_M, 0.5, Qt::ShiftModifier);
        const std::vector<Mark> marks = edits().marks();
        QVERIFY2(undo.isEnabled() && undo.text().contains(QStringLiteral("mark")), qPrintable(undo.text()));
        QTest::keyClick(&timeline(), Qt::Key_Delete);
        QTest::keyClick(&timeline(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(edits().marks() == marks);
        QTest::keyClick(&timeline(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(edits().marks().empty());
        QTest::keyClick(&timeline(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(edits().marks() == marks);
    }
    void nWalksOverMarks()
    {
        for (const double share : {0.2, 0.5, 0.8})
            press(Qt::Key_M, share, Qt::ShiftModifier);
        const std::vector<Mark> marks = edits().marks();
        QCOMPARE(marks.size(), std::size_t{3});
        state().viewport().setVisibleRange({marks[0].timeNs - 2000, marks[0].timeNs + 2000});
        edits().setCurrentMark(marks[0].timeNs);
        QTest::keyClick(&timeline(), Qt::Key_N);
        QCOMPARE(*edits().currentMark(), marks[1].timeNs);
        QVERIFY2(state().viewport().visibleRange().contains(marks[1].timeNs), "the mark is shown");
        QVERIFY2(state().viewport().visibleRange().lengthNs() < 10'000, "the zoom stays");
        QTest::keyClick(&timeline(), Qt::Key_N);
        QSignalSpy noticed(&timeline(), &TimelineView::noticed);
        QTest::keyClick(&timeline(), Qt::Key_N);
        QCOMPARE(*edits().currentMark(), marks[2].timeNs);
        QCOMPARE(noticed.count(), 1);
        QTest::keyClick(&timeline(), Qt::Key_N, Qt::ShiftModifier);
        QCOMPARE(*edits().currentMark(), marks[1].timeNs);
    }
    void aDoubleClickOnTheFlagOpensItsNote()
    {
        press(Qt::Key_M, 0.5, Qt::ShiftModifier);
        const QImage bare = timelineImage();
        CHECKED(writeNote(QStringLiteral(" slow  GEMM ")));
        QTest::keyClick(&note(), Qt::Key_Return);
        QVERIFY(!note().isVisible());
        QCOMPARE(edits().marks().front().note, QStringLiteral("slow GEMM"));
        QVERIFY2(timelineImage() != bare, "the note is drawn");
        QVERIFY2(timeline().hasFocus(), "the keys of the timeline work again");

        CHECKED(writeNote(QStringLiteral("other")));
        QTest::keyClick(&note(), Qt::Key_Escape);
        QVERIFY(!note().isVisible());
        QCOMPARE(edits().marks().front().note, QStringLiteral("slow GEMM"));
        QTest::keyClick(&timeline(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(edits().marks().front().note.isEmpty());
    }
    void aTemporaryMarkIsKeptByItsNote()
    {
        press(Qt::Key_M, 0.5);
        const std::int64_t time = *edits().temporaryMark();
        QTest::keyClick(&timeline(), Qt::Key_M, Qt::ControlModifier);
        QVERIFY(note().hasFocus());
        QTest::keyClicks(&note(), QStringLiteral("here"));
        QTest::keyClick(&note(), Qt::Key_Return);
        QVERIFY(!edits().temporaryMark());
        QCOMPARE(edits().marks().size(), std::size_t{1});
        QVERIFY((edits().marks().front() == Mark{time, QStringLiteral("here")}));
    }
    void everyViewOnTheAxisShowsThem()
    {
        const auto column = [&](QWidget* view) {
            const QImage image = view->grab().toImage();
            return pixelsOf(image, timelinePoint(edits().marks().front().timeNs, 0).x(),
                            surfaces(view->palette()).worse);
        };
        press(Qt::Key_M, 0.5, Qt::ShiftModifier);
        QTest::mouseMove(timeline().viewport(), {5, 5}); // the cross-hair would cover it
        QTRY_VERIFY(!state().selection().hoverTime());
        QVERIFY(column(timeline().viewport()) > timeline().viewport()->height() / 2);
        QVERIFY(column(m_window->view<NvlinkChart>()->viewport()) > 50);
        auto* const minimap = m_window->findChild<QWidget*>(QStringLiteral("minimap"));
        QVERIFY(minimap);
        const QImage strip = minimap->grab().toImage();
        int most = 0; // its pixels stand for other times
        for (int x = 0; x < strip.width(); ++x)
            most = std::max(most, pixelsOf(strip, x, surfaces(minimap->palette()).worse));
        QVERIFY(most > 10);
    }
    void marksStayWithTheirRun()
    {
        press(Qt::Key_M, 0.5, Qt::ShiftModifier);
        const std::vector<Mark> marks = edits().marks();
        QSignalSpy opened(m_window.get(), &MainWindow::runOpened);
        QTest::keyClick(&timeline(), Qt::Key_F5);
        QVERIFY(opened.wait(20'000));
        QVERIFY2(edits().marks() == marks, "the same run was loaded again");
        SmallRun other(1);
        other.step(0, 1, 0, 100);
        other.kernel(0, 10, 50);
        CHECKED(openRun(other));
        QVERIFY(edits().marks().empty());
        QVERIFY(!edits().undoStack()->canUndo());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMarks)
#include "tst_marks.moc"
