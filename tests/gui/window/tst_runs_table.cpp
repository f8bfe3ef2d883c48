// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Many runs as a table: which folders are runs, what the columns say, filter, order, export.

#include "app/comparison/runs_window.h"
#include "app/files/hardware_files.h"
#include "app/files/run_folders.h"
#include "metrics/definitions/metric_catalog.h"
#include "tests/gui/driver/window_driver.h"
#include "tests/support/suite/suite.h"
#include "views/tables/run_filter.h"

#include <QAction>
#include <QClipboard>
#include <QDir>
#include <QGuiApplication>
#include <QLineEdit>
#include <QProcess>
#include <QScrollBar>
#include <QTableView>

namespace collscope {

class TestRunsTable : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::shared_ptr<const HardwareDatabase> m_hardware = *loadHardwareDatabase({});

    QString path(const QString& name) const { return m_folder.filePath(name); }
    static int column(const RunTable& table, const QString& key)
    {
        for (int i = 0; i < table.model()->columnCount(); ++i) {
            if (table.model()->key(i) == key)
                return i;
        }
        return -1;
    }

    /// The last rows may still be on their way when the last run is loaded.
    static bool isComplete(const RunsWindow& window)
    {
        const std::vector<RunRow>& rows = window.table()->model()->rows();
        return !window.isLoading()
            && std::all_of(rows.begin(), rows.end(), [](const RunRow& row) { return row.isDone; });
    }

private slots:
    void initTestCase()
    {
        writeSmallRun(path(QStringLiteral("runs/fast")));
        writeSmallRun(path(QStringLiteral("runs/slow")));
        QVERIFY(QDir().mkpath(path(QStringLiteral("runs/empty"))));
        QVERIFY(QDir().mkpath(path(QStringLiteral("nested/profile_traces/iteration_10"))));
    }
    void aFolderOfRunsIsNotARun()
    {
        const RunList runs = runsIn(path(QStringLiteral("runs")).toStdString());
        QCOMPARE(runs.runs.size(), std::size_t{2});
        QCOMPARE(runs.runs[0].label, path(QStringLiteral("runs/fast")).toStdString());
        QCOMPARE(runs.others, std::vector<std::string>{"empty"});
        for (const char* name : {"runs/fast", "nested"}) {
            const std::string one = path(QString::fromLatin1(name)).toStdString();
            const RunList alone = runsIn(one);
            QVERIFY(alone.runs.size() == 1 && alone.runs.front().label == one && alone.others.empty());
        }
    }
    void namesStayInSight()
    {
        RunsWindow window(MetricCatalog().usual(), m_hardware);
        window.resize(700, 400);
        window.show();
        window.openFolders({path(QStringLiteral("runs"))});
        RunTable& table = *window.table();
        QTRY_VERIFY(isComplete(window));
        QTableView& view = *table.findChild<QTableView*>(QStringLiteral("runs"));
        const auto& names = *view.findChild<QTableView*>(QStringLiteral("frozenColumn"));
        QVERIFY(!names.isVisible());
        view.horizontalScrollBar()->setValue(view.horizontalScrollBar()->maximum());
        QVERIFY(names.isVisible());
        QCOMPARE(names.indexAt({4, 4}).data().toString(), QStringLiteral("fast"));
        view.selectRow(1);
        view.findChild<QAction*>(QStringLiteral("copyRows"))->trigger();
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
        QVERIFY(lines.size() == 3 && lines[1].startsWith(QStringLiteral("slow\t")));
    }
    void everyRunIsARow()
    {
        RunsWindow window(MetricCatalog().usual(), m_hardware);
        window.show();
        // A folder that a person names is a row even where it holds nothing.
        window.openFolders({path(QStringLiteral("runs")), path(QStringLiteral("runs/empty"))});
        RunTable& table = *window.table();
        QTRY_COMPARE(table.model()->rowCount(), 3);
        QTRY_VERIFY(isComplete(window));
        const auto* banner = window.findChild<Banner*>();
        QVERIFY(banner->message() && banner->message()->text.contains(QStringLiteral("empty")));
        const int stepTime = column(table, QStringLiteral("avg_step_time"));
        QVERIFY(stepTime > 0);
        const auto cell = [&](int row, int at, int role) { return table.model()->index(row, at).data(role); };
        QVERIFY(cell(0, stepTime, RunTableModel::SortRole).toDouble() > 0);
        QCOMPARE(cell(0, stepTime, RunTableModel::SortRole), cell(1, stepTime, RunTableModel::SortRole));
        QVERIFY2(!cell(2, 0, Qt::ToolTipRole).toString().section(u'\n', 1).isEmpty(),
                 "a folder without traces must say so");
        // Runs without the value stand last, whatever the order of their names.
        table.table()->sortByColumn(stepTime, Qt::AscendingOrder);
        QCOMPARE(table.shownPaths().last(), path(QStringLiteral("runs/empty")));

        QTest::keyClicks(table.filterLine(), QStringLiteral("slow avg_step>0"));
        QCOMPARE(table.shownPaths(), QStringList{path(QStringLiteral("runs/slow"))});
        const QByteArray csv = window.csv();
        QVERIFY(csv.startsWith("run,"));
        QVERIFY(csv.contains("runs/slow") && !csv.contains("runs/fast"));
        table.filterLine()->clear();
        QTest::keyClicks(table.filterLine(), QStringLiteral("avg_step>1000000"));
        QVERIFY(table.shownPaths().isEmpty());
    }
    void theExportIsThatOfBatch()
    {
        RunsWindow window(MetricCatalog().usual(), m_hardware);
        window.openFolders({path(QStringLiteral("runs/fast")), path(QStringLiteral("runs/slow"))});
        QTRY_VERIFY_WITH_TIMEOUT(isComplete(window), 30'000);
        QProcess batch;
        batch.start(QStringLiteral(COLLSCOPE_PROGRAM),
                    {QStringLiteral("--batch"), path(QStringLiteral("runs/fast")),
                     path(QStringLiteral("runs/slow")), QStringLiteral("--metric"), QStringLiteral("all"),
                     QStringLiteral("--csv"), QStringLiteral("-")});
        QVERIFY(batch.waitForFinished());
        const QByteArray lines = batch.readAllStandardOutput();
        QCOMPARE(window.csv().count('\n'), lines.count('\n'));
    }
    void aDoubleClickOpensTheRun()
    {
        RunsWindow window(MetricCatalog().usual(), m_hardware);
        window.resize(900, 500); // both rows must be in sight, also on a small screen
        window.show();
        window.openFolders({path(QStringLiteral("runs"))});
        QTRY_VERIFY(isComplete(window)); // each row resizes the columns
        QStringList opened;
        QObject::connect(&window, &RunsWindow::runActivated, this,
                         [&](const QStringList& run) { opened << run; });
        QTableView& table = *window.table()->table();
        const QPoint cell = table.visualRect(table.model()->index(1, 0)).center();
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, cell);
        doubleClick(table.viewport(), cell);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened.front(), window.table()->shownPaths().at(1));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestRunsTable)
#include "tst_runs_table.moc"
