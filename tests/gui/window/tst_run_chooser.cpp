// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A folder of several runs is a list to choose from; what does not belong together in a run is said above it.

#include "app/comparison/runs_window.h"
#include "app/files/hardware_files.h"
#include "metrics/definitions/metric_catalog.h"
#include "tests/gui/driver/window_driver.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"
#include "views/run_chooser.h"
#include "views/tables/problems_view.h"
#include "views/tables/run_table.h"
#include "views/timeline/timeline_view.h"

#include <QDir>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTreeWidget>

namespace collscope {

class TestRunChooser : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    RunChooser& chooser() const { return *m_window->view<RunChooser>(); }
    QTreeWidget& list() const { return *chooser().list(); }
    QPoint rowAt(int row) const { return list().visualItemRect(list().topLevelItem(row)).center(); }
    QPushButton& button(const char* name) const
    {
        return *chooser().findChild<QPushButton*>(QLatin1String(name));
    }
    bool offer(const char* name) const
    {
        QSignalSpy offered(m_window.get(), &MainWindow::runsOffered);
        m_window->openPaths({path(name)});
        return offered.wait(30'000) && chooser().isVisible();
    }
    bool opens(const std::function<void()>& act) const
    {
        QSignalSpy opened(m_window.get(), &MainWindow::runOpened);
        act();
        return opened.count() > 0 || opened.wait(30'000);
    }
    std::string opened() const { return m_window->viewState()->run().model()->paths.front(); }
    QString bannerText() const
    {
        const auto* banner = m_window->findChild<Banner*>(QStringLiteral("banner"));
        return banner->isVisible() && banner->message() ? banner->message()->text : QString();
    }

private slots:
    void initTestCase()
    {
        writeSmallRun(path("runs/fast"));
        writeSmallRun(path("runs/slow"));
        writeSmallRun(path("one"));
    }
    void init()
    {
        m_window = shownWindow();
        QVERIFY(m_window);
    }
    void cleanup() { m_window.reset(); }

    void aFolderOfRunsIsAList()
    {
        QVERIFY(offer("runs"));
        QVERIFY(!m_window->viewState()->run().model());
        QCOMPARE(list().topLevelItemCount(), 2);
        const QTreeWidgetItem& first = *list().topLevelItem(0);
        QCOMPARE(first.text(0), QStringLiteral("fast"));
        QCOMPARE(first.text(1), QStringLiteral("ranks 0, 1"));
        QVERIFY(first.text(2).startsWith(QStringLiteral("20"))
                && first.text(2).endsWith(QStringLiteral("UTC")));
        QVERIFY(!first.text(3).isEmpty());
        QVERIFY(list().hasFocus());
        QVERIFY(bannerText().isEmpty());
    }
    void enterOpensTheCurrentRun()
    {
        QVERIFY(offer("runs"));
        QTest::keyClick(&list(), Qt::Key_Down);
        QVERIFY(opens([&] { QTest::keyClick(&list(), Qt::Key_Return); }));
        QCOMPARE(opened(), path("runs/slow").toStdString());
        QVERIFY(!chooser().isVisible() && m_window->view<TimelineView>()->isVisible());
    }
    void aDoubleClickOpensARun()
    {
        QVERIFY(offer("runs"));
        QVERIFY(opens([&] {
            QTest::mouseClick(list().viewport(), Qt::LeftButton, {}, rowAt(1));
            doubleClick(list().viewport(), rowAt(1));
        }));
        QCOMPARE(opened(), path("runs/slow").toStdString());
    }
    void theButtonOpensTheSelectedRun()
    {
        QVERIFY(offer("runs"));
        QTest::mouseClick(list().viewport(), Qt::LeftButton, {}, rowAt(1));
        QVERIFY(opens([&] { QTest::mouseClick(&button("runChooserOpen"), Qt::LeftButton); }));
        QCOMPARE(opened(), path("runs/slow").toStdString());
    }
    void escapeLeadsBack()
    {
        QVERIFY(openAndWait(*m_window, {path("one")}));
        const TraceModelPtr before = m_window->viewState()->run().model();
        QVERIFY(offer("runs"));
        QTest::keyClick(&list(), Qt::Key_Escape);
        QVERIFY(!chooser().isVisible() && m_window->view<TimelineView>()->isVisible());
        QCOMPARE(m_window->viewState()->run().model(), before);
    }
    void twoRunsAreCompared()
    {
        QVERIFY(offer("runs"));
        QVERIFY(!button("runChooserCompare").isEnabled());
        QTest::mouseClick(list().viewport(), Qt::LeftButton, {}, rowAt(0));
        QTest::mouseClick(list().viewport(), Qt::LeftButton, Qt::ControlModifier, rowAt(1));
        QVERIFY(button("runChooserCompare").isEnabled() && !button("runChooserOpen").isEnabled());
        QVERIFY(opens([&] { QTest::mouseClick(&button("runChooserCompare"), Qt::LeftButton); }));
        QCOMPARE(opened(), path("runs/fast").toStdString());
        QTRY_VERIFY(m_window->comparison());
    }
    void allOfThemAreATable()
    {
        QVERIFY(offer("runs"));
        QTest::mouseClick(&button("runChooserTable"), Qt::LeftButton);
        auto* const runs = m_window->findChild<RunsWindow*>(QStringLiteral("runsWindow"));
        QVERIFY(runs && runs->isVisible());
        QTRY_COMPARE(runs->table()->model()->rowCount(), 2);
        QTRY_VERIFY_WITH_TIMEOUT(!runs->isLoading(), 30'000);
    }
    void whoInsistsGetsOneRun()
    {
        QVERIFY(offer("runs"));
        QVERIFY(opens([&] { QTest::mouseClick(&button("runChooserAsOne"), Qt::LeftButton); }));
        QCOMPARE(m_window->viewState()->run().model()->ranks(), (std::vector<std::int32_t>{0, 1}));
        QVERIFY(!bannerText().isEmpty());
    }
    void missingRanksAreSaidAboveTheRun()
    {
        WorkloadDescription description = smallWorkload();
        const RunPlan plan = planRun(description);
        QVERIFY(plan.ranks.size() == 2);
        for (const PlannedRank& rank : plan.ranks) {
            QDir().mkpath(path("missing"));
            writeFile(path("missing").toStdString() + "/rank" + std::to_string(rank.rank) + "_trace.json",
                      QString::fromStdString(kinetoJson(plan, rank))
                          .replace(QStringLiteral("\"world_size\": 2"), QStringLiteral("\"world_size\": 4"))
                          .toStdString());
        }
        QVERIFY(openAndWait(*m_window, {path("missing")}));
        QVERIFY2(bannerText().contains(QStringLiteral("ranks 2, 3")), qPrintable(bannerText()));
        QVERIFY(m_window->view<ProblemsView>()->count() > 0);
        // The button leads to the list of problems, the cross takes the message away.
        auto* const details = m_window->findChild<QPushButton*>(QStringLiteral("bannerAction"));
        QTest::mouseClick(details, Qt::LeftButton);
        QVERIFY(m_window->view<ProblemsView>()->isVisible());
        // It is of this run alone.
        QVERIFY(openAndWait(*m_window, {path("one")}));
        QVERIFY(!bannerText().contains(QStringLiteral("ranks 2, 3")));
    }
    void aFolderOfFourteenRunsHasFourteenRows()
    {
        if (oracleFolder().isEmpty())
            QSKIP("no oracle: set COLLSCOPE_ORACLE");
        RunsWindow window(MetricCatalog().all(), *loadHardwareDatabase({}));
        window.show();
        window.openFolders({oracleFolder() + QStringLiteral("/inputs")});
        QTRY_COMPARE_WITH_TIMEOUT(window.table()->model()->rowCount(), 14, 30'000);
        // Between two runs nothing loads for a moment.
        const auto areAllDone = [&window] {
            const auto& rows = window.table()->model()->rows();
            return std::all_of(rows.begin(), rows.end(), [](const RunRow& row) { return row.isDone; });
        };
        QTRY_VERIFY_WITH_TIMEOUT(areAllDone(), 60'000);
        for (const RunRow& row : window.table()->model()->rows())
            QVERIFY2(row.status, qPrintable(row.path));
        const auto* banner = window.findChild<Banner*>();
        QVERIFY(banner->message() && banner->message()->text.contains(QStringLiteral("nvlink_bad, toml")));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestRunChooser)
#include "tst_run_chooser.moc"
