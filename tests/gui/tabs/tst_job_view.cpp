// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The tab "Job", of a folder with nothing but logs and files of the NCCL Inspector.

#include "tests/gui/driver/window_test.h"
#include "tests/support/runs/planted_history.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"
#include "views/history/job_canvas.h"
#include "views/history/job_view.h"

#include <QPlainTextEdit>
#include <QTest>

namespace collscope {

class TestJobView : public WindowTest
{
    Q_OBJECT

private:
    JobView& view() const { return *m_window->view<JobView>(); }
    JobCanvas& canvas() const { return *view().canvas(); }

    void writeFiles() override
    {
        m_job.trouble = PlantedHistory::Trouble::SlowNode;
        const std::filesystem::path folder = runPath().toStdString();
        std::filesystem::create_directories(folder);
        for (const auto& [name, text] : m_job.files())
            writeFile(folder / name, text);
    }
    void openFirst() override
    {
        QVERIFY(openAndWait(*m_window, {runPath()}));
        QTRY_VERIFY(view().job() != nullptr);
    }

    PlantedHistory m_job;

private slots:
    void aFolderOfLogsOpensWithTheVerdict()
    {
        QVERIFY(view().isVisible());
        const QString text = view().text()->toPlainText();
        QVERIFY2(text.contains(QStringLiteral("Step times rose by")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("processes on `node-%1`").arg(m_job.node)), qPrintable(text));
    }

    void stepsAndCellsSayWhatTheyAre()
    {
        const QRect chart = canvas().chartRect(), map = canvas().mapRect();
        QVERIFY(chart.height() > 40 && map.height() > 40);
        QVERIFY(canvas().textAt(chart.topLeft()).startsWith(QStringLiteral("step 1: ")));
        QVERIFY(canvas().textAt(map.topLeft() + QPoint(4, 4)).contains(QLatin1Char('%')));
        QVERIFY(canvas().textAt({0, 0}).isEmpty());
    }

    void theChangeIsDrawn()
    {
        const QImage image = canvas().viewport()->grab().toImage();
        const QRect chart = canvas().chartRect();
        const double ratio = image.devicePixelRatio();
        const double share = static_cast<double>(m_job.changeAt - 1) / (m_job.steps - 1);
        const int x = static_cast<int>((chart.left() + share * (chart.width() - 1)) * ratio);
        bool isRed = false;
        for (int near = x - 3; near <= x + 3; ++near) {
            const QColor color = image.pixelColor(near, static_cast<int>((chart.top() + 5) * ratio));
            isRed = isRed || (color.red() > color.green() + 40 && color.red() > color.blue() + 40);
        }
        QVERIFY(isRed);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestJobView)
#include "tst_job_view.moc"
