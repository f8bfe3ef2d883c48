// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Somebody's first minutes, with the mouse alone: open a run of eight ranks, find its slowest collective,
// find what an NVLink peak was, take the number along.

#include "app/files/resources.h"
#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "views/charts/nvlink_chart.h"
#include "views/collectives/collectives_model.h"
#include "views/collectives/collectives_table.h"
#include "views/metrics/metrics_panel.h"
#include "views/metrics/metrics_table.h"
#include "views/tables/kernel_table.h"
#include "views/timeline/timeline_view.h"

#include <QClipboard>
#include <QDropEvent>
#include <QHeaderView>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QUrl>

namespace collscope {

class TestFirstWalk : public WindowTest
{
    Q_OBJECT

private:
    int m_clicks = 0;

    /// As a folder is dropped on the window; returns when its numbers are there.
    void drop(const QString& path)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QSignalSpy opened(m_window.get(), &MainWindow::runOpened);
        const QPoint middle = m_window->rect().center();
        QDragEnterEvent enter(middle, Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_window.get(), &enter);
        QDropEvent event(middle, Qt::CopyAction, &data, Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_window.get(), &event);
        ++m_clicks;
        QTRY_VERIFY_WITH_TIMEOUT(!opened.isEmpty(), 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isComputing(), 60'000);
    }
    void click(QTableView& table, int row, int column)
    {
        const QRect cell = table.visualRect(table.model()->index(row, column));
        QVERIFY(table.viewport()->rect().contains(cell.center()));
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, cell.center()); // its first half
        doubleClick(table.viewport(), cell.center());
        ++m_clicks;
    }
    void sortBy(QTableView& table, int column)
    {
        const QHeaderView& header = *table.horizontalHeader();
        const QPoint middle(header.sectionViewportPosition(column) + header.sectionSize(column) / 2,
                            header.height() / 2);
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, middle);
        ++m_clicks;
    }

private slots:
    void theSlowestCollectiveOfARealRun()
    {
        const QString run = tracesFolder() + QStringLiteral("/multirank/param_dlrm_8rank");
        if (tracesFolder().isEmpty() || !QFileInfo(run).isDir())
            QSKIP("No real traces: set COLLSCOPE_TRACES to look at a run of eight ranks.");
        m_clicks = 0;
        CHECKED(drop(run));
        QCOMPARE(state().run().model()->ranks().size(), std::size_t{8});
        CollectivesTable& collectives = *m_window->view<CollectivesTable>();
        CHECKED(clickTab(collectives));
        ++m_clicks;
        QTableView& table = *collectives.table();
        if (table.horizontalHeader()->sortIndicatorSection() != CollectivesModel::Skew)
            sortBy(table, CollectivesModel::Skew);
        const auto skewOf = [&](int row) {
            return table.model()->index(row, CollectivesModel::Skew).data(RawRole).toDouble();
        };
        for (int row = 1; row < table.model()->rowCount(); ++row)
            QVERIFY2(!(skewOf(row) > skewOf(0)),
                     qPrintable(QStringLiteral("row %1: %2, %3").arg(row).arg(skewOf(row)).arg(skewOf(0))));
        CHECKED(click(table, 0, CollectivesModel::Name));
        QVERIFY2(state().selection().collective(), "the collective is selected");
        QVERIFY2(!m_window->view<TimelineView>()->rectOf(state().selection().slice()).isEmpty(),
                 "and in sight");
        QVERIFY2(m_clicks <= 4, qPrintable(QString::number(m_clicks)));
    }
    void whatAPeakWasAndTheNumber()
    {
        m_clicks = 0;
        CHECKED(drop(QString::fromStdString(resourceFolder("demo"))));
        const NvlinkChart& chart = *m_window->view<NvlinkChart>();
        std::size_t highest = 0;
        while (highest < chart.peaks().size() && !chart.peakPosition(highest))
            ++highest;
        QVERIFY2(highest < chart.peaks().size(), qPrintable(QString::number(chart.peaks().size())));
        clickPeak(*m_window, highest);
        ++m_clicks;
        QTableView& kernels = *m_window->view<KernelTable>()->table();
        QVERIFY2(kernels.isVisible(), "the tab came by itself");
        QTRY_VERIFY(kernels.model()->rowCount() > 0);
        CHECKED(click(kernels, 0, 0));
        QVERIFY(state().selection().slice());
        QVERIFY(isCommunication(state().run().model()->classOf(state().selection().slice())));
        QVERIFY(!m_window->view<TimelineView>()->rectOf(state().selection().slice()).isEmpty());
        QVERIFY2(m_clicks <= 3, qPrintable(QString::number(m_clicks)));

        m_clicks = 0;
        MetricsPanel& metrics = *m_window->view<MetricsPanel>();
        metrics.selectMetric("comm_comp_overlap"); // it lies in sight; where, depends on the window
        QTest::mouseClick(&widgetNamed<QPushButton>(metrics, "metricsCopyNumber"), Qt::LeftButton);
        const double copied = QGuiApplication::clipboard()->text().toDouble();
        QVERIFY2(copied > 0 && copied < 100, qPrintable(QGuiApplication::clipboard()->text()));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestFirstWalk)
#include "tst_first_walk.moc"
