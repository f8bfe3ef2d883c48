// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Counters that Nsight sampled, in the window: there with a run that has them, gone with one that has none.

#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/network_export.h"
#include "tests/support/workloads/run_writer.h"
#include "views/charts/gpu_counter_chart.h"
#include "views/charts/nvlink_chart.h"
#include "views/tables/kernel_table.h"
#include "views/timeline/timeline_view.h"

#include <QLabel>
#include <QTableView>
#include <QToolButton>
#include <QWheelEvent>

namespace collscope {

class TestGpuCounterChart : public WindowTest
{
    Q_OBJECT

private:
    GpuCounterChart& chart() const { return *m_window->view<GpuCounterChart>(); }
    QString nsysPath() const { return m_folder.filePath(QStringLiteral("nsys")); }
    QComboBox& groups() const { return widgetNamed<QComboBox>(chart(), "gpuCounterGroup"); }
    QComboBox& gpus() const { return widgetNamed<QComboBox>(chart(), "gpuCounterDevice"); }
    QString title() const
    {
        return chart().findChild<QWidget*>(QStringLiteral("chartHeader"))->findChild<QLabel*>()->text();
    }
    int lineCount() const
    {
        int count = 0;
        for (QAbstractSeries* series : chart().chart()->series())
            count += qobject_cast<QLineSeries*>(series)->count() > 0 ? 1 : 0;
        return count;
    }

