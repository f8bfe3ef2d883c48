// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A load that is cancelled or fails leaves everything as it was; options and layout are kept and honoured.

#include "tests/gui/driver/window_driver.h"
#include "tests/support/runs/hung_example.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"
#include "views/timeline/timeline_view.h"

#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

namespace collscope {

class TestOpening : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    ViewState& state() const { return *m_window->viewState(); }
    std::string openedPath() const { return state().run().model()->paths.front(); }
    QComboBox& iterations() const { return widgetNamed<QComboBox>(*m_window, "iterationChoice"); }
    bool reload() const
    {
        QSignalSpy opened(m_window.get(), &MainWindow::runOpened);
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        return opened.wait(30'000);
    }
    /// Esc before the event loop can deliver what was loaded: a cancel that always comes in time.
    bool cancelByEsc() const
    {
        QSignalSpy cancelled(m_window.get(), &MainWindow::openCancelled);
        QTest::keyClick(m_window->view<TimelineView>(), Qt::Key_Escape);
        return cancelled.wait(30'000);
    }
    std::int64_t shownIteration() const { return state().run().model()->timelines.front().iteration; }
    double secondsInStatus() const
    {
        const QRegularExpression loaded(QStringLiteral("loaded in ([0-9.]+) s"));
        const auto match = loaded.match(widgetNamed<QLabel>(*m_window, "workStatus").text());
        return match.hasMatch() ? match.captured(1).toDouble() : -1;
    }

private slots:
    void initTestCase()
    {
        QLocale::setDefault(QLocale::c());
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, path("settings"));
        QCoreApplication::setOrganizationName(QStringLiteral("collscope"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_opening"));
        writeSmallRun(path("run"));
        for (const int iteration : {10, 20}) {
            for (const int rank : {0, 1})
                writeKineto(path("two/iteration_%1/rank%2.json").arg(iteration).arg(rank), rank,
                            {completeEvent("kernel", QStringLiteral("gemm"), 0, 7, 1000, 80)});
        }
    }
    void init()
    {
        QSettings().clear();
        m_window = shownWindow();
        QVERIFY(m_window);
    }
    void cleanup() { m_window.reset(); }

    void aCancelledOpenLeavesTheRun()
    {
        QVERIFY(openAndWait(*m_window, {path("run")}));
        const TraceModelPtr before = state().run().model();
        m_window->openPaths({path("two")});
        QVERIFY(cancelByEsc());
        QCOMPARE(state().run().model(), before);
        m_window->openPaths({path("two")});
        QTest::qSleep(300); // the worker is done, the window does not know it yet
        QVERIFY(cancelByEsc());
        QCOMPARE(state().run().model(), before);
        QVERIFY(reload());
        QCOMPARE(openedPath(), path("run").toStdString());
    }
    void aFailedOpenLeavesTheRun()
    {
        QVERIFY(openAndWait(*m_window, {path("run")}));
        QSignalSpy failed(m_window.get(), &MainWindow::openFailed);
        m_window->openPaths({path("missing")});
        QVERIFY(failed.wait(30'000));
        QVERIFY(reload());
        QCOMPARE(openedPath(), path("run").toStdString());
    }
    void aCancelledSwitchRestoresTheIteration()
    {
        QVERIFY(openAndWait(*m_window, {path("two")}));
        const std::int64_t shown = shownIteration();
        const int index = iterations().currentIndex();
        QCOMPARE(iterations().count(), 2);
        QTest::keyClick(&iterations(), index == 0 ? Qt::Key_Down : Qt::Key_Up);
        QVERIFY(iterations().currentIndex() != index);
        QVERIFY(cancelByEsc());
        QCOMPARE(iterations().currentIndex(), index);
        QVERIFY(reload());
        QCOMPARE(shownIteration(), shown);
    }
    void reloadKeepsTheIteration()
    {
        QVERIFY(openAndWait(*m_window, {path("two")}));
        const std::int64_t shown = shownIteration();
        QTest::qWait(50); // more than clocks differ: the time must not count from the first start
        QSignalSpy opened(m_window.get(), &MainWindow::runOpened);
        QElapsedTimer watch;
        watch.start();
        QTest::keyClick(&iterations(), iterations().currentIndex() == 0 ? Qt::Key_Down : Qt::Key_Up);
        QVERIFY(opened.wait(30'000));
        QVERIFY(secondsInStatus() >= 0);
        QVERIFY(secondsInStatus() <= static_cast<double>(watch.elapsed()) / 1000.0 + 0.01);
        const std::int64_t chosen = shownIteration();
        QVERIFY(chosen != shown);
        QVERIFY(reload());
        QCOMPARE(shownIteration(), chosen);
    }
    void optionsOfTheCommandLineAreHonoured()
    {
        LoadOptions options;
        options.maxRanks = 1;
        options.iteration = {IterationChoice::Mode::One, 10};
        QVERIFY(openAndWait(*m_window, {path("two")}, options));
        QCOMPARE(state().run().model()->ranks().size(), std::size_t{1});
        QCOMPARE(shownIteration(), 10);
        QTest::keyClick(&iterations(), iterations().currentIndex() == 0 ? Qt::Key_Down : Qt::Key_Up);
        QTRY_COMPARE(shownIteration(), 20);
        QCOMPARE(state().run().model()->ranks().size(), std::size_t{1});
    }
    void escEndsTheLoadBeforeTheSelection()
    {
        QVERIFY(openAndWait(*m_window, {path("run")}));
        dragOverTimeline(*m_window, 0.2, 0.4);
        QVERIFY(state().selection().range().has_value());
        m_window->openPaths({path("two")});
        QVERIFY(cancelByEsc());
        QVERIFY2(state().selection().range().has_value(), "Esc meant the load");
        QTest::keyClick(m_window->view<TimelineView>(), Qt::Key_Escape);
        QVERIFY(!state().selection().range().has_value());
    }
    void aClosedDockStaysClosed()
    {
        const auto start = [&] {
            m_window = std::make_unique<MainWindow>(UserSettings::Use);
            m_window->show();
            QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
            for (const QDockWidget* dock : m_window->findChildren<QDockWidget*>())
                QVERIFY2(dock->isHidden(), "an empty window is all drop target");
            QVERIFY(openAndWait(*m_window, {path("run")}));
        };
        const auto dock
            = [&](const char* name) { return m_window->findChild<QDockWidget*>(QLatin1String(name)); };
        CHECKED(start());
        QVERIFY(dock("dockRanks")->isVisible() && dock("dockMetrics")->isVisible());
        dock("dockRanks")->toggleViewAction()->trigger();
        m_window->close();
        CHECKED(start());
        QVERIFY2(!dock("dockRanks")->isVisible(), "a dock that was closed came back");
        QVERIFY(dock("dockMetrics")->isVisible() && dock("dockDetails")->isVisible());
        m_window->findChild<QAction*>(QStringLiteral("resetLayout"))->trigger();
        QVERIFY(dock("dockRanks")->isVisible());
        m_window->close();
        CHECKED(start());
        QVERIFY(dock("dockRanks")->isVisible());
    }
    /// A hang without a timeline takes the whole window. The next run, and the next start, must not miss
    /// what was set aside for it.
    void docksComeBackAfterAHang()
    {
        writeHungExample(path("hung").toStdString());
        const auto dock
            = [&](const char* name) { return m_window->findChild<QDockWidget*>(QLatin1String(name)); };
        m_window = std::make_unique<MainWindow>(UserSettings::Use);
        m_window->show();
        QVERIFY(openAndWait(*m_window, {path("run")}));
        const int height = dock("dockDetails")->height();
        QVERIFY(openAndWait(*m_window, {path("hung")}));
        QVERIFY(dock("dockRanks")->isHidden() && dock("dockMetrics")->isHidden());
        QVERIFY(!m_window->view<TimelineView>()->isVisible());
        QTRY_VERIFY(dock("dockDetails")->height() > m_window->height() * 3 / 4);
        QVERIFY(openAndWait(*m_window, {path("run")}));
        QVERIFY(dock("dockRanks")->isVisible() && dock("dockMetrics")->isVisible());
        QVERIFY(m_window->view<TimelineView>()->isVisible());
        QTRY_COMPARE(dock("dockDetails")->height(), height);
        QVERIFY(openAndWait(*m_window, {path("hung")}));
        m_window->findChild<QAction*>(QStringLiteral("resetLayout"))->trigger();
        QVERIFY(dock("dockRanks")->isHidden() && dock("dockDetails")->isVisible());
        m_window->close();
        m_window = std::make_unique<MainWindow>(UserSettings::Use);
        m_window->show();
        QVERIFY(openAndWait(*m_window, {path("run")}));
        QVERIFY(dock("dockRanks")->isVisible() && dock("dockMetrics")->isVisible());
    }
    void settingsCanBeIgnored()
    {
        const QString secret = QStringLiteral("/secret/customer/run");
        QSettings().setValue(QStringLiteral("recentRuns"), QStringList{secret});
        m_window->resize(700, 520);
        QSettings().setValue(QStringLiteral("geometry"), m_window->saveGeometry());
        const QSize remembered = MainWindow(UserSettings::Use).size();
        QVERIFY(MainWindow(UserSettings::Ignore).size() != remembered);
        const auto knowsTheSecret = [&](const MainWindow& window) {
            const auto buttons = window.findChildren<QPushButton*>();
            return std::any_of(buttons.begin(), buttons.end(),
                               [&](const QPushButton* button) { return button->toolTip() == secret; });
        };
        QVERIFY(knowsTheSecret(MainWindow(UserSettings::Use)));
        QVERIFY(!knowsTheSecret(MainWindow(UserSettings::Ignore)));
        QVERIFY(openAndWait(*m_window, {path("run")}));
        m_window->close();
        QCOMPARE(QSettings().value(QStringLiteral("recentRuns")).toStringList(), QStringList{secret});
        QVERIFY(!QSettings().contains(QStringLiteral("layout")));
    }
    /// Opening starts no other program; the banner offers to do so, once.
    void nsysRunsOnRequest_data()
    {
        QTest::addColumn<bool>("hasOther");
        QTest::newRow("a report alone") << false;
        QTest::newRow("beside a trace") << true;
    }
    void nsysRunsOnRequest()
    {
        QFETCH(bool, hasOther);
        const QTemporaryDir folder;
        RunFiles files;
        files.kineto = files.nvlink = files.card = false;
        files.nsys = true;
        writeRun(planRun(smallWorkload()), folder.filePath(QStringLiteral("exported")).toStdString(), files);
        const QString run = folder.filePath(QStringLiteral("run"));
        const QString calls = folder.filePath(QStringLiteral("calls"));
        QVERIFY(QDir().mkpath(run));
        writeFile((run + QStringLiteral("/r.nsys-rep")).toStdString(), "report");
        if (hasOther)
            writeKineto(run + QStringLiteral("/rank0.json"), 0,
                        {completeEvent("kernel", QStringLiteral("gemm"), 0, 7, 1000, 80)});
        const std::string nsys = folder.filePath(QStringLiteral("nsys")).toStdString();
        writeFile(nsys,
                  QStringLiteral("#!/bin/sh\n/bin/echo run >> '%1'\n/bin/cp '%2' \"$5\"\n")
                      .arg(calls, folder.filePath(QStringLiteral("exported/nsys_0.sqlite")))
                      .toStdString());
        std::filesystem::permissions(nsys, std::filesystem::perms::owner_all);
        const QByteArray before = qgetenv("PATH");
        const auto reset = qScopeGuard([&] { qputenv("PATH", before); });
        qputenv("PATH", folder.path().toLocal8Bit());

        QSignalSpy failed(m_window.get(), &MainWindow::openFailed);
        QSignalSpy opened(m_window.get(), &MainWindow::runOpened);
        m_window->openPaths({run});
        QTRY_VERIFY_WITH_TIMEOUT(failed.size() + opened.size() == 1, 30'000);
        QCOMPARE(opened.size(), hasOther ? 1 : 0);
        auto* banner = m_window->findChild<QWidget*>(QStringLiteral("banner"));
        auto* button = banner->findChild<QPushButton*>(QStringLiteral("bannerAction"));
        QVERIFY(banner->isVisible());
        QCOMPARE(button->text(), QStringLiteral("Run nsys export"));
        QVERIFY2(!QFile::exists(calls), "opening a folder started a program");
        opened.clear();
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(opened.wait(30'000));
        QVERIFY(QFile::exists(calls));
        const auto& timelines = state().run().model()->timelines;
        QVERIFY(std::any_of(timelines.begin(), timelines.end(),
                            [](const Timeline& timeline) { return timeline.kind == SourceKind::Nsys; }));
        QVERIFY(button->text() != QStringLiteral("Run nsys export") || !banner->isVisible());
        // Loading again reads what is exported.
        QVERIFY(QFile::remove(calls));
        QVERIFY(reload());
        QVERIFY(!QFile::exists(calls));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestOpening)
#include "tst_opening.moc"
