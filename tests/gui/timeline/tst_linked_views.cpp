// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What one view selects the others follow, also the second time: scope, peaks, evidence, kernels, curves.

#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"
#include "views/charts/nvlink_chart.h"
#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/metrics/metrics_panel.h"
#include "views/tables/kernel_table.h"
#include "views/timeline/timeline_view.h"
#include "views/widgets/banner.h"

#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTreeWidget>

#include <algorithm>

namespace collscope {

class TestLinkedViews : public WindowTest
{
    Q_OBJECT

private:
    NvlinkChart& chart() const { return *m_window->view<NvlinkChart>(); }
    QTableView& kernels() const { return *m_window->view<KernelTable>()->table(); }
    QComboBox& scope() const { return widgetNamed<QComboBox>(*m_window, "metricsScope"); }
    void chooseScopeByKeys(int downs) const
    {
        QTest::keyClick(&scope(), Qt::Key_Home);
        for (int i = 0; i < downs; ++i)
            QTest::keyClick(&scope(), Qt::Key_Down);
    }
    void clickMetric(std::string_view id) const
    {
        QTreeWidget& table = *m_window->view<MetricsPanel>()->table();
        const auto& results = m_window->view<MetricsPanel>()->results();
        const auto result = std::find_if(results.begin(), results.end(),
                                         [&](const auto& each) { return each.first.name == id; });
        QVERIFY(result != results.end());
        const QString title = toText(result->first.metric->title);
        for (QTreeWidgetItem* item : table.findItems(title, Qt::MatchExactly | Qt::MatchRecursive)) {
            if (!item->parent())
                continue;
            table.scrollToItem(item);
            QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualItemRect(item).center());
            return;
        }
    }

