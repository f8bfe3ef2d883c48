// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Places in a run as text: copied in one window, they lead to the same slice in another.

#include "app/files/resources.h"
#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/common/location.h"
#include "views/search/search_bar.h"
#include "views/timeline/timeline_view.h"

#include <QApplication>
#include <QClipboard>
#include <QLineEdit>

namespace collscope {

namespace {

/// Rank 1's clock is 5 ms ahead, so that its slices lie elsewhere on the axis than in its file.
SmallRun runWithClocks()
{
    SmallRun run(2);
    SmallCall call;
    call.ranks = "[0, 1]";
    for (int rank = 0; rank < 2; ++rank) {
        run.step(rank, 1, 0, 9000);
        for (int i = 0; i < 40; ++i) {
            run.kernel(rank, 200.0 * i + 10, 100, 7, "gemm");
            call.sequence = i + 1;
            run.call(rank, 200.0 * i + 120, 60, call);
        }
    }
    run.shiftClock(1, 5000);
    return run;
}

} // namespace

class TestLocation : public WindowTest
{
    Q_OBJECT

private:
    SliceRef gemmOf(std::int32_t rank, std::uint32_t row) const
    {
        const TraceModel& model = *state().run().model();
        for (std::uint32_t t = 0; t < model.tracks.size(); ++t) {
            const SliceRef slice{TrackId{t}, row};
            if (row < model.tracks[t].slices.size() && model.timelineOf(slice).rank == rank
                && model.nameOf(slice) == "gemm")
                return slice;
        }
        return {};
    }
    QString copied() const
    {
        QTest::keyClick(m_window->view<TimelineView>(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        return QGuiApplication::clipboard()->text();
    }
    void paste(const QString& text) const
    {
        QLineEdit& line = *m_window->view<SearchBar>()->line();
        line.setFocus();
        line.selectAll();
        QGuiApplication::clipboard()->setText(text);
        QTest::keyClick(&line, Qt::Key_V, Qt::ControlModifier);
        QTest::keyClick(&line, Qt::Key_Return);
    }

    void openFirst() override
    {
        CHECKED(openRun(runWithClocks()));
        m_window->view<TimelineView>()->setFocus();
        QVERIFY(!state().run().clocks().isIdentity());
    }

private slots:
    void aSliceIsFoundAgain()
    {
        const SliceRef wanted = gemmOf(1, 17);
        QVERIFY(wanted);
        state().selection().setSlice(wanted);
        const QString text = copied();
        QVERIFY2(text.contains(QStringLiteral("@1:stream 7:")), qPrintable(text));
        state().clearSelection();
        state().viewport().setVisibleRange(state().run().range());
        paste(text);
        QTRY_VERIFY(state().selection().slice() == wanted);
        QVERIFY(state().viewport().visibleRange().contains(state().run().rangeOf(wanted).beginNs));
        QVERIFY2(!state().emphasis().matches(), "nothing was searched");

        // In another window, before its run is open.
        const auto other = shownWindow();
        other->goToLocation(parseLocation(text.toStdString()).value());
        const QTemporaryDir folder;
        runWithClocks().write(folder.path().toStdString());
        QVERIFY(openAndWait(*other, {folder.path()}));
        QVERIFY(other->viewState()->selection().slice() == wanted);
    }
    /// Rows of process groups come after the run, above the row of the place.
    void aPlaceGivenBeforeTheRunIsInSight_data()
    {
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("rank");
        for (const int height : {500, 700}) {
            for (const int rank : {3, 7})
                QTest::addRow("%d px, rank %d", height, rank) << height << rank;
        }
    }
    void aPlaceGivenBeforeTheRunIsInSight()
    {
        QFETCH(const int, height);
        QFETCH(const int, rank);
        const QString demo = QString::fromStdString(resourceFolder("demo"));
        QVERIFY(openAndWait(*m_window, {demo}));
        const TraceModel& model = *state().run().model();
        for (std::uint32_t t = 0; t < model.tracks.size() && !state().selection().slice(); ++t) {
            const SliceRef slice{TrackId{t}, static_cast<std::uint32_t>(model.tracks[t].slices.size() / 2)};
            if (model.tracks[t].kind == TrackKind::GpuStream && model.tracks[t].slices.size() > 10
                && model.timelineOf(slice).rank == rank)
                state().selection().setSlice(slice);
        }
        QVERIFY(state().selection().slice());
        const auto other = shownWindow();
        other->resize(1500, height);
        other->goToLocation(locationOf(state()));
        QVERIFY(openAndWait(*other, {demo}));
        QTRY_VERIFY(!other->isComputing());
        const SliceRef shown = other->viewState()->selection().slice();
        QVERIFY(shown);
        QVERIFY2(!other->view<TimelineView>()->rectOf(shown).isEmpty(), "its row has moved out of sight");
    }
    void aRangeIsSelectedAgain()
    {
        const TimeRange range{300'000, 700'000};
        state().selection().setRange(range);
        const QString text = copied();
        state().clearSelection();
        paste(text);
        QTRY_VERIFY(state().selection().range() == range);
        QCOMPARE(m_window->view<SearchBar>()->countText(), QStringLiteral("location"));
    }
    void whatIsNotThereIsSaid()
    {
        paste(QStringLiteral("run@7:stream 7:0-10"));
        QTRY_COMPARE(m_window->view<SearchBar>()->countText(), QStringLiteral("not in this run"));
        QVERIFY(!state().selection().slice());
        const Status shown = goTo(state(), parseLocation("@1:stream 7:77-88").value());
        QVERIFY(!shown);
        QVERIFY(QString::fromStdString(shown.error().message)
                    .contains(QStringLiteral("No slice starts at that time")));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestLocation)
#include "tst_location.moc"