    void writeFiles() override
    {
        writeSmallRun(runPath());
        RunFiles files;
        files.kineto = false;
        files.nsys = files.gpuMetrics = true;
        writeRun(planRun(smallWorkload()), nsysPath().toStdString(), files);
    }

private slots:
    void shownWithCountersOnly()
    {
        QVERIFY(openAndWait(*m_window, {runPath()}));
        QVERIFY(!chart().isVisible() && !chart().hasCounters());
        const int before = m_window->view<TimelineView>()->height();
        QVERIFY(openAndWait(*m_window, {nsysPath()}));
        QVERIFY(chart().isVisible());
        QVERIFY(chart().height() >= 100 && m_window->view<NvlinkChart>()->height() >= 110);
        QVERIFY(m_window->view<TimelineView>()->height() > 100);
        QCOMPARE(chart().viewport()->mapTo(m_window.get(), QPoint()).x(),
                 m_window->view<NvlinkChart>()->viewport()->mapTo(m_window.get(), QPoint()).x());
        QVERIFY(openAndWait(*m_window, {runPath()}));
        QVERIFY(!chart().isVisible());
        QCOMPARE(m_window->view<TimelineView>()->height(), before);
    }
    void aGroupOrOneCounter()
    {
        QVERIFY(openAndWait(*m_window, {nsysPath()}));
        QCOMPARE(groups().currentText(), QStringLiteral("NVLink"));
        QCOMPARE(chart().legend().entries.size(), std::size_t{2});
        QVERIFY(title().contains(QLatin1Char('%')));
        QVERIFY(lineCount() >= 2);
        groups().setFocus();
        QTest::keyClick(&groups(), Qt::Key_End);
        QCOMPARE(groups().currentText(), QStringLiteral("Tensor Active"));
        QCOMPARE(chart().legend().entries.size(), std::size_t{1});
        QCOMPARE(chart().legend().entries[0].lines[0].name, QStringLiteral("Tensor Active"));
        // The other GPU's same counter.
        QCOMPARE(chart().gpu()->device, 0);
        QTest::keyClick(&gpus(), Qt::Key_Down);
        QCOMPARE(chart().gpu()->device, 1);
        QCOMPARE(groups().currentText(), QStringLiteral("Tensor Active"));
    }
    /// Sampled every 100 us: before its first work the GPU is idle, within a long kernel it is busy
    /// throughout.
    void hoveringAnyViewReadsTheSample()
    {
        QVERIFY(openAndWait(*m_window, {nsysPath()}));
        groups().setCurrentIndex(groups().findText(QStringLiteral("SMs Active")));
        const std::int64_t zeroNs = state().run().model()->timelines[chart().gpu()->timeline].fileToAxisNs;
        std::int64_t firstNs = 10'000'000, busyNs = 0;
        const RunPlan plan = planRun(smallWorkload());
        for (const PlannedActivity& activity : plan.ranks[0].activities) {
            firstNs = std::min(firstNs, activity.startNs);
            if (activity.isKernel() && !activity.collective && activity.durationNs >= 200'000)
                busyNs = (activity.startNs / 100'000 + 1) * 100'000 + 40'000;
        }
        QVERIFY(firstNs >= 200'000 && busyNs > 0);
        const int y = m_window->view<TimelineView>()->lanesRect().center().y();
        state().viewport().setVisibleRange({zeroNs, zeroNs + firstNs});
        CHECKED(hoverTimeline(zeroNs + firstNs - 150'000, y));
        QCOMPARE(chart().hoverText(), QStringLiteral("sample 100\u00a0\u00b5s: SMs Active 0 %"));
        state().viewport().setVisibleRange({zeroNs + busyNs - 1'000'000, zeroNs + busyNs + 1'000'000});
        CHECKED(hoverTimeline(zeroNs + busyNs, y));
        QCOMPARE(chart().hoverText(), QStringLiteral("sample 100\u00a0\u00b5s: SMs Active 100 %"));
        QCOMPARE(chart().hoveredSample().value_or(TimeRange()),
                 (TimeRange{zeroNs + busyNs - 40'000, zeroNs + busyNs + 60'000}));
    }
    void followsThePeak()
    {
        QVERIFY(openAndWait(*m_window, {nsysPath()}));
        m_window->view<NvlinkChart>()->setDevice(1);
        state().viewport().setVisibleRange(state().run().range());
        clickPeak(*m_window, 0);
        QVERIFY(state().selection().peak());
        QCOMPARE(state().run().nvlinkRanks().of(1).rank, std::optional(chart().gpu()->rank));
        QCOMPARE(gpus().currentText(), QStringLiteral("GPU 1"));
    }
    /// Without NVF1 files the counters of NVLink that Nsight sampled are the NVLink chart.
    void peaksOfNvlinkLeadToKernels()
    {
        RunFiles files;
        files.kineto = files.nvlink = false;
        files.nsys = files.gpuMetrics = true;
        const QString path = m_folder.filePath(QStringLiteral("nsys_alone"));
        writeRun(planRun(smallWorkload()), path.toStdString(), files);
        QVERIFY(openAndWait(*m_window, {path}));
        QVERIFY2(!m_window->view<NvlinkChart>()->isVisible(),
                 "\"no NVLink counters\" above the NVLink counters");
        QVERIFY(chart().isVisible() && m_window->view<TimelineView>()->height() > 300);
        QCOMPARE(groups().currentText(), QStringLiteral("NVLink"));
        const auto& kernels = *m_window->view<KernelTable>()->findChild<QTableView*>()->model();
        const auto caption = [this] { return m_window->view<KernelTable>()->findChild<QLabel*>()->text(); };
        QVERIFY2(caption().startsWith(QLatin1String("Click a marked peak")), qPrintable(caption()));
        QVERIFY(!chart().group()->peaks.empty());
        state().viewport().setVisibleRange(state().run().range());
        QCoreApplication::processEvents();

        const auto position = chart().peakPosition(0);
        QVERIFY(position);
        QTest::mouseClick(chart().viewport(), Qt::LeftButton, {},
                          chart().viewport()->mapFrom(&chart(), *position));
        QVERIFY(state().selection().peak()
                && state().selection().peak()->timeline == chart().gpu()->timeline);
        const TimeRange peak = state().selection().peak()->range;
        QVERIFY(state().selection().range() == std::optional(peak));
        QTRY_VERIFY2(kernels.rowCount() > 0 && caption().contains(QStringLiteral("kernels during")),
                     qPrintable(caption()));
        QVERIFY(m_window->view<KernelTable>()->isVisible());
        // Back: what communicates then marks the peak, also from another GPU's.
        gpus().setCurrentIndex(1);
        state().clearSelection();
        QCOMPARE(kernels.rowCount(), 0); // without a peak there is no list
        const Timeline& first = state().run().model()->timelines[0];
        SliceRef during;
        for (const TrackId id : first.tracks) {
            const Track& track = state().run().model()->track(id);
            for (std::uint32_t row = 0; track.kind == TrackKind::GpuStream && row < track.slices.size();
                 ++row) {
                if (isCommunication(track.slices.kernelClass[row])
                    && state().run().rangeOf({id, row}).overlaps(peak))
                    during = {id, row};
            }
        }
        QVERIFY(during);
        state().selection().setSlice(during);
        QCOMPARE(chart().gpu()->rank, 0);
        QVERIFY(chart().peakOfSelection());
        QVERIFY(chart().group()->peaks[*chart().peakOfSelection()].range.lengthNs() > 0);
        QVERIFY(!state().selection().peak()); // no range, no other tab: only the mark
        // Counters of other things have no markers.
        groups().setCurrentIndex(groups().findText(QStringLiteral("SMs Active")));
        QVERIFY(chart().group()->peaks.empty() && !chart().peakPosition(0));
        QVERIFY(openAndWait(*m_window, {runPath()}));
        QVERIFY(m_window->view<NvlinkChart>()->isVisible());
    }
    /// After the GPUs, and without marks: no kernel of one GPU explains what a card sends.
    void networkCardsAreInTheList()
    {
        NetworkExport file(NetworkSchema::Of2026);
        file.addKernel(0, 10'000'000);
        file.add(
            "CREATE TABLE GPU_METRICS(timestamp INTEGER, typeId INTEGER, metricId INTEGER, value INTEGER);"
            "INSERT INTO GPU_METRICS VALUES (1000000,256,1,50),(2000000,256,1,60);"
            "CREATE TABLE TARGET_INFO_GPU_METRICS(typeId INTEGER, metricId INTEGER, metricName TEXT);"
            "INSERT INTO TARGET_INFO_GPU_METRICS VALUES (256,1,'SMs Active [Throughput %]');");
        file.addCard(0, 1, "mlx5_0");
        file.addMetric(5, "IB: Bytes received", "bytes/ms");
        file.addMetric(6, "IB: Bytes sent", "bytes/ms");
        for (int at = 0; at < 10; ++at) {
            file.addSample(1'000'000 * at, 1'000'000 * (at + 1), 1, 0, 5, "12500000");
            file.addSample(1'000'000 * at, 1'000'000 * (at + 1), 1, 0, 6, "25000000");
        }
        const QString path = m_folder.filePath(QStringLiteral("cards/rank0.sqlite"));
        file.write(path.toStdString());
        QVERIFY(openAndWait(*m_window, {path}));
        QVERIFY(chart().isVisible());
        QCOMPARE(gpus().count(), 2);
        QCOMPARE(gpus().currentText(), QStringLiteral("GPU 0"));
        gpus().setCurrentIndex(1);
        QCOMPARE(gpus().currentText(), QStringLiteral("Network card mlx5_0"));
        QCOMPARE(groups().currentText(), QStringLiteral("Traffic"));
        QVERIFY(title().contains(QLatin1String("GB/s")));
        QCOMPARE(chart().legend().entries.size(), std::size_t{2});
        QVERIFY(!chart().gpu()->isOfRank && !chart().peakPosition(0));
        const std::int64_t zeroNs = state().run().model()->timelines[0].fileToAxisNs;
        state().viewport().setVisibleRange({zeroNs, zeroNs + 10'000'000});
        CHECKED(hoverTimeline(zeroNs + 5'500'000, m_window->view<TimelineView>()->lanesRect().center().y()));
        QCOMPARE(chart().hoverText(),
                 QStringLiteral("sample 1.00\u00a0ms: IB: Bytes received 12.5, IB: Bytes sent 25.0 GB/s"));
    }
    void dragAndWheelAsInEveryView()
    {
        QVERIFY(openAndWait(*m_window, {nsysPath()}));
        QWidget* const viewport = chart().viewport();
        QTest::mousePress(viewport, Qt::LeftButton, {}, {300, 60});
        QTest::mouseMove(viewport, {350, 60});
        QTest::mouseMove(viewport, {400, 60});
        QTest::mouseRelease(viewport, Qt::LeftButton, {}, {400, 60});
        QVERIFY(state().selection().range());
        QTest::mouseClick(viewport, Qt::LeftButton, {}, {500, 60});
        QVERIFY(!state().selection().range());
        const TimeRange before = state().viewport().visibleRange();
        const QPointF middle(500, 60);
        QWheelEvent wheel(middle, viewport->mapToGlobal(middle), {}, {0, 120}, Qt::NoButton,
                          Qt::ControlModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(viewport, &wheel);
        QVERIFY(state().viewport().visibleRange().lengthNs() < before.lengthNs());
    }
    void scaleIsItsOwn()
    {
        QVERIFY(openAndWait(*m_window, {nsysPath()}));
        auto* log = chart().findChild<QToolButton*>();
        QCOMPARE(log->accessibleName(), QStringLiteral("Logarithmic scale"));
        QTest::mouseClick(log, Qt::LeftButton);
        QVERIFY(chart().isLogarithmic() && !m_window->view<NvlinkChart>()->isLogarithmic());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestGpuCounterChart)
#include "tst_gpu_counter_chart.moc"
