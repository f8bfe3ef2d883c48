// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The real window over a planned run: what a person does with mouse and keys, checked against the plan.

#include "app/parts/actions.h"
#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"
#include "views/charts/nvlink_chart.h"
#include "views/common/theme.h"
#include "views/metrics/metrics_panel.h"
#include "views/tables/kernel_table.h"
#include "views/timeline/timeline_view.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QProcess>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QWheelEvent>

#include <map>
#include <set>

namespace collscope {

namespace {

WorkloadDescription workload()
{
    WorkloadDescription description;
    description.dataParallel = 2;
    description.jitter = 0.05;
    description.gapNs = 1'500;
    description.stragglerRank = 2;
    description.lateNs = 150'000;
    description.peaks = {{0, 70}, {1, 110}, {2, 150}, {3, 90}};
    return description;
}

double centreOf(TimeRange range)
{
    return static_cast<double>(range.beginNs) + static_cast<double>(range.lengthNs()) / 2;
}

void wheel(QWidget* viewport, QPointF position, int delta, Qt::KeyboardModifiers modifiers)
{
    QWheelEvent event(position, viewport->mapToGlobal(position), {}, {0, delta}, Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(viewport, &event);
}

/// Mean lightness, and how many colours: a blank window has one.
std::pair<double, std::size_t> lookOf(const QImage& image)
{
    double sum = 0;
    std::set<QRgb> colors;
    int count = 0;
    for (int y = 0; y < image.height(); y += 3) {
        for (int x = 0; x < image.width(); x += 3) {
            const QColor color = image.pixelColor(x, y);
            sum += color.lightnessF();
            colors.insert(color.rgb());
            ++count;
        }
    }
    return {sum / count, colors.size()};
}

} // namespace

class TestMainWindow : public WindowTest
{
    Q_OBJECT

private:
    RunPlan m_plan;

    /// Kernels of a GPU that overlap a range of the axis, by overlap: from the plan alone.
    std::multimap<std::int64_t, std::string, std::greater<>> plannedKernels(int gpu, TimeRange range) const
    {
        std::multimap<std::int64_t, std::string, std::greater<>> kernels;
        const std::int64_t toPlan = state().run().model()->axisZeroNs - m_plan.description.wallClockNs;
        for (const PlannedActivity& a : m_plan.ranks[static_cast<std::size_t>(gpu)].activities) {
            const std::int64_t overlap
                = std::min(a.endNs(), range.endNs + toPlan) - std::max(a.startNs, range.beginNs + toPlan);
            if (a.isKernel() && overlap > 0)
                kernels.emplace(overlap, a.name);
        }
        return kernels;
    }