    void writeFiles() override { writeSmallRun(runPath()); }
    void openFirst() override
    {
        QVERIFY(openAndWait(*m_window, {runPath()}));
        state().viewport().setVisibleRange(state().run().model()->range);
        QCoreApplication::processEvents();
    }

private slots:
    void rangeScopeNeedsARange()
    {
        constexpr int range = 2; // after the inner and all steps
        const auto isEnabled = [&] { return scope().model()->index(range, 0).flags() & Qt::ItemIsEnabled; };
        QVERIFY2(!isEnabled(), "without a range its numbers would be those of another scope");
        QVERIFY(scope().itemData(range, Qt::ToolTipRole).toString().contains(QStringLiteral("Drag over")));
        chooseScopeByKeys(range);
        QVERIFY2(scope().currentIndex() != range, "a disabled scope was chosen");

        dragOverTimeline(*m_window, 0.3, 0.6);
        QVERIFY(isEnabled());
        QVERIFY(scope().itemData(range, Qt::ToolTipRole).toString().isEmpty());
        chooseScopeByKeys(range);
        QCOMPARE(scope().currentIndex(), range);
        QVERIFY(m_window->view<MetricsPanel>()->options().range == state().selection().range());

        QTest::keyClick(m_window->view<TimelineView>(), Qt::Key_Escape);
        QCOMPARE(scope().currentText(), QStringLiteral("inner steps"));
        QVERIFY(!isEnabled());
        QVERIFY2(m_window->isComputing(), "the default scope is computed again");
        QTRY_VERIFY(!m_window->isComputing());
    }
    /// Counters are sampled on the clock of their rank's host: where that is moved, so are they.
    void countersFollowTheClockOfTheirRank()
    {
        constexpr std::int64_t aheadNs = 5'000'000;
        chart().setDevice(1);
        const std::vector<NvlinkPeak> truth = chart().peaks();
        QVERIFY(!truth.empty());
        clickPeak(*m_window, 0);
        QTRY_VERIFY(kernels().model()->rowCount() > 0);
        const int kernelsThen = kernels().model()->rowCount();

        WorkloadDescription ahead = smallWorkload();
        ahead.wallClockNs += aheadNs;
        const QString folder = m_folder.filePath(QStringLiteral("ahead"));
        writeRun(planRun(ahead), folder.toStdString(), RunFiles());
        for (const auto* file : {"rank0_trace.json.gz", "nvlink_gpu0.bin"}) {
            QVERIFY(QFile::remove(folder + QLatin1Char('/') + QLatin1String(file)));
            QVERIFY(QFile::copy(runPath() + QLatin1Char('/') + QLatin1String(file),
                                folder + QLatin1Char('/') + QLatin1String(file)));
        }
        QVERIFY(openAndWait(*m_window, {folder}));
        QVERIFY(!state().run().clocks().isIdentity());
        const auto beginOfBest = [&] {
            chart().setDevice(1);
            return chart().peaks().empty() ? 0 : chart().peaks().front().range.beginNs;
        };
        QVERIFY(std::abs(beginOfBest() - truth.front().range.beginNs) < 2'000);
        state().viewport().setVisibleRange(state().run().range());
        QCoreApplication::processEvents();
        clickPeak(*m_window, 0);
        QTRY_COMPARE(kernels().model()->rowCount(), kernelsThen);
        state().setClockChoice(ClockChoice::Raw);
        QVERIFY2(!state().selection().peak(), "it lies elsewhere on the axis now");
        QVERIFY(std::abs(beginOfBest() - truth.front().range.beginNs - aheadNs) < 2'000);
    }
    void theSamePeakAgain()
    {
        clickPeak(*m_window, 0);
        const TimeRange peak = chart().peaks().front().range;
        QVERIFY(state().selection().range() == std::optional(peak));
        dragOverTimeline(*m_window, 0.1, 0.2);
        QVERIFY(state().selection().range() != std::optional(peak));
        clickPeak(*m_window, 0);
        QVERIFY2(state().selection().range() == std::optional(peak),
                 "the peak's range was not selected again");
    }
    void evidenceComesBackWithAClick()
    {
        CHECKED(clickMetric("comm_comp_overlap"));
        QTRY_VERIFY(!state().emphasis().evidence().empty());
        const std::vector<SliceRef> evidence = state().emphasis().evidence();
        QTest::keyClick(m_window->view<TimelineView>(), Qt::Key_Escape);
        QVERIFY(state().emphasis().evidence().empty());
        CHECKED(clickMetric("comm_comp_overlap"));
        QVERIFY2(state().emphasis().evidence() == evidence,
                 "the current row was clicked and nothing is highlighted");
    }
    void evidenceOutOfSightIsOffered()
    {
        auto& banner = *m_window->findChild<Banner*>();
        const auto offer = [&] {
            return banner.message() && banner.message()->about == QLatin1String("evidence") ? banner.message()
                                                                                            : nullptr;
        };
        const TimeRange run = state().run().model()->range;
        const TimeRange nothing{run.beginNs, run.beginNs + run.lengthNs() / 1000};
        state().viewport().setVisibleRange(nothing);
        CHECKED(clickMetric("comm_comp_overlap"));
        QTRY_VERIFY(!state().emphasis().evidence().empty());
        QTRY_VERIFY2(offer(), "all is faded, and nothing is there to see");
        QVERIFY(!timeline().positions().isEvidenceInSight());
        QTest::mouseClick(banner.findChild<QPushButton*>(QStringLiteral("bannerAction")), Qt::LeftButton);
        QVERIFY(timeline().positions().isEvidenceInSight());
        QVERIFY(state().emphasis().isEvidence(state().selection().slice()));
        QVERIFY(!offer());
        // A person finds it without the button.
        state().clearSelection();
        state().viewport().setVisibleRange(nothing);
        CHECKED(clickMetric("comm_comp_overlap"));
        QTRY_VERIFY(offer());
        state().viewport().setVisibleRange(run);
        QTRY_VERIFY(!offer());
        // Where some of it is in sight there is nothing to offer, and Esc ends it.
        state().clearSelection();
        CHECKED(clickMetric("comm_comp_overlap"));
        QTest::qWait(250);
        QVERIFY(!offer());
        state().viewport().setVisibleRange(nothing);
        state().clearSelection();
        CHECKED(clickMetric("comm_comp_overlap"));
        QTRY_VERIFY(offer());
        QTest::keyClick(m_window->view<TimelineView>(), Qt::Key_Escape);
        QTRY_VERIFY(!offer());
    }
    void aSelectedSliceMarksItsPeak()
    {
        state().clearSelection();
        chart().setDevice(1);
        QVERIFY(!chart().peaks().empty());
        const TimeRange peak = chart().peaks().front().range;
        SliceRef during;
        const TraceModel& model = *state().run().model();
        for (std::uint32_t id = 0; id < model.tracks.size(); ++id) {
            const Track& track = model.tracks[id];
            if (track.kind != TrackKind::GpuStream || model.timelines[track.timeline.value].rank != 1)
                continue;
            for (std::uint32_t row = 0; row < track.slices.size(); ++row) {
                if (state().run().rangeOf({TrackId{id}, row}).overlaps(peak))
                    during = {TrackId{id}, row};
            }
        }
        QVERIFY(during);
        const QImage before = chart().grab().toImage();
        chart().setDevice(0);
        state().selection().setSlice(during);
        QCOMPARE(chart().device().value_or(9), std::size_t{1});
        const auto marked = chart().peakOfSelection();
        QVERIFY(marked && chart().peaks()[*marked].range.overlaps(state().run().rangeOf(during)));
        QVERIFY(chart().peakPosition(*marked));
        const QImage after = chart().grab().toImage();
        const QPoint at = *chart().peakPosition(*marked);
        QCOMPARE(after.pixelColor(at), surfaces(chart().palette()).accent);
        QVERIFY(before.pixelColor(at) != after.pixelColor(at));
        QVERIFY(!state().selection().peak() && !state().selection().range());
        // Of a slice that is no work of a GPU there is no peak, nor of none.
        state().selection().setSlice({});
        QVERIFY(!chart().peakOfSelection());
    }
    void aKernelIsOneStepOfTheHistory()
    {
        const TimeRange before = state().viewport().visibleRange();
        clickPeak(*m_window, 0);
        QTRY_VERIFY(kernels().model()->rowCount() > 0);
        const QPoint cell
            = kernels().visualRect(kernels().model()->index(0, KernelTableModel::Kernel)).center();
        QTest::mouseClick(kernels().viewport(), Qt::LeftButton, {}, cell);
        doubleClick(kernels().viewport(), cell);
        QVERIFY(static_cast<bool>(state().selection().slice()));
        QVERIFY(state().viewport().visibleRange() != before);
        QTest::keyClick(m_window.get(), Qt::Key_Left, Qt::AltModifier);
        QVERIFY2(state().viewport().visibleRange() == before, "one step back does not lead back");
    }
    void enterRevealsAKernel()
    {
        clickPeak(*m_window, 0);
        QTRY_VERIFY(kernels().model()->rowCount() > 0);
        kernels().setFocus();
        kernels().setCurrentIndex(kernels().model()->index(0, KernelTableModel::Kernel));
        QTest::keyClick(&kernels(), Qt::Key_Return);
        QVERIFY(state().selection().slice() == m_window->view<KernelTable>()->sliceAt(0));
    }
    void unnamedCountersBelongToTheOnlyRank()
    {
        const QDir other(m_folder.filePath(QStringLiteral("only")));
        QVERIFY(other.mkpath(QStringLiteral(".")));
        QVERIFY(QFile::copy(runPath() + QStringLiteral("/rank1_trace.json.gz"),
                            other.filePath(QStringLiteral("rank1_trace.json.gz"))));
        QVERIFY(QFile::copy(runPath() + QStringLiteral("/nvlink_gpu1.bin"),
                            other.filePath(QStringLiteral("counters.bin"))));
        QVERIFY(openAndWait(*m_window, {other.path()}));
        QCOMPARE(state().run().model()->ranks(), std::vector<std::int32_t>{1});
        QVERIFY(!state().run().model()->nvlink.front().gpu.has_value());
        state().viewport().setVisibleRange(state().run().model()->range);
        QCoreApplication::processEvents();
        clickPeak(*m_window, 0);
        QVERIFY(state().selection().peak().has_value());
        QTRY_VERIFY2(kernels().model()->rowCount() > 0, "the only rank's kernels are not listed");
        const auto captions = m_window->view<KernelTable>()->findChildren<QLabel*>();
        QVERIFY(captions.first()->text().contains(QStringLiteral("assumed")));
    }
    void curvesComeAfterTheRun()
    {
        bool computing = false;
        bool hadPeaks = true;
        connect(m_window.get(), &MainWindow::runOpened, this, [&] {
            computing = chart().isComputing();
            hadPeaks = !chart().peaks().empty();
            QVERIFY(!chart().grab().isNull());
        });
        QVERIFY(openAndWait(*m_window, {runPath()}));
        QVERIFY2(computing && !hadPeaks, "the samples were added up before the window went on");
        QVERIFY(!chart().isComputing());
        QVERIFY(!chart().peaks().empty());
    }
    void aChosenGpuIsKept()
    {
        // The highest peak decides only until somebody else does.
        const std::size_t other = 1 - chart().device().value_or(0);
        connect(m_window.get(), &MainWindow::runOpened, this, [&] {
            chart().setDevice(1 - chart().device().value_or(0));
            chart().setDevice(other);
        });
        QVERIFY(openAndWait(*m_window, {runPath()}));
        QCOMPARE(chart().device().value_or(99), other);
        QVERIFY(!chart().peaks().empty());
    }
    void aNewThemeOnlyRecolours()
    {
        auto* series = qobject_cast<QLineSeries*>(chart().chart()->series().value(0));
        QVERIFY(series);
        const QColor before = series->color();
        QSignalSpy replaced(series, &QLineSeries::pointsReplaced);
        applyTheme(*qApp, ThemeChoice::Dark);
        QCoreApplication::processEvents();
        const QColor after = series->color();
        applyTheme(*qApp, ThemeChoice::Light);
        QVERIFY(after != before);
        QVERIFY2(replaced.isEmpty(), "the curve was worked out again");
        QVERIFY(!chart().isComputing());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestLinkedViews)
#include "tst_linked_views.moc"
