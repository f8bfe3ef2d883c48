// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Everything that a file counts as shown can be seen and pointed at: annotations without threads, deep
// stacks, instants.

#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/common/theme.h"
#include "views/selection_details.h"
#include "views/timeline/hit_test.h"
#include "views/timeline/timeline_view.h"

#include <QHelpEvent>
#include <QScrollBar>
#include <QTest>
#include <QToolTip>

namespace collscope {

class TestTimelineRows : public WindowTest
{
    Q_OBJECT

private:
    QWidget& viewport() const { return *timeline().viewport(); }

    void open(const QString& name, const QStringList& events)
    {
        const QString file = writeKineto(m_folder.filePath(name + QStringLiteral(".json")), 0, events);
        QVERIFY(openAndWait(*m_window, {file}));
        state().viewport().setVisibleRange(state().run().model()->range);
    }
    TrackId trackOf(TrackKind kind) const
    {
        for (std::uint32_t i = 0; i < state().run().model()->tracks.size(); ++i) {
            if (state().run().model()->tracks[i].kind == kind)
                return TrackId{i};
        }
        return {};
    }
    /// Clicks the names that open threads or annotations until a slice comes into sight.
    void clickHeadersUntilSeen(SliceRef slice) const
    {
        const QRect lanes = timeline().lanesRect();
        const std::vector<TimelineRow> rows = timeline().layout().rows();
        for (const TimelineRow& row : rows) {
            if (row.toggle == RowToggle::Threads && timeline().rectOf(slice).isEmpty())
                QTest::mouseClick(&viewport(), Qt::LeftButton, {},
                                  {20, lanes.top() + row.y + row.height / 2});
        }
    }
    QColor pixelAt(QPoint position) const { return viewport().grab().toImage().pixelColor(position); }
    bool isPainted(QPoint position) const { return pixelAt(position) != surfaces(timeline().palette()).base; }
    /// Nested calls: one of each depth, each beginning and ending 1 us inside its parent.
    static QStringList nestedCalls(int depths)
    {
        QStringList events;
        for (int depth = 0; depth < depths; ++depth)
            events << completeEvent("cpu_op", QStringLiteral("call%1").arg(depth), 100, 100, 1000.0 + depth,
                                    3.0 * depths - 2.0 * depth);
        return events;
    }

private slots:
    void shortNamesAreWritten()
    {
        QStringList events;
        const QStringList names{QStringLiteral("mm"), QStringLiteral("add"), QStringLiteral("to"),
                                QStringLiteral("gemm_of_some_length")};
        for (qsizetype i = 0; i < names.size(); ++i)
            events << completeEvent("kernel", names[i], 0, 7, 1000.0 * static_cast<double>(i), 900);
        CHECKED(open(QStringLiteral("short"), events));
        const QImage image = viewport().grab().toImage();
        for (const QString& name : names) {
            const QRect box
                = timeline().rectOf(slice(qPrintable(name))).toAlignedRect().adjusted(2, 2, -2, -2);
            QVERIFY(box.width() > 100);
            const QRgb fill = image.pixel(box.right() - 3, box.center().y());
            int letters = 0;
            for (int y = box.top(); y <= box.bottom(); ++y) {
                for (int x = box.left(); x <= box.left() + 40; ++x)
                    letters += image.pixel(x, y) != fill ? 1 : 0;
            }
            QVERIFY2(letters > 8, qPrintable(name));
        }
    }
    /// Deep in a stack the left column still says whose it is.
    void theNameOfATallRowStays()
    {
        QStringList events{completeEvent("kernel", QStringLiteral("gemm"), 0, 7, 1000, 80)};
        for (int depth = 0; depth < 90; ++depth)
            events << completeEvent("python_function", QStringLiteral("f%1").arg(depth), 1, 1, 1000 + depth,
                                    1000 - 2 * depth);
        CHECKED(open(QStringLiteral("deep"), events));
        QScrollBar& bar = *timeline().verticalScrollBar();
        const auto inkAtTheTop = [&] {
            const QImage image = timelineImage();
            const int top = timeline().lanesRect().top();
            int ink = 0;
            for (int y = top + 2; y < top + 16; ++y) {
                for (int x = 10; x < timelineHeaderWidth - 6; ++x)
                    ink += image.pixel(x, y) != image.pixel(4, y) ? 1 : 0;
            }
            return ink;
        };
        QVERIFY(bar.maximum() > 400);
        for (const int scrolled : {150, 250, 350}) {
            bar.setValue(scrolled);
            QVERIFY2(inkAtTheTop() > 60, qPrintable(QString::number(scrolled)));
        }
    }
    void annotationsOpenWithoutThreads()
    {
        CHECKED(open(QStringLiteral("gpu_only"),
                     {completeEvent("kernel", QStringLiteral("gemm"), 0, 7, 1000, 80),
                      completeEvent("gpu_user_annotation", QStringLiteral("forward"), 0, 7, 1000, 100)}));
        const SliceRef forward{trackOf(TrackKind::GpuAnnotation), 0};
        QVERIFY(forward.track);
        timeline().rows().setThreadsOpen(false); // a single rank opens with them
        QVERIFY(timeline().rectOf(forward).isEmpty());
        clickHeadersUntilSeen(forward);
        const QRectF drawn = timeline().rectOf(forward);
        QVERIFY2(!drawn.isEmpty(), "no row opens the annotations");
        QVERIFY(isPainted(drawn.center().toPoint()));
        QTest::mouseClick(&viewport(), Qt::LeftButton, {}, drawn.center().toPoint());
        QVERIFY(state().selection().slice() == forward);
    }
    void argsAreReadFromTheFileAgain()
    {
        CHECKED(open(QStringLiteral("args"),
                     {QStringLiteral(
                         "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":1000,"
                         "\"dur\":80,\"args\":{\"device\":0,\"stream\":7,\"warps per SM\":7.757576}}")}));
        const SliceRef kernel{trackOf(TrackKind::GpuStream), 0};
        QTest::mouseClick(&viewport(), Qt::LeftButton, {}, timeline().rectOf(kernel).center().toPoint());
        QVERIFY(state().selection().slice() == kernel);
        QTRY_VERIFY(m_window->view<SelectionDetails>()->toPlainText().contains(QStringLiteral("7.757576")));
        // The file goes away: what the model holds stays on show, with a reason for the rest.
        state().clearSelection();
        QVERIFY(!m_window->view<SelectionDetails>()->toPlainText().contains(QStringLiteral("7.757576")));
        QVERIFY(QFile::remove(QString::fromStdString(state().run().model()->sources.front().path)));
        QTest::mouseClick(&viewport(), Qt::LeftButton, {}, timeline().rectOf(kernel).center().toPoint());
        QTRY_VERIFY(
            m_window->view<SelectionDetails>()->toPlainText().contains(QStringLiteral("Cannot open")));
        QVERIFY(m_window->view<SelectionDetails>()->toPlainText().contains(QStringLiteral("gemm")));
    }
    void everyLevelOfAStackIsDrawn()
    {
        CHECKED(open(QStringLiteral("deep"), nestedCalls(100)));
        const TrackId thread = trackOf(TrackKind::CpuThread);
        for (const std::uint32_t depth : {0U, 31U, 32U, 60U, 99U}) {
            const SliceRef slice{thread, depth};
            QCOMPARE(state().run().model()->track(thread).slices.depth[depth],
                     static_cast<std::uint8_t>(depth));
            state().revealSlice(slice);
            state().clearSelection();
            QCoreApplication::processEvents();
            const QPoint centre = timeline().rectOf(slice).center().toPoint();
            QVERIFY(timeline().lanesRect().contains(centre));
            QVERIFY2(isPainted(centre), qPrintable(QStringLiteral("depth %1 is not drawn").arg(depth)));
            QTest::mouseClick(&viewport(), Qt::LeftButton, {}, centre);
            QVERIFY(state().selection().slice() == slice);
        }
    }
    void whatIsTooDeepSharesTheLastLevel()
    {
        CHECKED(open(QStringLiteral("abyss"), nestedCalls(200)));
        const TrackId thread = trackOf(TrackKind::CpuThread);
        const SliceRef last{thread, maxStackLevels - 1}, deeper{thread, 150}, innermost{thread, 199};
        state().revealSlice(innermost);
        state().viewport().setVisibleRange(state().run().model()->rangeOf(last));
        QCoreApplication::processEvents();
        const QRectF level = timeline().rectOf(last);
        QVERIFY(timeline().lanesRect().contains(level.center().toPoint()));
        QCOMPARE(timeline().rectOf(deeper).top(), level.top());
        QCOMPARE(timeline().rectOf(innermost).top(), level.top());
        // The innermost is on top, and what lies under it is hit where it sticks out.
        const QRectF inner = timeline().rectOf(innermost);
        QVERIFY(timeline().sliceAt(inner.center().toPoint()) == std::optional(innermost));
        const QRectF outer = timeline().rectOf(deeper);
        const QPoint edge(static_cast<int>(outer.left()) + 1, static_cast<int>(outer.center().y()));
        QVERIFY(isPainted(edge));
        QVERIFY(timeline().sliceAt(edge) == std::optional(deeper));
    }
    void instantsAreDrawnAndNamed()
    {
        CHECKED(open(
            QStringLiteral("instants"),
            {completeEvent("cpu_op", QStringLiteral("step"), 100, 100, 1000, 100),
             QStringLiteral("{\"ph\": \"i\", \"s\": \"t\", \"name\": \"Checkpoint <saved>\", \"pid\": 100, "
                            "\"tid\": 100, \"ts\": 1050.125}")}));
        const TrackId thread = trackOf(TrackKind::CpuThread);
        QCOMPARE(state().run().model()->track(thread).instants.size(), std::size_t{1});
        timeline().rows().setThreadsOpen(true);
        QCoreApplication::processEvents();
        const QRectF mark = timeline().positions().rectOfInstant(thread, 0);
        QVERIFY(!mark.isEmpty());
        const QPoint centre(static_cast<int>(mark.left()), static_cast<int>(mark.center().y()));
        QCOMPARE(pixelAt(centre), surfaces(timeline().palette()).text);
        QVERIFY2(!isPainted(centre + QPoint(40, 0)), "only the place of the instant is marked");
        QHelpEvent hover(QEvent::ToolTip, centre + QPoint(2, 0),
                         viewport().mapToGlobal(centre + QPoint(2, 0)));
        QCoreApplication::sendEvent(&viewport(), &hover);
        QVERIFY2(QToolTip::text().contains(QStringLiteral("Checkpoint &lt;saved&gt;")),
                 qPrintable(QToolTip::text()));
        QVERIFY(QToolTip::text().contains(QStringLiteral("50.125")));
        QToolTip::hideText();
    }
    void aThreadOfInstantsOnlyHasARow()
    {
        CHECKED(open(
            QStringLiteral("instants_only"),
            {completeEvent("kernel", QStringLiteral("gemm"), 0, 7, 1000, 80),
             QStringLiteral("{\"ph\": \"i\", \"s\": \"t\", \"name\": \"mark\", \"pid\": 100, \"tid\": 100, "
                            "\"ts\": 1040}")}));
        timeline().rows().setThreadsOpen(true);
        QVERIFY(!timeline().positions().rectOfInstant(trackOf(TrackKind::CpuThread), 0).isEmpty());
    }
    void instantsCostOneMarkAPixel()
    {
        InstantColumns instants;
        for (int i = 0; i < 300'000; ++i) {
            instants.timeNs.push_back(i * 10);
            instants.name.push_back(StringId{});
        }
        const TimeAxis axis({500'000, 2'500'000}, 1000);
        const std::vector<DrawInstant> drawn = drawInstants(instants, axis);
        QVERIFY(drawn.size() <= 1000);
        std::size_t shown = 0;
        for (std::size_t i = 0; i < drawn.size(); ++i) {
            QVERIFY(i == 0 || drawn[i].x > drawn[i - 1].x);
            shown += drawn[i].count;
            const auto hit = instantAt(instants, axis, drawn[i].x + 0.5, 4);
            QVERIFY(hit && hit->first == drawn[i].first && hit->count == drawn[i].count);
        }
        QCOMPARE(shown, std::size_t{200'000});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestTimelineRows)
#include "tst_timeline_rows.moc"