    void writeFiles() override
    {
        m_plan = planRun(workload());
        writeRun(m_plan, runPath().toStdString(), RunFiles());
    }
    void openFirst() override { QVERIFY(openAndWait(*m_window, {runPath()})); }

private slots:
    void aKeyIsFoundByWhatItDoes()
    {
        QTest::keyClick(m_window.get(), Qt::Key_Question);
        const auto dialogs = m_window->findChildren<QDialog*>();
        auto* filter = dialogs.isEmpty() ? nullptr : dialogs.last()->findChild<QLineEdit*>();
        QVERIFY(filter);
        QCOMPARE(filter->window()->focusWidget(), filter);
        const auto text
            = [&] { return filter->window()->findChild<QScrollArea*>()->findChild<QLabel*>()->text(); };
        for (const char* group : {"Timeline", "File", "Go"})
            QVERIFY2(text().contains(QStringLiteral("<i>%1</i>").arg(QLatin1String(group))), group);
        QTest::keyClicks(filter, QStringLiteral("previous MARK"));
        QVERIFY(text().contains(QStringLiteral("Shift+N")) && !text().contains(QStringLiteral("Ctrl+E")));
        QVERIFY(!text().contains(QStringLiteral("<i>File</i>")));
        filter->window()->close();
    }
    void theMenuLeadsToEveryTab()
    {
        const QTabWidget& tabs = *m_window->findChild<QTabWidget*>();
        QMenu* view = m_window->menuBar()->actions().at(static_cast<int>(MenuId::View))->menu();
        view->popup({});
        QList<QAction*> entries;
        for (QAction* action : view->actions()) {
            if (action->menu())
                entries = action->menu()->actions();
        }
        view->hide();
        QVERIFY(entries.size() > 8);
        for (QAction* entry : entries) {
            entry->trigger();
            QCOMPARE(tabs.tabText(tabs.currentIndex()), entry->text());
        }
    }
    /// Which program is this? A problem report needs to know.
    /// Where tabs do not fit, no room is left free before the first one.
    void narrowTabsBeginAtTheEdge()
    {
        const QSize before = m_window->size();
        QTabWidget& tabs = *m_window->findChild<QTabWidget*>();
        int first = 0;
        while (!tabs.isTabVisible(first))
            ++first;
        for (const int width : {1680, 1280, 1150, 1400}) {
            m_window->resize(width, 800);
            for (int tab = tabs.count() - 1; tab >= 0; --tab) {
                if (!tabs.isTabVisible(tab))
                    continue;
                tabs.setCurrentIndex(tab);
                QCoreApplication::processEvents();
                QVERIFY2(tabs.tabBar()->tabRect(first).left() <= 0,
                         qPrintable(QStringLiteral("%1 at %2").arg(tabs.tabText(tab)).arg(width)));
            }
        }
        m_window->resize(before);
    }
    void about()
    {
        auto* about = m_window->findChild<QAction*>(QStringLiteral("about"));
        QVERIFY(about);
        about->trigger();
        auto* message = m_window->findChild<QMessageBox*>(QStringLiteral("about"));
        QVERIFY(message && message->isVisible());
        QCOMPARE(message->text(), QStringLiteral("collscope " COLLSCOPE_VERSION));
        QVERIFY(message->informativeText().contains(QStringLiteral("GNU General Public License")));
        message->close();
    }
    void opensTheWholeRun()
    {
        QCOMPARE(state().run().model()->ranks().size(), m_plan.ranks.size());
        QCOMPARE(state().run().model()->nvlink.size(), m_plan.ranks.size());
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("run")));
        QVERIFY2(!m_window->windowIcon().pixmap(32).isNull(), "the resources are not linked in");
        QVERIFY(state().run().model()->range.united(state().viewport().visibleRange())
                == state().run().model()->range);
    }
    void peakLeadsToItsKernels()
    {
        NvlinkChart& chart = *m_window->view<NvlinkChart>();
        QVERIFY(chart.device().has_value());
        QVERIFY(!chart.peaks().empty());
        state().viewport().setVisibleRange(state().run().model()->range);
        QCoreApplication::processEvents();
        const NvlinkPeak peak = chart.peaks().front();
        const auto position = chart.peakPosition(0);
        QVERIFY(position.has_value());
        QTest::mouseClick(chart.viewport(), Qt::LeftButton, {}, chart.viewport()->mapFrom(&chart, *position));
        QVERIFY(state().selection().peak().has_value());
        QVERIFY(state().selection().peak()->range == peak.range);
        QVERIFY(state().selection().range() == std::optional(peak.range));

        // The highest planted rate is that of the third step, and its cause the optimizer's all-gather.
        const int gpu = state().run().model()->nvlink[peak.device].gpu.value_or(-1);
        const auto planned = plannedKernels(gpu, peak.range);
        const PlannedStep& step = m_plan.steps[2];
        const std::int64_t middle = peak.range.beginNs + peak.range.lengthNs() / 2
            + state().run().model()->axisZeroNs - m_plan.description.wallClockNs;
        QVERIFY(middle > step.startNs && middle < step.startNs + step.durationNs);

        QTableView& table = *m_window->view<KernelTable>()->table();
        QTRY_COMPARE(table.model()->rowCount(), static_cast<int>(planned.size()));
        int row = 0;
        for (const auto& [overlap, name] : planned) {
            const QModelIndex kernel = table.model()->index(row, KernelTableModel::Kernel);
            QCOMPARE(kernel.data(KernelTableModel::rawRole).toString().toStdString(), name);
            const QModelIndex us = table.model()->index(row, KernelTableModel::OverlapUs);
            QVERIFY(std::abs(us.data(KernelTableModel::rawRole).toDouble()
                             - static_cast<double>(overlap) / 1000.0)
                    < 0.01);
            ++row;
        }
        QVERIFY(planned.begin()->second.find("AllGather") != std::string::npos);
    }
    void kernelOfThePeakIsShownInTheTimeline()
    {
        NvlinkChart& chart = *m_window->view<NvlinkChart>();
        state().viewport().setVisibleRange(state().run().model()->range);
        QCoreApplication::processEvents();
        QTest::mouseClick(chart.viewport(), Qt::LeftButton, {},
                          chart.viewport()->mapFrom(&chart, chart.peakPosition(0).value_or(QPoint())));
        QTableView& table = *m_window->view<KernelTable>()->table();
        QTRY_VERIFY(table.model()->rowCount() > 1);
        for (const int row : {1, 0}) {
            const SliceRef slice = m_window->view<KernelTable>()->sliceAt(row);
            const QPoint cell
                = table.visualRect(table.model()->index(row, KernelTableModel::Kernel)).center();
            QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, cell);
            doubleClick(table.viewport(), cell);
            QCoreApplication::processEvents();
            QVERIFY(state().selection().slice() == slice);
            QCOMPARE(state().run().model()->timelineOf(slice).rank,
                     state().run().model()->nvlink[chart.device().value_or(0)].gpu.value_or(-1));
            const TimeRange range = state().run().model()->rangeOf(slice);
            const double off = std::abs(centreOf(state().viewport().visibleRange()) - centreOf(range));
            QVERIFY2(off < 0.02 * static_cast<double>(state().viewport().visibleRange().lengthNs()),
                     "not centred");
            const QRectF drawn = timeline().rectOf(slice);
            QVERIFY(!drawn.isEmpty());
            QVERIFY(timeline().viewport()->rect().contains(drawn.center().toPoint()));
            QVERIFY(timeline().sliceAt(drawn.center().toPoint()) == std::optional(slice));
        }
    }
    void clickSelectsASlice()
    {
        const Timeline& first = state().run().model()->timelines.front();
        const SliceColumns& slices = state().run().model()->track(first.tracks.front()).slices;
        const SliceRef slice{first.tracks.front(), static_cast<std::uint32_t>(slices.size() / 2)};
        state().viewport().showRange(state().run().model()->rangeOf(slice));
        QCoreApplication::processEvents();
        const QRectF drawn = timeline().rectOf(slice);
        QVERIFY(!drawn.isEmpty());
        QTest::mouseClick(timeline().viewport(), Qt::LeftButton, {}, drawn.center().toPoint());
        QVERIFY(state().selection().slice() == slice);
        QTest::keyClick(&timeline(), Qt::Key_Escape);
        QVERIFY(!state().selection().slice());
    }
    void metricsAreThoseOfBatch()
    {
        QProcess batch;
        batch.start(QStringLiteral(COLLSCOPE_PROGRAM),
                    {QStringLiteral("--batch"), runPath(), QStringLiteral("--csv"), QStringLiteral("-")});
        QVERIFY(batch.waitForFinished());
        QCOMPARE(batch.exitCode(), 0);
        const QByteArray expected = batch.readAllStandardOutput();
        QVERIFY(expected.count('\n') > 8);
        const QList<QByteArray> wanted = expected.split('\n');
        const QList<QByteArray> got = m_window->metricsCsv().split('\n');
        for (qsizetype i = 0; i < std::min(wanted.size(), got.size()); ++i)
            QCOMPARE(got[i], wanted[i]);
        QCOMPARE(got.size(), wanted.size());
    }
    void aMetricShowsWhatItCounted()
    {
        m_window->view<MetricsPanel>()->selectMetric("comm_comp_overlap");
        QTRY_VERIFY(!state().emphasis().evidence().empty());
        for (const SliceRef slice : state().emphasis().evidence())
            QVERIFY(isKernel(state().run().model()->classOf(slice)));
        state().clearSelection();
        QVERIFY(state().emphasis().evidence().empty());
    }
    void wheelZoomsAtTheCursor()
    {
        const TimeRange before = state().viewport().visibleRange();
        const QRect lanes = timeline().lanesRect();
        const QPointF cursor(lanes.left() + lanes.width() / 4.0, lanes.center().y());
        const auto timeAtCursor = [&] {
            return static_cast<double>(state().viewport().visibleRange().beginNs)
                + static_cast<double>(state().viewport().visibleRange().lengthNs()) / 4;
        };
        const double time = timeAtCursor();
        wheel(timeline().viewport(), cursor, 120, Qt::ControlModifier);
        QVERIFY(state().viewport().visibleRange().lengthNs() < before.lengthNs());
        QVERIFY(std::abs(timeAtCursor() - time) < 0.005 * static_cast<double>(before.lengthNs()));
        wheel(timeline().viewport(), cursor, -120, Qt::ControlModifier);
        QVERIFY(
            std::abs(static_cast<double>(state().viewport().visibleRange().lengthNs() - before.lengthNs()))
            < 0.01 * static_cast<double>(before.lengthNs()));
    }
    void keysZoomAndPan()
    {
        state().viewport().setVisibleRange({5'000'000, 15'000'000});
        QTest::keyClick(&timeline(), Qt::Key_W);
        const TimeRange closer = state().viewport().visibleRange();
        QVERIFY(closer.lengthNs() < 10'000'000);
        QTest::keyClick(&timeline(), Qt::Key_D);
        const TimeRange right = state().viewport().visibleRange();
        QCOMPARE(right.lengthNs(), closer.lengthNs());
        QVERIFY(right.beginNs > closer.beginNs);
        QTest::keyClick(&timeline(), Qt::Key_A);
        QCOMPARE(state().viewport().visibleRange().beginNs, closer.beginNs);
        QTest::keyClick(&timeline(), Qt::Key_S);
        QVERIFY(state().viewport().visibleRange().lengthNs() > closer.lengthNs());
    }
    void dragSelectsARange()
    {
        const QRect lanes = timeline().lanesRect();
        const TimeRange visible = state().viewport().visibleRange();
        const int y = lanes.top() + lanes.height() / 2;
        QWidget* viewport = timeline().viewport();
        QTest::mousePress(viewport, Qt::LeftButton, {}, {lanes.left() + lanes.width() / 4, y});
        QTest::mouseMove(viewport, {lanes.left() + lanes.width() / 3, y});
        QTest::mouseMove(viewport, {lanes.left() + lanes.width() / 2, y});
        QTest::mouseRelease(viewport, Qt::LeftButton, {}, {lanes.left() + lanes.width() / 2, y});
        const auto range = state().selection().range();
        QVERIFY(range.has_value());
        const double pixel = static_cast<double>(visible.lengthNs()) / lanes.width();
        QVERIFY(std::abs(static_cast<double>(range->beginNs - visible.beginNs)
                         - static_cast<double>(visible.lengthNs()) / 4)
                <= 2 * pixel);
        QVERIFY(std::abs(static_cast<double>(range->lengthNs()) - static_cast<double>(visible.lengthNs()) / 4)
                <= 2 * pixel);
        QTest::keyClick(&timeline(), Qt::Key_Escape);
        QVERIFY(!state().selection().range());
    }
    void droppedFolderIsOpened()
    {
        const QString other = m_folder.filePath(QStringLiteral("other"));
        WorkloadDescription description;
        description.dataParallel = 1;
        writeRun(planRun(description), other.toStdString(), RunFiles());
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(other)});
        QSignalSpy opened(m_window.get(), &MainWindow::runOpened);
        QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_window.get(), &drop);
        QVERIFY(opened.wait(30'000));
        QCOMPARE(state().run().model()->ranks().size(), std::size_t{2});
    }
    void unreadableFolderLeavesTheRun()
    {
        const TraceModelPtr before = state().run().model();
        QSignalSpy failed(m_window.get(), &MainWindow::openFailed);
        m_window->openPaths({m_folder.filePath(QStringLiteral("missing"))});
        QVERIFY(failed.wait(30'000));
        QVERIFY(failed.first().first().toString().contains(QStringLiteral("missing")));
        QCOMPARE(state().run().model(), before);
    }
    void closingWhileLoadingIsSafe()
    {
        m_window->openPaths({runPath()});
        m_window->close();
        m_window.reset();
    }
    void theMenuSaysWhichThemeIsOn()
    {
        const auto trigger
            = [&](const char* id) { m_window->findChild<QAction*>(QLatin1String(id))->trigger(); };
        const auto ticked = [&] {
            QStringList ids;
            QMenu* menu = m_window->menuBar()->actions().at(static_cast<int>(MenuId::View))->menu();
            emit menu->aboutToShow();
            for (const QAction* action : menu->actions()) {
                if (action->objectName().startsWith(QLatin1String("theme")) && action->isChecked())
                    ids << action->objectName();
            }
            return ids.join(QLatin1Char(' '));
        };
        QCOMPARE(ticked(), QStringLiteral("themeLight"));
        trigger("themeDark");
        QCOMPARE(ticked(), QStringLiteral("themeDark"));
        trigger("themeDark"); // a second time does not take the tick away
        QCOMPARE(ticked(), QStringLiteral("themeDark"));
        applyTheme(*qApp, ThemeChoice::Light); // by another window
        QCOMPARE(ticked(), QStringLiteral("themeLight"));
    }
    /// Of a control without a text of its own, a screen reader says nothing but its accessible name.
    void controlsWithoutTextHaveAccessibleNames()
    {
        QVERIFY(openAndWait(*m_window, {runPath()}));
        m_window->findChild<QAction*>(QStringLiteral("allCommands"))->trigger(); // named when it opens
        int controls = 0;
        for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
            bool isTextless = false;
            for (const char* type : {"QComboBox", "QAbstractSpinBox", "QLineEdit", "QSlider", "QTableView",
                                     "QTreeView", "QListWidget"})
                isTextless |= widget->inherits(type);
            if (const auto* button = qobject_cast<const QToolButton*>(widget)) {
                const QString text = button->text(); // of signs such as ".*"
                isTextless |= !text.isEmpty()
                    && std::none_of(text.begin(), text.end(), [](QChar sign) { return sign.isLetter(); });
            }
            if (!isTextless || widget->objectName().startsWith(QLatin1String("qt_"))) // a part of Qt's own
                continue;
            ++controls;
            QVERIFY2(!widget->accessibleName().isEmpty(),
                     qPrintable(QStringLiteral("%1 of %2")
                                    .arg(QLatin1String(widget->metaObject()->className()),
                                         QLatin1String(widget->parent()->metaObject()->className()))));
        }
        QVERIFY(controls > 25);
    }
    void paintsInLightAndDark()
    {
        const auto light = lookOf(m_window->grab().toImage());
        applyTheme(*qApp, ThemeChoice::Dark);
        QCoreApplication::processEvents();
        const auto dark = lookOf(m_window->grab().toImage());
        applyTheme(*qApp, ThemeChoice::Light);
        QVERIFY2(light.second > 40 && dark.second > 40, "the window is blank");
        QVERIFY(light.first > 0.6);
        QVERIFY(dark.first < 0.4);
        const auto lanes = lookOf(timeline().viewport()->grab(timeline().lanesRect()).toImage());
        QVERIFY2(lanes.second > 10, "the timeline is blank");
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMainWindow)
#include "tst_main_window.moc"
