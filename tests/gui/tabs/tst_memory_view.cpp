// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Memory of GPUs in the window: the chart on the time axis, the segments at a moment, and who holds them.

#include "metrics/memory/history.h"
#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/planted_memory.h"
#include "views/memory/block_map.h"
#include "views/memory/memory_chart.h"
#include "views/memory/memory_view.h"
#include "views/ranks/ranks_panel.h"
#include "views/tables/cell_table.h"
#include "views/timeline/timeline_view.h"

#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSlider>
#include <QTabWidget>
#include <QToolButton>

#include <fstream>

namespace collscope {

class TestMemoryView : public WindowTest
{
    Q_OBJECT

private:
    MemoryView& view() const { return *m_window->view<MemoryView>(); }
    MemoryChart& chart() const { return *m_window->view<MemoryChart>(); }
    QTabWidget& tabs() const { return *m_window->findChild<QTabWidget*>(); }
    bool isTabVisible() const { return tabs().isTabVisible(tabs().indexOf(&view())); }
    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    QString summary() const { return widgetNamed<QLabel>(view(), "memorySummary").text(); }
    QToolButton* button(const char* name) const { return &widgetNamed<QToolButton>(view(), name); }
    static void write(const QString& file, const std::string& bytes)
    {
        QDir().mkpath(QFileInfo(file).path());
        std::ofstream(file.toStdString(), std::ios::binary) << bytes;
    }
    bool openMemory(const char* name) const
    {
        return openAndWait(*m_window, {path(name)})
            && QTest::qWaitFor([this] { return view().history() != nullptr; }, 10'000);
    }

    void writeFiles() override
    {
        writeSmallRun(runPath());
        MemoryDescription description;
        description.events = 2000;
        write(path("memory/rank0_memory_snapshot.pickle"), plantMemory(description).bytes);
        description.seed = 2;
        description.events = 500;
        write(path("memory/rank1_memory_snapshot.pickle"), plantMemory(description).bytes);
        write(path("apart/rank0_memory_snapshot.pickle"), plantMemory(description).bytes);
        description.beginUs += 3'600'000'000;
        write(path("apart/rank1_memory_snapshot.pickle"), plantMemory(description).bytes);
        description.events = 1;
        description.cutEvents = 1;
        write(path("apart/rank2_memory_snapshot.pickle"), plantMemory(description).bytes);
    }
    void openFirst() override { }

private slots:
    void thereWithSnapshotsOnly()
    {
        QVERIFY(openAndWait(*m_window, {runPath()}));
        QVERIFY(!isTabVisible() && !chart().isVisible());
        QVERIFY(openMemory("memory"));
        QVERIFY(isTabVisible() && chart().isVisible());
        // Without a timeline they are what there is to see.
        QCOMPARE(tabs().currentWidget(), &view());
        QVERIFY(chart().height() > m_window->view<TimelineView>()->height());
        QVERIFY(!m_window->view<Legend>()->isVisible()); // of slices, which are not there
        QVERIFY(openAndWait(*m_window, {runPath()}));
        QVERIFY(!isTabVisible() && !chart().isVisible());
    }
    void opensAtThePeak()
    {
        QVERIFY(openMemory("memory"));
        tabs().setCurrentWidget(&view());
        const MemoryHistory& history = *view().history();
        QCOMPARE(view().place(), history.peak);
        QVERIFY2(summary().startsWith(QStringLiteral("Peak: ")), qPrintable(summary()));
        QCOMPARE(view().slider()->value(), static_cast<int>(history.peak));
        // What the rows hold is what is allocated.
        qlonglong bytes = 0;
        const auto* rows = view().table()->model();
        QVERIFY(rows->rowCount() > 5);
        for (int row = 0; row < rows->rowCount(); ++row)
            bytes += rows->index(row, 0).data(Qt::UserRole).toLongLong();
        QCOMPARE(bytes, static_cast<qlonglong>(history.levels.allocated[history.peak]));
        QCOMPARE(static_cast<std::int64_t>(view().map()->rowCount()) * (std::int64_t{20} << 20),
                 history.levels.reserved[history.peak]);
    }
    void momentsAreChosenByMouseAndKeys()
    {
        QVERIFY(openMemory("memory"));
        tabs().setCurrentWidget(&view());
        view().slider()->setFocus();
        const std::size_t peak = view().place();
        QTest::keyClick(view().slider(), Qt::Key_Right);
        QCOMPARE(view().place(), peak + 1);
        QTest::keyClick(view().slider(), Qt::Key_Home);
        QCOMPARE(view().place(), std::size_t{0});
        // Beside the thin line, a page further.
        const QPoint right(view().slider()->width() - 5, view().slider()->height() / 2 - 6);
        QTest::mouseClick(view().slider(), Qt::LeftButton, {}, right);
        QCOMPARE(view().place(), static_cast<std::size_t>(view().slider()->pageStep()));
        QTRY_VERIFY(!summary().startsWith(QStringLiteral("Peak")));
        QTest::mouseClick(button("memoryEnd"), Qt::LeftButton);
        QCOMPARE(view().place(), view().history()->places() - 1);
        QTest::mouseClick(button("memoryPeak"), Qt::LeftButton);
        QCOMPARE(view().place(), peak);
        // In the chart.
        const auto first = chart().pointOf(100);
        const auto second = chart().pointOf(1500);
        QVERIFY(first && second && first->x() < second->x());
        QTest::mouseClick(chart().viewport(), Qt::LeftButton, {}, *second + QPoint(0, 20));
        QVERIFY(view().place() > 1300 && view().place() < 1700);
        QVERIFY(!state().selection().range());
    }
    void aBlockLeadsToItsCallStack()
    {
        QVERIFY(openMemory("memory"));
        tabs().setCurrentWidget(&view());
        const MemoryHistory& history = *view().history();
        std::size_t largest = 0;
        for (std::size_t i = 0; i < history.allocations.size(); ++i) {
            if (history.allocations[i].isAllocatedAt(history.peak)
                && (!history.allocations[largest].isAllocatedAt(history.peak)
                    || history.allocations[i].bytes > history.allocations[largest].bytes))
                largest = i;
        }
        const QRectF box = view().map()->rectOf(largest);
        QVERIFY(box.width() > 3);
        view().map()->verticalScrollBar()->setValue(static_cast<int>(box.top()) - 20);
        const QPoint at = view().map()->rectOf(largest).center().toPoint();
        QVERIFY(view().map()->textAt(at).contains(QStringLiteral("allocated")));
        QTest::mouseClick(view().map()->viewport(), Qt::LeftButton, {}, at);
        const auto* frames = view().findChild<QPlainTextEdit*>();
        QVERIFY(frames->toPlainText().contains(QStringLiteral("/job/model.py:")));
        QCOMPARE(frames->toPlainText().count(QLatin1Char('\n')), 11); // twelve frames
        const QModelIndexList rows = view().table()->selectionModel()->selectedRows();
        QCOMPARE(rows.size(), 1);
        // The same stack by its row in the table, from another one.
        const QString text = frames->toPlainText();
        QTest::keyClick(view().map(), Qt::Key_Escape);
        QVERIFY(frames->toPlainText().isEmpty());
        QTest::mouseClick(view().table()->viewport(), Qt::LeftButton, {},
                          view().table()->visualRect(rows.front()).center());
        QCOMPARE(frames->toPlainText(), text);
    }
    void ranksAreChosen()
    {
        QVERIFY(openMemory("memory"));
        tabs().setCurrentWidget(&view());
        auto& chooser = widgetNamed<QComboBox>(view(), "memoryDevice");
        QVERIFY(chooser.count() == 2);
        chooser.setFocus();
        QTest::keyClick(&chooser, Qt::Key_Down);
        QTRY_VERIFY(view().history() && view().history()->of.snapshot == 1);
        QCOMPARE(view().history()->places(),
                 state().run().model()->memory[1].devices.front().events.size() + 1);
        QCOMPARE(view().place(), view().history()->peak);
    }
    /// Two processes, an hour apart: each fills the chart. What the user has zoomed into stays.
    void snapshotsAnHourApart()
    {
        QVERIFY(openMemory("apart"));
        tabs().setCurrentWidget(&view());
        const auto& viewport = state().viewport();
        const auto own
            = [&](std::size_t snapshot) { return state().run().model()->memory[snapshot].range(); };
        const auto fills = [&](std::size_t snapshot) {
            const TimeRange visible = viewport.visibleRange();
            return visible.intersected(own(snapshot)) == own(snapshot)
                && 2 * own(snapshot).lengthNs() > visible.lengthNs();
        };
        QTRY_VERIFY(fills(0));
        const TimeRange part{own(0).beginNs + 1000, own(0).beginNs + own(0).lengthNs() / 3};
        state().viewport().setVisibleRange(part);
        auto& chooser = widgetNamed<QComboBox>(view(), "memoryDevice");
        chooser.setFocus();
        QTest::keyClick(&chooser, Qt::Key_Down);
        QTRY_VERIFY(fills(1));
        QTest::keyClick(&chooser, Qt::Key_Down); // a single event
        QTRY_VERIFY(view().history() && view().history()->of.snapshot == 2);
        QVERIFY(own(2).isEmpty() && fills(1));
        QTest::keyClick(&chooser, Qt::Key_Up);
        QTest::keyClick(&chooser, Qt::Key_Up);
        QTRY_VERIFY(fills(0));
        state().viewport().setVisibleRange(part);
        QTest::mouseClick(button("memoryPeak"), Qt::LeftButton);
        QCOMPARE(viewport.visibleRange(), part);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMemoryView)
#include "tst_memory_view.moc"
