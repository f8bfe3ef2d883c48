// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The tab "Network", of a folder with nothing but logs of NCCL.

#include "tests/gui/driver/window_test.h"
#include "tests/support/runs/nccl_job.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"
#include "views/network/network_canvas.h"
#include "views/network/network_view.h"
#include "views/summary/summary_view.h"
#include "views/tables/cell_table.h"

#include <QAbstractButton>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTabWidget>
#include <QTest>

namespace collscope {

class TestNetworkView : public WindowTest
{
    Q_OBJECT

private:
    NetworkView& view() const { return *m_window->view<NetworkView>(); }
    NetworkCanvas& canvas() const { return *view().canvas(); }
    QString textOf(int from, int to) const { return canvas().textAt(canvas().cellRect(from, to).center()); }
    QColor colorOf(int from, int to) const
    {
        const QImage image = canvas().viewport()->grab().toImage();
        return image.pixelColor(canvas().cellRect(from, to).center() * image.devicePixelRatio());
    }

    /// A ring over four nodes of two GPUs; nodes 1 and 2 use sockets.
    static void writeLog(const std::filesystem::path& folder)
    {
        NcclJob job;
        job.nodes = 4;
        job.gpus = job.cards = 2;
        job.socketsBetween = {{1, 2}};
        std::filesystem::create_directories(folder);
        writeFile(folder / "nccl.log", job.text());
    }
    void writeFiles() override { writeLog(runPath().toStdString()); }
    void openFirst() override
    {
        QVERIFY(openAndWait(*m_window, {runPath()}));
        QTRY_VERIFY(view().isAnswered());
    }

private slots:
    void aFolderOfLogsOpensWithTheVerdict()
    {
        QVERIFY(view().isVisible());
        const QString text = view().text()->toPlainText();
        QVERIFY2(text.contains(QStringLiteral("NCCL uses sockets (TCP) between node1 and node2")),
                 qPrintable(text));
        QCOMPARE(canvas().matrix().hosts.size(), std::size_t{4});
    }
    void pairsSayWhatConnectsThem()
    {
        QVERIFY2(textOf(1, 2).startsWith(QStringLiteral("node1 to node2\nsockets (TCP): ")),
                 qPrintable(textOf(1, 2)));
        QVERIFY2(textOf(0, 1).startsWith(QStringLiteral("node0 to node1\nnetwork with GPUDirect: ")),
                 qPrintable(textOf(0, 1)));
        QVERIFY2(textOf(2, 2).startsWith(QStringLiteral("within node2\nP2P (NVLink or PCIe): ")),
                 qPrintable(textOf(2, 2)));
        QVERIFY(canvas().textAt({1, 1}).isEmpty());
        QVERIFY(canvas().textAt(canvas().cellRect(3, 4).center()).isEmpty());
    }
    void colorsTellTheWays()
    {
        QCOMPARE(colorOf(0, 0), colorOf(3, 3));
        QCOMPARE(colorOf(1, 2), colorOf(2, 1));
        QVERIFY(colorOf(1, 2) != colorOf(0, 1));
        QVERIFY(colorOf(0, 0) != colorOf(0, 1));
        const QColor sockets = colorOf(1, 2);
        QVERIFY(sockets.red() > sockets.green() + 40 && sockets.red() > sockets.blue() + 40);
    }
    /// 300 nodes do not fit: the matrix is scrolled, and the last pair can be reached.
    void largeJobsAreScrolled()
    {
        NodeMatrix matrix;
        for (std::uint32_t host = 0; host < 300; ++host) {
            matrix.hosts.push_back("node" + std::to_string(host));
            matrix.cells.push_back({host, host, LinkKind::PeerToPeer, {7}});
        }
        canvas().setMatrix(matrix);
        QVERIFY(canvas().verticalScrollBar()->maximum() > 0);
        canvas().verticalScrollBar()->setValue(canvas().verticalScrollBar()->maximum());
        canvas().horizontalScrollBar()->setValue(canvas().horizontalScrollBar()->maximum());
        QVERIFY2(textOf(299, 299).startsWith(QStringLiteral("within node299\nP2P (NVLink or PCIe): 7 pair")),
                 qPrintable(textOf(299, 299)));
        QVERIFY(textOf(298, 299).contains(QStringLiteral("no connection in the logs")));
        QCOMPARE(colorOf(298, 298), colorOf(299, 299));
    }
    /// With traces, the finding leads from the Summary to the tab.
    void aFindingLeadsToTheTab()
    {
        const QString folder = runPath() + QStringLiteral("_with_traces");
        writeRun(planRun(demoDescription()), folder.toStdString(), RunFiles());
        writeLog(folder.toStdString());
        QVERIFY(openAndWait(*m_window, {folder}));
        SummaryView& summary = *m_window->view<SummaryView>();
        QTRY_VERIFY(!summary.shown().empty());
        const auto& shown = summary.shown();
        const auto trouble = std::find_if(shown.begin(), shown.end(), [](const Finding* finding) {
            return finding->kind == FindingKind::NetworkTrouble;
        });
        QVERIFY(trouble != shown.end());
        m_window->findChild<QTabWidget*>()->setCurrentWidget(&summary);
        QVERIFY(!view().isVisible());
        CellTable& table = *summary.table();
        const QModelIndex cell
            = table.model()->index(table.shownRow(static_cast<int>(trouble - shown.begin())), 0);
        table.scrollTo(cell);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(cell).center());
        QTest::mouseClick(&widgetNamed<QAbstractButton>(summary, "findingWhy"), Qt::LeftButton);
        QVERIFY(view().isVisible());
        QTRY_VERIFY(view().isAnswered());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestNetworkView)
#include "tst_network_view.moc"
